// What does a durable observe cost beside what it cannot do without: embedded beside a bare group commit of as many
// bytes on the same disk, over HTTP beside a bare echo of the same request and answer?
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openBareLog } from './append/bare-log.ts'
import { Histogram } from './histogram.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import { startEcho } from './loop/echo-process.ts'
import { isMain } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { openEmbedded } from './suite/embedded.ts'
import { printOutcome } from './suite/print-outcome.ts'
import { vitalsOf, WITH_VITALS } from './suite/service-vitals.ts'
import { type Vitals, vitalsFigures, watchVitals } from './suite/vitals.ts'

export interface ObserveOptions {
  readonly together: readonly number[]
  readonly rounds: number
  readonly sliceMs: number
  readonly warmMs: number
}

const FULL: ObserveOptions = { together: [1, 16, 128], rounds: 9, sliceMs: 300, warmMs: 4_000 }
const QUICK: ObserveOptions = { together: [1, 16], rounds: 2, sliceMs: 80, warmMs: 800 }

/** What an observe of these texts adds to the journal: docs/capacity.md. */
const RECORD_BYTES = 871
const NAMES = ['embedded', 'bare group commit', 'over HTTP', 'bare echo'] as const
type Name = (typeof NAMES)[number]

/** One operation by client number `client`. */
type Subject = (client: number) => Promise<unknown>

interface Cell {
  readonly name: Name
  readonly together: number
  readonly perS: number[]
  /** µs */
  readonly latency: Histogram
  readonly p50sUs: number[]
  vitals: Vitals | null
}

/** All in turn, round by round, so that a busy neighbour hits all alike. */
export async function run(options: ObserveOptions = FULL): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'memgov-durable-observe-'))
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const { subjects, tells } = await start(folder, Math.max(...options.together), closing)
    const cells = options.together.flatMap((together) =>
      NAMES.map(
        (name): Cell => ({ name, together, perS: [], latency: new Histogram(), p50sUs: [], vitals: null }),
      ),
    )
    for (const name of NAMES) await slice(subjects[name], 16, options.warmMs)
    for (let round = 0; round < options.rounds; round += 1) {
      for (const cell of cells) {
        await tells[cell.name]?.()
        const { perS, latency } = await slice(subjects[cell.name], cell.together, options.sliceMs)
        cell.vitals = (await tells[cell.name]?.()) ?? null
        cell.perS.push(perS)
        cell.latency.add(latency)
        cell.p50sUs.push(latency.quantile(0.5))
      }
    }
    return outcomeOf(options, cells)
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

async function start(folder: string, clientCount: number, closing: (() => unknown)[]) {
  const requests = requestsOf(1)
  const embedded = await openEmbedded(join(folder, 'embedded'))
  closing.push(() => embedded.close())
  await mkdir(join(folder, 'bare'))
  const bare = await openBareLog(join(folder, 'bare'), false)
  closing.push(() => bare.close())
  const service = await startService({ dataDir: join(folder, 'served'), ...WITH_VITALS })
  closing.push(() => service.stop())
  const clientsOf = (url: string): readonly JsonClient[] => {
    const own = Array.from({ length: clientCount }, () => jsonClient(url))
    closing.push(() => Promise.all(own.map((client) => client.close())))
    return own
  }
  const served = clientsOf(service.url)
  const answer = await answered(served[0], requests.observe())
  const echo = await startEcho({ '/v1/observe': answer })
  closing.push(() => echo.stop())
  const echoed = clientsOf(echo.url)
  const record = new Uint8Array(RECORD_BYTES).fill(42)
  const subjects: Readonly<Record<Name, Subject>> = {
    embedded: () => embedded.call('observe', requests.observe()),
    'bare group commit': () => bare.append(record),
    'over HTTP': (client) => answered(served[client], requests.observe()),
    'bare echo': (client) => answered(echoed[client], requests.observe()),
  }
  const tellOwn = watchVitals()
  const tells: Partial<Record<Name, () => Promise<Vitals>>> = {
    embedded: async () => tellOwn(),
    'over HTTP': () => vitalsOf(service.child),
  }
  return { subjects, tells }
}

async function answered(client: JsonClient | undefined, body: object): Promise<string> {
  if (client === undefined) throw new RangeError('there is no such connection')
  const { status, text } = await client.post('/v1/observe', JSON.stringify(body))
  if (status !== 200) throw new Error(`observe was answered ${status}: ${text.slice(0, 300)}`)
  return text
}

/** So many clients, each one after the other, until the time is over. */
async function slice(subject: Subject, together: number, ms: number) {
  const latency = new Histogram()
  const startedAt = performance.now()
  const client = async (number: number): Promise<void> => {
    for (let at = performance.now(); at - startedAt < ms; ) {
      await subject(number)
      const now = performance.now()
      latency.record((now - at) * 1_000)
      at = now
    }
  }
  await Promise.all(Array.from({ length: together }, (_, number) => client(number)))
  return { latency, perS: (latency.count * 1_000) / (performance.now() - startedAt) }
}

function outcomeOf({ together, ...options }: ObserveOptions, cells: readonly Cell[]): Outcome {
  const nameOf = ({ name, together: count }: Cell) => `${name}, ${count} together`
  return {
    settings: { ...options, together: together.join(' '), recordBytes: RECORD_BYTES },
    figures: [
      ...cells.map((cell) =>
        figureOf(nameOf(cell), 'operations/s', cell.perS, { better: 'higher', samples: cell.latency.count }),
      ),
      ...cells.map((cell) =>
        figureOf(`latency, ${nameOf(cell)}`, 'µs', cell.p50sUs, {
          percentiles: cell.latency.percentiles(),
          samples: cell.latency.count,
        }),
      ),
      ...ratios(cells, 'embedded', 'bare group commit'),
      ...ratios(cells, 'over HTTP', 'bare echo'),
      ...cells.flatMap((cell) =>
        cell.vitals === null
          ? []
          : vitalsFigures(
              `with ${nameOf(cell)}`,
              cell.vitals,
              ((cell.perS.at(-1) ?? 0) * options.sliceMs) / 1_000,
            ),
      ),
    ],
    series: cells.map((cell) => ({
      name: nameOf(cell),
      kind: 'cdf',
      xLabel: `µs, ${cell.together} together`,
      yLabel: 'share of operations',
      points: cell.latency.cdf(),
    })),
    notes: ['The bare group commit knows neither order nor checksum, the bare echo neither disk nor memory.'],
  }
}

/** Round by round: how often one does what the other does once. */
function ratios(cells: readonly Cell[], name: Name, yardstick: Name): readonly Figure[] {
  return cells
    .filter((cell) => cell.name === yardstick)
    .flatMap((bare) => {
      const own = cells.find((cell) => cell.name === name && cell.together === bare.together)
      if (own === undefined) return []
      const rounds = own.perS.map((perS, round) => perS / (bare.perS[round] ?? Number.NaN))
      const figure = `${name} over ${yardstick}, ${bare.together} together`
      return [figureOf(figure, 'ratio of rates', rounds, { better: 'higher', samples: own.latency.count })]
    })
}

if (isMain(import.meta.url)) {
  printOutcome('durable-observe', await run(process.argv.includes('--quick') ? QUICK : FULL))
}
