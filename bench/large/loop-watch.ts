// What held up the event loop of this thread, and how long: told apart from what held up every thread of the machine.
import { existsSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds in which nothing else ran on the thread. Null where the system does not tell. */
export interface Block {
  readonly ms: number
  /** Of these: the thread was on a processor, its share of a collection included. */
  readonly processorMs: number | null
  /** Of these: it stood ready and other threads of the machine had the processors. */
  readonly waitingMs: number | null
  /** Of these: the collector held it, its waiting included. */
  readonly collectorMs: number
}

export interface WatchedLoop {
  readonly p99Ms: number
  readonly maxMs: number
  /** The longest block by the clock, and that with most time on the processor: on a busy machine not the same. */
  readonly longest: Block
  readonly busiest: Block
}

interface Moment {
  readonly atMs: number
  readonly processorMs: number | null
  readonly waitingMs: number | null
}

type Gap = readonly [from: Moment, to: Moment]

/** What Linux keeps of the first thread of this process: nanoseconds on a processor, and waiting for one. */
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`
const HAS_SCHEDULE = existsSync(SCHEDULE)
const TICK_MS = 1
/** Shorter blocks are not looked at. */
const BLOCK_MS_MIN = 5
/** By then the collector's last pauses have been told. */
const TOLD_MS = 50

/** Watches the loop of the first thread of this process until what is returned is called. */
export function watchLoop(): () => Promise<WatchedLoop> {
  const delay = monitorEventLoopDelay({ resolution: TICK_MS })
  const gaps: Gap[] = []
  const pauses: (readonly [from: number, to: number])[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) pauses.push([startTime, startTime + duration])
  })
  observer.observe({ entryTypes: ['gc'] })
  delay.enable()
  let last = now()
  const timer = setInterval(() => {
    const here = now()
    if (here.atMs - last.atMs >= BLOCK_MS_MIN) gaps.push([last, here])
    last = here
  }, TICK_MS)
  return async () => {
    const [p99Ms, maxMs] = [delay.percentile(99) / 1e6, delay.max / 1e6]
    delay.disable()
    clearInterval(timer)
    await sleep(TOLD_MS)
    observer.disconnect()
    const blocks = gaps.map((gap) => blockOf(gap, pauses))
    return { p99Ms, maxMs, longest: most(blocks, ({ ms }) => ms), busiest: most(blocks, busyMs) }
  }
}

function now(): Moment {
  const atMs = performance.now()
  if (!HAS_SCHEDULE) return { atMs, processorMs: null, waitingMs: null }
  const [processor = 0, waiting = 0] = readFileSync(SCHEDULE, 'utf8').split(' ').map(Number)
  return { atMs, processorMs: processor / 1e6, waitingMs: waiting / 1e6 }
}

function blockOf([from, to]: Gap, pauses: readonly (readonly [number, number])[]): Block {
  const overlap = ([start, end]: readonly [number, number]): number =>
    Math.max(0, Math.min(end, to.atMs) - Math.max(start, from.atMs))
  return {
    ms: to.atMs - from.atMs,
    processorMs: difference(from.processorMs, to.processorMs),
    waitingMs: difference(from.waitingMs, to.waitingMs),
    collectorMs: pauses.reduce((sum, pause) => sum + overlap(pause), 0),
  }
}

function difference(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from
}

const busyMs = ({ processorMs, ms }: Block): number => processorMs ?? ms

function most(blocks: readonly Block[], of: (block: Block) => number): Block {
  const none: Block = { ms: 0, processorMs: 0, waitingMs: 0, collectorMs: 0 }
  return blocks.reduce((best, block) => (of(block) > of(best) ? block : best), none)
}
