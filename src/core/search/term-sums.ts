/** Terms of which all sums are formed beforehand. */
const LOW_BITS = 8

/** Sums of what the terms of a mask count, formed from the lowest bit on. */
export class TermSums {
  readonly #counts: ArrayLike<number>
  /** By the terms in the low bits. */
  readonly #low: Float64Array

  /** `counts`: by bit. */
  constructor(counts: ArrayLike<number>) {
    const bits = Math.min(counts.length, LOW_BITS)
    this.#counts = counts
    this.#low = new Float64Array(1 << bits)
    for (let bit = 0; bit < bits; bit += 1) {
      // With the new highest bit.
      const half = 1 << bit
      const count = counts[bit] ?? 0
      for (let mask = 0; mask < half; mask += 1) this.#low[half + mask] = (this.#low[mask] ?? 0) + count
    }
  }

  of(mask: number): number {
    const low = this.#low
    let sum = low[mask & (low.length - 1)] ?? 0
    for (let rest = mask >>> LOW_BITS; rest !== 0; rest &= rest - 1) {
      sum += this.#counts[LOW_BITS + 31 - Math.clz32(rest & -rest)] ?? 0
    }
    return sum
  }
}
