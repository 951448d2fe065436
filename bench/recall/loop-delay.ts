import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import { isMain } from '../measure.ts'

/** How late timers of a process ran, microseconds. */
export interface LoopDelay {
  readonly p99Us: number
  readonly mostUs: number
}

/** How late timers of this process run while something is done. */
export async function loopDelayOf(work: () => Promise<unknown>): Promise<LoopDelay> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await work()
  delays.disable()
  return { p99Us: delays.percentile(99) / 1_000, mostUs: delays.max / 1_000 }
}

// As a process of its own it is idle until it is told to end, and sends how late it was.
if (isMain(import.meta.url)) {
  const told = new Promise((resolve) => process.once('message', resolve))
  process.send?.(await loopDelayOf(() => told))
}
