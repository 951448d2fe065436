// How long does a guide take on a scope that is not in memory, on a node of many scopes of which a tenth is? Each guide
// is durable, and each load has another scope leave memory. And how long does such a node take to start, and how much memory?
import process from 'node:process'
import type { Asked, ScopesTask } from './cold-scopes/scopes.ts'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { askApart } from './suite/apart.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface ColdOptions {
  readonly scopes: number
  readonly memories: number
  readonly resident: number
  /** Cold scopes that are asked. */
  readonly guides: number
}

const FULL: ColdOptions = { scopes: 100_000, memories: 10, resident: 10_000, guides: 5_000 }
const QUICK: ColdOptions = { scopes: 4_000, memories: 10, resident: 400, guides: 1_000 }
const GOAL = { bound: 'most', value: 25 } as const
const MIB = 1024 ** 2
/** Scopes that one process fills: it keeps all of them in memory. */
const FILLED_AT_ONCE = 10_000

export function run(options: ColdOptions = FULL): Promise<Outcome> {
  return withFolder('cold', async (dataDir) => {
    const { scopes } = options
    for (let from = 0; from < scopes; from += FILLED_AT_ONCE) {
      const to = Math.min(scopes, from + FILLED_AT_ONCE)
      await apart({ task: 'fill', dataDir, from, to, ...options, resident: FILLED_AT_ONCE })
    }
    const asked = await apart<Asked>({ task: 'ask', dataDir, from: 0, to: scopes, ...options })
    return {
      settings: { ...options },
      figures: [
        // The goal is one of the whole size.
        ...latencyFigures('a cold scope', asked.cold, scopes < FULL.scopes ? undefined : GOAL),
        ...latencyFigures('a cold scope, processor time', asked.coldCpu),
        ...latencyFigures('the same scope again', asked.warm),
        figureOf('start', 'ms', [asked.startMs]),
        figureOf('resident set after the start', 'MiB', [asked.startedBytes / MIB]),
        figureOf('resident set', 'MiB', [asked.residentBytes / MIB]),
        figureOf('files in the folder', 'files', [asked.files]),
      ],
      notes: [],
    }
  })
}

function apart<Answer>(task: ScopesTask): Promise<Answer> {
  return askApart(import.meta.url, './cold-scopes/scopes.js', [JSON.stringify(task)])
}

function latencyFigures(name: string, times: readonly number[], goal?: typeof GOAL): Figure[] {
  return [
    figureOf(`${name}, p50`, 'ms', [quantile(times, 0.5)]),
    figureOf(`${name}, p99`, 'ms', [quantile(times, 0.99)], { goal }),
    figureOf(`${name}, longest`, 'ms', [quantile(times, 1)]),
  ]
}

if (isMain(import.meta.url))
  printOutcome('cold-scopes', await run(process.argv.includes('--quick') ? QUICK : FULL))
