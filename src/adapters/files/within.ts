import { isAbsolute, relative, sep } from 'node:path'

/** True: the path lies below the folder. Both are absolute; links are not followed. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
