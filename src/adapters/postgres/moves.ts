import { FNV_START, hashText, mix32 } from '../../core/base/hash.ts'
import type { Lease } from './lease.ts'
import type { PostgresStoreOptions } from './tables.ts'

export interface OwnedShard {
  readonly shard: number
  readonly rate: number
}

export interface PlanBounds {
  readonly movesMax: number
  /** Whether a shard is on its way already, or is to be left alone for a while. */
  readonly isLeftAlone: (shard: number) => boolean
}

/**
 * What is to move of what this node owns. A shard goes only to a node with a higher weight than that of this one, so that it
 * cannot come back by plan, however the lists differ that nodes have of each other; and one that is where it belongs stays.
 * @param takers nodes that may be given shards
 */
export function planOf(
  owned: Iterable<OwnedShard>,
  me: string,
  takers: readonly string[],
  { movesMax, isLeftAlone }: PlanBounds,
) {
  const nodes = [me, ...takers]
  const leaving = [...owned]
    .filter(({ shard }) => firstChoice(shard, nodes) !== me)
    .toSorted((a, b) => a.rate - b.rate || a.shard - b.shard)
    .map(({ shard }) => shard)
  return {
    /** Shards that belong to another node, the one that is asked for least first. */
    leaving,
    due: leaving.filter((shard) => !isLeftAlone(shard)).slice(0, Math.max(0, movesMax)),
  }
}

/**
 * The node that a shard goes to when nobody has it: the one with the highest hash of shard and node (rendezvous hashing), so
 * that all nodes name the same one without asking, and one that comes or goes moves its own share only. Null: there is no node.
 */
export function firstChoice(shard: number, nodeIds: Iterable<string>): string | null {
  let chosen: string | null = null
  let highest = -1
  for (const id of nodeIds) {
    const weight = weightOf(shard, id)
    if (weight < highest || (weight === highest && chosen !== null && id <= chosen)) continue
    chosen = id
    highest = weight
  }
  return chosen
}

/** FNV-1a, then the last steps of MurmurHash3: without them neighbouring shards would go to the same node. */
function weightOf(shard: number, nodeId: string): number {
  return mix32(hashText(nodeId, FNV_START ^ shard)) >>> 0
}

/** A free shard is taken by any node when the one that it would go to has not answered for so long, and for so long after. */
const FIRST_CHOICE_MS = 200
const DOUBT_MS = 3_000
/** A node is given no shards before it has lived for so long, as far as this one knows: it may not listen yet. */
const SETTLED_MS = 2_000
/** Nor for so long after it took no request, unless it has answered one since. */
const TRUSTED_MS = 30_000

export interface NeighboursOptions extends Pick<PostgresStoreOptions, 'monotonicMs' | 'isSharedOut'> {
  readonly lease: Pick<Lease, 'nodeId' | 'peers'>
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
