// What latency does a service give under a mixed load at a constant rate, up to the rate that it cannot keep? Requests
// are due by a schedule and their latency counts from then on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import type { Histogram } from './histogram.ts'
import { agentMix, KINDS, type Mix } from './load/mix.ts'
import { runStep, type Step } from './load/step.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { startService } from './service-process.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { WITH_VITALS } from './suite/service-vitals.ts'
import { vitalsFigures } from './suite/vitals.ts'

export interface LoadOptions {
  readonly scopes: number
  readonly memoriesPerScope: number
  readonly warmPerS: number
  readonly warmMs: number
  readonly firstPerS: number
  /** The rate doubles from step to step, at most up to this. */
  readonly lastPerS: number
  readonly stepMs: number
  readonly slices: number
}

const FULL: LoadOptions = {
  scopes: 100,
  memoriesPerScope: 200,
  warmPerS: 300,
  warmMs: 10_000,
  firstPerS: 100,
  lastPerS: 12_800,
  stepMs: 8_000,
  slices: 8,
}
const QUICK: LoadOptions = {
  scopes: 20,
  memoriesPerScope: 50,
  warmPerS: 200,
  warmMs: 1_500,
  firstPerS: 100,
  lastPerS: 800,
  stepMs: 1_500,
  slices: 3,
}

/** A rate is not kept when less of it than this was answered in time. */
const KEPT_SHARE = 0.95
const SEED = 11

/** Seeds scopes, starts a service over them and raises the rate until it is not kept. */
export async function run(options: LoadOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-load-'))
  const mix = agentMix(SEED, options.scopes)
  try {
    await seed(folder, mix, options.memoriesPerScope)
    const service = await startService({ dataDir: folder, ...WITH_VITALS })
    try {
      const { url, child } = service
      const step = (ratePerS: number, durationMs: number) =>
        runStep({ url, child, mix, ratePerS, durationMs, slices: options.slices })
      await step(options.warmPerS, options.warmMs)
      const steps: Step[] = []
      for (let rate = options.firstPerS; rate <= options.lastPerS; rate *= 2) {
        const taken = await step(rate, options.stepMs)
        steps.push(taken)
        if (!isKept(taken)) break
      }
      return outcomeOf(options, steps)
    } finally {
      await service.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function seed(dataDir: string, mix: Mix, memoriesPerScope: number): Promise<void> {
  const { config } = readConfig({ dataDir }, {})
  const log = pinoLog('warn', process.stderr)
  const composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    const context = { requestId: 'seed', operationId: null }
    for (let written = 0; written < memoriesPerScope; written += 1) {
      const calls = mix.scopes.map((scope) =>
        composed.runtime.execute('observe', mix.observe(scope), context),
      )
      await Promise.all(calls)
    }
  } finally {
    await composed.close()
  }
}

function isKept({ achievedPerS, ratePerS, refused }: Step): boolean {
  return refused === 0 && achievedPerS >= KEPT_SHARE * ratePerS
}

function outcomeOf(options: LoadOptions, steps: readonly Step[]): Outcome {
  const kept = steps.filter(isKept).map(({ ratePerS }) => ratePerS)
  const line = (name: string, valueOf: (step: Step) => number) => ({
    name,
    kind: 'latency over load' as const,
    xLabel: 'requests/s',
    yLabel: 'ms',
    points: steps
      .map((step): [number, number] => [step.ratePerS, valueOf(step)])
      .filter(([, value]) => Number.isFinite(value)),
  })
  return {
    settings: { ...options },
    figures: [
      figureOf('greatest rate that was kept', 'requests/s', [Math.max(0, ...kept)], { better: 'higher' }),
      ...steps.flatMap(figuresOf),
    ],
    series: [
      ...[0.5, 0.99, 0.999].map((share) => line(`p${share * 100}`, ({ all }) => all.quantile(share))),
      ...KINDS.map((kind) => line(`${kind}, p50`, ({ byKind }) => byKind[kind].quantile(0.5))),
      ...steps.map(({ ratePerS, all }) => ({
        name: `${ratePerS}/s`,
        kind: 'cdf' as const,
        xLabel: 'ms',
        yLabel: 'share of requests',
        points: all.cdf(),
      })),
    ],
    notes: steps
      .filter((step) => !isKept(step))
      .map(
        ({ ratePerS, achievedPerS, refused }) =>
          `${ratePerS}/s was not kept: ${achievedPerS.toFixed(0)}/s answered, ${refused} refused as overloaded.`,
      ),
  }
}

function figuresOf(step: Step): Figure[] {
  const { ratePerS, requests, achievedPerS, refused, all, byKind, slices, late, vitals } = step
  const at = (what: string) => `${what} at ${ratePerS}/s`
  const latency = (what: string, histogram: Histogram, rounds: readonly number[]): Figure[] =>
    histogram.count === 0
      ? []
      : [
          figureOf(at(what), 'ms', rounds, {
            percentiles: histogram.percentiles(),
            samples: histogram.count,
          }),
        ]
  const ofSlices = (share: number) =>
    slices.filter(({ count }) => count > 0).map((each) => each.quantile(share))
  const one = (what: string, unit: string, value: number) =>
    figureOf(at(what), unit, [value], { samples: requests })
  return [
    ...latency('latency, p50 of a slice', all, ofSlices(0.5)),
    ...latency('latency, p99 of a slice', all, ofSlices(0.99)),
    ...KINDS.flatMap((kind) => latency(kind, byKind[kind], [byKind[kind].quantile(0.5)])),
    ...latency('generator late', late, [late.quantile(0.5)]),
    figureOf(at('answered'), 'requests/s', [achievedPerS], { better: 'higher', samples: requests }),
    one('refused', 'share', refused / requests),
    ...vitalsFigures(`at ${ratePerS}/s`, vitals, requests),
  ]
}

if (isMain(import.meta.url)) printOutcome('load', await run(process.argv.includes('--quick') ? QUICK : FULL))
