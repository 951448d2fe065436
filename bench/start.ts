// How long does it take from the start of a process to its first answer, when nothing is stored yet? Beside it an
// empty Node process and a bare Fastify: what no service in Node can do without.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { jsonClient } from './json-client.ts'
import { isMain } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'
import { startEcho } from './suite/vitals.ts'

const FULL_ROUNDS = 15
const QUICK_ROUNDS = 3
const REQUESTS = requestsOf(1)
const GOAL = { bound: 'most', value: 400 } as const

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
      figureOf('empty Node process', 'ms', times.node, { isYardstick: true }),
      figureOf('bare Fastify, first answer', 'ms', times.fastify, { isYardstick: true }),
      figureOf('service listens', 'ms', service.listening),
      figureOf('service, first observe', 'ms', service.observe, { goal: GOAL }),
      figureOf('service, first guide after it', 'ms', service.guide),
      figureOf('first answer, times that of bare Fastify', '×', overFastify),
    ],
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
    await client.answer('/v1/observe', JSON.stringify(REQUESTS.observe()))
    return performance.now() - startedAt
  } finally {
    await client.close()
    await echo.stop()
  }
}

function serviceMs() {
  return withFolder('start', async (dataDir) => {
    const startedAt = performance.now()
    const service = await startService({ dataDir })
    const client = jsonClient(service.url)
    try {
      await client.answer('/v1/observe', JSON.stringify(REQUESTS.observe()))
      const observe = performance.now() - startedAt
      await client.answer('/v1/guide', JSON.stringify(REQUESTS.guide()))
      return { listening: service.startMs, observe, guide: performance.now() - startedAt }
    } finally {
      await client.close()
      await service.kill()
    }
  })
}

if (isMain(import.meta.url)) {
  printOutcome('start', await run(process.argv.includes('--quick') ? QUICK_ROUNDS : FULL_ROUNDS))
}
