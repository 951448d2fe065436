// What do a guide, a durable observe and a govern request cost over HTTP, beside what they cannot do without: a bare echo with bodies of
// the same size, the ranking of the scope, one flush of the disk? All in turn in one run, so that a noisy moment hits all.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { createRuntime } from '../src/app/create-runtime.ts'
import { histogramOf } from './histogram.ts'
import { jsonClient } from './json-client.ts'
import { openFlushProbe } from './loop/flush.ts'
import { openRankingProbe } from './loop/ranking-probe.ts'
import { isMain, quantile, timesUs } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, seedScope } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'
import { startEcho, type Vitals, vitalsFigures, vitalsOf, WITH_VITALS } from './suite/vitals.ts'

export interface LoopOptions {
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  /** Requests of each kind before the first round: the engine compiles what it uses over some thousands. */
  readonly warmOps: number
}

const FULL: LoopOptions = { memories: 10_000, rounds: 21, opsPerRound: 100, warmOps: 3_000 }
const QUICK: LoopOptions = { memories: 10_000, rounds: 5, opsPerRound: 30, warmOps: 200 }

const GUIDE_GOAL = { bound: 'most', value: 1.5 } as const
const GUIDE_TAIL_GOAL = { bound: 'most', value: 1 } as const
const OBSERVE_GOAL = { bound: 'most', value: 1.6 } as const
const RECORD_GOAL = { bound: 'most', value: 1.3 } as const
const EMBEDDED_GOAL = { bound: 'most', value: 300 } as const

/** What is measured in each round, and how a report calls it. */
const NAMES = {
  guide: 'guide',
  guideEcho: 'HTTP echo as large as a guide',
  embedded: 'guide embedded, without durability',
  ranking: 'ranking alone',
  flush: 'one flush of the disk',
  observe: 'durable observe',
  observeEcho: 'HTTP echo as large as an observe',
  govern: 'govern of 20 candidates',
  governRecorded: 'govern of 20 candidates with record',
} as const

const YARDSTICKS: ReadonlySet<string> = new Set(['guideEcho', 'ranking', 'flush', 'observeEcho', 'govern'])

/** Microseconds of each request of a round. */
type Samples = Readonly<Record<keyof typeof NAMES, readonly number[]>>

/** Seeds a scope, starts service and echo as processes, measures in rounds and removes everything. */
export function run(options: LoopOptions = FULL): Promise<Outcome> {
  return withFolder('loop', async (folder) => {
    const closing: (() => unknown)[] = []
    try {
      const subjects = await start(folder, options.memories, closing)
      await measureRound(subjects, options.warmOps)
      await vitalsOf(subjects.service.child)
      const rounds: Samples[] = []
      for (let round = 0; round < options.rounds; round += 1) {
        rounds.push(await measureRound(subjects, options.opsPerRound))
      }
      const vitals = await vitalsOf(subjects.service.child)
      const { guideAnswerBytes } = subjects
      return { settings: { ...options, guideAnswerBytes }, figures: figuresOf(rounds, vitals), notes: [] }
    } finally {
      for (const close of closing.toReversed()) await close()
    }
  })
}

type Subjects = Awaited<ReturnType<typeof start>>

async function start(folder: string, memories: number, closing: (() => unknown)[]) {
  const dataDir = join(folder, 'data')
  const finish = await seedScope(dataDir, memories)
  await finish()
  const ranking = await openRankingProbe(dataDir)
  const copy = join(folder, 'embedded')
  await cp(dataDir, copy, { recursive: true })
  const embedded = await createRuntime({ dataDir: copy, durability: 'none', logLevel: 'error' })
  closing.push(() => embedded.close())
  const flush = openFlushProbe(join(folder, 'flush'))
  closing.push(() => flush.close())
  const service = await startService({ dataDir, ...WITH_VITALS })
  closing.push(() => service.stop())
  const client = jsonClient(service.url)
  closing.push(() => client.close())
  const requests = requestsOf(2)
  const guideAnswer = await client.answer('/v1/guide', JSON.stringify(requests.guide()))
  const observeAnswer = await client.answer('/v1/observe', JSON.stringify(requests.observe()))
  const echo = await startEcho({ '/v1/guide': guideAnswer, '/v1/observe': observeAnswer })
  closing.push(() => echo.stop())
  const echoClient = jsonClient(echo.url)
  closing.push(() => echoClient.close())
  const guideAnswerBytes = Buffer.byteLength(guideAnswer)
  return { service, client, echoClient, embedded, ranking, flush, requests, guideAnswerBytes }
}

