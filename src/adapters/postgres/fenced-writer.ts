import { messageOf } from '../../core/base/errors.ts'
import type { Grant, JournalFailureKind } from '../../ports/store.ts'
import { StoreFailure } from '../files/store-failure.ts'
import type { Database } from './database.ts'

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

/** The fence: one row when the epoch $2 of shard $1 is still the one, locked until the statement has committed; else none. */
export const OWNED = `owned as materialized (
      select epoch from memgov.shard where shard = $1 and epoch = $2 for share)`

/**
 * A statement behind the fence: it looks at the epoch of the shard and writes in the same step. `body` may select from
 * `owned`, of which there is one row or none, and names what it did `done`; $1 is the shard, $2 the epoch.
 */
export function fencedStatement(body: string): string {
  return `with ${OWNED}, ${body}
    select (select count(*) from owned)::int as owned, (select count(*) from done)::int as done`
}

export type FencedWriter = ReturnType<typeof fencedWriter>

export function fencedWriter(database: Database, onLost: (grant: Grant) => void) {
  return {
    /** Resolves with the number of rows that were changed. Rejects with a StoreFailure. */
    async write(statement: string, grant: Grant, values: readonly unknown[]): Promise<number> {
      try {
        const { rows } = await database.write(statement, [grant.shard, grant.epoch, ...values])
        const [row] = rows
        if (row === undefined) throw new Error('the database answered without a row')
        if (row['owned'] === 1) return Number(row['done'])
        onLost(grant)
        throw fenced(grant.shard)
      } catch (error) {
        throw writeFailure(error)
      }
    },
  }
}
