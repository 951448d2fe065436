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
