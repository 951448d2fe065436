import { FNV_START, hashText, mix32 } from '../../core/base/hash.ts'

export interface OwnedShard {
  readonly shard: number
  readonly rate: number
}

export interface Plan {
  /** Shards that belong to another node, the one that is asked for least first. */
  readonly leaving: readonly number[]
  readonly due: readonly number[]
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
): Plan {
  const nodes = [me, ...takers]
  const leaving = [...owned]
    .filter(({ shard }) => firstChoice(shard, nodes) !== me)
    .toSorted((a, b) => a.rate - b.rate || a.shard - b.shard)
    .map(({ shard }) => shard)
  return {
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
