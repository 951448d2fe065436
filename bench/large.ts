// Do a scope of a million memories and a node of 100 000 scopes come back in time after a kill, and does the event loop
// stay free while the million are snapshot?
import { join } from 'node:path'
import process from 'node:process'
import type { LargeLoops, LoopWhile } from './large/steps.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { askApart } from './suite/apart.ts'
import { type FirstGuide, firstGuide } from './suite/first-guide.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface LargeOptions {
  readonly memories: number
  readonly scopes: number
  readonly rounds: number
}

const FULL: LargeOptions = { memories: 1_000_000, scopes: 100_000, rounds: 3 }
const QUICK: LargeOptions = { memories: 20_000, scopes: 1_000, rounds: 1 }
const ONE_SCOPE_GOAL_MS = 10_000
const MANY_SCOPES_GOAL_MS = 5_000
const LOOP_GOAL_MS = 3
const LOOP_MAX_GOAL_MS = 50
/** The large scope does not fit into the default bound. */
const ROOM = ['--resident-bytes-max', String(16 * 1024 ** 3)]
const HEAP = ['--max-old-space-size=12000']
const GUIDE = requestsOf(2).guide()

/** Seeds both stores, kills, starts, and removes everything. */
export function run(options: LargeOptions = FULL): Promise<Outcome> {
  return withFolder('large', async (folder) => {
    const [one, many] = [join(folder, 'one'), join(folder, 'many')]
    await step('seed', one, options.memories)
    const oneScope = await starts(one, GUIDE, options.rounds)
    const loops = await step<LargeLoops>('loop', one, options.memories)
    await step('scopes', many, options.scopes)
    const last = { ...GUIDE, scope: `scope-${options.scopes - 1}` }
    const manyScopes = await starts(many, last, options.rounds)
    const isFull = options.memories >= FULL.memories && options.scopes >= FULL.scopes
    return {
      settings: { ...options },
      figures: [
        ...startFigures('one scope', oneScope, isFull ? ONE_SCOPE_GOAL_MS : null),
        ...startFigures('many scopes', manyScopes, isFull ? MANY_SCOPES_GOAL_MS : null),
        ...loopFigures('event loop during a snapshot', loops.shutdown, isFull),
        ...loopFigures('event loop during an erasure', loops.erasure, isFull),
      ],
      notes: [],
    }
  })
}

/** What a process of its own does with the folder, and answers. */
function step<Answer>(task: 'seed' | 'loop' | 'scopes', dataDir: string, count: number): Promise<Answer> {
  return askApart(import.meta.url, './large/steps.js', [task, dataDir, count], { execArgv: HEAP })
}

/** Each a start after `kill -9`; the first of them after the folder was left in order. */
async function starts(dataDir: string, guide: object, rounds: number): Promise<readonly FirstGuide[]> {
  const all: FirstGuide[] = []
  for (let round = 0; round < rounds; round += 1) {
    all.push(await firstGuide({ dataDir, flags: ROOM, nodeFlags: HEAP }, guide))
  }
  return all
}

function startFigures(where: string, all: readonly FirstGuide[], goalMs: number | null): Figure[] {
  const [ms, processorMs] = [all.map((each) => each.ms), all.map((each) => each.processorMs)]
  return [
    figureOf(`first guide, ${where}`, 'ms', ms, { goal: most(goalMs) }),
    figureOf(`processor time to it, ${where}`, 'ms', processorMs),
  ]
}

function loopFigures(during: string, loop: LoopWhile, isJudged: boolean): Figure[] {
  const above = loop.busyP99Ms - loop.idleP99Ms
  return [
    figureOf(`${during}, it took`, 'ms', [loop.durationMs]),
    figureOf(`${during}, p99 above an idle loop`, 'ms', [above], {
      goal: most(isJudged ? LOOP_GOAL_MS : null),
    }),
    figureOf(`${during}, longest`, 'ms', [loop.busyMaxMs], {
      goal: most(isJudged ? LOOP_MAX_GOAL_MS : null),
    }),
    ...(loop.busiestMs === null
      ? []
      : [figureOf(`${during}, most processor time in a block`, 'ms', [loop.busiestMs])]),
  ]
}

function most(value: number | null) {
  return value === null ? undefined : ({ bound: 'most', value } as const)
}

if (isMain(import.meta.url)) printOutcome('large', await run(process.argv.includes('--quick') ? QUICK : FULL))
