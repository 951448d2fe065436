// What does an erasure take in a large shared store, and how long do others wait for it? A database of the bench's own is filled
// with turns of other scopes. Then memories are erased while writers of other scopes are at work: some have their turns in the
// part of the tables that is written anew, some elsewhere.

import { randomFillSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { migrate } from '../src/adapters/postgres/migrate.ts'
import { PostgresCluster } from '../test/harness/postgres.ts'
import { jsonClient } from './json-client.ts'
import { isMain, quantile } from './measure.ts'
import { type Figure, figureOf, type Outcome } from './result.ts'
import { requestsOf } from './seeded-scope.ts'
import { startService } from './service-process.ts'
import { withFolder } from './suite/folder.ts'
import { printOutcome } from './suite/text.ts'

export interface PostgresEraseOptions {
  readonly mebibytes: number
  readonly erasures: number
  readonly writers: number
}

const FULL: PostgresEraseOptions = { mebibytes: 1_024, erasures: 4, writers: 8 }
const QUICK: PostgresEraseOptions = { mebibytes: 16, erasures: 2, writers: 8 }
const VICTIM = 'erased'
const MEMORIES = 400
const ERASED_AT_ONCE = 10
const TURN_BYTES = 1_152
const PIECE_BYTES = 4 * 1024 * 1024
const SHARDS = 1_024
const PARTITIONS = 16
const BEFORE_MS = 5_000

export async function run(options: PostgresEraseOptions = FULL): Promise<Outcome> {
  const cluster = await PostgresCluster.start(['max_wal_size = 4GB'])
  const client = new pg.Client({ connectionString: cluster.url() })
  try {
    await client.connect()
    await migrate(client, null)
    await fill(client, options.mebibytes)
    const figures = await withFolder('postgres-erase', async (dir) => {
      const file = join(dir, 'store.url')
      await writeFile(file, cluster.url(), { mode: 0o600 })
      const service = await startService({ dataDir: null, flags: ['--store-file', file] })
      try {
        return await measured(service.url, client, options)
      } finally {
        await service.stop()
      }
    })
    return { settings: { ...options }, figures, notes: [] }
  } finally {
    await client.end()
    await cluster.remove()
  }
}

/** Turns of scopes that nobody asks about, spread over all shards. */
async function fill(client: pg.Client, mebibytes: number): Promise<void> {
  const each = Math.floor(PIECE_BYTES / TURN_BYTES)
  const pieces = Math.ceil((mebibytes * 1024 * 1024) / PIECE_BYTES)
  const bytes = Buffer.alloc(PIECE_BYTES)
  for (let piece = 0; piece < pieces; piece += 1) {
    randomFillSync(bytes)
    await client.query({
      name: 'fill',
      text: `insert into memgov.turn (shard, actor, seq, epoch, at_ms, payload)
        select n % ${SHARDS}, 'fill/' || $2 || '-' || n, 1, 0, 0, substring($1::bytea from n * ${TURN_BYTES} + 1 for ${TURN_BYTES})
          from generate_series(0, ${each - 1}) n`,
      values: [bytes, piece],
    })
  }
}

interface Waited {
  readonly atMs: number
  readonly tookMs: number
  readonly isNear: boolean
}

async function measured(
  url: string,
  database: pg.Client,
  { erasures, writers }: PostgresEraseOptions,
): Promise<Figure[]> {
  const made = requestsOf(3)
  const client = jsonClient(url)
  const ids: string[] = []
  for (let at = 0; at < MEMORIES; at += 1) {
    const answer: { readonly memory_ids: readonly string[] } = JSON.parse(
      await client.answer('/v1/observe', JSON.stringify({ ...made.observe(), scope: VICTIM })),
    )
    ids.push(...answer.memory_ids)
  }
  const scopes = Array.from({ length: writers }, (_, at) => `writer-${at}`)
  for (const scope of scopes) await client.answer('/v1/observe', JSON.stringify({ ...made.observe(), scope }))
  const near = await nearTo(database, scopes)
  const waited: Waited[] = []
  let isOver = false
  const work = scopes.map(async (scope) => {
    const own = jsonClient(url)
    while (!isOver) {
      const atMs = performance.now()
      await own.answer('/v1/observe', JSON.stringify({ ...made.observe(), scope }))
      waited.push({ atMs, tookMs: performance.now() - atMs, isNear: near.has(scope) })
    }
    await own.close()
  })
  await new Promise((resolve) => {
    setTimeout(resolve, BEFORE_MS)
  })
  const beganMs = performance.now()
  const took: number[] = []
  try {
    for (let round = 0; round < erasures; round += 1) {
      const memory_ids = ids.slice(round * ERASED_AT_ONCE, (round + 1) * ERASED_AT_ONCE)
      const fromMs = performance.now()
      await client.answer(
        '/v1/memory/erase',
        JSON.stringify({ scope: VICTIM, actor: 'operator', memory_ids, reason: 'bench' }),
      )
      took.push((performance.now() - fromMs) / 1_000)
    }
  } finally {
    isOver = true
    await Promise.all(work)
  }
  await client.close()
  return figuresOf(waited, beganMs, took)
}

/** The scopes whose turns lie in the same part of the tables as those that are erased. */
async function nearTo(database: pg.Client, scopes: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ actor: string; part: string }>(
    'select distinct actor, tableoid::regclass::text as part from memgov.turn where actor = any($1)',
    [[VICTIM, ...scopes].map((scope) => `default/${scope}`)],
  )
  const partOf = new Map(rows.map(({ actor, part }) => [actor.split('/')[1] ?? '', part]))
  return new Set(scopes.filter((scope) => partOf.get(scope) === partOf.get(VICTIM)))
}

function figuresOf(waited: readonly Waited[], beganMs: number, took: readonly number[]): Figure[] {
  const figures = [figureOf(`an erasure of ${ERASED_AT_ONCE} memories`, 's', took)]
  const groups: readonly (readonly [string, (each: Waited) => boolean])[] = [
    ['observes before an erasure', ({ atMs }) => atMs < beganMs],
    ['observes beside an erasure, turns elsewhere', ({ atMs, isNear }) => atMs >= beganMs && !isNear],
    [
      `observes beside an erasure, turns in the same ${PARTITIONS}th of the tables`,
      ({ atMs, isNear }) => atMs >= beganMs && isNear,
    ],
  ]
  for (const [name, belongs] of groups) {
    const times = waited.filter(belongs).map(({ tookMs }) => tookMs)
    if (times.length === 0) continue
    figures.push(
      figureOf(`${name}, p50`, 'ms', [quantile(times, 0.5)]),
      figureOf(`${name}, p99`, 'ms', [quantile(times, 0.99)]),
      figureOf(`${name}, longest`, 'ms', [Math.max(...times)]),
    )
  }
  return figures
}

if (isMain(import.meta.url))
  printOutcome('postgres-erase', await run(process.argv.includes('--quick') ? QUICK : FULL))
