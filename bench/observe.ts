// What does an observe cost beside what it cannot do without? With many connections beside a bare echo, embedded beside
// a loop that only decides, encodes and indexes, and under a mixed load beside the echo under the same load.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isMain } from './measure.ts'
import { type EmbeddedOptions, type EmbeddedReport, measureEmbedded } from './observe/embedded.ts'
import { type InFlightOptions, type InFlightReport, measureInFlight } from './observe/in-flight.ts'
import { LOAD_SHARE, type MixedOptions, type MixedReport, measureMixed } from './observe/mixed.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { printOutcome } from './suite/print-outcome.ts'

export interface ObserveOptions {
  readonly inFlight: InFlightOptions
  readonly embedded: EmbeddedOptions
  readonly mixed: MixedOptions
}

const FULL: ObserveOptions = {
  inFlight: { inFlight: 256, rounds: 9, sliceMs: 1_000, warmMs: 4_000 },
  embedded: { inFlight: 4_096, rounds: 9, opsPerRound: 8_192, warmOps: 20_000 },
  mixed: { scopes: 50, memoriesPerScope: 100, saturationMs: 8_000, rounds: 7, sliceMs: 3_000 },
}
const QUICK: ObserveOptions = {
  inFlight: { inFlight: 256, rounds: 3, sliceMs: 400, warmMs: 1_000 },
  embedded: { inFlight: 4_096, rounds: 3, opsPerRound: 4_096, warmOps: 4_096 },
  mixed: { scopes: 20, memoriesPerScope: 50, saturationMs: 2_000, rounds: 3, sliceMs: 1_000 },
}

const IN_FLIGHT_GOAL = { bound: 'least', value: 0.4 } as const
const EMBEDDED_GOAL = { bound: 'least', value: 0.5 } as const
const TAIL_GOAL = { bound: 'most', value: 20 } as const
const HIGHER = { better: 'higher' } as const

export async function run(options: ObserveOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-observe-'))
  try {
    const inFlight = await measureInFlight(join(folder, 'in-flight'), options.inFlight)
    const embedded = await measureEmbedded(join(folder, 'embedded'), options.embedded)
    const mixed = await measureMixed(join(folder, 'mixed'), options.mixed)
    return {
      settings: settingsOf(options),
      figures: [
        ...inFlightFigures(options.inFlight, inFlight),
        ...embeddedFigures(options.embedded, embedded),
        ...mixedFigures(mixed),
      ],
      series: [],
      notes: notesOf(mixed),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Above this other processes have taken part in the tail. */
const CORES_OF_OTHERS_MAX = 0.1
const KEPT_MIN = 0.95

function crowdedRounds({ coresOfOthers }: MixedReport): number {
  return coresOfOthers.filter((cores) => cores > CORES_OF_OTHERS_MAX).length
}

/** Both tails of a crowded machine are made of the same waits, whatever the service does: their ratio says nothing. */
function isTelling(report: MixedReport): boolean {
  return crowdedRounds(report) * 2 <= report.kept.length
}

function notesOf(report: MixedReport): string[] {
  const { refused, kept } = report
  const crowded = crowdedRounds(report)
  const late = kept.filter((share) => share < KEPT_MIN).length
  return [
    ...(refused === 0 ? [] : [`${refused} requests of the mixed load were refused.`]),
    ...(crowded === 0
      ? []
      : [
          `In ${crowded} of ${kept.length} rounds of the mixed load other processes had more than ${CORES_OF_OTHERS_MAX} cores: what they took is in both tails.${isTelling(report) ? '' : ' The goal is not judged.'}`,
        ]),
    ...(late === 0
      ? []
      : [
          `In ${late} of ${kept.length} rounds the rate was not kept: ${LOAD_SHARE * 100} % was more than all of it.`,
        ]),
  ]
}

function settingsOf(options: ObserveOptions): Outcome['settings'] {
  const pairs = Object.entries(options).flatMap(([part, settings]) =>
    Object.entries(settings).map(([name, value]) => [`${part} ${name}`, Number(value)] as const),
  )
  return Object.fromEntries(pairs)
}

function inFlightFigures({ inFlight }: InFlightOptions, report: InFlightReport): Figure[] {
  const of = (what: string) => `${what}, ${inFlight} connections`
  return [
    figureOf(of('observe'), 'requests/s', report.servicePerS, HIGHER),
    figureOf(of('echo of that size'), 'requests/s', report.echoPerS, HIGHER),
    figureOf(of('observe over echo'), 'ratio', report.share, { ...HIGHER, goal: IN_FLIGHT_GOAL }),
    figureOf(of('processor time of an observe'), 'µs', report.serviceCpuUs),
    figureOf(of('processor time of an echo'), 'µs', report.echoCpuUs),
  ]
}

function embeddedFigures({ inFlight }: EmbeddedOptions, report: EmbeddedReport): Figure[] {
  const of = (what: string) => `${what}, embedded, ${inFlight} in flight`
  return [
    figureOf(of('observe'), 'requests/s', report.servicePerS, HIGHER),
    figureOf('decide, encode and index alone', 'requests/s', report.barePerS, HIGHER),
    figureOf(of('observe over these alone'), 'ratio', report.share, { ...HIGHER, goal: EMBEDDED_GOAL }),
    figureOf(of('processor time of an observe'), 'µs', report.serviceCpuUs),
    figureOf('processor time of these alone', 'µs', report.bareCpuUs),
  ]
}

function mixedFigures(report: MixedReport): Figure[] {
  const { saturationPerS, ratePerS, service, echo, late, flush, ratios, kept } = report
  const share = `${LOAD_SHARE * 100} % of saturation`
  const latency = (what: string, histogram: MixedReport['service'], at = `, p99.9 at ${share}`) =>
    figureOf(`${what}${at}`, 'ms', [histogram.quantile(0.999)], {
      percentiles: histogram.percentiles(),
      samples: histogram.count,
    })
  return [
    figureOf('saturation of the mixed load', 'requests/s', saturationPerS, HIGHER),
    figureOf(`mixed load at ${share}`, 'requests/s', ratePerS, HIGHER),
    latency('mixed load', service),
    latency('echo under that load', echo),
    latency('generator late', late),
    latency('flush of 4 KiB, p99.9 after the mixed load', flush, ''),
    figureOf('answered in time of the mixed load', 'share', kept, HIGHER),
    ...toldOnly('serving thread without a core, mixed load', 'share', report.withoutCore),
    ...toldOnly('cores that other processes had, mixed load', 'cores', report.coresOfOthers),
    figureOf('p99.9 over that of the echo', 'ratio', ratios, {
      ...(isTelling(report) ? { goal: TAIL_GOAL } : {}),
      samples: service.count,
    }),
  ]
}

/** What only Linux tells. */
function toldOnly(name: string, unit: string, rounds: readonly number[]): Figure[] {
  return rounds.length === 0 ? [] : [figureOf(name, unit, rounds)]
}

if (isMain(import.meta.url)) {
  printOutcome('observe', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
