/**
 * A consistent picture of one actor's state at one sequence, as plain rows. Taking one costs a shallow copy,
 * because records are replaced and never mutated; it can then be encoded at leisure.
 */
export interface StateImage {
  /** Version of the meaning of the rows; raised with an upcaster when they change. */
  readonly schema: number
  readonly tenantId: string
  readonly scope: string
  readonly seq: number
  /** Digest of everything in the image; recomputed and compared when the image is read back. */
  readonly stateHash: string
  readonly sections: readonly ImageSection[]
}

export interface ImageSection {
  readonly name: string
  /** Plain msgpack-able values. */
  readonly rows: readonly unknown[]
}
