/** A moment after which there is no point in waiting. */
export interface Deadline {
  readonly passed: boolean
  readonly promise: Promise<void>
  /** Frees the timer; the promise then never resolves. */
  cancel(): void
}

export function deadline(afterMs: number): Deadline {
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
    cancel: () => {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
