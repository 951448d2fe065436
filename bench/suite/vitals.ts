import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Figure, figureOf } from '../result.ts'
import type { ServiceOptions } from '../service-process.ts'

/** How the main thread and the memory of a process have fared over some time. */
export interface Vitals {
  /** Processor time of all threads. */
  readonly cpuMs: number
  readonly rssBytes: number
  /** How much later than due a timer of the main thread ran. */
  readonly delayP99Ms: number
  readonly delayMaxMs: number
  /** Share of the time in which the main thread was busy. */
  readonly utilization: number
  /** Share of the time in which the main thread had work and no core, because others had them; null where no Linux tells. */
  readonly waitedForCore: number | null
  readonly gcTotalMs: number
  readonly gcMaxMs: number
}

const RESOLUTION_MS = 5

/** Watches this process. What is returned tells of the time since it was called last. */
export function watchVitals(): () => Vitals {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let pausesMs: number[] = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pausesMs.push(duration)
  }).observe({ entryTypes: ['gc'] })
  let cpu = process.cpuUsage()
  let loop = performance.eventLoopUtilization()
  let waitedMs = coreWaitMs()
  let sinceMs = performance.now()
  const late = (share: number) => Math.max(0, delays.percentile(share) / 1e6 - RESOLUTION_MS)
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    const waited = coreWaitMs() - waitedMs
    const told = {
      cpuMs: (user + system) / 1_000,
      rssBytes: process.memoryUsage().rss,
      delayP99Ms: late(99),
      delayMaxMs: late(100),
      utilization: performance.eventLoopUtilization(loop).utilization,
      waitedForCore: Number.isNaN(waited) ? null : waited / (performance.now() - sinceMs),
      gcTotalMs: pausesMs.reduce((sum, ms) => sum + ms, 0),
      gcMaxMs: Math.max(0, ...pausesMs),
    }
    delays.reset()
    pausesMs = []
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

/** Options of a service that is asked for its vitals. */
export const WITH_VITALS = {
  hasChannel: true,
  nodeFlags: ['--import', fileURLToPath(new URL('./tell-vitals.js', import.meta.url))],
} satisfies Partial<ServiceOptions>

/** How a service that was started WITH_VITALS, or an echo, has fared since it was asked last. */
export function vitalsOf(child: ChildProcess): Promise<Vitals> {
  return toldBy<Vitals>(child)
}

/** What a process tells of itself on its channel. The caller names what it is. */
export async function toldBy<Told>(child: ChildProcess): Promise<Told> {
  const told = once(child, 'message')
  child.send('tell')
  const [answer] = await told
  return answer
}

/** A server process that tells its vitals. */
export interface Subject {
  readonly url: string
  readonly child: ChildProcess
  stop(): Promise<unknown>
}

/** A bare Fastify beside this process: at each path it parses what it gets and sends the JSON given. */
export async function startEcho(answers: Readonly<Record<string, string>>): Promise<Subject> {
  const child = fork(fileURLToPath(new URL('./echo-server.js', import.meta.url)))
  const gone = once(child, 'exit')
  child.send(answers)
  const [url]: unknown[] = await Promise.race([
    once(child, 'message'),
    gone.then(() => Promise.reject(new Error('the echo server ended at its start'))),
  ])
  const stop = () => {
    child.kill()
    return gone
  }
  return { url: String(url), child, stop }
}

const OTHERS_HAD_CORES =
  'Share of the time in which the serving thread had work and other programs had the cores.'

/** One figure for each, `where` behind its name. */
export function vitalsFigures(where: string, vitals: Vitals, requests: number): readonly Figure[] {
  const one = (what: string, unit: string, value: number, meaning?: string) =>
    figureOf(`${what} ${where}`, unit, [value], { meaning })
  const { waitedForCore } = vitals
  return [
    one('processor time of a request', 'ms', vitals.cpuMs / Math.max(1, requests)),
    one('serving thread busy', 'share', vitals.utilization),
    ...(waitedForCore === null
      ? []
      : [one('waiting for a processor core', 'share', waitedForCore, OTHERS_HAD_CORES)]),
    one('delay of the event loop, p99', 'ms', vitals.delayP99Ms),
    one('delay of the event loop, longest', 'ms', vitals.delayMaxMs),
    one('longest garbage collection', 'ms', vitals.gcMaxMs),
    one('garbage collection for a request', 'ms', vitals.gcTotalMs / Math.max(1, requests)),
    one('resident memory', 'MiB', vitals.rssBytes / 1024 ** 2),
  ]
}
