const ROOM_AT_FIRST = 64

/**
 * The terms of one text with their weighted counts, in order of first occurrence. Emptying is free: the place of a
 * term is believed only if the list agrees (a sparse set).
 */
export class Bag {
  #places = new Int32Array(ROOM_AT_FIRST)
  #terms = new Int32Array(ROOM_AT_FIRST)
  #counts = new Int32Array(ROOM_AT_FIRST)
  #size = 0
  #length = 0

  /** Number of distinct terms. */
  get size(): number {
    return this.#size
  }

  /** Sum of all counts. */
  get length(): number {
    return this.#length
  }

  get bytes(): number {
    return this.#places.byteLength + this.#terms.byteLength + this.#counts.byteLength
  }

  clear(): void {
    this.#size = 0
    this.#length = 0
  }

  add(term: number, weight: number): void {
    this.#length += weight
    if (term >= this.#places.length) this.#places = widened(this.#places, term + 1)
    const place = this.#places[term] ?? 0
    if (place < this.#size && this.#terms[place] === term) {
      this.#counts[place] = (this.#counts[place] ?? 0) + weight
      return
    }
    if (this.#size === this.#terms.length) {
      this.#terms = widened(this.#terms, this.#size + 1)
      this.#counts = widened(this.#counts, this.#size + 1)
    }
    this.#places[term] = this.#size
    this.#terms[this.#size] = term
    this.#counts[this.#size] = weight
    this.#size += 1
  }

  termAt(place: number): number {
    return this.#terms[place] ?? 0
  }

  countAt(place: number): number {
    return this.#counts[place] ?? 0
  }
}

function widened(from: Int32Array<ArrayBuffer>, room: number): Int32Array<ArrayBuffer> {
  let size = from.length
  while (size < room) size *= 2
  const to = new Int32Array(size)
  to.set(from)
  return to
}
