// How long the event loop of this thread was held up, and how much of that its own work took: on a busy machine a block
// by the clock is mostly waiting for a processor.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { threadCpuMs } from '../measure.ts'

export interface WatchedLoop {
  readonly p99Ms: number
  readonly maxMs: number
  /** Most processor time between two turns of the loop; null where the system does not tell. */
  readonly busiestMs: number | null
}

const TICK_MS = 1
/** A block shorter than this is not looked at. */
const BLOCK_MS_MIN = 5

/** Watches the loop of the first thread of this process until what is returned is called. */
export function watchLoop(): () => WatchedLoop {
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  delay.enable()
  let busiestMs = 0
  let last = { atMs: performance.now(), cpuMs: threadCpuMs() }
  const timer = setInterval(() => {
    const here = { atMs: performance.now(), cpuMs: threadCpuMs() }
    const tookMs = here.atMs - last.atMs
    // The system adds to the processor time of a thread now and then: it cannot be more than what has passed.
    if (tookMs >= BLOCK_MS_MIN) busiestMs = Math.max(busiestMs, Math.min(tookMs, here.cpuMs - last.cpuMs))
    last = here
  }, TICK_MS)
  return () => {
    delay.disable()
    clearInterval(timer)
    const isTold = Number.isFinite(busiestMs)
    return { p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6, busiestMs: isTold ? busiestMs : null }
  }
}
