/** The right of this node to write an actor: constant for the local files, a lease with an epoch for a shared engine. */
export interface Grant {
  readonly shard: number
  readonly epoch: number
}

/**
 * Which actors this node may write. A grant fences: once `acquire` has resolved, what an earlier owner acknowledged can be
 * read and nothing more of it is taken. So an actor is acquired before anything of it is read.
 */
export interface Ownership {
  /**
   * Takes the actor, or confirms that this node has it. Rejects with a JournalFailure: `fenced` while another node holds it,
   * with that node's address if it is known; `unavailable` when nobody can tell.
   */
  acquire(actorKey: string): Promise<Grant>
  /** The grant by which this node holds the actor now; null: it does not. Never waits. */
  held(actorKey: string): Grant | null
  /** Has `listener` told of every grant that this node has lost: what it knows of those actors may be out of date. */
  onLost(listener: (grant: Grant) => void): void
  /** This node needs the actor no longer: another one may take it. Nobody waits for it. */
  release(grant: Grant, actorKey: string): void
}
