import { setTimeout as startTimer } from 'node:timers'
import type { Schedule } from '../../ports/system.ts'

/**
 * Calls `task` for every item, at most `width` at a time. Behind the first failure it starts no more, and rejects with it when
 * nothing is under way.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const failures: unknown[] = []
  async function lane(): Promise<void> {
    // The lanes share one iterator, so that each item is taken once.
    for (const item of queue) {
      if (failures.length > 0) return
      await task(item).catch((error: unknown) => void failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
  if (failures.length > 0) throw failures[0]
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

/** A timer that does not keep the process alive. */
export const systemSchedule: Schedule = (task, ms) => {
  const timer = startTimer(task, ms).unref()
  return () => clearTimeout(timer)
}

/** Runs `task`, which never rejects, each time `ms` after it has ended, until the function returned is called. */
export function repeatedly(schedule: Schedule, ms: number, task: () => Promise<unknown>): () => void {
  let isStopped = false
  let cancel = (): void => undefined
  const again = (): void => {
    if (!isStopped) cancel = schedule(() => void task().then(again), ms)
  }
  again()
  return () => {
    isStopped = true
    cancel()
  }
}
