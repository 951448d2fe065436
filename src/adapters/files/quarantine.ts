import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import { makeFolder } from './durable-file.ts'
import { namesIn } from './whole-file.ts'

export function quarantineIn(dir: string): string {
  return join(dir, 'quarantine')
}

/** A data folder, and who is told of what happens in it. */
export interface DataFolder {
  readonly dir: string
  readonly files: Files
  readonly log: Log
}

/**
 * Moves a damaged file to quarantine, for an operator to look at, and tells the log. Never rejects: a file that cannot
 * move stays.
 */
export async function moveToQuarantine(
  { files, log, dir }: DataFolder,
  folder: string,
  name: string,
  damage: string,
): Promise<void> {
  log.error({ file: name, damage }, 'damaged file: moved to quarantine')
  const quarantine = quarantineIn(dir)
  try {
    await makeFolder(files, quarantine)
    await files.rename(join(folder, name), join(quarantine, name))
    await files.fsyncDir(quarantine)
    await files.fsyncDir(folder)
  } catch (error) {
    log.error({ file: name, cause: String(error) }, 'a damaged file could not be moved to quarantine')
  }
}

/**
 * Removes files of a data folder that were set aside, by their names. Resolves with their number when that is durable; rejects when one
 * has to stay.
 */
export async function removeFromQuarantine(
  { files, dir }: Pick<DataFolder, 'files' | 'dir'>,
  isMeant: (name: string) => boolean,
): Promise<number> {
  const folder = quarantineIn(dir)
  const names = (await namesIn(files, folder)).filter(isMeant)
  for (const name of names) await files.unlink(join(folder, name))
  if (names.length > 0) await files.fsyncDir(folder)
  return names.length
}
