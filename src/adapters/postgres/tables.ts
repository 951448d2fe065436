import type { StateImage } from '../../core/model/image.ts'
import type { Codec } from '../../ports/codec.ts'
import type { Grant, StoredTurns } from '../../ports/store.ts'
import type { Clock, Schedule } from '../../ports/system.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { type Database, type DatabaseOptions, fenced, rowsOf, writeFailure } from './database.ts'
import type { Step } from './migrate.ts'
import type { SharedSettings, StoreSync } from './settings.ts'

export interface SnapshotFormat {
  encode(actorKey: string, image: StateImage): Promise<Uint8Array>
  /** Rejects when the bytes are not those of a whole snapshot of the actor. */
  decode(actorKey: string, bytes: Uint8Array): Promise<StateImage>
}

export interface PostgresStoreOptions extends DatabaseOptions {
  readonly clock: Clock
  readonly codec: Codec
  readonly format: SnapshotFormat
  readonly telemetry: Pick<Telemetry, 'journalWrote'>
  readonly schedule: Schedule
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonicMs: () => number
  readonly model: string | null
  readonly sync: StoreSync
  /** Settings that change answers: nodes of one store have the same. */
  readonly shared: SharedSettings
  readonly nodeUrl: string
  readonly version: string
  /** Those of this build, unless a test stands for another one. */
  readonly steps?: readonly Step[]
  readonly exposureRetentionMs: number
  readonly historyRetentionMs: number
  readonly copiesKeptMs: number
  /** How long a shard of which nothing is in memory stays with the node, and how long an answer about others counts. */
  readonly lingerMs?: number
  readonly elsewhereMs?: number
  /** Whether nodes share out what nobody has: they can send requests on to each other. */
  readonly isSharedOut?: boolean
  /** Whether a store that is on its way here is opened by what brings it; false unless given. */
  readonly isArriving?: boolean
  /** Whether what is older than retention stays, as for a command: nodes that serve remove it; false unless given. */
  readonly keepsAll?: boolean
  /** What stands between the store and its database: a test looks at statements there, or spoils them. */
  readonly around?: (database: Database) => Database
}

export interface PostgresTables extends PostgresStoreOptions {
  readonly database: Database
  readonly heads: Heads
  readonly writer: FencedWriter
  readonly shardOf: (actorKey: string) => number
  /** The shard belongs to somebody else, or nobody knows what became of a write: nothing known of it counts any more. */
  readonly onLost: (grant: Grant) => void
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

/** What this node knows of an actor that it holds. */
export interface Head {
  readonly grant: Grant
  /** The last turn that was given to the database. */
  seq: number
  /** Turns that the newest snapshot covers, and its size. */
  covered: number
  snapshotBytes: number
  /** The turns that are counted below begin behind this one. */
  countedFrom: number
  /** Bytes of turns above it, one by one. */
  sizes: number[]
  uncoveredBytes: number
  stored: Promise<void> | null
  /** Why the last turn was not stored: what was decided on top of it is not taken. Only who reads the actor anew goes on. */
  failed: Error | null
}

const TURNS_OF = `select a.covered, a.snapshot_bytes,
      (select max(seq) from memgov.turn t where t.shard = asked.shard and t.actor = asked.actor) as head
    from unnest($1::int[], $2::text[]) with ordinality as asked (shard, actor, place)
      left join memgov.actor a on a.shard = asked.shard and a.actor = asked.actor
    order by place`

/** Of each of some actors in their order, whoever holds it. Rejects with what a failed read means. */
export async function storedTurns(
  database: Database,
  shards: readonly number[],
  actorKeys: readonly string[],
): Promise<readonly StoredTurns[]> {
  const rows = await rowsOf(database, TURNS_OF, [shards, actorKeys])
  return rows.map(({ head, covered, snapshot_bytes: bytes }) => {
    const snapshotTurns = Number(covered ?? 0)
    const turns = Math.max(Number(head ?? 0), snapshotTurns)
    return { turns, snapshotTurns, snapshotBytes: Number(bytes ?? 0) }
  })
}

export type Heads = ReturnType<typeof createHeads>

export function createHeads(database: Database) {
  const heads = new Map<string, Head>()
  return {
    get: (actorKey: string): Head | null => heads.get(actorKey) ?? null,
    /** Reads of an actor what writers have to know, now that its shard is held. Rejects with what a failed read means. */
    async prime(grant: Grant, actorKey: string): Promise<Head> {
      const [stored] = await storedTurns(database, [grant.shard], [actorKey])
      const { turns: seq = 0, snapshotTurns: covered = 0, snapshotBytes = 0 } = stored ?? {}
      const head = {
        grant,
        seq,
        covered,
        snapshotBytes,
        countedFrom: covered,
        sizes: [],
        uncoveredBytes: 0,
        stored: null,
        failed: null,
      }
      heads.set(actorKey, head)
      return head
    },
    under({ shard, epoch }: Grant, actorKey: string): Head | null {
      const head = heads.get(actorKey)
      return head?.grant.shard === shard && head.grant.epoch === epoch ? head : null
    },
    forget: (actorKey: string): void => void heads.delete(actorKey),
  }
}

export function count(head: Head, seq: number, bytes: number): void {
  if (seq !== head.countedFrom + head.sizes.length + 1) return
  head.sizes.push(bytes)
  head.uncoveredBytes += bytes
}

export function cover(head: Head, seq: number): void {
  if (seq > head.seq) {
    // Older turns are kept nowhere: what comes is counted from here on.
    head.seq = seq
    head.countedFrom = seq
    head.sizes = []
    head.uncoveredBytes = 0
    return
  }
  const gone = Math.min(seq - head.countedFrom, head.sizes.length)
  if (gone <= 0) return
  for (const bytes of head.sizes.slice(0, gone)) head.uncoveredBytes -= bytes
  head.sizes = head.sizes.slice(gone)
  head.countedFrom += gone
}