/** Subject after subject, so that each is measured as warm as a service that has something to do. */
async function measureRound(subjects: Subjects, ops: number): Promise<Samples> {
  const { client, echoClient, embedded, ranking, flush, requests } = subjects
  const guides = Array.from({ length: ops }, () => requests.guide())
  const guideTexts = guides.map((guide) => JSON.stringify(guide))
  const jobs = guides.map((guide) => ranking.job(guide.query_text))
  const observeTexts = guides.map(() => JSON.stringify(requests.observe()))
  const governs = guides.map(() => requests.govern())
  const governTexts = governs.map((body) => JSON.stringify(body))
  const recordTexts = governs.map((body) => JSON.stringify({ ...body, record: true }))
  return {
    guide: await timesUs(guideTexts, (text) => client.answer('/v1/guide', text)),
    guideEcho: await timesUs(guideTexts, (text) => echoClient.answer('/v1/guide', text)),
    embedded: await timesUs(guides, (guide) => embedded.guide(guide)),
    ranking: await timesUs(jobs, (job) => ranking.rank(job)),
    flush: await timesUs(jobs, () => flush.flush()),
    observe: await timesUs(observeTexts, (text) => client.answer('/v1/observe', text)),
    observeEcho: await timesUs(observeTexts, (text) => echoClient.answer('/v1/observe', text)),
    govern: await timesUs(governTexts, (text) => client.answer('/v1/memory/govern', text)),
    governRecorded: await timesUs(recordTexts, (text) => client.answer('/v1/memory/govern', text)),
  }
}

function figuresOf(rounds: readonly Samples[], vitals: Vitals): Figure[] {
  const all = (name: keyof Samples) => rounds.flatMap((round) => round[name])
  const time = (name: keyof Samples) =>
    figureOf(
      NAMES[name],
      'µs',
      rounds.map((round) => quantile(round[name], 0.5)),
      {
        percentiles: histogramOf(all(name)).percentiles(),
        goal: name === 'embedded' ? EMBEDDED_GOAL : undefined,
        isYardstick: YARDSTICKS.has(name),
      },
    )
  const p99 = (name: keyof Samples) => quantile(all(name), 0.99)
  const tail = p99('guide') / (3 * p99('guideEcho') + p99('flush'))
  return [
    time('guide'),
    time('guideEcho'),
    time('embedded'),
    time('ranking'),
    time('flush'),
    time('observe'),
    time('observeEcho'),
    time('govern'),
    time('governRecorded'),
    ...ratioFigures('guide, times its unavoidable parts', GUIDE_GOAL, rounds, 'guide', [
      'guideEcho',
      'ranking',
      'flush',
    ]),
    ...ratioFigures('observe, times its unavoidable parts', OBSERVE_GOAL, rounds, 'observe', [
      'observeEcho',
      'flush',
    ]),
    ...ratioFigures('govern with record, times without', RECORD_GOAL, rounds, 'governRecorded', ['govern']),
    figureOf('slowest guides (p99), share of what is allowed', '×', [tail], {
      goal: GUIDE_TAIL_GOAL,
      meaning: 'Allowed are three times the p99 of the echo and once that of a flush.',
    }),
    ...vitalsFigures(
      'of the service',
      vitals,
      all('guide').length + all('observe').length + 2 * all('govern').length,
    ),
  ]
}

/** What an undisturbed machine comes near to. */
const UNDISTURBED_SHARE = 0.05

/**
 * Of the medians within a round, and at the 5th percentile of all requests. Only where both are within the goal is it
 * met: a disk that is busy for others makes the flush long and the ratio small.
 */
function ratioFigures(
  name: string,
  goal: typeof GUIDE_GOAL | typeof OBSERVE_GOAL | typeof RECORD_GOAL,
  rounds: readonly Samples[],
  whole: keyof Samples,
  parts: readonly (keyof Samples)[],
): Figure[] {
  const at = (share: number, samplesOf: (name: keyof Samples) => readonly number[]) =>
    quantile(samplesOf(whole), share) / parts.reduce((sum, part) => sum + quantile(samplesOf(part), share), 0)
  const ofRounds = rounds.map((round) => at(0.5, (part) => round[part]))
  const undisturbed = at(UNDISTURBED_SHARE, (part) => rounds.flatMap((round) => round[part]))
  return [
    figureOf(name, '×', ofRounds, {
      goal,
      meaning: `Its time divided by what it cannot do without: ${parts.map((part) => NAMES[part]).join(', ')}.`,
    }),
    figureOf(`${name}, undisturbed`, '×', [undisturbed], {
      goal,
      meaning: 'The same for the fastest twentieth of the requests, as on a machine without other work.',
    }),
  ]
}

if (isMain(import.meta.url)) printOutcome('loop', await run(process.argv.includes('--quick') ? QUICK : FULL))
