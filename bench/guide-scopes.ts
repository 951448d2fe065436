// What does a guide cost with one to 100 000 scopes on the node? Of the same folder as it grows: the same scope again
// and again, any scope as often as any other, and some scopes far more often than others. What does not fit into the
// bound on actors in memory has to come from disk first.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Histogram, histogramOf } from './histogram.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { type Embedded, inGroups, openEmbedded } from './suite/embedded.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { type Vitals, vitalsFigures, watchVitals } from './suite/vitals.ts'
import { mulberry32, zipfPlaces } from './synthetic-text.ts'

export interface GuideScopesOptions {
  readonly scopes: readonly number[]
  readonly memoriesPerScope: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly residentActorsMax: number
  /** Guides of one scope before anything is counted: what the engine compiles is not what is measured. */
  readonly warmOps: number
}

const FULL: GuideScopesOptions = {
  scopes: [1, 10, 100, 1_000, 10_000, 100_000],
  memoriesPerScope: 2,
  rounds: 5,
  opsPerRound: 300,
  residentActorsMax: 1_024,
  warmOps: 3_000,
}
const QUICK: GuideScopesOptions = {
  scopes: [1, 100, 400],
  memoriesPerScope: 2,
  rounds: 2,
  opsPerRound: 60,
  residentActorsMax: 200,
  warmOps: 100,
}

const SCOPES_AT_ONCE = 64
const CHOICES = ['the same scope', 'any scope alike', 'the n-th scope 1/n as often'] as const
type Choice = (typeof CHOICES)[number]

interface Cell {
  readonly scopes: number
  readonly choice: Choice
  /** µs of a guide, one histogram for each round. */
  readonly rounds: readonly Histogram[]
  readonly all: Histogram
  readonly vitals: Vitals
}

export async function run(options: GuideScopesOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-guide-scopes-'))
  const { residentActorsMax, memoriesPerScope } = options
  try {
    const service = await openEmbedded(folder, { residentActorsMax, shutdownDeadlineMs: 600_000 })
    try {
      const requests = requestsOf(1)
      const cells: Cell[] = []
      await service.call('observe', { ...requests.observe(), scope: 'warm' })
      for (let asked = 0; asked < options.warmOps; asked += 1) {
        await service.call('guide', { ...requests.guide(), scope: 'warm' })
      }
      let made = 0
      for (const scopes of options.scopes) {
        const from = made
        await inGroups(scopes - from, SCOPES_AT_ONCE, async (at) => {
          const scope = scopeAt(from + at)
          for (let memory = 0; memory < memoriesPerScope; memory += 1) {
            await service.call('observe', { ...requests.observe(), scope })
          }
        })
        made = scopes
        for (const choice of CHOICES) cells.push(await measured(service, scopes, choice, options))
      }
      return outcomeOf(options, cells)
    } finally {
      await service.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function scopeAt(place: number): string {
  return `scope-${place}`
}

async function measured(
  service: Embedded,
  scopes: number,
  choice: Choice,
  { rounds, opsPerRound }: GuideScopesOptions,
): Promise<Cell> {
  const place = placesOf(choice, scopes)
  const requests = requestsOf(2)
  const times: number[][] = []
  let tell = watchVitals()
  for (let round = -1; round < rounds; round += 1) {
    if (round === 0) tell = watchVitals()
    const own: number[] = []
    for (let asked = 0; asked < opsPerRound; asked += 1) {
      const body = { ...requests.guide(), scope: scopeAt(place()) }
      const startedAt = performance.now()
      await service.call('guide', body)
      own.push((performance.now() - startedAt) * 1_000)
    }
    if (round >= 0) times.push(own)
  }
  return { scopes, choice, rounds: times.map(histogramOf), all: histogramOf(times.flat()), vitals: tell() }
}

function placesOf(choice: Choice, scopes: number): () => number {
  const random = mulberry32(scopes)
  if (choice === 'the same scope') return () => scopes - 1
  if (choice === 'any scope alike') return () => Math.floor(random() * scopes)
  return zipfPlaces(random, scopes)
}

function outcomeOf(options: GuideScopesOptions, cells: readonly Cell[]): Outcome {
  const nameOf = ({ scopes, choice }: Cell) => `${choice}, of ${scopes}`
  return {
    settings: { ...options, scopes: options.scopes.join(' ') },
    figures: cells.flatMap((cell): readonly Figure[] => [
      figureOf(
        `guide, ${nameOf(cell)}`,
        'µs',
        cell.rounds.map((round) => round.quantile(0.5)),
        { percentiles: cell.all.percentiles(), samples: cell.all.count },
      ),
      ...vitalsFigures(`with ${nameOf(cell)}`, cell.vitals, cell.all.count),
    ]),
    series: [
      ...CHOICES.flatMap((choice) =>
        [0.5, 0.99].map((share) => ({
          name: `${choice}, p${share * 100}`,
          kind: 'cost over size' as const,
          xLabel: 'scopes',
          yLabel: 'µs',
          points: cells
            .filter((cell) => cell.choice === choice)
            .map(({ scopes, all }): [number, number] => [scopes, all.quantile(share)]),
        })),
      ),
      ...cells
        .filter(({ scopes }) => scopes === options.scopes.at(-1))
        .map((cell) => ({
          name: nameOf(cell),
          kind: 'cdf' as const,
          xLabel: 'µs',
          yLabel: 'share of guides',
          points: cell.all.cdf(),
        })),
    ],
    notes: ['A guide is a write: an actor that was asked and leaves memory is snapshot first.'],
  }
}

if (isMain(import.meta.url)) {
  printOutcome('guide-scopes', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
