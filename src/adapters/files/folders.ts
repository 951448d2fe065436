import { existsSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'

/** True: the path lies below the folder. Both are absolute; links are not followed. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/**
 * Makes a folder and those above it that are missing, as `mkdir -p`; answers which were, the uppermost first. Not by Node's own `recursive`, which never returns where the file system answers ENOENT to a mkdir in a
 * folder that exists, as /proc does. Throws what the system refuses.
 */
export function madeFolder(dir: string): readonly string[] {
  const missing: string[] = []
  let above = dir
  while (!existsSync(above) && dirname(above) !== above) {
    missing.unshift(above)
    above = dirname(above)
  }
  for (const folder of missing) {
    try {
      mkdirSync(folder)
    } catch (error) {
      // Somebody else has made it meanwhile.
      if (!existsSync(folder)) throw error
    }
  }
  return missing
}
