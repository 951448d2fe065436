/**
 * What is held in memory, in order of use. It never drops anything by itself: leaving memory takes a durable
 * snapshot first, so the owner asks `overflow` who should leave and calls `delete` once that is safe. Until then an
 * entry still counts. While everything is pinned the bounds may be exceeded.
 */
export interface Residency<Value> {
  /** The value, which becomes the most recently used. */
  get(key: string): Value | undefined
  /** The value, without changing the order of use. */
  peek(key: string): Value | undefined
  /** Adds or replaces; the entry becomes the most recently used. `weightBytes` is an estimate, at least 0. */
  set(key: string, value: Value, weightBytes: number): void
  /** Adds or replaces; what was not held leaves before all others, until it is used. */
  setColdest(key: string, value: Value, weightBytes: number): void
  /** The entry becomes the most recently used and, if a weight is given, weighs that much now. False when absent. */
  touch(key: string, weightBytes?: number): boolean
  /** False when absent. */
  delete(key: string): boolean
  /**
   * The fewest least recently used keys without which both bounds hold, next to leave first. Keys for which
   * `isPinned` is true count towards the bounds and are passed over.
   */
  overflow(isPinned?: (key: string) => boolean): readonly string[]
  /** Keys from the least to the most recently used. */
  keys(): Iterable<string>
  count(): number
  weightBytes(): number
}
