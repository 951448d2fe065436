/** Mulberry32: the same seed draws the same numbers, with every version of every package. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, 1 excluded. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `end`, `end` excluded. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  isIn(share: number): boolean {
    return this.next() < share
  }

  /** @throws when the list is empty */
  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }

  /** Null when the list is empty. */
  maybe<T>(list: readonly T[]): T | null {
    return list.length === 0 ? null : this.pick(list)
  }

  /** Up to `max` elements, in the order of the list. */
  few<T>(list: readonly T[], max = 3): T[] {
    const share = Math.min(1, (1 + this.below(max)) / Math.max(1, list.length))
    return list.filter(() => this.isIn(share)).slice(0, max)
  }

  /** By weight. */
  weighed<T>(choices: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of choices) {
      left -= weight
      if (left < 0) return value
    }
    throw new Error('weights must be above zero')
  }

  /** The fields, each of them with this chance. */
  some(share: number, fields: Readonly<Record<string, () => unknown>>): Record<string, unknown> {
    const chosen: Record<string, unknown> = {}
    for (const [name, make] of Object.entries(fields)) if (this.isIn(share)) chosen[name] = make()
    return chosen
  }
}
