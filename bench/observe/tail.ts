// What do the slowest requests of a mixed load wait for? Asks a service at one rate and prints what the time of slow requests
// went to: `node dist/bench/observe/tail.js [REQUESTS_PER_S [SLOW_MS [SECONDS]]]`. Linux only.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { Histogram } from '../histogram.ts'
import { agentMix } from '../load/mix.ts'
import { runStep } from '../load/step.ts'
import { isMain, tableText } from '../measure.ts'
import { CAUSES, causesOf, type Look, type Span } from './causes.ts'
import { saturate, seed } from './mixed.ts'
import { startMeasured } from './subjects.ts'

const SEED = 12
const SCOPES = 50
const MEMORIES_PER_SCOPE = 60
const WARM_MS = 6_000

interface Asked {
  readonly ratePerS: number
  readonly slowMs: number
  readonly seconds: number
}

async function run({ ratePerS, slowMs, seconds }: Asked): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-tail-'))
  const service = await startMeasured(folder)
  try {
    const mix = agentMix(SEED, SCOPES)
    await seed(service.url, mix, MEMORIES_PER_SCOPE)
    const { perS } = await saturate(service.url, mix, WARM_MS)
    const pid = service.child.pid ?? 0
    const requests: Span[] = []
    const latency = new Histogram()
    const stopWatch = watchCores(pid)
    const { vitals, achievedPerS, coresOfOthers } = await runStep({
      ...service,
      mix,
      ratePerS,
      durationMs: seconds * 1_000,
      slices: 1,
      onAnswer(dueMs, latencyMs) {
        requests.push({ fromMs: dueMs, toMs: dueMs + latencyMs })
        latency.record(latencyMs)
      },
    })
    const looks = await stopWatch()
    const pauses = vitals.pauses.map(({ atMs, tookMs }) => ({ fromMs: atMs, toMs: atMs + tookMs }))
    const slow = requests.filter(({ fromMs, toMs }) => toMs - fromMs >= slowMs)
    const ofSlow = causesOf(looks, pauses, slow)
    const ofAll = causesOf(looks, pauses, looks)
    const rows = CAUSES.map((cause) => [cause, percent(ofSlow.get(cause)), percent(ofAll.get(cause))])
    const { p50, p95, p99, p999 } = latency.percentiles()
    return [
      `closed loop of 64 before: ${perS.toFixed(0)}/s; asked for ${ratePerS}/s, answered ${achievedPerS.toFixed(0)}/s`,
      `latency p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, p99.9 ${ms(p999)}; ${slow.length} of ${requests.length} took ${slowMs} ms or more`,
      `other processes had ${coresOfOthers?.toFixed(2) ?? '?'} of ${availableParallelism()} cores`,
      tableText([['cause', 'of the slow', 'of all time'], ...rows]),
    ].join('\n')
  } finally {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function watchCores(service: number): () => Promise<readonly Look[]> {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { service, generator: process.pid, stop }
  const worker = new Worker(new URL('./core-watch.js', import.meta.url), { workerData, execArgv: [] })
  const told = once(worker, 'message')
  return async () => {
    Atomics.store(stop, 0, 1)
    Atomics.notify(stop, 0)
    const [looks] = await told
    return looks
  }
}

function percent(share = 0): string {
  return `${(share * 100).toFixed(1)} %`
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

if (isMain(import.meta.url)) {
  const [ratePerS = 300, slowMs = 50, seconds = 10] = process.argv.slice(2).map(Number)
  console.log(await run({ ratePerS, slowMs, seconds }))
}
