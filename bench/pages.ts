// What does a page of the operator reads cost in a large scope, the first one and the last one?
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { SCOPE, seedScope } from './seeded-scope.ts'
import { type Call, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface PagesOptions {
  readonly memories: number
  readonly rounds: number
}

const GOAL_MEMORIES = 100_000
const FULL: PagesOptions = { memories: GOAL_MEMORIES, rounds: 30 }
const QUICK: PagesOptions = { memories: 5_000, rounds: 5 }
const PAGE = { scope: SCOPE, limit: 200 }
/** No text that is seeded has it. */
const RARE = { ...PAGE, text: 'no such words at all' }
const GOALS = {
  page: { bound: 'most', value: 20 },
  ratio: { bound: 'most', value: 20 },
  hold: { bound: 'most', value: 50 },
} as const

export function run(options: PagesOptions = FULL): Promise<Outcome> {
  return withFolder('pages', async (dataDir) => {
    await (await seedScope(dataDir, options.memories))()
    const figures = await withEmbedded(dataDir, {}, (call) => measured(call, options))
    return { settings: { ...options, page: PAGE.limit }, figures, notes: [] }
  })
}

async function measured(call: Call, { rounds, memories }: PagesOptions): Promise<Figure[]> {
  const last = await lastPage(call)
  const bodies = { first: PAGE, last } as const
  const times: Record<'first' | 'last' | 'json' | 'hold', number[]> = {
    first: [],
    last: [],
    json: [],
    hold: [],
  }
  for (let round = -1; round < rounds; round += 1) {
    const taken = {
      first: await timeOf(() => call('searchMemories', bodies.first)),
      last: await timeOf(() => call('searchMemories', bodies.last)),
      json: 0,
      hold: await longestHold(() => call('searchMemories', RARE)),
    }
    const answer = await call('searchMemories', PAGE)
    taken.json = await timeOf(async () => JSON.stringify(answer))
    // The first round warms up.
    if (round < 0) continue
    for (const name of ['first', 'last', 'json', 'hold'] as const) times[name].push(taken[name])
  }
  const isFull = memories >= GOAL_MEMORIES
  const goalOf = (name: keyof typeof GOALS) => ({ goal: isFull ? GOALS[name] : undefined })
  const ratio = (of: readonly number[]) => of.map((ms, at) => ms / (times.json[at] ?? Number.NaN))
  return [
    figureOf('first page', 'ms', times.first, goalOf('page')),
    figureOf('last page', 'ms', times.last, goalOf('page')),
    figureOf('the JSON of a page', 'ms', times.json, { isYardstick: true }),
    figureOf('first page, times its JSON', '×', ratio(times.first), goalOf('ratio')),
    figureOf('last page, times its JSON', '×', ratio(times.last), goalOf('ratio')),
    figureOf('longest hold of a search that finds nothing', 'ms', times.hold, goalOf('hold')),
  ]
}

/** What asks for the last full page. */
async function lastPage(call: Call): Promise<object> {
  let body: object = PAGE
  for (;;) {
    const cursor: unknown = Object(await call('searchMemories', body)).next_cursor
    if (typeof cursor !== 'string') return body
    body = { ...PAGE, cursor }
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The longest time in which the loop served nobody else. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const before = performance.now()
    await setImmediate()
    longest = Math.max(longest, performance.now() - before)
  }
  await working
  return longest
}

if (isMain(import.meta.url)) {
  printOutcome('pages', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
