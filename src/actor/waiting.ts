import { DomainError } from '../core/base/errors.ts'

/** Lets the event loop serve others before the next piece of a long task. */
export async function yieldToLoop(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
}

/** Characters of text read between two yields: a millisecond or two, some more of words that nobody wrote before. */
const STEP_CHARS = 16 * 1024

/** Tells when the loop is to serve others, by the work done since then. */
export class Pace {
  #chars = 0

  isDue(chars: number): boolean {
    this.#chars += chars
    if (this.#chars < STEP_CHARS) return false
    this.#chars = 0
    return true
  }
}

/** A long task whose steps say how many characters they have read, as steps after which it is time for a breath. */
export function* inBreaths<Result>(steps: Generator<number, Result>): Generator<void, Result> {
  const pace = new Pace()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (pace.isDue(step.value)) yield
  }
}

/** The result of such a task. */
export function runAtPace<Result>(steps: Generator<number, Result>): Promise<Result> {
  return runInSlices(inBreaths(steps))
}

/** The result of a long task, with a breath after each step. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToLoop()
  }
}

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

/** A moment after which there is no point in waiting. */
export type Deadline = ReturnType<typeof deadline>

export function deadline(afterMs: number) {
  let hasPassed = false
  let timer: ReturnType<typeof setTimeout> | null = null
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      hasPassed = true
      resolve()
    }, afterMs)
  })
  return {
    get passed() {
      return hasPassed
    },
    promise,
    /** Frees the timer; the promise then never resolves. */
    cancel: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
