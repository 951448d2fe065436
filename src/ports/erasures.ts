import type { Grant } from './ownership.ts'

/**
 * Remembers, over crashes and from owner to owner, the actors of which something erased may still be in the store. Only
 * keys, no content.
 */
export interface ErasureMarks {
  /** Every actor with a mark that this node may acquire. */
  marked(): AsyncIterable<string>
  has(actorKey: string): Promise<boolean>
  /** Resolves when durable. */
  put(grant: Grant, actorKey: string): Promise<void>
  /** Resolves when durable; nothing happens to an actor without a mark. */
  remove(grant: Grant, actorKey: string): Promise<void>
}
