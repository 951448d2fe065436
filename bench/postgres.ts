// What does a store on PostgreSQL cost? A fenced append against a bare insert of the same bytes, by the store itself; observe
// and guide over HTTP against that and an echo of the same answers; many callers against the same over a data folder. All in turn.
// The database is one of its own, or BENCH_STORE: there the role may make tables, and its schema memgov is removed first.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { createCodec } from '../src/adapters/codec/codec.ts'
import { systemSchedule } from '../src/adapters/files/schedule.ts'
import { parseAddress } from '../src/adapters/postgres/address.ts'
import { migrate } from '../src/adapters/postgres/migrate.ts'
import { openPostgresStore } from '../src/adapters/postgres/store.ts'
import { silentTelemetry } from '../src/adapters/telemetry/silent.ts'
import { SNAPSHOT_FORMAT } from '../src/app/stores/snapshot-format.ts'
import { PostgresCluster } from '../test/harness/postgres.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import { isMain, spreadOf, timesUs } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'
import { startEcho } from './suite/vitals.ts'

export interface PostgresOptions {
  readonly rounds: number
  /** Appends or requests of a kind in each round. */
  readonly each: number
  readonly callers: number
  readonly scopes: number
}

const FULL: PostgresOptions = { rounds: 20, each: 60, callers: 64, scopes: 16 }
const QUICK: PostgresOptions = { rounds: 4, each: 20, callers: 16, scopes: 4 }
const APPEND = { bound: 'most', value: 1.4 } as const
const REQUEST = { bound: 'most', value: 1.6 } as const
const MANY = { bound: 'least', value: 0.5 } as const
/** What a turn of an observe takes. */
const TURN_BYTES = 1_152
const DAY_MS = 24 * 3_600_000
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export async function run(options: PostgresOptions = FULL): Promise<Outcome> {
  const named = process.env['BENCH_STORE'] ?? ''
  if (named !== '') return measured(named, options)
  const own = await PostgresCluster.start()
  try {
    return await measured(own.url(), options)
  } finally {
    await own.remove()
  }
}

async function measured(url: string, options: PostgresOptions): Promise<Outcome> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('drop schema if exists memgov cascade')
    await migrate(client, null)
    await client.query('drop table if exists bench_bare')
    await client.query(
      'create table bench_bare (id bigint generated always as identity primary key, body bytea)',
    )
    const bare = (): Promise<unknown> =>
      client.query({
        name: 'bare',
        text: 'insert into bench_bare (body) values ($1)',
        values: [Buffer.alloc(TURN_BYTES, 7)],
      })
    return {
      settings: { ...options },
      figures: [...(await appends(url, bare, options)), ...(await requests(url, bare, options))],
      notes: [],
    }
  } finally {
    await client
      .query('drop schema if exists memgov cascade; drop table if exists bench_bare')
      .catch(() => undefined)
    await client.end()
  }
}

async function appends(
  url: string,
  bare: () => Promise<unknown>,
  { rounds, each }: PostgresOptions,
): Promise<Figure[]> {
  const store = await openPostgresStore({
    address: parseAddress(url, false),
    clock: { nowMs: () => Date.now() },
    log: SILENT,
    codec: createCodec(),
    format: SNAPSHOT_FORMAT,
    telemetry: silentTelemetry,
    schedule: systemSchedule,
    monotonicMs: () => performance.now(),
    model: null,
    durability: 'sync',
    sync: 'local',
    shared: {},
    leaseMs: 5_000,
    nodeUrl: '',
    version: '0',
    exposureRetentionMs: DAY_MS,
    historyRetentionMs: DAY_MS,
    copiesKeptMs: 0,
  })
  const grant = await store.ownership.acquire('bench/append')
  let seq = 0
  const append = (): Promise<void> => {
    seq += 1
    const payload = Buffer.alloc(TURN_BYTES, 7)
    return store.journal.append(grant, { actorKey: 'bench/append', actorSeq: seq, payload })
  }
  const times: Record<'bare' | 'fenced', number[]> = { bare: [], fenced: [] }
  try {
    for (let round = -2; round < rounds; round += 1) {
      const inputs = Array.from({ length: each })
      const one = spreadOf(await timesUs(inputs, bare)).median
      const other = spreadOf(await timesUs(inputs, append)).median
      if (round < 0) continue
      times.bare.push(one)
      times.fenced.push(other)
    }
  } finally {
    await store.close()
  }
  const ratios = times.fenced.map((fenced, at) => fenced / (times.bare[at] ?? Number.NaN))
  return [
    figureOf('bare insert and commit, p50', 'µs', times.bare, { isYardstick: true }),
    figureOf('fenced append, p50', 'µs', times.fenced),
    figureOf('fenced append, times bare', '×', ratios, { goal: APPEND }),
  ]
}

