// What does it cost that an actor is not in memory: a guide that has to load it while another one leaves, an observe
// likewise, by the memories in an actor? Beside it the same on an actor that stays.
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

export interface EvictionOptions {
  readonly memoriesPerActor: readonly number[]
  readonly residentActorsMax: number
  readonly rounds: number
  readonly opsPerRound: number
  /** Guides of one actor before anything is counted: those that left while the others were filled are written meanwhile. */
  readonly warmOps: number
}

const FULL: EvictionOptions = {
  memoriesPerActor: [1, 100, 1_000, 5_000],
  residentActorsMax: 8,
  rounds: 4,
  opsPerRound: 24,
  warmOps: 500,
}
const QUICK: EvictionOptions = {
  memoriesPerActor: [1, 200],
  residentActorsMax: 4,
  rounds: 2,
  opsPerRound: 12,
  warmOps: 50,
}

/** Twice as many actors as there is room for, asked in turn: each has left when its turn comes. */
const ACTORS_PER_PLACE = 2
const AT_ONCE = 100
const KINDS = ['guide', 'observe'] as const
const PLACES = ['an actor in memory', 'an actor on disk'] as const

interface Cell {
  readonly kind: (typeof KINDS)[number]
  readonly place: (typeof PLACES)[number]
  readonly memories: number
  /** µs */
  readonly rounds: readonly Histogram[]
  readonly all: Histogram
  readonly vitals: Vitals
}

export async function run(options: EvictionOptions = FULL): Promise<Outcome> {
  const cells: Cell[] = []
  for (const memories of options.memoriesPerActor) {
    const folder = await mkdtemp(join(tmpdir(), 'memgov-eviction-'))
    try {
      const { residentActorsMax } = options
      const service = await openEmbedded(folder, { residentActorsMax, shutdownDeadlineMs: 120_000 })
      try {
        await seed(service, memories, actorsOf(options))
        const { guide } = requestsOf(3)
        for (let asked = 0; asked < options.warmOps; asked += 1) {
          await service.call('guide', { ...guide(), scope: 'scope-0' })
        }
        for (const kind of KINDS) {
          for (const place of PLACES) cells.push(await measured(service, kind, place, memories, options))
        }
      } finally {
        await service.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return outcomeOf(options, cells)
}

function actorsOf({ residentActorsMax }: EvictionOptions): number {
  return residentActorsMax * ACTORS_PER_PLACE
}

async function seed(service: Embedded, memories: number, actors: number): Promise<void> {
  const { observe } = requestsOf(1)
  for (let actor = 0; actor < actors; actor += 1) {
    await inGroups(memories, AT_ONCE, () =>
      service.call('observe', { ...observe(), scope: `scope-${actor}` }),
    )
  }
}

async function measured(
  service: Embedded,
  kind: Cell['kind'],
  place: Cell['place'],
  memories: number,
  options: EvictionOptions,
): Promise<Cell> {
  const requests = requestsOf(2)
  const actors = place === 'an actor in memory' ? 1 : actorsOf(options)
  const times: number[][] = []
  let asked = 0
  let tell = watchVitals()
  for (let round = -1; round < options.rounds; round += 1) {
    if (round === 0) tell = watchVitals()
    const own: number[] = []
    for (let op = 0; op < options.opsPerRound; op += 1) {
      const body = { ...requests[kind](), scope: `scope-${asked++ % actors}` }
      const startedAt = performance.now()
      await service.call(kind, body)
      own.push((performance.now() - startedAt) * 1_000)
    }
    if (round >= 0) times.push(own)
  }
  return {
    kind,
    place,
    memories,
    rounds: times.map(histogramOf),
    all: histogramOf(times.flat()),
    vitals: tell(),
  }
}

function outcomeOf(options: EvictionOptions, cells: readonly Cell[]): Outcome {
  const nameOf = ({ kind, place, memories }: Cell) => `${kind} on ${place}, ${memories} memories`
  return {
    settings: { ...options, memoriesPerActor: options.memoriesPerActor.join(' ') },
    figures: cells.flatMap((cell): readonly Figure[] => [
      figureOf(
        nameOf(cell),
        'µs',
        cell.rounds.map((round) => round.quantile(0.5)),
        { percentiles: cell.all.percentiles(), samples: cell.all.count },
      ),
      ...vitalsFigures(`with ${nameOf(cell)}`, cell.vitals, cell.all.count),
    ]),
    series: [
      ...KINDS.flatMap((kind) =>
        PLACES.map((place) => ({
          name: `${kind} on ${place}`,
          kind: 'cost over size' as const,
          xLabel: 'memories in the actor',
          yLabel: 'µs',
          points: cells
            .filter((cell) => cell.kind === kind && cell.place === place)
            .map(({ memories, all }): [number, number] => [memories, all.quantile(0.5)]),
        })),
      ),
      ...cells
        .filter(({ place }) => place === 'an actor on disk')
        .map((cell) => ({
          name: nameOf(cell),
          kind: 'cdf' as const,
          xLabel: 'µs',
          yLabel: 'share of operations',
          points: cell.all.cdf(),
        })),
    ],
    notes: [
      'Every load sends another actor out, which was written to since it came. It is snapshot first when more than a few turns are new in it: in the background, unless too many are on their way out.',
    ],
  }
}

if (isMain(import.meta.url)) {
  printOutcome('eviction', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
