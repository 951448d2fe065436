// What do a guide and a durable observe cost over HTTP, beside what they cannot do without: a bare echo with bodies of
// the same size, the ranking of the scope, one flush of the disk? All in turn in one run, so that a noisy moment hits all.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type JsonClient, jsonClient } from './json-client.ts'
import { startEcho } from './loop/echo-process.ts'
import { openEmbeddedGuide } from './loop/embedded-guide.ts'
import { openFlushProbe } from './loop/flush.ts'
import { openRankingProbe } from './loop/ranking-probe.ts'
import { type LoopOptions, type LoopReport, PAUSE_MS, reportOf, type Samples, textOf } from './loop/report.ts'
import { isMain, timesUs } from './measure.ts'
import { requestsOf, seedScope } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { vitalsOf, WITH_VITALS } from './suite/service-vitals.ts'

/** The service gets faster over some thousand requests, until the engine has compiled all that it uses. */
const FULL: LoopOptions = { memories: 10_000, rounds: 21, opsPerRound: 100, warmOps: 3_000 }
const QUICK: LoopOptions = { memories: 10_000, rounds: 5, opsPerRound: 30, warmOps: 200 }

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
    const { guideAnswerBytes, ranking, service } = subjects
    const scope = { memories: ranking.memories, guideAnswerBytes }
    return reportOf(options, scope, rounds, await vitalsOf(service.child))
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

if (isMain(import.meta.url)) {
  const report = await run(process.argv.includes('--quick') ? QUICK : FULL)
  console.log(process.argv.includes('--json') ? JSON.stringify(report) : textOf(report))
}
