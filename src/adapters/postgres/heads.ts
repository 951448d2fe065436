import type { Grant } from '../../ports/ownership.ts'
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

const PRIME = `select a.covered, a.snapshot_bytes,
      (select max(seq) from memgov.turn where shard = $1 and actor = $2) as head
    from (select) as one left join memgov.actor a on a.shard = $1 and a.actor = $2`

export type Heads = ReturnType<typeof createHeads>

export function createHeads(database: Database) {
  const heads = new Map<string, Head>()
  return {
    get: (actorKey: string): Head | null => heads.get(actorKey) ?? null,
    /** Reads of an actor what writers have to know, now that its shard is held. Rejects with what a failed read means. */
    async prime(grant: Grant, actorKey: string): Promise<Head> {
      const [row = {}] = await rowsOf(database, PRIME, [grant.shard, actorKey])
      const covered = Number(row['covered'] ?? 0)
      const head = {
        grant,
        seq: Math.max(Number(row['head'] ?? 0), covered),
        covered,
        snapshotBytes: Number(row['snapshot_bytes'] ?? 0),
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
