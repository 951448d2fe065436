import { Client } from 'undici'
import { requestsOf, SCOPE } from '../seeded-scope.ts'
import { vitalsOf } from '../suite/service-vitals.ts'
import { type Subject, startMeasured, startMeasuredEcho } from './subjects.ts'

export interface InFlightOptions {
  readonly inFlight: number
  readonly rounds: number
  readonly sliceMs: number
  readonly warmMs: number
}

/** One value a round. */
export interface InFlightReport {
  readonly servicePerS: readonly number[]
  readonly echoPerS: readonly number[]
  /** Of the service and of the echo. */
  readonly share: readonly number[]
  /** Processor time of all threads, µs. */
  readonly serviceCpuUs: readonly number[]
  readonly echoCpuUs: readonly number[]
}

/** One actor takes at most 256 requests at once. */
const SCOPES = 4
const PATH = '/v1/observe'
const HEADERS = { 'content-type': 'application/json' }

/** A closed loop of observes on so many connections, service and echo in turn. */
export async function measureInFlight(folder: string, options: InFlightOptions): Promise<InFlightReport> {
  const service = await startMeasured(folder)
  let echo: Subject | null = null
  try {
    echo = await startMeasuredEcho({ [PATH]: await answerOf(service.url) })
    const subjects = [service, echo]
    const loads = subjects.map((subject) => loadOn(subject, options.inFlight))
    for (const load of loads) await load.slice(options.warmMs)
    const rounds: Slice[][] = []
    for (let round = 0; round < options.rounds; round += 1) {
      const slices: Slice[] = []
      for (const load of loads) slices.push(await load.slice(options.sliceMs))
      rounds.push(slices)
    }
    for (const load of loads) await load.close()
    const of = (at: number, valueOf: (slice: Slice) => number) =>
      rounds.map((slices) => {
        const slice = slices[at]
        return slice === undefined ? Number.NaN : valueOf(slice)
      })
    const [servicePerS, echoPerS] = [of(0, ({ perS }) => perS), of(1, ({ perS }) => perS)]
    return {
      servicePerS,
      echoPerS,
      share: servicePerS.map((rate, round) => rate / (echoPerS[round] ?? Number.NaN)),
      serviceCpuUs: of(0, ({ cpuUs }) => cpuUs),
      echoCpuUs: of(1, ({ cpuUs }) => cpuUs),
    }
  } finally {
    await echo?.stop()
    await service.stop()
  }
}

export interface Slice {
  readonly perS: number
  readonly cpuUs: number
}

/** Observes on so many connections, each with one on its way. */
export function loadOn({ url, child }: Subject, inFlight: number) {
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
  const client = new Client(url)
  try {
    const body = bodies()()
    const answer = await client.request({ method: 'POST', path: PATH, headers: HEADERS, body })
    return await answer.body.text()
  } finally {
    await client.close()
  }
}
