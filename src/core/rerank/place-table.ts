const FREE = 0

/** Places of numbers, -1 for none: a hash table of fixed size in one array, many times faster than a map of numbers. */
export class PlaceTable {
  readonly #mask: number
  /** Number + 1, or FREE, then its place; the next free cell takes a number whose own cell is taken. */
  readonly #cells: Int32Array

  /** Room for so many numbers, each a natural one. */
  constructor(numbersMax: number) {
    const cells = 2 ** Math.ceil(Math.log2(numbersMax * 2 + 1))
    this.#mask = cells - 1
    this.#cells = new Int32Array(cells * 2)
  }

  of(number: number): number {
    const cell = this.#cellOf(number)
    return this.#cells[cell] === FREE ? -1 : (this.#cells[cell + 1] ?? -1)
  }

  /** Puts a number in a place, unless it has one, which it keeps; answers its place. */
  add(number: number, place: number): number {
    const cell = this.#cellOf(number)
    if (this.#cells[cell] !== FREE) return this.#cells[cell + 1] ?? -1
    this.#cells[cell] = number + 1
    this.#cells[cell + 1] = place
    return place
  }

  /** Where the number is, or would be. */
  #cellOf(number: number): number {
    const cells = this.#cells
    let at = Math.imul(number, 0x9e3779b1) >>> 8
    for (;;) {
      const cell = (at & this.#mask) * 2
      const known = cells[cell]
      if (known === FREE || known === number + 1) return cell
      at += 1
    }
  }
}
