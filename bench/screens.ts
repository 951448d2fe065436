// How long do the reads that one screen of the console stands on take in a large scope, and for how long do they keep
// others waiting? All reads of a screen are asked at once, as the page does.
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE, seedScope } from './seeded-scope.ts'
import { type Call, inGroups, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface ScreensOptions {
  readonly memories: number
  readonly guides: number
  readonly rounds: number
}

const GOAL_MEMORIES = 100_000
const FULL: ScreensOptions = { memories: GOAL_MEMORIES, guides: 10_000, rounds: 5 }
const QUICK: ScreensOptions = { memories: 5_000, guides: 500, rounds: 3 }
const SEED = 2
const IN_FLIGHT = 16
const AGENTS = 5
const HERE = { scope: SCOPE }
const GOALS = {
  ms: { bound: 'most', value: 500 },
  hold: { bound: 'most', value: 50 },
  kB: { bound: 'most', value: 64 },
} as const

type Read = readonly [operation: Parameters<Call>[0], body: object]

export function run(options: ScreensOptions = FULL): Promise<Outcome> {
  return withFolder('screens', async (dataDir) => {
    await seedConsole(dataDir, options)
    const figures = await withEmbedded(dataDir, {}, (call) => measured(call, options))
    return { settings: { ...options }, figures, notes: [] }
  })
}

/** The scope of `soak:console`. */
async function seedConsole(dataDir: string, { memories, guides }: ScreensOptions): Promise<void> {
  await (await seedScope(dataDir, memories))()
  const { guide } = requestsOf(SEED)
  await withEmbedded(dataDir, {}, (call) =>
    inGroups(guides, IN_FLIGHT, (at) =>
      call('guide', { ...guide(), consumer_agent_id: `agent-${at % AGENTS}` }),
    ),
  )
}

async function measured(call: Call, { rounds, memories }: ScreensOptions): Promise<Figure[]> {
  const figures: Figure[] = []
  const isFull = memories >= GOAL_MEMORIES
  const goalOf = (name: keyof typeof GOALS) => ({ goal: isFull ? GOALS[name] : undefined })
  for (const [screen, reads] of Object.entries(await screens(call))) {
    const taken = { ms: new Array<number>(), cpu: new Array<number>(), hold: new Array<number>() }
    let largest = 0
    for (let round = 0; round < rounds; round += 1) {
      const seen = await seenIn(() =>
        Promise.all(
          reads.map(async ([operation, body]) => {
            const bytes = Buffer.byteLength(JSON.stringify(await call(operation, { ...HERE, ...body })))
            largest = Math.max(largest, bytes)
          }),
        ),
      )
      for (const name of ['ms', 'cpu', 'hold'] as const) taken[name].push(seen[name])
    }
    figures.push(
      figureOf(`${screen}: all its reads`, 'ms', taken.ms, goalOf('ms')),
      figureOf(`${screen}: processor`, 'ms', taken.cpu),
      figureOf(`${screen}: longest hold`, 'ms', taken.hold, goalOf('hold')),
      figureOf(`${screen}: largest answer`, 'kB', [largest / 1024], goalOf('kB')),
    )
  }
  return figures
}

/** What each screen asks. */
async function screens(call: Call): Promise<Readonly<Record<string, readonly Read[]>>> {
  const memory = Object(await call('listMemories', { ...HERE, limit: 1 })).items[0].memory_id
  const [newest, oldest] = await guidesAtEnds(call)
  const guide = (id: string): readonly Read[] => [
    ['listGuides', { guide_trace_id: id }],
    ['flightRecorder', { replay_source: 'journal', guide_trace_id: id }],
  ]
  return {
    overview: [
      ['operatorSnapshot', {}],
      ['listGuides', { limit: 100 }],
      ['countRules', { rule_id: 'S6' }],
      ['listReview', { limit: 12 }],
    ],
    guides: [['listGuides', {}]],
    'the newest guide': guide(newest),
    'the oldest guide': guide(oldest),
    memories: [['listMemories', {}]],
    'one memory': [['listMemories', { memory_id: memory }]],
    review: [['listReview', { order: 'oldest', limit: 12 }]],
    'blast radius': [['blastRadius', { memory_id: memory }]],
    rules: [['countRules', { outcomes: true }]],
    effect: [['compareEffect', {}]],
  }
}

async function guidesAtEnds(call: Call): Promise<readonly [newest: string, oldest: string]> {
  const ids: string[] = []
  for (let cursor: string | null = null; ; ) {
    const body: object = { ...HERE, limit: 200, ...(cursor === null ? {} : { cursor }) }
    const page = Object(await call('listGuides', body))
    for (const { guide_trace_id: id } of page.items) ids.push(id)
    cursor = page.next_cursor
    if (cursor === null) return [ids.at(0) ?? '', ids.at(-1) ?? '']
  }
}

/**
 * Wall clock and processor, and the longest time in which the loop served nobody else: of the processor where that was
 * less, since other programs of the machine may have had it meanwhile.
 */
async function seenIn(work: () => Promise<unknown>): Promise<Record<'ms' | 'cpu' | 'hold', number>> {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  let hold = 0
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const before = { ms: performance.now(), cpu: process.cpuUsage() }
    await setImmediate()
    hold = Math.max(hold, Math.min(performance.now() - before.ms, msOf(process.cpuUsage(before.cpu))))
  }
  await working
  return { ms: performance.now() - startedAt, cpu: msOf(process.cpuUsage(cpuBefore)), hold }
}

function msOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

if (isMain(import.meta.url)) {
  printOutcome('screens', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
