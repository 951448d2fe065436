import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { type Figure, figureOf } from '../result.ts'

/** How the main thread and the memory of a process have fared over some time. */
export interface Vitals {
  /** Processor time of all threads. */
  readonly cpuMs: number
  readonly rssBytes: number
  readonly heapBytes: number
  /** How much later than due a timer of the main thread ran. */
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  /** Share of the time in which the main thread was busy. */
  readonly utilization: number
  /** Share of the time in which the main thread had work and no core, because others had them; null where no Linux tells. */
  readonly waitedForCore: number | null
  readonly gcCount: number
  readonly gcTotalMs: number
  readonly gcMaxMs: number
  /** Of the collector, in order; milliseconds since 1970. */
  readonly pauses: readonly { readonly atMs: number; readonly tookMs: number }[]
}

const RESOLUTION_MS = 5

/** Watches this process. What is returned tells of the time since it was called last. */
export function watchVitals(): () => Vitals {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let pauses: Vitals['pauses'][number][] = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      pauses.push({ atMs: performance.timeOrigin + startTime, tookMs: duration })
  }).observe({ entryTypes: ['gc'] })
  let cpu = process.cpuUsage()
  let loop = performance.eventLoopUtilization()
  let waitedMs = coreWaitMs()
  let sinceMs = performance.now()
  const late = (share: number) => Math.max(0, delays.percentile(share) / 1e6 - RESOLUTION_MS)
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const { rss, heapUsed } = process.memoryUsage()
    const waited = coreWaitMs() - waitedMs
    const told = {
      cpuMs: (user + system) / 1_000,
      rssBytes: rss,
      heapBytes: heapUsed,
      delayP99Ms: late(99),
      delayMaxMs: late(100),
      utilization: performance.eventLoopUtilization(loop).utilization,
      waitedForCore: Number.isNaN(waited) ? null : waited / (performance.now() - sinceMs),
      gcCount: pauses.length,
      gcTotalMs: pauses.reduce((sum, { tookMs }) => sum + tookMs, 0),
      gcMaxMs: Math.max(0, ...pauses.map(({ tookMs }) => tookMs)),
      pauses,
    }
    delays.reset()
    pauses = []
    cpu = process.cpuUsage()
    loop = performance.eventLoopUtilization()
    waitedMs = coreWaitMs()
    sinceMs = performance.now()
    return told
  }
}

/** Milliseconds that the main thread has waited for a core since it began; not a number where that is not told. */
function coreWaitMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return Number.NaN
  }
}

/** One figure for each, `where` behind its name. */
export function vitalsFigures(where: string, vitals: Vitals, requests: number): readonly Figure[] {
  const one = (what: string, unit: string, value: number) =>
    figureOf(`${what} ${where}`, unit, [value], { samples: Math.max(1, Math.round(requests)) })
  return [
    one('processor time of a request', 'ms', vitals.cpuMs / Math.max(1, requests)),
    one('serving thread busy', 'share', vitals.utilization),
    ...(vitals.waitedForCore === null
      ? []
      : [one('serving thread without a core', 'share', vitals.waitedForCore)]),
    one('event loop late, p99', 'ms', vitals.delayP99Ms),
    one('event loop late, greatest', 'ms', vitals.delayMaxMs),
    one('collector pause, greatest', 'ms', vitals.gcMaxMs),
    one('collector pauses of a request', 'ms', vitals.gcTotalMs / Math.max(1, requests)),
    one('resident memory', 'MiB', vitals.rssBytes / 1024 ** 2),
  ]
}
