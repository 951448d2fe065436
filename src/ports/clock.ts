/** The only source of time. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  nowMs(): number
}
