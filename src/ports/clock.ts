/** The only source of time. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  nowMs(): number
}

/** The only source of randomness. */
export interface Entropy {
  /**
   * A UUID of version 7 for the given instant, lower case. Nothing in it but the instant depends on other ids, so that
   * whoever sees some of them learns nothing of the rest; no two are the same.
   */
  uuid(nowMs: number): string
}
