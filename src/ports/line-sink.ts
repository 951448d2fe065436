/** Takes lines without ever waiting: what there is no room for is dropped and counted. */
export interface LineSink {
  write(line: string): void
  /** Lines that were dropped so far. */
  readonly dropped: number
  /** Writes what waits, within a bound. Never rejects. */
  close(): Promise<void>
}
