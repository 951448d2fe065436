import { FNV_START, hashText, mix32 } from '../../core/base/hash.ts'
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
