import { quantile } from '../measure.ts'
import { mulberry32 } from '../synthetic-text.ts'
import type { Load } from './load.ts'
import { type Answered, type Fleet, Simulation } from './simulation.ts'

/** What clients see of a fleet, simulated or real. */
export interface Seen {
  readonly perS: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface Saturated extends Seen {
  readonly commitsPerS: number
  /** Cores of the database in use, of all that it has. */
  readonly databaseBusy: number
  /** Work of the node that has most, over a fair part. */
  readonly imbalance: number
  /** The busiest serving thread, of the whole time. */
  readonly threadBusy: number
}

/** Clients who ask again as soon as they are answered. The first third is not counted. */
export function saturated(fleet: Fleet, load: Load, clients: number, requests: number): Saturated {
  const simulation = new Simulation(fleet)
  const { timeline, threads, database } = simulation
  const latencies: number[] = []
  const warm = Math.floor(requests / 3)
  let [asked, answered, startMs, endMs] = [0, 0, 0, 0]
  let before = { commits: 0, busyMs: 0, threads: threads.map(() => 0) }
  const next = (): void => {
    if ((asked += 1) > requests + clients) return
    simulation.ask(load.next(), ({ askedMs, answeredMs }) => {
      answered += 1
      if (answered === warm) {
        startMs = timeline.nowMs
        before = {
          commits: simulation.commits,
          busyMs: database.busyMs,
          threads: threads.map(({ usedMs }) => usedMs),
        }
      }
      if (answered > warm && answered <= requests) latencies.push(answeredMs - askedMs)
      if (answered === requests) endMs = timeline.nowMs
      else next()
    })
  }
  for (let client = 0; client < clients; client += 1) next()
  timeline.runUntil(Number.POSITIVE_INFINITY)
  const passedMs = endMs - startMs
  const used = threads.map(({ usedMs }, node) => usedMs - (before.threads[node] ?? 0))
  const most = Math.max(...used)
  const coresOfDatabase = 'shared' in fleet.cores ? fleet.cores.shared : fleet.cores.database
  return {
    ...seenIn(latencies, passedMs),
    commitsPerS: ((simulation.commits - before.commits) * 1_000) / passedMs,
    databaseBusy: (database.busyMs - before.busyMs) / passedMs / coresOfDatabase,
    imbalance: (most * used.length) / used.reduce((sum, each) => sum + each, 0),
    threadBusy: most / passedMs,
  }
}

/** Requests that come at a rate, whoever is answered. The first fifth is not counted. */
export function paced(fleet: Fleet, load: Load, perS: number, requests: number): Seen {
  const simulation = new Simulation(fleet)
  const latencies: number[] = []
  let [firstMs, lastMs] = [Number.NaN, 0]
  pour(simulation, load, fleet.seed, perS, requests, (answered, place) => {
    if (place < requests / 5) return
    if (Number.isNaN(firstMs)) firstMs = simulation.timeline.nowMs
    lastMs = simulation.timeline.nowMs
    latencies.push(answered.answeredMs - answered.askedMs)
  })
  simulation.timeline.runUntil(Number.POSITIVE_INFINITY)
  return seenIn(latencies, lastMs - firstMs)
}

/** What a node that dies under load does to the requests for its scopes. */
export interface Storm {
  /** From the first try to the answer, of requests that met the dead owner. */
  readonly gapP50Ms: number
  readonly gapP99Ms: number
  readonly gapMaxMs: number
  /** From the moment at which its shards are free until everybody who waited is answered. */
  readonly backlogMs: number
  /** Scopes that were loaded in the first second from then on. */
  readonly loads: number
}

const CALM_MS = 1_000

/** The node that has the most asked scope dies after a second of calm. */
export function stormed(fleet: Fleet, load: Load, perS: number): Storm {
  const simulation = new Simulation(fleet)
  const { timeline } = simulation
  const gaps: number[] = []
  let lastMs = 0
  const forMs = CALM_MS + 2 * fleet.leaseMs
  pour(simulation, load, fleet.seed, perS, (perS * forMs) / 1_000, ({ wasOrphaned, askedMs, answeredMs }) => {
    if (!wasOrphaned) return
    gaps.push(answeredMs - askedMs)
    if (askedMs < simulation.freeFromMs) lastMs = Math.max(lastMs, answeredMs)
  })
  timeline.after(CALM_MS, () => simulation.kill(simulation.ownerOf(0)))
  timeline.runUntil(CALM_MS + fleet.leaseMs * (2 / 3))
  timeline.runUntil(simulation.freeFromMs + 1_000)
  const { loads } = simulation
  timeline.runUntil(Number.POSITIVE_INFINITY)
  return {
    gapP50Ms: quantile(gaps, 0.5),
    gapP99Ms: quantile(gaps, 0.99),
    gapMaxMs: quantile(gaps, 1),
    backlogMs: lastMs - simulation.freeFromMs,
    loads,
  }
}

/** Sends at random moments, so many a second on average. */
function pour(
  simulation: Simulation,
  load: Load,
  seed: number,
  perS: number,
  requests: number,
  onAnswer: (answered: Answered, place: number) => void,
): void {
  const random = mulberry32(seed + 1)
  let place = 0
  const next = (): void => {
    if (place >= requests) return
    const at = place
    place += 1
    simulation.ask(load.next(), (answered) => onAnswer(answered, at))
    simulation.timeline.after((-Math.log(1 - random()) * 1_000) / perS, next)
  }
  next()
}

export function seenIn(latencies: readonly number[], passedMs: number): Seen {
  return {
    perS: (latencies.length * 1_000) / passedMs,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}
