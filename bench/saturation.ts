// What latency does each endpoint see when requests come at a constant rate, from a part of what it takes up to more
// than that: over TCP, over a Unix socket, embedded? Latency counts from the moment that a request was due.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Endpoint } from './endpoints/bodies.ts'
import { LEFT_OUT } from './endpoints/bodies.ts'
import { openWays, Refused, type Target } from './endpoints/targets.ts'
import { Histogram } from './histogram.ts'
import { openLoop } from './load/open-loop.ts'
import { systemPacer } from './load/pacer.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome, type Series } from './result.ts'
import { seedScope } from './seeded-scope.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { type Vitals, vitalsFigures } from './suite/vitals.ts'

export interface SaturationOptions {
  readonly memories: number
  /** Time for the engine to compile what an endpoint uses, before its rate is looked for. */
  readonly warmMs: number
  /** Of the rate that a closed loop reaches, in this order; while the last is kept, one more. */
  readonly shares: readonly number[]
  readonly closedMs: number
  readonly stepMs: number
}

const FULL: SaturationOptions = {
  memories: 2_000,
  warmMs: 1_000,
  shares: [0.25, 0.5, 0.75, 0.9, 1, 1.2],
  closedMs: 400,
  stepMs: 1_000,
}
const QUICK: SaturationOptions = { memories: 1_000, warmMs: 40, shares: [0.5, 1.2], closedMs: 40, stepMs: 80 }

const CONNECTIONS = 64
/** Requests on their way in the closed loop that finds the rate. */
const CLOSED_AT_ONCE = 16
const SLICES = 4
const KEPT_SHARE = 0.95
/** How much more is asked for while a rate is kept, and how often. */
const FURTHER = 1.25
const FURTHER_MAX = 4
/** Endpoints whose steps are plotted, and told of in full. */
const PLOTTED: ReadonlySet<string> = new Set(['observe', 'guide', 'govern', 'feedback'])

interface Step {
  readonly share: number
  readonly ratePerS: number
  readonly achievedPerS: number
  readonly refused: number
  readonly sent: number
  /** ms */
  readonly latency: Histogram
  /** Of requests that were due in the same part of the step. */
  readonly slices: readonly Histogram[]
  readonly late: Histogram
  readonly vitals: Vitals
}

interface Subject {
  readonly target: Target
  readonly endpoint: Endpoint
  readonly closedPerS: number
  readonly steps: readonly Step[]
}

