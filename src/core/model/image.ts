import { CompactRecord } from './compact-record.ts'
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

/** A row of an image that is made when it is asked for: an image is taken at once, its rows are read in steps. */
export class LateRow<Item, Row> {
  readonly #item: Item
  readonly #rowOf: (item: Item) => Row

  /** @param item never changes */
  constructor(item: Item, rowOf: (item: Item) => Row) {
    this.#item = item
    this.#rowOf = rowOf
  }

  toJSON(): Row {
    return this.#rowOf(this.#item)
  }
}

/** A row of a state image as an object of its own fields. */
export function plainRow(row: unknown): unknown {
  return row instanceof CompactRecord || row instanceof LateRow ? row.toJSON() : row
}
