import { CompactRecord } from './compact-record.ts'

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
