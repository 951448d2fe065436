import type { Grant } from './ownership.ts'

/** Which writing of a memory a row is about: the next revision has another ordinal and moment. */
export interface VectorKey {
  readonly memoryId: string
  readonly ordinal: number
  readonly updatedAtMs: number
}

export interface VectorRow extends VectorKey {
  /** Of length 1; null: whoever wrote the memory does not want it to be embedded. */
  readonly vector: Float32Array | null
}

/**
 * Stored vectors of memories, by actor. They are derived: what is missing or damaged is embedded again, except that a
 * row without vector says that nothing may be.
 */
export interface VectorStore {
  /** Every row of the actor in the order of writing; vectors of another model are left out. */
  load(actorKey: string, take: (row: VectorRow) => void): Promise<void>
  /** Resolves when durable. */
  append(grant: Grant, actorKey: string, rows: readonly VectorRow[]): Promise<void>
  /** Takes every other row out of the store. Resolves with the number of pieces rewritten when that is durable. */
  keepOnly(grant: Grant, actorKey: string, keeps: (key: VectorKey) => boolean): Promise<number>
}
