// What do a guide and a durable observe cost over HTTP, beside what they cannot do without: a bare echo with bodies of
// the same size, the ranking of the scope, one flush of the disk? All in turn in one run, so that a noisy moment hits all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { histogramOf } from './histogram.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import { startEcho } from './loop/echo-process.ts'
import { openEmbeddedGuide } from './loop/embedded-guide.ts'
import { openFlushProbe } from './loop/flush.ts'
import { openRankingProbe } from './loop/ranking-probe.ts'
import { isMain, quantile, type Spread, spreadOf, spreadText, tableText, timesUs } from './measure.ts'
import type { Percentiles } from './result.ts'
import { requestsOf, seedScope } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { vitalsOf, WITH_VITALS } from './suite/service-vitals.ts'
import type { Vitals } from './suite/vitals.ts'

export interface LoopOptions {
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  /** Requests of each kind before the first round. */
  readonly warmOps: number
}

/** Microseconds: spread of the medians of the rounds. */
export interface LoopReport {
  readonly bench: 'loop'
  readonly node: string
  readonly memories: number
  readonly rounds: number
  readonly opsPerRound: number
  readonly warmOps: number
  readonly guideAnswerBytes: number
  readonly guideUs: Spread
  readonly guideEchoUs: Spread
  /** Inside this process, without durability. */
  readonly embeddedUs: Spread
  /** The same after a pause of `PAUSE_MS`: a thread that waited finds its caches full of something else. */
  readonly embeddedPausedUs: Spread
  readonly rankingUs: Spread
  readonly flushUs: Spread
  readonly observeUs: Spread
  readonly observeEchoUs: Spread
  /** Guide over echo, ranking and flush. */
  readonly guideRatio: Ratio
  /** Observe over echo and flush. */
  readonly observeRatio: Ratio
  /** Of all requests of all rounds, µs. */
  readonly distributions: Readonly<Record<keyof Samples, Distribution>>
  /** Of the service during the rounds; its requests are guides and observes. */
  readonly vitals: Vitals
  readonly requests: number
}

export interface Distribution {
  readonly percentiles: Percentiles
  readonly cdf: readonly [number, number][]
}

/** Above or below a goal only when both are: a disk that is busy for others makes the flush long and the ratio small. */
export interface Ratio {
  /** Of sums within a round. */
  readonly rounds: Spread
  /** At the 5th percentile of all requests: what an undisturbed machine comes near to. */
  readonly undisturbed: number
}

/** The service gets faster over some thousand requests, until the engine has compiled all that it uses. */
const FULL: LoopOptions = { memories: 10_000, rounds: 21, opsPerRound: 100, warmOps: 3_000 }
const QUICK: LoopOptions = { memories: 10_000, rounds: 5, opsPerRound: 30, warmOps: 200 }
const PAUSE_MS = 1
const UNDISTURBED_SHARE = 0.05
export const GUIDE_GOAL = 1.5
export const OBSERVE_GOAL = 1.6
export const EMBEDDED_GOAL_US = 300

export type Samples = Record<
  'guide' | 'guideEcho' | 'embedded' | 'embeddedPaused' | 'ranking' | 'flush' | 'observe' | 'observeEcho',
  number[]
>

/** Seeds a scope, starts service and echo as processes, measures in rounds and removes everything. */
export async function run(options: LoopOptions = FULL): Promise<LoopReport> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-loop-'))
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const subjects = await start(folder, options.memories, closing)
    await measureRound(subjects, options.warmOps)
    await vitalsOf(subjects.service.child)
    const rounds: Samples[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      rounds.push(await measureRound(subjects, options.opsPerRound))
    }
    return reportOf(options, subjects, rounds, await vitalsOf(subjects.service.child))
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

type Subjects = Awaited<ReturnType<typeof start>>

async function start(folder: string, memories: number, closing: (() => unknown)[]) {
  const dataDir = join(folder, 'data')
  const finish = await seedScope(dataDir, memories)
  await finish()
  const ranking = await openRankingProbe(dataDir)
  const embedded = await openEmbeddedGuide(dataDir, join(folder, 'embedded'))
  closing.push(() => embedded.close())
  const flush = openFlushProbe(join(folder, 'flush'))
  closing.push(() => flush.close())
  const service = await startService({ dataDir, ...WITH_VITALS })
  closing.push(() => service.stop())
  const client = jsonClient(service.url)
  closing.push(() => client.close())
  const requests = requestsOf(2)
  const guideAnswer = await answered(client, '/v1/guide', JSON.stringify(requests.guide()))
  const observeAnswer = await answered(client, '/v1/observe', JSON.stringify(requests.observe()))
  const echo = await startEcho({ '/v1/guide': guideAnswer, '/v1/observe': observeAnswer })
  closing.push(() => echo.stop())
  const echoClient = jsonClient(echo.url)
  closing.push(() => echoClient.close())
  return {
    service,
    client,
    echoClient,
    embedded,
    ranking,
    flush,
    requests,
    guideAnswerBytes: Buffer.byteLength(guideAnswer),
  }
}

