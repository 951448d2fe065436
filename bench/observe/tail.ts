// What do the slowest requests of a mixed load wait for? Asks a service at one rate and prints what the time of slow requests
// went to: `node dist/bench/observe/tail.js [REQUESTS_PER_S [SLOW_MS [SECONDS]]]`. Linux only.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
const TICK_MS = 10

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
    const before = await busyMs()
    const { vitals, achievedPerS } = await runStep({
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
    const machineMs = (await busyMs()) - before
    const looks = await stopWatch()
    const pauses = vitals.pauses.map(({ atMs, tookMs }) => ({ fromMs: atMs, toMs: atMs + tookMs }))
    const slow = requests.filter(({ fromMs, toMs }) => toMs - fromMs >= slowMs)
    const ofSlow = causesOf(looks, pauses, slow)
    const ofAll = causesOf(looks, pauses, looks)
    const rows = CAUSES.map((cause) => [cause, percent(ofSlow.get(cause)), percent(ofAll.get(cause))])
    const othersMs = machineMs - vitals.cpuMs - looks.reduce((sum, { generator }) => sum + generator.ranMs, 0)
    const spanMs = (looks.at(-1)?.toMs ?? 0) - (looks[0]?.fromMs ?? 0)
    const { p50, p95, p99, p999 } = latency.percentiles()
    return [
      `closed loop of 64 before: ${perS.toFixed(0)}/s; asked for ${ratePerS}/s, answered ${achievedPerS.toFixed(0)}/s`,
      `latency p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, p99.9 ${ms(p999)}; ${slow.length} of ${requests.length} took ${slowMs} ms or more`,
      `other processes had ${(othersMs / spanMs).toFixed(2)} of ${availableParallelism()} cores`,
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

/** Processor time of the whole machine since it started. */
async function busyMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softIrq) * TICK_MS
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
