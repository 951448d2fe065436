const ROOM_AT_FIRST = 64
/** Twice the room of the list at least. */
const SLOTS_AT_FIRST = 256

/** The terms of one text with their weighted counts, in order of first occurrence. */
export class TermCounts {
  // By hash of the term, then the next free one: its place + 1.
  #slots = new Int32Array(SLOTS_AT_FIRST)
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

  /** Room that a long text took is given back by and by. */
  clear(): void {
    const { length } = this.#slots
    if (length > SLOTS_AT_FIRST && this.#size * 8 < length) this.#slots = new Int32Array(length / 2)
    else this.#slots.fill(0)
    this.#size = 0
    this.#length = 0
  }

  add(term: number, weight: number): void {
    this.#length += weight
    const mask = this.#slots.length - 1
    let slot = hashOf(term) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] ?? 0) - 1
      if (this.#terms[place] !== term) continue
      this.#counts[place] = (this.#counts[place] ?? 0) + weight
      return
    }
    this.#slots[slot] = this.#size + 1
    if (this.#size === this.#terms.length) this.#grow()
    this.#terms[this.#size] = term
    this.#counts[this.#size] = weight
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#spread()
  }

  termAt(place: number): number {
    return this.#terms[place] ?? 0
  }

  countAt(place: number): number {
    return this.#counts[place] ?? 0
  }

  #grow(): void {
    this.#terms = widened(this.#terms)
    this.#counts = widened(this.#counts)
  }

  #spread(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let place = 0; place < this.#size; place += 1) {
      let slot = hashOf(this.#terms[place] ?? 0) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = place + 1
    }
  }
}

/** Terms are numbered in order: neighbours must not be neighbours. */
function hashOf(term: number): number {
  const mixed = Math.imul(term, 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}

function widened(from: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2)
  to.set(from)
  return to
}
