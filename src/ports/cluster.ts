/**
 * What became of a shard at this node.
 * - taken: nobody who lives had it, and now this node has.
 * - moved: given to the node that it belongs to.
 * - idle: given back, as nothing of it was in memory.
 * - lost: another node has it, or nobody can tell.
 */
export const SHARD_CHANGES = ['taken', 'moved', 'idle', 'lost'] as const
export type ShardChange = (typeof SHARD_CHANGES)[number]

/** A shard that is asked for a lot. */
export interface HotShard {
  readonly shard: number
  /** Requests, of the last seconds. */
  readonly perSecond: number
}

/** What a node of a shared store knows of itself and of its peers, as of its last look at the store. Unless said, nothing here waits. */
export interface Cluster {
  /** Changes when a lease lapses: a node that was late comes back as another one. */
  readonly nodeId: string
  /** Where its peers reach it. */
  readonly url: string
  /** Whether it may serve what it holds. */
  isLeaseValid(): boolean
  /** Nodes that live, this one included. */
  nodesAlive(): number
  shardsHeld(): number
  /** Of them those that belong to another node and are to move there. */
  shardsLeaving(): number
  /** Of them those that are asked for most, the hottest first; at most five. */
  hotShards(): readonly HotShard[]
  /** Changes since the start. */
  shardChanges(): Readonly<Record<ShardChange, number>>
  isStoreReachable(): boolean
  /** What the node at an address is believed to own is asked of the store the next time: it took no request, or closes. */
  doubt(url: string): void
  /** A node has answered: whatever was doubted of it counts no more. */
  trust(nodeId: string): void
  /**
   * The owner of a shard is another node than was believed. Resolves when the store may be asked again: by then the list of nodes
   * is a new one, if the store answers.
   */
  lookAgain(shard: number | null): Promise<void>
  /** The node that lives at an address; null: none does. */
  nodeAt(url: string): string | null
  /** Milliseconds since 1970 by the clock of the store: clocks of nodes may differ by any time, this one does not. */
  storeNowMs(): number
  /** The newest step of the store that every node knows: what older nodes cannot read is not written. */
  readByAll(): number
}
