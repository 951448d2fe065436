// What does a guide cost in one scope of a thousand to a million memories, and how does that grow? Embedded and
// durable, one after the other.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fitModel } from './capacity-model.ts'
import type { Sized } from './guide-size/sized-process.ts'
import { histogramOf } from './histogram.ts'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome, type Series } from './result.ts'
import { askApart } from './suite/apart.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { vitalsFigures } from './suite/vitals.ts'

export interface GuideSizeOptions {
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly opsPerRound: number
}

const FULL: GuideSizeOptions = {
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  rounds: 9,
  opsPerRound: 300,
}
const QUICK: GuideSizeOptions = { sizes: [1_000, 2_000, 4_000], rounds: 3, opsPerRound: 40 }

const PROCESS = fileURLToPath(new URL('./guide-size/sized-process.js', import.meta.url))
const HEAP = ['--max-old-space-size=12000']
const TERMS = ['fixed', 'thousands'] as const

/** Size after size, so that only one of them is in memory. */
export async function run(options: GuideSizeOptions = FULL): Promise<Outcome> {
  const { sizes, rounds, opsPerRound } = options
  const sized: Sized[] = []
  for (const memories of sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'memgov-guide-size-'))
    try {
      sized.push(await askApart<Sized>(PROCESS, [folder, memories, rounds, opsPerRound], HEAP))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return {
    settings: { sizes: sizes.join(' '), rounds, opsPerRound },
    figures: [...sized.flatMap(figuresOf), ...fitted(sized, rounds)],
    series: [...linesOf(sized), ...sized.map(distributionOf)],
    notes: ['The bare ranking needs a second copy of the index: it is left out above 100 000 memories.'],
  }
}

function figuresOf({ memories, rounds, vitals }: Sized): readonly Figure[] {
  const all = histogramOf(rounds.flatMap(({ guideUs }) => guideUs))
  const shown = { percentiles: all.percentiles(), samples: all.count }
  const rankings = rounds.flatMap(({ rankingUs }) => (rankingUs === null ? [] : [quantile(rankingUs, 0.5)]))
  const p50s = rounds.map(({ guideUs }) => quantile(guideUs, 0.5))
  const at = `${memories} memories`
  return [
    figureOf(`guide, ${at}`, 'µs', p50s, shown),
    figureOf(
      `guide, p99 of a round, ${at}`,
      'µs',
      rounds.map(({ guideUs }) => quantile(guideUs, 0.99)),
      { samples: all.count },
    ),
    figureOf(
      `guide, processor time, ${at}`,
      'µs',
      rounds.map(({ cpuUs }) => cpuUs),
      { samples: all.count },
    ),
    ...(rankings.length === 0
      ? []
      : [figureOf(`bare ranking, ${at}`, 'µs', rankings, { samples: all.count })]),
    ...vitalsFigures(`with ${at}`, vitals, all.count),
  ]
}

/** One line through the processor times of each round, as docs/capacity.md states it. */
function fitted(sized: readonly Sized[], rounds: number): readonly Figure[] {
  const fits = Array.from({ length: rounds }, (_, round) =>
    fitModel(
      TERMS,
      sized.map(({ memories, rounds: own }) => ({
        terms: { fixed: 1, thousands: memories / 1_000 },
        cost: own[round]?.cpuUs ?? Number.NaN,
      })),
    ),
  )
  return [
    figureOf(
      'processor time, fixed, fitted',
      'µs',
      fits.map(({ coefficients }) => coefficients.fixed),
    ),
    figureOf(
      'processor time, a thousand memories more, fitted',
      'µs',
      fits.map(({ coefficients }) => coefficients.thousands),
    ),
    figureOf(
      'mean error of the fit',
      'share',
      fits.map(({ error }) => error),
    ),
  ]
}

function linesOf(sized: readonly Sized[]): readonly Series[] {
  const line = (name: string, valueOf: (own: Sized) => number): Series => ({
    name,
    kind: 'cost over size',
    xLabel: 'memories in the scope',
    yLabel: 'µs',
    points: sized
      .map((own): [number, number] => [own.memories, valueOf(own)])
      .filter(([, value]) => Number.isFinite(value)),
  })
  const guides = ({ rounds }: Sized) => rounds.flatMap(({ guideUs }) => guideUs)
  return [
    line('guide, p50', (own) => quantile(guides(own), 0.5)),
    line('guide, p99', (own) => quantile(guides(own), 0.99)),
    line('bare ranking, p50', ({ rounds }) =>
      quantile(
        rounds.flatMap(({ rankingUs }) => rankingUs ?? []),
        0.5,
      ),
    ),
  ]
}

function distributionOf({ memories, rounds }: Sized): Series {
  return {
    name: `${memories} memories`,
    kind: 'cdf',
    xLabel: 'µs',
    yLabel: 'share of guides',
    points: histogramOf(rounds.flatMap(({ guideUs }) => guideUs)).cdf(),
  }
}

if (isMain(import.meta.url)) {
  printOutcome('guide-size', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
