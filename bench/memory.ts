// How many bytes does a stored memory of 200 characters take, everything included, and how many an actor? Several sizes,
// each in a process of its own: a memory is the slope over the sizes of one actor, an actor what many of them add.
import process from 'node:process'
import { isMain } from './measure.ts'
import type { Held } from './memory/holder.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { askApart } from './suite/apart.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface MemoryOptions {
  /** Memories of one actor, the smallest first. */
  readonly sizes: readonly number[]
  /** So many actors share as many memories as the largest size has. */
  readonly actors: number
  readonly rounds: number
}

const FULL: MemoryOptions = { sizes: [2_000, 10_000, 20_000], actors: 400, rounds: 2 }
/**
 * Sizes at which what grows with memories outweighs what happens once: the first 20 000 memories of a process bring most
 * words of the vocabulary, the compiled code and the collector's room for what is new.
 */
const LARGE: MemoryOptions = { sizes: [20_000, 60_000, 100_000], actors: 400, rounds: 2 }
const QUICK: MemoryOptions = { sizes: [1_000, 4_000], actors: 300, rounds: 1 }
const GOAL = { bound: 'most', value: 1_600 } as const

interface Round {
  readonly ofOne: readonly Held[]
  readonly ofMany: Held
}

export async function run({ sizes, actors, rounds }: MemoryOptions = FULL): Promise<Outcome> {
  const largest = sizes.at(-1) ?? 0
  const all: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ofOne: Held[] = []
    for (const memories of sizes) ofOne.push(await heldBy(memories, 1))
    all.push({ ofOne, ofMany: await heldBy(largest, actors) })
  }
  return {
    settings: { sizes: sizes.join(' '), actors, rounds, charactersPerMemory: 200 },
    figures: [
      ...figuresOf('in memory', all, ({ heldBytes }) => heldBytes, GOAL),
      ...figuresOf('resident', all, ({ rssBytes }) => rssBytes, GOAL),
      ...figuresOf('in snapshots', all, ({ snapshotBytes }) => snapshotBytes),
      ...sizes.map((memories, at) =>
        figureOf(
          `in memory: ${memories} memories in one actor, all over memories`,
          'bytes',
          all.map(({ ofOne }) => (ofOne[at]?.heldBytes ?? Number.NaN) / memories),
        ),
      ),
    ],
    notes: [],
  }
}

function heldBy(memories: number, actors: number): Promise<Held> {
  return withFolder('memory', (folder) =>
    askApart<Held>(import.meta.url, './memory/holder.js', [folder, memories, actors], {
      execArgv: ['--expose-gc'],
    }),
  )
}

function figuresOf(
  where: string,
  rounds: readonly Round[],
  bytesOf: (held: Held) => number,
  goal?: typeof GOAL,
): Figure[] {
  const memory = rounds.map(({ ofOne }) => slopeOf(ofOne, bytesOf))
  const actor = rounds.map(({ ofOne, ofMany }) => {
    const one = ofOne.at(-1)
    return one === undefined ? Number.NaN : (bytesOf(ofMany) - bytesOf(one)) / (ofMany.actors - 1)
  })
  return [
    figureOf(`${where}: a memory`, 'bytes', memory, {
      goal,
      meaning: 'Slope of the line through several numbers of memories.',
    }),
    figureOf(`${where}: an actor`, 'bytes', actor),
  ]
}

/** Bytes over memories by least squares. */
function slopeOf(helds: readonly Held[], bytesOf: (held: Held) => number): number {
  const mean = (valueOf: (held: Held) => number) =>
    helds.reduce((sum, held) => sum + valueOf(held), 0) / helds.length
  const [memories, bytes] = [mean((held) => held.memories), mean(bytesOf)]
  const covariance = mean((held) => (held.memories - memories) * (bytesOf(held) - bytes))
  return covariance / mean((held) => (held.memories - memories) ** 2)
}

if (isMain(import.meta.url)) {
  const isAsked = (option: string): boolean => process.argv.includes(option)
  printOutcome('memory', await run(isAsked('--quick') ? QUICK : isAsked('--large') ? LARGE : FULL))
}
