// What do MCP and hooks cost who does not use them? The service as it is installed beside one that was bundled without
// them, in turns: from the start of the process to its first answer, and a guide and an observe over HTTP.
import process from 'node:process'
import { jsonClient } from './json-client.ts'
import { isMain } from './measure.ts'
import { figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { type ServiceProcess, startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { mediansInTurns, turnsOf } from './suite/in-turns.ts'
import { printOutcome } from './suite/text.ts'
import { serviceWithout } from './ways-in/without.ts'

export interface WaysInOptions {
  /** Starts of each service. */
  readonly starts: number
  readonly rounds: number
  /** Requests of a kind and service in each round. */
  readonly requests: number
}

const FULL: WaysInOptions = { starts: 41, rounds: 60, requests: 200 }
const QUICK: WaysInOptions = { starts: 21, rounds: 20, requests: 100 }
const COST = { bound: 'most', value: 1.03 } as const

const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const PROTOCOL = { accept: 'application/json, text/event-stream' }

/** Programs: the one without, and the one that is installed. */
type Programs = readonly [without: string | undefined, installed: string | undefined]

/** By what was measured: a value of each program in each round. */
type Values = Map<string, [without: number, installed: number][]>

export async function run(options: WaysInOptions = FULL): Promise<Outcome> {
  const programs: Programs = [await serviceWithout(), undefined]
  const values: Values = new Map()
  await startsInTurns(programs, options, values)
  await requestsInTurns(programs, options, values)
  const figures = [...values].flatMap(([what, rounds]) => {
    const ratios = rounds.map(([without, installed]) => installed / without)
    const bare = rounds.map(([without]) => without)
    return [
      figureOf(`${what}, times without`, '×', ratios, { goal: COST }),
      figureOf(`${what}, without`, 'ms', bare, { isYardstick: true }),
    ]
  })
  return { settings: { ...options }, figures, notes: ['MCP was asked once before guide and observe.'] }
}

function add(
  values: Values,
  what: string,
  [without = Number.NaN, installed = Number.NaN]: readonly number[],
) {
  values.set(what, [...(values.get(what) ?? []), [without, installed]])
}

function started(dataDir: string, main: string | undefined): Promise<ServiceProcess> {
  return startService({ dataDir, ...(main === undefined ? {} : { main }) })
}

async function startsInTurns(programs: Programs, { starts }: WaysInOptions, values: Values): Promise<void> {
  const observe = JSON.stringify(requestsOf(1).observe())
  // In the first round files are not in the page cache.
  for (let round = -1; round < starts; round += 1) {
    const listening: number[] = []
    const answered: number[] = []
    for (const at of turnsOf(round))
      await withFolder('ways-in', async (dataDir) => {
        const startedAt = performance.now()
        const service = await started(dataDir, programs[at])
        const client = jsonClient(service.url)
        await client.answer('/v1/observe', observe)
        listening[at] = service.startMs
        answered[at] = performance.now() - startedAt
        await client.close()
        await service.kill()
      })
    if (round < 0) continue
    add(values, 'start to listening', listening)
    add(values, 'start to first answer', answered)
  }
}

async function requestsInTurns(programs: Programs, options: WaysInOptions, values: Values): Promise<void> {
  await withFolder('ways-in', async (dir) => {
    const [without, installed] = programs
    const services = await Promise.all([
      started(`${dir}/without`, without),
      started(`${dir}/installed`, installed),
    ])
    const clients = [jsonClient(services[0].url), jsonClient(services[1].url)] as const
    try {
      await jsonClient(services[1].url, null, PROTOCOL).answer('/mcp', LIST)
      const made = requestsOf(1)
      // In the first rounds the engine compiles.
      for (let round = -4; round < options.rounds; round += 1) {
        const observes = await mediansInTurns(clients, options.requests, '/v1/observe', () => made.observe())
        const guides = await mediansInTurns(clients, options.requests, '/v1/guide', () => made.guide())
        if (round < 0) continue
        add(values, 'observe, p50', observes)
        add(values, 'guide, p50', guides)
      }
    } finally {
      for (const client of clients) await client.close()
      for (const service of services) await service.stop()
    }
  })
}

if (isMain(import.meta.url)) {
  printOutcome('ways-in', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
