import type { RecallImage } from '../core/search/index-image.ts'
import type { Grant } from './ownership.ts'

/** The recall index of an actor as it was when its state was that of one snapshot. */
export interface StoredRecallImage {
  readonly seq: number
  /** Digest of that state: no other state has this index. */
  readonly stateHash: string
  readonly image: RecallImage
}

/**
 * Recall indexes of actors, so that a load need not read every text again. They are derived: one that is missing or
 * damaged is built again, and nothing waits for one to be durable.
 */
export interface RecallImages {
  /** Begins to store an image in place of the actor's last one. A failure is logged; what was stored may stay. */
  keep(grant: Grant, actorKey: string, stored: StoredRecallImage): void
  /**
   * The stored image in memory of its own, its pages shared memory. Null when there is none that this program can use.
   * Never rejects.
   */
  get(actorKey: string): Promise<StoredRecallImage | null>
  /**
   * Removes every image of the actor but one that is known to be of turn `seq` or a later one, drafts too. Resolves when
   * that is durable; rejects when one has to stay.
   */
  dropBefore(grant: Grant, actorKey: string, seq: number): Promise<void>
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}
