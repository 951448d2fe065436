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
