import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import process from 'node:process'

/**
 * Runs `work` as the user to whom a file or folder belongs, where the superuser asks for it: a service of that user could not open
 * what belongs to the superuser. Where that user may not read the path itself, it is run as asked.
 * @param source what `work` reads besides; null: nothing
 * @throws where that user may not read `source`
 */
export async function asOwnerOf<T>(
  path: string,
  work: () => Promise<T>,
  source: string | null = null,
): Promise<T> {
  const owner = existsSync(path) ? statSync(path) : null
  if (owner === null || owner.uid === 0 || process.geteuid?.() !== 0) return work()
  try {
    process.setegid?.(owner.gid)
    process.seteuid?.(owner.uid)
    if (isReadable(source ?? path)) return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
  if (source !== null)
    throw new Error(
      `user ${owner.uid}, to whom ${path} belongs, may not read ${source}: give it to that user, or put a copy where that user reads it.`,
    )
  return work()
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}
