// How long does it take from the start of a process to its first answer, when nothing is stored yet? Beside it an
// empty Node process and a bare Fastify: what no service in Node can do without.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type JsonClient, jsonClient } from './json-client.ts'
import { startEcho } from './loop/echo-process.ts'
import { isMain } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { printOutcome } from './suite/print-outcome.ts'

const FULL_ROUNDS = 15
const QUICK_ROUNDS = 3
const REQUESTS = requestsOf(1)

/** All in turn, round by round, each service over a folder of its own. */
export async function run(rounds: number = FULL_ROUNDS): Promise<Outcome> {
  const times = { node: Array<number>(), fastify: Array<number>() }
  const service = { listening: Array<number>(), observe: Array<number>(), guide: Array<number>() }
  for (let round = 0; round < rounds; round += 1) {
    times.node.push(await emptyNodeMs())
    times.fastify.push(await fastifyMs())
    const started = await serviceMs()
    service.listening.push(started.listening)
    service.observe.push(started.observe)
    service.guide.push(started.guide)
  }
  const overFastify = service.observe.map((ms, round) => ms / (times.fastify[round] ?? Number.NaN))
  return {
    settings: { rounds },
    figures: [
      figureOf('empty Node process', 'ms', times.node),
      figureOf('bare Fastify, first answer', 'ms', times.fastify),
      figureOf('service listens', 'ms', service.listening),
      figureOf('service, first observe', 'ms', service.observe),
      figureOf('service, first guide after it', 'ms', service.guide),
      figureOf('service over bare Fastify, first answer', 'ratio', overFastify),
    ],
    series: [],
    notes: ['Files are in the page cache after the first round.'],
  }
}

async function emptyNodeMs(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

async function fastifyMs(): Promise<number> {
  const startedAt = performance.now()
  const echo = await startEcho({ '/v1/observe': '{}' })
  const client = jsonClient(echo.url)
  try {
    await answered(client, '/v1/observe', REQUESTS.observe())
    return performance.now() - startedAt
  } finally {
    await client.close()
    await echo.stop()
  }
}

async function serviceMs() {
  const dataDir = await mkdtemp(join(tmpdir(), 'memgov-start-'))
  const startedAt = performance.now()
  const service = await startService({ dataDir })
  const client = jsonClient(service.url)
  try {
    await answered(client, '/v1/observe', REQUESTS.observe())
    const observe = performance.now() - startedAt
    await answered(client, '/v1/guide', REQUESTS.guide())
    return { listening: service.startMs, observe, guide: performance.now() - startedAt }
  } finally {
    await client.close()
    await service.kill()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function answered(client: JsonClient, path: string, body: object): Promise<void> {
  const { status, text } = await client.post(path, JSON.stringify(body))
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text.slice(0, 300)}`)
}

if (isMain(import.meta.url)) {
  printOutcome('start', await run(process.argv.includes('--quick') ? QUICK_ROUNDS : FULL_ROUNDS))
}
