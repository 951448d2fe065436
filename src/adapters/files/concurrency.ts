/** Calls `task` for every item, at most `width` at a time; rejects with the first failure and starts no more. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  let failed = false
  async function lane(): Promise<void> {
    // The lanes share one iterator, so that each item is taken once.
    for (const item of queue) {
      if (failed) return
      try {
        await task(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
}

/** Runs tasks one after the other, in the order of the calls. One that fails holds up no other. */
export function oneByOne(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
}

/** Runs the tasks of one key one after the other, in the order of the calls; keys do not wait for each other. */
export class KeyQueue {
  readonly #tails = new Map<string, Promise<unknown>>()

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    const result = before.then(task)
    const tail = result.catch(() => undefined)
    this.#tails.set(key, tail)
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    })
    return result
  }
}
