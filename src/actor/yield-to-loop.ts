/** Lets the event loop serve others before the next piece of a long task. */
export async function yieldToLoop(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
}

/** The result of a long task, with a breath after each step. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await yieldToLoop()
  }
}
