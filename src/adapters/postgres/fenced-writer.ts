import type { Grant } from '../../ports/store.ts'
import { type Database, fenced, writeFailure } from './database.ts'

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