async function requests(
  url: string,
  bare: () => Promise<unknown>,
  options: PostgresOptions,
): Promise<Figure[]> {
  return withFolder('postgres', async (dir) => {
    const file = join(dir, 'store.url')
    await writeFile(file, url, { mode: 0o600 })
    const shared = await startService({ dataDir: join(dir, 'none'), flags: ['--store-file', file] })
    const local = await startService({ dataDir: join(dir, 'data') })
    try {
      return [
        ...(await latencies(shared.url, bare, options)),
        await throughput(shared.url, local.url, options),
      ]
    } finally {
      await shared.stop()
      await local.stop()
      await rm(file)
    }
  })
}

/** Each request in turn with an echo of its answer and with a bare insert. */
async function latencies(
  url: string,
  bare: () => Promise<unknown>,
  { rounds, each }: PostgresOptions,
): Promise<Figure[]> {
  const client = jsonClient(url)
  const made = requestsOf(1)
  const bodies = { observe: () => made.observe(), guide: () => made.guide() }
  const answers: Record<string, string> = {}
  for (const [name, bodyOf] of Object.entries(bodies)) {
    answers[`/v1/${name}`] = await client.answer(`/v1/${name}`, JSON.stringify(bodyOf()))
  }
  const echo = await startEcho(answers)
  const plain = jsonClient(echo.url)
  const ratios = new Map<string, number[]>()
  try {
    for (let round = -2; round < rounds; round += 1) {
      for (const [name, bodyOf] of Object.entries(bodies)) {
        const texts = Array.from({ length: each }, () => JSON.stringify(bodyOf()))
        const path = `/v1/${name}`
        const asked = spreadOf(await timesUs(texts, (text) => client.answer(path, text))).median
        const echoed = spreadOf(await timesUs(texts, (text) => plain.answer(path, text))).median
        const stored = spreadOf(await timesUs(texts, bare)).median
        if (round >= 0) ratios.set(name, [...(ratios.get(name) ?? []), asked / (echoed + stored)])
      }
    }
  } finally {
    await client.close()
    await plain.close()
    await echo.stop()
  }
  return [...ratios].map(([name, each]) =>
    figureOf(`${name}, times echo + bare insert, p50`, '×', each, { goal: REQUEST }),
  )
}

/** Observes of many callers over some scopes, a round over each store in turn. */
async function throughput(
  shared: string,
  local: string,
  { rounds, each, callers, scopes }: PostgresOptions,
): Promise<Figure> {
  const made = requestsOf(2)
  const clients = [shared, local].map((url) => Array.from({ length: callers }, () => jsonClient(url)))
  const rateOf = async (each: readonly JsonClient[], count: number): Promise<number> => {
    const startedMs = performance.now()
    await Promise.all(
      each.map(async (client, caller) => {
        for (let at = 0; at < count; at += 1) {
          const body = { ...made.observe(), scope: `many-${caller % scopes}` }
          await client.answer('/v1/observe', JSON.stringify(body))
        }
      }),
    )
    return (each.length * count) / ((performance.now() - startedMs) / 1_000)
  }
  const ratios: number[] = []
  try {
    for (let round = -1; round < Math.ceil(rounds / 2); round += 1) {
      const rates: number[] = []
      for (const side of clients) rates.push(await rateOf(side, Math.ceil(each / 4)))
      const [one = Number.NaN, other = Number.NaN] = rates
      if (round >= 0) ratios.push(one / other)
    }
  } finally {
    for (const side of clients) for (const client of side) await client.close()
  }
  return figureOf(
    `observes a second of ${callers} callers over ${scopes} scopes, of a data folder`,
    '×',
    ratios,
    {
      goal: MANY,
    },
  )
}

if (isMain(import.meta.url))
  printOutcome('postgres', await run(process.argv.includes('--quick') ? QUICK : FULL))
