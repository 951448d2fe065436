/**
 * Remembers, over crashes, the actors of which something erased may still be on disk. Only keys, no content.
 */
export interface ErasureMarks {
  /** Every actor that is marked. */
  keys(): readonly string[]
  /** Resolves when durable. */
  put(actorKey: string): Promise<void>
  /** Resolves when durable; nothing happens to an actor without a mark. */
  remove(actorKey: string): Promise<void>
}
