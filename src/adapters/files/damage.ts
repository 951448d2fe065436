import { messageOf } from '../../core/base/errors.ts'

/**
 * Why a file of a store cannot be used as it is.
 * - damaged: it is not what was written.
 * - missing: it was there once.
 * - foreign: it is of another store or under a wrong name.
 * - newer: a newer program wrote it; nothing is wrong with it.
 * - unreadable: the file system refuses to read it; what is in it is not known.
 */
export type DamageKind = 'damaged' | 'missing' | 'foreign' | 'newer' | 'unreadable'

/** One thing that is wrong with one file. Plain data. */
export interface FileDamage {
  readonly kind: DamageKind
  readonly path: string
  /** Null when it concerns the file as a whole. */
  readonly offset: number | null
  readonly what: string
}

/** The file is not what was written. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError'
}

/** The file is whole, but a newer program wrote it. */
export class NewerFileError extends Error {
  override readonly name = 'NewerFileError'
}

const RECORD_FILE = { damaged: DamagedFileError, newer: NewerFileError }

/** What a reader threw, as a damage; `newer` and `damaged` are the error classes that mean so. */
export function damageOf(
  error: unknown,
  path: string,
  classes: {
    readonly damaged: abstract new (...args: never[]) => Error
    readonly newer: abstract new (...args: never[]) => Error
  } = RECORD_FILE,
): FileDamage {
  const what = messageOf(error)
  if (error instanceof classes.newer) return { kind: 'newer', path, offset: null, what }
  if (error instanceof classes.damaged) return { kind: 'damaged', path, offset: null, what }
  return { kind: 'unreadable', path, offset: null, what }
}
