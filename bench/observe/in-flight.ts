import { Client } from 'undici'
import { jsonClient } from '../json-client.ts'
import { type Figure, figureOf } from '../result.ts'
import { requestsOf, SCOPE } from '../seeded-scope.ts'
import { startService } from '../service-process.ts'
import { type Subject, startEcho, vitalsOf, WITH_VITALS } from '../suite/vitals.ts'

export interface InFlightOptions {
  readonly inFlight: number
  readonly rounds: number
  readonly sliceMs: number
  readonly warmMs: number
}

/** One actor takes at most 256 requests at once. */
const SCOPES = 4
const PATH = '/v1/observe'
const HEADERS = { 'content-type': 'application/json' }

const GOAL = { bound: 'least', value: 0.4 } as const

/** A closed loop of observes on so many connections, service and echo in turn. */
export async function measureInFlight(dataDir: string, options: InFlightOptions): Promise<Figure[]> {
  const service = await startService({ dataDir, ...WITH_VITALS })
  let echo: Subject | null = null
  try {
    echo = await startEcho({ [PATH]: await answerOf(service.url) })
    const [ours, theirs] = [loadOn(service, options.inFlight), loadOn(echo, options.inFlight)]
    await ours.slice(options.warmMs)
    await theirs.slice(options.warmMs)
    const rounds: { readonly service: Slice; readonly echo: Slice }[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      rounds.push({
        service: await ours.slice(options.sliceMs),
        echo: await theirs.slice(options.sliceMs),
      })
    }
    await ours.close()
    await theirs.close()
    const figure = (name: string, unit: string, of: (round: (typeof rounds)[number]) => number) =>
      figureOf(`${name}, ${options.inFlight} connections`, unit, rounds.map(of), {
        isYardstick: name.includes('echo'),
      })
    const share = rounds.map((round) => round.service.perS / round.echo.perS)
    return [
      figure('observe', 'requests/s', (round) => round.service.perS),
      figure('echo of that size', 'requests/s', (round) => round.echo.perS),
      figureOf(`observe, share of the echo, ${options.inFlight} connections`, '×', share, { goal: GOAL }),
      figure('processor time of an observe', 'µs', (round) => round.service.cpuUs),
      figure('processor time of an echo', 'µs', (round) => round.echo.cpuUs),
    ]
  } finally {
    await echo?.stop()
    await service.stop()
  }
}

interface Slice {
  readonly perS: number
  readonly cpuUs: number
}

/** Observes on so many connections, each with one on its way. */
function loadOn({ url, child }: Subject, inFlight: number) {
  const clients = Array.from({ length: inFlight }, () => new Client(url))
  const next = bodies()
  const slice = async (ms: number): Promise<Slice> => {
    let answered = 0
    await vitalsOf(child)
    const startedAt = performance.now()
    const connection = async (client: Client): Promise<void> => {
      while (performance.now() - startedAt < ms) {
        const answer = await client.request({ method: 'POST', path: PATH, headers: HEADERS, body: next() })
        await answer.body.dump()
        if (answer.statusCode !== 200) throw new Error(`${PATH} was answered ${answer.statusCode}`)
        answered += 1
      }
    }
    await Promise.all(clients.map(connection))
    const tookMs = performance.now() - startedAt
    const { cpuMs } = await vitalsOf(child)
    return { perS: (answered * 1_000) / tookMs, cpuUs: (cpuMs * 1_000) / answered }
  }
  const close = () => Promise.all(clients.map((client) => client.destroy()))
  return { slice, close }
}

function bodies(): () => string {
  const { observe } = requestsOf(3)
  let made = 0
  return () => {
    made += 1
    return JSON.stringify({ ...observe(), scope: `${SCOPE}-${made % SCOPES}` })
  }
}

async function answerOf(url: string): Promise<string> {
  const client = jsonClient(url)
  try {
    return await client.answer(PATH, bodies()())
  } finally {
    await client.close()
  }
}