/** Subject after subject, so that each is measured as warm as a service that has something to do. */
async function measureRound(subjects: Subjects, ops: number): Promise<Samples> {
  const { client, echoClient, embedded, ranking, flush, requests } = subjects
  const guides = Array.from({ length: ops }, () => requests.guide())
  const guideTexts = guides.map((guide) => JSON.stringify(guide))
  const jobs = guides.map((guide) => ranking.job(guide.query_text))
  const observeTexts = guides.map(() => JSON.stringify(requests.observe()))
  return {
    guide: await timesUs(guideTexts, (text) => answered(client, '/v1/guide', text)),
    guideEcho: await timesUs(guideTexts, (text) => answered(echoClient, '/v1/guide', text)),
    embedded: await timesUs(guides, (guide) => embedded.guide(guide)),
    embeddedPaused: await timesUs(guides, (guide) => embedded.guide(guide), PAUSE_MS),
    ranking: await timesUs(jobs, (job) => ranking.rank(job)),
    flush: await timesUs(jobs, () => flush.flush()),
    observe: await timesUs(observeTexts, (text) => answered(client, '/v1/observe', text)),
    observeEcho: await timesUs(observeTexts, (text) => answered(echoClient, '/v1/observe', text)),
  }
}

async function answered(client: JsonClient, path: string, bodyText: string): Promise<string> {
  const { status, text } = await client.post(path, bodyText)
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text.slice(0, 300)}`)
  return text
}

function reportOf(
  options: LoopOptions,
  subjects: Subjects,
  rounds: readonly Samples[],
  vitals: Vitals,
): LoopReport {
  const p50s = (name: keyof Samples) => spreadOf(rounds.map((round) => quantile(round[name], 0.5)))
  return {
    bench: 'loop',
    node: process.version,
    ...options,
    memories: subjects.ranking.memories,
    guideAnswerBytes: subjects.guideAnswerBytes,
    guideUs: p50s('guide'),
    guideEchoUs: p50s('guideEcho'),
    embeddedUs: p50s('embedded'),
    embeddedPausedUs: p50s('embeddedPaused'),
    rankingUs: p50s('ranking'),
    flushUs: p50s('flush'),
    observeUs: p50s('observe'),
    observeEchoUs: p50s('observeEcho'),
    guideRatio: ratioOf(rounds, 'guide', ['guideEcho', 'ranking', 'flush']),
    observeRatio: ratioOf(rounds, 'observe', ['observeEcho', 'flush']),
    distributions: distributionsOf(rounds),
    vitals,
    requests: rounds.reduce((sum, { guide, observe }) => sum + guide.length + observe.length, 0),
  }
}

function distributionsOf(rounds: readonly Samples[]): LoopReport['distributions'] {
  const of = (name: keyof Samples): Distribution => {
    const histogram = histogramOf(rounds.flatMap((round) => round[name]))
    return { percentiles: histogram.percentiles(), cdf: histogram.cdf() }
  }
  return {
    guide: of('guide'),
    guideEcho: of('guideEcho'),
    embedded: of('embedded'),
    embeddedPaused: of('embeddedPaused'),
    ranking: of('ranking'),
    flush: of('flush'),
    observe: of('observe'),
    observeEcho: of('observeEcho'),
  }
}

function ratioOf(rounds: readonly Samples[], whole: keyof Samples, parts: readonly (keyof Samples)[]): Ratio {
  const at = (share: number, samplesOf: (name: keyof Samples) => readonly number[]) =>
    quantile(samplesOf(whole), share) / parts.reduce((sum, part) => sum + quantile(samplesOf(part), share), 0)
  return {
    rounds: spreadOf(rounds.map((round) => at(0.5, (name) => round[name]))),
    undisturbed: at(UNDISTURBED_SHARE, (name) => rounds.flatMap((round) => round[name])),
  }
}

function textOf(report: LoopReport): string {
  const us = (spread: Spread) => spreadText(spread, 0)
  const goal = ({ rounds, undisturbed }: Ratio, most: number) => {
    const isMet = Math.max(rounds.median, undisturbed) <= most
    return `${spreadText(rounds, 2)}, undisturbed ${undisturbed.toFixed(2)}; goal ${most.toFixed(1)} ${isMet ? 'met' : 'missed'}`
  }
  return [
    `loop: ${report.memories} memories in the scope, one client, p50 in µs of ${report.rounds} rounds of`,
    `${report.opsPerRound} (median [spread]), guide answers of ${report.guideAnswerBytes} bytes, Node ${report.node}`,
    tableText([
      ['guide', us(report.guideUs)],
      ['  echo of that size', us(report.guideEchoUs)],
      ['  embedded, without durability', embeddedText(report)],
      [`  the same, each ${PAUSE_MS} ms after the one before`, us(report.embeddedPausedUs)],
      ['  bare ranking', us(report.rankingUs)],
      ['  bare flush', us(report.flushUs)],
      ['durable observe', us(report.observeUs)],
      ['  echo of that size', us(report.observeEchoUs)],
      ['guide / (echo + ranking + flush)', goal(report.guideRatio, GUIDE_GOAL)],
      ['observe / (echo + flush)', goal(report.observeRatio, OBSERVE_GOAL)],
    ]),
  ].join('\n')
}

function embeddedText({ embeddedUs }: LoopReport): string {
  const isMet = embeddedUs.median <= EMBEDDED_GOAL_US
  return `${spreadText(embeddedUs, 0)}; goal ${EMBEDDED_GOAL_US} ${isMet ? 'met' : 'missed'}`
}

if (isMain(import.meta.url)) {
  const report = await run(process.argv.includes('--quick') ? QUICK : FULL)
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : textOf(report))
}
