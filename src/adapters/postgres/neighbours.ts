import type { Lease } from './lease.ts'
import { firstChoice } from './moves.ts'

/** A free shard is taken by any node when the one that it would go to has not answered for so long, and for so long after. */
const FIRST_CHOICE_MS = 200
const DOUBT_MS = 3_000
/** A node is given no shards before it has lived for so long, as far as this one knows: it may not listen yet. */
const SETTLED_MS = 2_000
/** Nor for so long after it took no request, unless it has answered one since. */
const TRUSTED_MS = 30_000

export interface NeighboursOptions {
  readonly lease: Pick<Lease, 'nodeId' | 'peers'>
  readonly monotonicMs: () => number
  /** Whether nodes share out what nobody has: they can send requests on to each other. */
  readonly isSharedOut?: boolean
}

export type Neighbours = ReturnType<typeof neighboursOf>

/** The other nodes as this one sees them: to which of them a shard is left, or given. */
export function neighboursOf(options: NeighboursOptions) {
  /** Since when nodes have not answered, and since when they are known, by their ids. */
  const doubted = new Map<string, number>()
  const known = new Map<string, number>()

  return {
    /** Where the node is that a free shard is left to; null: this one takes it. Another owner than that is known there. */
    firstChoiceOf(shard: number): string | null {
      const { lease, monotonicMs, isSharedOut = false } = options
      if (!isSharedOut) return null
      const id = firstChoice(shard, [lease.nodeId, ...reached(lease.peers)])
      if (id === null || id === lease.nodeId) return null
      const doubtedMs = monotonicMs() - (doubted.get(id) ?? Number.POSITIVE_INFINITY)
      return doubtedMs >= FIRST_CHOICE_MS && doubtedMs <= DOUBT_MS ? null : (lease.peers.get(id) ?? null)
    },
    /** The nodes that may be given shards. To be asked again and again: a node is settled when it was there for a while. */
    takers(): readonly string[] {
      const { lease, monotonicMs, isSharedOut = false } = options
      if (!isSharedOut) return []
      const nowMs = monotonicMs()
      const { peers, nodeId } = lease
      for (const id of known.keys()) if (!peers.has(id)) known.delete(id)
      for (const id of doubted.keys()) if (!peers.has(id)) doubted.delete(id)
      return reached(peers).filter((id) => {
        if (id === nodeId) return false
        const sinceMs = known.get(id)
        if (sinceMs === undefined) known.set(id, nowMs)
        const doubtedMs = nowMs - (doubted.get(id) ?? Number.NEGATIVE_INFINITY)
        return sinceMs !== undefined && nowMs - sinceMs >= SETTLED_MS && doubtedMs > TRUSTED_MS
      })
    },
    /** The node has answered a request. */
    trust(id: string): void {
      doubted.delete(id)
    },
    /** The node at an address took no request, or closes. */
    doubt(url: string): void {
      const nowMs = options.monotonicMs()
      for (const [id, at] of options.lease.peers) {
        if (at !== url) continue
        const sinceMs = doubted.get(id)
        if (sinceMs === undefined || nowMs - sinceMs > DOUBT_MS) doubted.set(id, nowMs)
      }
    },
  }
}

/** Nodes without an address take what they are asked for, and nothing else: nobody can send them a request. */
function reached(peers: ReadonlyMap<string, string>): readonly string[] {
  return [...peers].flatMap(([id, url]) => (url === '' ? [] : [id]))
}
