import type { Grant, StoredTurns } from '../../ports/store.ts'
import { type Database, rowsOf } from './database.ts'

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