/** Endpoint after endpoint, the three ways of each in turn. */
export async function run(options: SaturationOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-saturation-'))
  try {
    const seeded = join(folder, 'seeded')
    await (await seedScope(seeded, options.memories))()
    const ways = await openWays(folder, seeded, CONNECTIONS)
    try {
      const subjects: Subject[] = []
      for (const place of (ways.targets[0]?.endpoints ?? []).keys()) {
        for (const target of ways.targets) {
          const endpoint = target.endpoints[place]
          if (endpoint !== undefined) subjects.push(await measured(target, endpoint, options))
        }
      }
      return outcomeOf(options, subjects)
    } finally {
      await ways.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measured(target: Target, endpoint: Endpoint, options: SaturationOptions): Promise<Subject> {
  await closedLoop(target, endpoint, options.warmMs)
  const closedPerS = await closedLoop(target, endpoint, options.closedMs)
  const steps: Step[] = []
  const most = options.shares.length + FURTHER_MAX
  for (let share = options.shares[0]; share !== undefined && steps.length < most; ) {
    const step = await openStep(target, endpoint, share, closedPerS, options)
    steps.push(step)
    share = options.shares[steps.length] ?? (isKept(step) ? share * FURTHER : undefined)
  }
  return { target, endpoint, closedPerS, steps }
}

/** Requests a second with so many on their way at any time. */
async function closedLoop(target: Target, { operation, body }: Endpoint, ms: number): Promise<number> {
  const startedAt = performance.now()
  let answered = 0
  const client = async (connection: number): Promise<void> => {
    do {
      await target.ask(connection, operation, body())
      answered += 1
    } while (performance.now() - startedAt < ms)
  }
  await Promise.all(Array.from({ length: CLOSED_AT_ONCE }, (_, connection) => client(connection)))
  return (answered * 1_000) / (performance.now() - startedAt)
}

async function openStep(
  target: Target,
  { operation, body }: Endpoint,
  share: number,
  closedPerS: number,
  { stepMs }: SaturationOptions,
): Promise<Step> {
  const ratePerS = Math.max(share * closedPerS, 2_000 / stepMs)
  const [latency, late] = [new Histogram(), new Histogram()]
  const slices = Array.from({ length: SLICES }, () => new Histogram())
  const idle = Array.from({ length: CONNECTIONS }, (_, connection) => connection)
  let [sent, refused] = [0, 0]
  let failure: unknown = null
  await target.vitals()
  const takenMs = await openLoop<boolean>({
    ratePerS,
    durationMs: stepMs,
    pacer: systemPacer,
    onSend: (lateMs) => late.record(lateMs),
    async send() {
      sent += 1
      // Without an idle connection the request waits behind another one, as in any pool.
      const connection = idle.pop()
      try {
        await target.ask(connection ?? sent % CONNECTIONS, operation, body())
        return true
      } catch (error) {
        if (error instanceof Refused) refused += 1
        else failure ??= error
        return false
      } finally {
        if (connection !== undefined) idle.push(connection)
      }
    },
    onAnswer(isAnswered, intendedMs, latencyMs) {
      if (!isAnswered) return
      latency.record(latencyMs)
      slices[Math.floor((intendedMs / stepMs) * SLICES)]?.record(latencyMs)
    },
  })
  if (failure !== null) throw failure
  const achievedPerS = ((sent - refused) * 1_000) / takenMs
  return {
    share,
    ratePerS,
    achievedPerS,
    refused,
    sent,
    latency,
    slices,
    late,
    vitals: await target.vitals(),
  }
}

function isKept({ achievedPerS, ratePerS, refused }: Step): boolean {
  return refused === 0 && achievedPerS >= KEPT_SHARE * ratePerS
}

function nameOf({ target, endpoint }: Subject): string {
  return `${endpoint.operation}, ${target.transport}`
}

function outcomeOf(options: SaturationOptions, subjects: readonly Subject[]): Outcome {
  const plotted = subjects.filter(({ endpoint }) => PLOTTED.has(endpoint.operation))
  return {
    settings: { ...options, shares: options.shares.join(' '), connections: CONNECTIONS },
    figures: subjects.flatMap(figuresOf),
    series: [...plotted.flatMap(linesOf), ...plotted.flatMap(distributionsOf)],
    notes: [
      LEFT_OUT,
      `Rates are shares of what a closed loop of ${CLOSED_AT_ONCE} reached just before, and more while they are kept; one is kept when ${KEPT_SHARE * 100} % of it was answered and nothing refused.`,
      'Embedded, the process that asks is the one that answers, and is late by what it answers.',
    ],
  }
}

function figuresOf(subject: Subject): readonly Figure[] {
  const { closedPerS, steps, endpoint } = subject
  const name = nameOf(subject)
  const keptPerS = Math.max(0, ...steps.filter(isKept).map(({ achievedPerS }) => achievedPerS))
  const rate = (what: string, value: number) =>
    figureOf(`${name}: ${what}`, 'requests/s', [value], { better: 'higher' })
  return [
    rate(`closed loop of ${CLOSED_AT_ONCE}`, closedPerS),
    rate('greatest rate that was kept', keptPerS),
    ...steps.flatMap(({ share, latency, slices, late, sent, refused, vitals }) => {
      const at = `${name}: at ${Math.round(share * 100)} %`
      if (latency.count === 0) return []
      const shown = { percentiles: latency.percentiles(), samples: latency.count }
      const p50s = slices.filter(({ count }) => count > 0).map((slice) => slice.quantile(0.5))
      const whole = PLOTTED.has(endpoint.operation)
      return [
        figureOf(`${at}, latency, p50 of a part`, 'ms', p50s, shown),
        ...(refused === 0 ? [] : [figureOf(`${at}, refused`, 'share', [refused / sent])]),
        ...(whole ? [figureOf(`${at}, generator late, p99`, 'ms', [late.quantile(0.99)])] : []),
        ...(whole ? vitalsFigures(`of ${at}`, vitals, sent) : []),
      ]
    }),
  ]
}

function linesOf(subject: Subject): readonly Series[] {
  return [0.5, 0.99].map((share) => ({
    name: `${nameOf(subject)}, p${share * 100}`,
    kind: 'latency over load',
    xLabel: `requests/s (${subject.endpoint.operation})`,
    yLabel: 'ms',
    points: subject.steps
      .filter(({ latency }) => latency.count > 0)
      .map(({ ratePerS, latency }) => [ratePerS, latency.quantile(share)]),
  }))
}

function distributionsOf(subject: Subject): readonly Series[] {
  return subject.steps
    .filter(({ share }) => share === 0.5)
    .map(({ latency }) => ({
      name: `${nameOf(subject)}, at half the rate`,
      kind: 'cdf',
      xLabel: `ms (${subject.endpoint.operation})`,
      yLabel: 'share of requests',
      points: latency.cdf(),
    }))
}

if (isMain(import.meta.url)) {
  printOutcome('saturation', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
