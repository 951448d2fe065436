/** The number of requests inside from which on requests wait for each other. */
const REQUESTS_INSIDE_MIN = 8

/**
 * Carries out together requests that arrive together: the bytes of all sockets are read before the first request of a
 * batch is carried out. Reading bytes and carrying out a request are two programs, each larger than the fastest caches of
 * a core, so that one throws the other out when they take turns. With few requests inside, nobody waits.
 *
 * Invariant: requests are carried out in the order in which they entered.
 */
export class RequestBatcher {
  #inside = 0
  #waiting: (() => void)[] = []

  /** Counts a request in, until `leave`. Resolves when the request may be carried out; null: at once. */
  enter(): Promise<void> | null {
    this.#inside += 1
    if (this.#inside < REQUESTS_INSIDE_MIN && this.#waiting.length === 0) return null
    return new Promise((resolve) => {
      // An immediate runs when the event loop has read all sockets that had bytes.
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
