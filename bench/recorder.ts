// What does it cost to replay a guide that lies many events back, from disk, and to compare it with now?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemEntropy } from '../src/adapters/system/entropy.ts'
import { pinoLog } from '../src/adapters/system/log.ts'
import { type Composed, compose } from '../src/app/compose.ts'
import { readConfig } from '../src/app/config/config.ts'
import type { RequestedName } from '../src/contract/operations.ts'
import { isMain, quantile, type Spread, spreadOf, spreadText, tableText } from './measure.ts'
import { requestsOf, SCOPE, seedScope } from './seeded-scope.ts'

export interface RecorderOptions {
  /** Turns between the guides and now. */
  readonly events: number
  readonly guides: number
  readonly rounds: number
}

/** Milliseconds of one replay, over every guide in every round. */
export interface RecorderRow {
  readonly replay: string
  readonly spread: Spread
  readonly p99: number
  /** Processor time of all threads: what else runs on the machine does not count. */
  readonly cpuMedian: number
  readonly cpuP99: number
  /** False for the row that the others are compared with. */
  readonly hasGoal: boolean
}

export interface RecorderReport extends RecorderOptions {
  readonly bench: 'recorder'
  readonly node: string
  readonly memories: number
  readonly rows: readonly RecorderRow[]
}

/** The goal is that of a guide so far back. */
export const GOAL_EVENTS = 100_000
const FULL: RecorderOptions = { events: GOAL_EVENTS, guides: 100, rounds: 5 }
const QUICK: RecorderOptions = { events: 5_000, guides: 50, rounds: 2 }
const EARLIER_MEMORIES = 1_000
export const GOAL_MS = 50

/** Each row does what the row before does, and one thing more: their differences say what dominates. */
const ROWS = [
  { replay: 'record of a guide without a run', ofRun: false, include_now: false },
  { replay: 'and later guides of its run', ofRun: true, include_now: false },
  { replay: 'and now, with differences', ofRun: true, include_now: true },
] as const
const GUIDE_ROW = 'a guide itself, for comparison'

/** Seeds a scope, asks guides, writes many turns after them, and replays the guides in a process that knows nothing. */
export async function run(options: RecorderOptions = FULL): Promise<RecorderReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-recorder-'))
  try {
    await (await seedScope(dataDir, EARLIER_MEMORIES))()
    const asked = await inScope(dataDir, (scope) => askedGuides(scope, options.guides))
    await (await seedScope(dataDir, options.events, {}, 2))()
    const rows = await inScope(dataDir, (scope) => measured(scope, asked, options.rounds))
    const memories = EARLIER_MEMORIES + options.events
    return { bench: 'recorder', node: process.version, memories, ...options, rows }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

interface AskedGuide {
  readonly guideTraceId: string
  readonly isOfRun: boolean
}

type Call = (operation: RequestedName, body: object) => Promise<object>

async function inScope<Result>(dataDir: string, work: (call: Call) => Promise<Result>): Promise<Result> {
  const { config } = readConfig({ dataDir }, {})
  const log = pinoLog('warn', process.stderr)
  const composed: Composed = await compose(config, { clock: systemClock(), entropy: systemEntropy(), log })
  try {
    return await work((operation, body) =>
      composed.runtime.execute(
        operation,
        { scope: SCOPE, ...body },
        { requestId: 'bench', operationId: null },
      ),
    )
  } finally {
    await composed.close()
  }
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
): Promise<readonly RecorderRow[]> {
  const rows: RecorderRow[] = []
  for (const { replay, ofRun, include_now } of ROWS) {
    const replays = asked
      .filter(({ isOfRun }) => isOfRun === ofRun)
      .map(({ guideTraceId }) => async () => {
        const body = { replay_source: 'journal', guide_trace_id: guideTraceId, include_now }
        const answer = await call('flightRecorder', body)
        if (Object(answer).agent_flight_recorder.explanation === 'recorded') return
        throw new Error('a guide is replayed from its record')
      })
    rows.push({ replay, hasGoal: true, ...(await timed(replays, rounds)) })
  }
  const { guide } = requestsOf(1)
  const guides = asked.slice(0, asked.length / 2).map(() => () => call('guide', guide()))
  return [...rows, { replay: GUIDE_ROW, hasGoal: false, ...(await timed(guides, rounds)) }]
}

async function timed(calls: readonly (() => Promise<unknown>)[], rounds: number) {
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
  return {
    spread: spreadOf(wall),
    p99: quantile(wall, 0.99),
    cpuMedian: quantile(cpu, 0.5),
    cpuP99: quantile(cpu, 0.99),
  }
}

/** Resolves when this thread has had little to do for a moment. */
async function idle(): Promise<void> {
  for (;;) {
    const before = performance.eventLoopUtilization()
    await setTimeout(200)
    if (performance.eventLoopUtilization(before).utilization < 0.05) return
  }
}

function textOf(report: RecorderReport): string {
  const rows = report.rows.map(({ replay, spread, p99, cpuMedian, cpuP99, hasGoal }) => [
    replay,
    spreadText(spread, 2),
    p99.toFixed(2),
    `${cpuMedian.toFixed(2)} / ${cpuP99.toFixed(2)}`,
    !hasGoal ? '' : p99 <= GOAL_MS ? 'met' : 'missed',
  ])
  return [
    `recorder: guides ${report.events} events back, ${report.memories} memories, ms, ${report.guides} guides × ${report.rounds}, Node ${report.node}`,
    tableText([
      ['replay', 'median [least..greatest]', 'p99', 'cpu median / p99', `goal ${GOAL_MS} ms`],
      ...rows,
    ]),
  ].join('\n')
}

if (isMain(import.meta.url)) {
  const report = await run(process.argv.includes('--quick') ? QUICK : FULL)
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : textOf(report))
}
