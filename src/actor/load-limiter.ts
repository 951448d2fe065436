import { DomainError } from '../core/base/errors.ts'

/** Lets at most `concurrentMax` tasks run; at most `waitingMax` more wait in order, the rest are refused. */
export class LoadLimiter {
  readonly #concurrentMax: number
  readonly #waitingMax: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(concurrentMax: number, waitingMax: number) {
    this.#concurrentMax = concurrentMax
    this.#waitingMax = waitingMax
  }

  /** Tasks that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** @throws overloaded when too many wait already */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrentMax) {
      this.#running += 1
    } else {
      if (this.#waiting.length >= this.#waitingMax) throw new DomainError('overloaded', { where: 'loads' })
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    try {
      return await task()
    } finally {
      // A place goes from hand to hand: nobody who comes later can take it in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
