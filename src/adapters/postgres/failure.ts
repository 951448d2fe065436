import { messageOf } from '../../core/base/errors.ts'
import type { JournalFailureKind } from '../../ports/store.ts'
import { StoreFailure } from '../files/store-failure.ts'

/** A statement found that the shard has another epoch: its writer does not own it any more. */
export function fenced(shard: number, owner: string | null = null): StoreFailure {
  return new StoreFailure('fenced', `shard ${shard} belongs to another node`, { owner, shard })
}

/** No row of the key may be there twice. */
const UNIQUE_VIOLATION = '23505'
const DISK_FULL = '53100'
/** A server that says one of these may have said it behind a commit; any other error of it means that nothing was written. */
const ENDED_BY_SERVER = /^(57P0|08|XX)/

/** SQLSTATE of what the server said; null: nobody knows what became of the statement. */
export function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === DISK_FULL || (error instanceof Error && sqlStateOf(error.cause) === DISK_FULL)
}

/** What a failed write means. Only what the server has certainly rolled back counts as not written. */
export function writeFailure(error: unknown): StoreFailure {
  const state = sqlStateOf(error)
  if (state === UNIQUE_VIOLATION) return failure('conflict', 'the turn is stored already', error)
  if (state === null || ENDED_BY_SERVER.test(state))
    return failure('unknown', 'the database did not say whether it has stored this', error)
  return failure('unavailable', 'the database refused this', error)
}

export function readFailure(error: unknown): StoreFailure {
  return failure('unavailable', 'the database does not answer', error)
}

export function refuseRead(error: unknown): never {
  throw readFailure(error)
}

/** What was told before stays as it was told. */
function failure(kind: JournalFailureKind, what: string, cause: unknown): StoreFailure {
  if (cause instanceof StoreFailure) return cause
  return new StoreFailure(kind, `${what}: ${messageOf(cause)}`, { cause })
}
