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

/** The result of a long task, whose steps say how many characters they have read. */
export async function runAtPace<Result>(steps: Generator<number, Result>): Promise<Result> {
  const pace = new Pace()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (pace.isDue(step.value)) await yieldToLoop()
  }
}

/** The result of a long task, with a breath after each step. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToLoop()
  }
}
