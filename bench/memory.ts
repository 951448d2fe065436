// How many bytes does a stored memory of 200 characters take, everything included, and how many an actor? Several
// sizes, each in a process of its own, and a line fitted through them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fitModel } from './capacity-model.ts'
import { isMain } from './measure.ts'
import type { Held } from './memory/holder.ts'
import { type Figure, figureOf, type Outcome, type Series } from './result.ts'
import { printOutcome } from './suite/print-outcome.ts'

export interface MemoryOptions {
  /** Memories and the actors that they are in. */
  readonly cells: readonly (readonly [memories: number, actors: number])[]
  readonly rounds: number
}

const FULL: MemoryOptions = {
  cells: [
    [2_000, 1],
    [10_000, 1],
    [20_000, 1],
    [5_000, 100],
    [10_000, 400],
  ],
  rounds: 2,
}
/**
 * Sizes at which what grows with memories outweighs what happens once: the first 20 000 memories of a process bring most
 * words of the vocabulary, the compiled code and the collector's room for what is new.
 */
const LARGE: MemoryOptions = {
  cells: [
    [20_000, 1],
    [60_000, 1],
    [100_000, 1],
    [60_000, 400],
  ],
  rounds: 2,
}
const QUICK: MemoryOptions = {
  cells: [
    [1_000, 1],
    [4_000, 1],
    [4_000, 100],
    [4_000, 300],
  ],
  rounds: 1,
}

const HOLDER = fileURLToPath(new URL('./memory/holder.js', import.meta.url))
const TERMS = ['fixed', 'memories', 'actors'] as const

export async function run({ cells, rounds }: MemoryOptions = FULL): Promise<Outcome> {
  const held: Held[][] = []
  for (let round = 0; round < rounds; round += 1) {
    const own: Held[] = []
    for (const [memories, actors] of cells) own.push(await holdApart(memories, actors))
    held.push(own)
  }
  return {
    settings: { rounds, charactersPerMemory: 200 },
    figures: [
      ...modelFigures('in memory', held, ({ heldBytes }) => heldBytes),
      ...modelFigures('resident', held, ({ rssBytes }) => rssBytes),
      ...modelFigures('in snapshots', held, ({ snapshotBytes }) => snapshotBytes),
      ...cells.map(([memories, actors], at) =>
        figureOf(
          `in memory: ${memories} memories in ${actors} actors, all over memories`,
          'bytes',
          held.map((own) => (own[at]?.heldBytes ?? Number.NaN) / memories),
        ),
      ),
    ],
    series: seriesOf(held),
    notes: [],
  }
}

async function holdApart(memories: number, actors: number): Promise<Held> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-memory-'))
  try {
    const child = fork(HOLDER, [folder, String(memories), String(actors)], { execArgv: ['--expose-gc'] })
    const gone = once(child, 'exit')
    const failed = gone.then(() => Promise.reject(new Error('a process that held memories ended too early')))
    const [held] = await Promise.race([once(child, 'message'), failed])
    child.kill()
    await gone
    return held
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One fit a round, so that the coefficients have a spread. */
function modelFigures(
  where: string,
  rounds: readonly (readonly Held[])[],
  bytesOf: (held: Held) => number,
): Figure[] {
  const fits = rounds.map((own) =>
    fitModel(
      TERMS,
      own.map((held) => ({
        terms: { fixed: 1, memories: held.memories, actors: held.actors },
        cost: bytesOf(held),
      })),
    ),
  )
  const samples = rounds.flat().length
  const figure = (name: string, unit: string, valueOf: (fit: (typeof fits)[number]) => number) =>
    figureOf(`${where}: ${name}`, unit, fits.map(valueOf), { samples })
  return [
    figure('a memory, fitted', 'bytes', ({ coefficients }) => coefficients.memories),
    figure('an actor, fitted', 'bytes', ({ coefficients }) => coefficients.actors),
    figure('besides, fitted', 'bytes', ({ coefficients }) => coefficients.fixed),
    figure('mean error of the fit', 'share', ({ error }) => error),
  ]
}

function seriesOf(rounds: readonly (readonly Held[])[]): Series[] {
  const inOne = (rounds[0] ?? []).filter(({ actors }) => actors === 1)
  const line = (name: string, bytesOf: (held: Held) => number): Series => ({
    name,
    kind: 'cost over size',
    xLabel: 'memories in one actor',
    yLabel: 'MB',
    points: inOne.map((held) => [held.memories, bytesOf(held) / 1e6]),
  })
  return [
    line('in memory', ({ heldBytes }) => heldBytes),
    line('snapshot', ({ snapshotBytes }) => snapshotBytes),
  ]
}

if (isMain(import.meta.url)) {
  const isAsked = (option: string): boolean => process.argv.includes(option)
  printOutcome('memory', await run(isAsked('--quick') ? QUICK : isAsked('--large') ? LARGE : FULL))
}
