import type { Grant } from './ownership.ts'

/**
 * Makes a snapshot of an actor from disk, beside the thread that serves: the older snapshot and the journal give the
 * new one through the same `evolve`. What it covers must be durable before it is called.
 */
export interface Compaction {
  /**
   * Resolves when the snapshot up to turn `toSeq` is durable itself, with the sequence that it covers and the digest of
   * its state. Null when there is nothing newer to cover. Rejects when a file cannot be read or written, or the pool is full.
   */
  compact(
    grant: Grant,
    actorKey: string,
    toSeq: number,
  ): Promise<{ readonly seq: number; readonly bytes: number; readonly stateHash: string } | null>
}
