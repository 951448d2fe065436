/** The only source of randomness. */
export interface Entropy {
  /** A UUID of version 7 for the given instant, lower case; ids of one process never repeat. */
  uuid(nowMs: number): string
}
