/** The only source of time. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  nowMs(): number
}

/** Runs `task` after `ms` unless cancelled by the function returned. */
export type Schedule = (task: () => void, ms: number) => () => void

/** The only source of randomness. */
export interface Entropy {
  /**
   * A UUID of version 7 for the given instant, lower case. Nothing in it but the instant depends on other ids, so that
   * whoever sees some of them learns nothing of the rest; no two are the same.
   */
  uuid(nowMs: number): string
}

/** Operator log. Fields are ids, counts and codes: never memory text, never a request body. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Takes lines without ever waiting: what there is no room for is dropped and counted. */
export interface LineSink {
  write(line: string): void
  /** Lines that were dropped so far. */
  readonly dropped: number
  /** Writes what waits, within a bound. Never rejects. */
  close(): Promise<void>
}
