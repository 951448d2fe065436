// What does a store on PostgreSQL cost? A fenced append against a bare insert of the same bytes, by the store itself; observe
// and guide over HTTP against what they cannot do without, one after the other: an echo of the same answer, an insert of the turn that
// it wrote, and for a guide the ranking of its scope; many callers against the same over a data folder. All in turn, one of each.
// The database is one of its own, or BENCH_STORE: there the role may make tables, and its schema memgov is removed first.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { createCodec } from '../src/adapters/codec/codec.ts'
import { systemSchedule } from '../src/adapters/files/concurrency.ts'
import { silentTelemetry } from '../src/adapters/files/null-ports.ts'
import { parseAddress } from '../src/adapters/postgres/address.ts'
import { migrate } from '../src/adapters/postgres/migrate.ts'
import { openPostgresStore } from '../src/adapters/postgres/store.ts'
import { SNAPSHOT_FORMAT } from '../src/app/stores/postgres-store.ts'
import { PostgresCluster } from '../test/harness/postgres.ts'
import { type JsonClient, jsonClient } from './json-client.ts'
import { openRankingProbe, type RankingProbe } from './loop/ranking-probe.ts'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf, SCOPE, seedScope } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { inGroups } from './suite/embedded.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'
import { startEcho } from './suite/vitals.ts'

export interface PostgresOptions {
  readonly rounds: number
  /** Appends or requests of a kind in each round. */
  readonly each: number
  readonly callers: number
  readonly scopes: number
  /** In the scope that guides ask. */
  readonly memories: number
  /** Requests of each kind before the first round, of service and echo: the engine compiles what it uses over some thousands. */
  readonly warm: number
}

const FULL: PostgresOptions = {
  rounds: 20,
  each: 60,
  callers: 64,
  scopes: 16,
  memories: 1_000,
  warm: 8_000,
}
const QUICK: PostgresOptions = { rounds: 4, each: 20, callers: 16, scopes: 4, memories: 200, warm: 100 }
const APPEND = { bound: 'most', value: 1.4 } as const
const REQUEST = { bound: 'most', value: 1.6 } as const
const MANY = { bound: 'least', value: 0.5 } as const
/** What the turn of an observe takes. That of a guide has four times as many, which a database packs and stores aside. */
const TURN_BYTES = 1_152
/** What an undisturbed machine comes near to. */
const UNDISTURBED_SHARE = 0.05
const SEED = 1
/** Observes that are measured go to a scope of their own: that of the guides stays as it is ranked beside them. */
const WRITTEN = 'written'
const WARMED = 'warmed'
const OBSERVE = '/v1/observe'
const GUIDE = '/v1/guide'
const IN_FLIGHT = 32
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
    const bare: Bare = (turn) =>
      client.query({ name: 'bare', text: 'insert into bench_bare (body) values ($1)', values: [turn] })
    const newest: Newest = async (scope) => {
      const { rows } = await client.query<{ payload: Buffer }>(
        'select payload from memgov.turn where actor = $1 order by seq desc limit 1',
        [`default/${scope}`],
      )
      return rows[0]?.payload ?? Buffer.alloc(0)
    }
    return {
      settings: { ...options },
      figures: [...(await appends(url, bare, options)), ...(await requests(url, { bare, newest }, options))],
      notes: [],
    }
  } finally {
    await client
      .query('drop schema if exists memgov cascade; drop table if exists bench_bare')
      .catch(() => undefined)
    await client.end()
  }
}

/** Inserts a turn into a table without anything of ours, and commits. */
type Bare = (turn: Buffer) => Promise<unknown>
/** The last turn of a scope, as it was stored. */
type Newest = (scope: string) => Promise<Buffer>

interface Probes {
  readonly bare: Bare
  readonly newest: Newest
}

async function appends(url: string, bare: Bare, { rounds, each }: PostgresOptions): Promise<Figure[]> {
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
  const insert = async () => void (await bare(Buffer.alloc(TURN_BYTES, 7)))
  const times: Record<'bare' | 'fenced', number[]>[] = []
  try {
    for (let round = -2; round < rounds; round += 1) {
      const taken: Record<'bare' | 'fenced', number[]> = { bare: [], fenced: [] }
      for (let at = 0; at < each; at += 1) {
        taken.bare.push(await timeUs(insert))
        taken.fenced.push(await timeUs(append))
      }
      if (round >= 0) times.push(taken)
    }
  } finally {
    await store.close()
  }
  const medians = (name: 'bare' | 'fenced') => times.map((round) => quantile(round[name], 0.5))
  return [
    figureOf('bare insert and commit, p50', 'µs', medians('bare'), { isYardstick: true }),
    figureOf('fenced append, p50', 'µs', medians('fenced')),
    ...ratioFigures(
      'fenced append, times bare',
      APPEND,
      times.map(({ bare, fenced }) => ({ whole: fenced, parts: bare })),
    ),
  ]
}

