/** With fewer inside nobody waits. */
const COHORT_MIN = 8

/**
 * Has requests that arrive together carried out together: the bytes of all that wait at the sockets are read before the
 * first of them is carried out. Reading bytes and carrying requests out are two programs, each larger than the fastest
 * caches of a core; in turn for every request they throw each other out. A few gain nothing by it and wait for nothing.
 *
 * Invariant: requests are carried out in the order in which they entered.
 */
export class Cohort {
  #inside = 0
  #waiting: (() => void)[] = []

  /** Counts a request in, until `leave`. Resolves when it may be carried out; null: at once. */
  enter(): Promise<void> | null {
    this.#inside += 1
    if (this.#inside < COHORT_MIN && this.#waiting.length === 0) return null
    return new Promise((resolve) => {
      // Immediates run when the event loop has been through all sockets that had something to read.
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#release())
    })
  }

  leave(): void {
    this.#inside -= 1
  }

  #release(): void {
    const released = this.#waiting
    this.#waiting = []
    for (const resolve of released) resolve()
  }
}
