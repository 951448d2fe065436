// What does it cost to replay a guide that lies many events back, from disk, and to compare it with now?
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE, seedScope } from './seeded-scope.ts'
import { type Call, withEmbedded } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface RecorderOptions {
  /** Turns between the guides and now. */
  readonly events: number
  readonly guides: number
  readonly rounds: number
}

/** The goal is that of a guide so far back. */
const GOAL_EVENTS = 100_000
const FULL: RecorderOptions = { events: GOAL_EVENTS, guides: 100, rounds: 5 }
const QUICK: RecorderOptions = { events: 5_000, guides: 50, rounds: 2 }
const EARLIER_MEMORIES = 1_000
const GOAL = { bound: 'most', value: 50 } as const

/** Each row does what the row before does, and one thing more: their differences say what dominates. */
const ROWS = [
  { replay: 'record of a guide without a run', ofRun: false, include_now: false },
  { replay: 'and later guides of its run', ofRun: true, include_now: false },
  { replay: 'and now, with differences', ofRun: true, include_now: true },
] as const
const GUIDE_ROW = 'a guide itself, for comparison'

/** Seeds a scope, asks guides, writes many turns after them, and replays the guides in a process that knows nothing. */
export function run(options: RecorderOptions = FULL): Promise<Outcome> {
  return withFolder('recorder', async (dataDir) => {
    await (await seedScope(dataDir, EARLIER_MEMORIES))()
    const asked = await withEmbedded(dataDir, {}, (call) => askedGuides(inScope(call), options.guides))
    await (await seedScope(dataDir, options.events, {}, 2))()
    const goal = options.events >= GOAL_EVENTS ? GOAL : undefined
    const figures = await withEmbedded(dataDir, {}, (call) =>
      measured(inScope(call), asked, options.rounds, goal),
    )
    return { settings: { ...options, memories: EARLIER_MEMORIES + options.events }, figures, notes: [] }
  })
}

function inScope(call: Call): Call {
  return (operation, body) => call(operation, { scope: SCOPE, ...body })
}

interface AskedGuide {
  readonly guideTraceId: string
  readonly isOfRun: boolean
}

async function askedGuides(call: Call, count: number): Promise<readonly AskedGuide[]> {
  const { guide } = requestsOf(1)
  const asked: AskedGuide[] = []
  for (let at = 0; at < count * 2; at++) {
    const isOfRun = at % 2 === 1
    const answer = await call('guide', { ...guide(), ...(isOfRun ? { run_id: `run-${at % 20}` } : {}) })
    asked.push({ guideTraceId: String(Object(answer).guide_trace_id), isOfRun })
  }
  return asked
}

async function measured(
  call: Call,
  asked: readonly AskedGuide[],
  rounds: number,
  goal: typeof GOAL | undefined,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { replay, ofRun, include_now } of ROWS) {
    const replays = asked
      .filter(({ isOfRun }) => isOfRun === ofRun)
      .map(({ guideTraceId }) => async () => {
        const body = { replay_source: 'journal', guide_trace_id: guideTraceId, include_now }
        const answer = await call('flightRecorder', body)
        if (Object(answer).agent_flight_recorder.explanation === 'recorded') return
        throw new Error('a guide is replayed from its record')
      })
    figures.push(...(await timed(replay, replays, rounds, goal)))
  }
  const { guide } = requestsOf(1)
  const guides = asked.slice(0, asked.length / 2).map(() => () => call('guide', guide()))
  return [...figures, ...(await timed(GUIDE_ROW, guides, rounds, undefined))]
}

/** Milliseconds of one call, over every call in every round, and processor time: what else runs does not count in it. */
async function timed(
  name: string,
  calls: readonly (() => Promise<unknown>)[],
  rounds: number,
  goal: typeof GOAL | undefined,
): Promise<Figure[]> {
  const wall: number[] = []
  const cpu: number[] = []
  // The first round loads the actor and warms up; what a load leaves to be done is waited for.
  for (const each of calls) await each()
  await idle()
  for (let round = 0; round < rounds; round++) {
    for (const each of calls) {
      const cpuBefore = process.cpuUsage()
      const startedAt = performance.now()
      await each()
      wall.push(performance.now() - startedAt)
      const { user, system } = process.cpuUsage(cpuBefore)
      cpu.push((user + system) / 1_000)
    }
  }
  return [
    figureOf(name, 'ms', wall),
    figureOf(`${name}, p99`, 'ms', [quantile(wall, 0.99)], { goal }),
    figureOf(`${name}, processor time, p99`, 'ms', [quantile(cpu, 0.99)]),
  ]
}

/** Resolves when this thread has had little to do for a moment. */
async function idle(): Promise<void> {
  for (;;) {
    const before = performance.eventLoopUtilization()
    await setTimeout(200)
    if (performance.eventLoopUtilization(before).utilization < 0.05) return
  }
}

if (isMain(import.meta.url)) {
  printOutcome('recorder', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
