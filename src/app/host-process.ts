import process from 'node:process'

const LONGEST_MS = 2 ** 31 - 1

/** Keeps the process alive while something is under way, and only then: threads and timers of a runtime do not. */
export class Hold {
  readonly #timer = setInterval(() => {}, LONGEST_MS).unref()
  #underWay = 0

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    if (this.#underWay === 1) this.#timer.ref()
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#timer.unref()
    }
  }

  /** Frees the timer. */
  end(): void {
    clearInterval(this.#timer)
  }
}

const leftOpen = new Set<() => void>()

/** Has `close` called when the process has nothing left to do; not when it is ended. Answers how to take that back. */
export function closeBeforeExit(close: () => void): () => void {
  if (leftOpen.size === 0) process.on('beforeExit', closeAll)
  leftOpen.add(close)
  return () => {
    leftOpen.delete(close)
    if (leftOpen.size === 0) process.off('beforeExit', closeAll)
  }
}

function closeAll(): void {
  for (const close of leftOpen) close()
}
