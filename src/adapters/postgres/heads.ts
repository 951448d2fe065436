import type { Grant } from '../../ports/ownership.ts'

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
  /** Resolves when the last turn is stored, or is not. */
  stored: Promise<void> | null
  /** Why the last turn was not stored: what was decided on top of it is not taken. Only who reads the actor anew goes on. */
  failed: Error | null
}

/** The actors that this node holds. */
export class Heads {
  readonly #heads = new Map<string, Head>()

  get(actorKey: string): Head | null {
    return this.#heads.get(actorKey) ?? null
  }

  set(actorKey: string, grant: Grant, seq: number, covered: number, snapshotBytes: number): void {
    this.#heads.set(actorKey, {
      grant,
      seq,
      covered,
      snapshotBytes,
      countedFrom: covered,
      sizes: [],
      uncoveredBytes: 0,
      stored: null,
      failed: null,
    })
  }

  /** The head under this grant; null: the actor is not held by it. */
  under({ shard, epoch }: Grant, actorKey: string): Head | null {
    const head = this.#heads.get(actorKey)
    return head?.grant.shard === shard && head.grant.epoch === epoch ? head : null
  }

  forget(actorKey: string): void {
    this.#heads.delete(actorKey)
  }
}

/** A turn was read or written. */
export function count(head: Head, seq: number, bytes: number): void {
  if (seq !== head.countedFrom + head.sizes.length + 1) return
  head.sizes.push(bytes)
  head.uncoveredBytes += bytes
}

/** A snapshot covers what was counted up to a turn. */
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
