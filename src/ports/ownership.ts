/** The right of this node to write an actor: constant for the local files, a lease with an epoch for a shared engine. */
export interface Grant {
  readonly shard: number
  readonly epoch: number
}

/** Who holds actors in memory by grants, and is asked before one goes back. */
export interface Holder {
  /** Whether somebody waits for what is written by the grant, although nothing of it need be in memory. */
  isFollowed(grant: Grant): boolean
  /** Before a grant goes to another node by plan: resolves when little is left to do. False: it cannot go now. */
  prepare(grant: Grant): Promise<boolean>
  /** Lets nobody in, and resolves with true when nothing of the grant is in memory; with false when it stays after all. */
  leave(grant: Grant, patienceMs: number): Promise<boolean>
  /** The grant went back: others may write by the next one. */
  givenBack(grant: Grant): void
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
  /** Has `holder` asked before a grant goes back. Without one none goes to another node by plan. */
  attach(holder: Holder): void
  /** A request has found its actor by the grant. */
  used(grant: Grant): void
  /** This node needs the actor no longer: another one may take it. Nobody waits for it. */
  release(grant: Grant, actorKey: string): void
}
