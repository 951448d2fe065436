const STAMP_MAX = 2 ** 31 - 1

/**
 * Places of numbers in a list, for numbers below a bound: a lookup that costs one read and is forgotten at once, so that
 * one can be kept for a thread and used for one list after the other.
 */
export class SlotPlaces {
  // Place + #base; what is below #base was noted for an earlier list.
  #stamps = new Int32Array(0)
  #base = 1
  #places = 0

  /** Begins a list of at most `places` numbers, each below `bound`. */
  begin(bound: number, places: number): void {
    this.#base += this.#places
    this.#places = places
    if (bound > this.#stamps.length || this.#base > STAMP_MAX - places) {
      this.#stamps = new Int32Array(Math.max(bound, this.#stamps.length))
      this.#base = 1
    }
  }

  set(number: number, place: number): void {
    this.#stamps[number] = this.#base + place
  }

  /** -1: the list does not have it. */
  of(number: number): number {
    return Math.max(-1, (this.#stamps[number] ?? 0) - this.#base)
  }
}
