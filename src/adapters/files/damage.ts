import { join } from 'node:path'
import { messageOf } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/system.ts'
import { makeFolder, namesIn } from './whole-file.ts'

/**
 * Why a file of a store cannot be used as it is.
 * - damaged: it is not what was written.
 * - missing: it was there once.
 * - foreign: it is of another store or under a wrong name.
 * - newer: a newer program wrote it; nothing is wrong with it.
 * - unreadable: the file system refuses to read it; what is in it is not known.
 */
export type DamageKind = 'damaged' | 'missing' | 'foreign' | 'newer' | 'unreadable'

export interface FileDamage {
  readonly kind: DamageKind
  readonly path: string
  /** Null when it concerns the file as a whole. */
  readonly offset: number | null
  readonly what: string
}

export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

/** The file, or the store that it is of, is whole, but of a format that this program does not read: a newer one wrote it. */
export class NewerFileError extends Error {
  override readonly name = 'NewerFileError'
}

/** What a reader threw, as a damage; `damaged` is the error class that means so. */
export function damageOf(
  error: unknown,
  path: string,
  damaged: abstract new (...args: never[]) => Error = DamagedFileError,
): FileDamage {
  const what = messageOf(error)
  if (error instanceof NewerFileError) return { kind: 'newer', path, offset: null, what }
  if (error instanceof damaged) return { kind: 'damaged', path, offset: null, what }
  return { kind: 'unreadable', path, offset: null, what }
}

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
