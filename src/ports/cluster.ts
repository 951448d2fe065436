/** What a node of a shared store knows of itself and of its peers, as of its last look at the store. Nothing here waits. */
export interface Cluster {
  /** Changes when a lease lapses: a node that was late comes back as another one. */
  readonly nodeId: string
  /** Where its peers reach it. */
  readonly url: string
  /** Whether it may serve what it holds. */
  isLeaseValid(): boolean
  shardsHeld(): number
  isStoreReachable(): boolean
  /** What the node at an address is believed to own is asked of the store the next time: it refused a request, or took none. */
  doubt(url: string): void
  /** The node that lives at an address; null: none does. */
  nodeAt(url: string): string | null
  /** Milliseconds since 1970 by the clock of the store: clocks of nodes may differ by any time, this one does not. */
  storeNowMs(): number
  /** The newest step of the store that every node knows: what older nodes cannot read is not written. */
  readByAll(): number
}
