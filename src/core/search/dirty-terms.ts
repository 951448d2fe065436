const DIRTY_WORDS_AT_FIRST = 64

/** Terms that may have postings of removed documents, a bit for each. */
export class DirtyTerms {
  #bits: Int32Array = new Int32Array(DIRTY_WORDS_AT_FIRST)

  get bytes(): number {
    return this.#bits.byteLength
  }

  add(term: number): void {
    const word = term >>> 5
    if (word >= this.#bits.length) this.#grow(word + 1)
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (term & 31))
  }

  /** All terms below `size`. */
  addAll(size: number): void {
    const whole = size >>> 5
    if (whole >= this.#bits.length) this.#grow(whole + 1)
    this.#bits.fill(-1, 0, whole)
    for (let term = whole * 32; term < size; term += 1) this.add(term)
  }

  delete(term: number): void {
    const word = term >>> 5
    this.#bits[word] = (this.#bits[word] ?? 0) & ~(1 << (term & 31))
  }

  clear(): void {
    this.#bits.fill(0)
  }

  /** The lowest term from `from` on; -1: none. */
  next(from: number): number {
    const bits = this.#bits
    let word = from >>> 5
    let rest = (bits[word] ?? 0) & (-1 << (from & 31))
    while (rest === 0) {
      word += 1
      if (word >= bits.length) return -1
      rest = bits[word] ?? 0
    }
    return word * 32 + 31 - Math.clz32(rest & -rest)
  }

  #grow(least: number): void {
    const bits = new Int32Array(Math.max(least, this.#bits.length * 2))
    bits.set(this.#bits)
    this.#bits = bits
  }
}