interface Beside {
  readonly whole: readonly number[]
  readonly parts: readonly number[]
}

/** Of the medians of each round, and at the 5th percentile of all: a disk or a core that others have makes both long. */
function ratioFigures(
  name: string,
  goal: typeof APPEND | typeof REQUEST,
  rounds: readonly Beside[],
): Figure[] {
  const at = (share: number, { whole, parts }: Beside) => quantile(whole, share) / quantile(parts, share)
  const all = { whole: rounds.flatMap(({ whole }) => whole), parts: rounds.flatMap(({ parts }) => parts) }
  return [
    figureOf(
      `${name}, p50`,
      '×',
      rounds.map((round) => at(0.5, round)),
      { goal },
    ),
    figureOf(`${name}, undisturbed`, '×', [at(UNDISTURBED_SHARE, all)], {
      goal,
      meaning: 'The same for the fastest twentieth, as on a machine without other work.',
    }),
  ]
}

async function timeUs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) * 1_000
}

async function requests(url: string, probes: Probes, options: PostgresOptions): Promise<Figure[]> {
  return withFolder('postgres', async (dir) => {
    const file = join(dir, 'store.url')
    await writeFile(file, url, { mode: 0o600 })
    const finish = await seedScope(join(dir, 'ranked'), options.memories, {}, SEED)
    await finish()
    const ranking = await openRankingProbe(join(dir, 'ranked'))
    const shared = await startService({ dataDir: null, flags: ['--store-file', file] })
    const local = await startService({ dataDir: join(dir, 'data') })
    try {
      return [
        ...(await latencies(shared.url, probes, ranking, options)),
        await throughput(shared.url, local.url, options),
      ]
    } finally {
      await shared.stop()
      await local.stop()
      await rm(file)
    }
  })
}

/** Each request in turn with what it cannot do without. */
async function latencies(
  url: string,
  { bare, newest }: Probes,
  ranking: RankingProbe,
  { rounds, each, memories, warm }: PostgresOptions,
): Promise<Figure[]> {
  const client = jsonClient(url)
  const made = requestsOf(SEED)
  await inGroups(memories, IN_FLIGHT, () => client.answer(OBSERVE, JSON.stringify(made.observe())))
  await inGroups(warm, IN_FLIGHT, () => client.answer(GUIDE, JSON.stringify(made.guide())))
  const written = () => JSON.stringify({ ...made.observe(), scope: WRITTEN })
  const warming = () => JSON.stringify({ ...made.observe(), scope: WARMED })
  await inGroups(warm, IN_FLIGHT, () => client.answer(OBSERVE, warming()))
  const echo = await startEcho({
    [OBSERVE]: await client.answer(OBSERVE, written()),
    [GUIDE]: await client.answer(GUIDE, JSON.stringify(made.guide())),
  })
  const plain = jsonClient(echo.url)
  // As many of each as the service has had: an echo that has just begun takes half as long again.
  await inGroups(memories + warm, IN_FLIGHT, () => plain.answer(OBSERVE, warming()))
  await inGroups(warm, IN_FLIGHT, () => plain.answer(GUIDE, JSON.stringify(made.guide())))
  const [observed, guided] = [await newest(WRITTEN), await newest(SCOPE)]
  const beside = async (path: string, text: string, turn: Buffer): Promise<readonly [number, number]> => [
    await timeUs(() => client.answer(path, text)),
    (await timeUs(() => plain.answer(path, text))) + (await timeUs(() => bare(turn))),
  ]
  const taken: Record<'observe' | 'guide', Beside[]> = { observe: [], guide: [] }
  try {
    for (let round = -2; round < rounds; round += 1) {
      const [observes, guides] = [besideOf(), besideOf()]
      for (let at = 0; at < each; at += 1) {
        const [observe, parts] = await beside(OBSERVE, written(), observed)
        observes.whole.push(observe)
        observes.parts.push(parts)
        const body = made.guide()
        const job = ranking.job(body.query_text)
        const [guide, others] = await beside(GUIDE, JSON.stringify(body), guided)
        guides.whole.push(guide)
        guides.parts.push(others + (await timeUs(async () => ranking.rank(job))))
      }
      if (round < 0) continue
      taken.observe.push(observes)
      taken.guide.push(guides)
    }
  } finally {
    await client.close()
    await plain.close()
    await echo.stop()
  }
  return [
    ...ratioFigures('observe, times echo and bare insert', REQUEST, taken.observe),
    ...ratioFigures('guide, times echo, bare insert and ranking', REQUEST, taken.guide),
  ]
}

function besideOf(): { whole: number[]; parts: number[] } {
  return { whole: [], parts: [] }
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
