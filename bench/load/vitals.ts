// Loaded into the service process with --import. Tells on demand how its thread and its memory have fared since the last
// time, on the channel to the process that started it.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'

export interface Vitals {
  /** Processor time of all threads. */
  readonly cpuMs: number
  readonly rssBytes: number
  readonly heapBytes: number
  /** How much later than due a timer of the serving thread ran. */
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  /** Share of the time in which the serving thread was busy. */
  readonly utilization: number
  readonly gcCount: number
  readonly gcTotalMs: number
  readonly gcMaxMs: number
}

const RESOLUTION_MS = 5

if (process.send !== undefined) watch()

function watch(): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let pauses: number[] = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pauses.push(duration)
  }).observe({ entryTypes: ['gc'] })
  let cpu = process.cpuUsage()
  let loop = performance.eventLoopUtilization()
  const late = (share: number) => Math.max(0, delays.percentile(share) / 1e6 - RESOLUTION_MS)
  const told = (): Vitals => {
    const { user, system } = process.cpuUsage(cpu)
    const { rss, heapUsed } = process.memoryUsage()
    return {
      cpuMs: (user + system) / 1_000,
      rssBytes: rss,
      heapBytes: heapUsed,
      delayP99Ms: late(99),
      delayMaxMs: late(100),
      utilization: performance.eventLoopUtilization(loop).utilization,
      gcCount: pauses.length,
      gcTotalMs: pauses.reduce((sum, pause) => sum + pause, 0),
      gcMaxMs: Math.max(0, ...pauses),
    }
  }
  process.on('message', () => {
    process.send?.(told())
    delays.reset()
    pauses = []
    cpu = process.cpuUsage()
    loop = performance.eventLoopUtilization()
  })
  // The service ends when it has nothing left to do, channel or not.
  process.channel?.unref()
}
