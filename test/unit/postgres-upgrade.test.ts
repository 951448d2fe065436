import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import {
  knownSteps,
  type Migrated,
  migrate,
  newestOf,
  type Step,
  stepOf,
} from '../../src/adapters/postgres/migrate.ts'
import { openPostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts'
import { CONTAINER_VERSION } from '../../src/adapters/record-file/format.ts'
import { HopClaims } from '../../src/contract/hop.ts'
import { type ActorEvent, EVENT_TYPES, type StoredKind } from '../../src/core/model/events.ts'
import { IMAGE_SCHEMA } from '../../src/core/model/state-image.ts'
import { KEY, recordOf, seqsOf } from '../conformance/written.ts'
import { type PostgresCluster, SERVING_ROLE, sharedCluster } from '../harness/postgres.ts'
import { postgresOptions } from '../harness/postgres-store.ts'

const KNOWN = await knownSteps()
const [FIRST] = KNOWN
/** Builds of the versions to come: what they change stands for any change. */
const BESIDE = stepOf(
  8,
  'beside',
  '-- Older nodes: serve beside it.\nalter table memgov.note add column eighth text;',
)
const ALONE = stepOf(
  9,
  'alone',
  '-- Older nodes: stopped first.\nalter table memgov.note add column ninth text;',
)
const NEXT = [...KNOWN, BESIDE]
const AFTER_NEXT = [...NEXT, ALONE]

let cluster: PostgresCluster
let database: string
const opened: PostgresStore[] = []

beforeEach(async () => {
  cluster = await sharedCluster()
  database = await cluster.database()
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

/** `memgov store setup` of a build that knows these steps. */
async function setup(steps: readonly Step[]): Promise<Migrated> {
  const client = new pg.Client({ connectionString: cluster.url(database) })
  await client.connect()
  try {
    return await migrate(client, SERVING_ROLE, steps)
  } finally {
    await client.end()
  }
}

/** A node of a build that knows these steps. */
async function node(nodeUrl: string, steps: readonly Step[], shared = {}): Promise<PostgresStore> {
  const url = cluster.url(database, SERVING_ROLE)
  const store = await openPostgresStore({ ...postgresOptions(url), nodeUrl, steps, shared, version: nodeUrl })
  opened.push(store)
  return store
}

function sql(text: string, values: readonly unknown[] = []) {
  return cluster.sql(text, values, database)
}

/** `memgov store setup` of a build from before there were versions. */
async function setupOfStepOne(): Promise<void> {
  await sql(
    'create schema memgov; create table memgov.migration (version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())',
  )
  await sql(FIRST?.text ?? '')
  await sql('insert into memgov.migration (version, name, sha256) values (1, $1, $2)', [
    FIRST?.name,
    FIRST?.sha256,
  ])
}

/** What a node says of itself that was built before there were steps to know. */
function registerOfStepOne(id: string): Promise<unknown> {
  return sql(
    `insert into memgov.node (id, url, version, expires)
      values ($1, 'http://first', '0.1.0', clock_timestamp() + interval '5 seconds')`,
    [id],
  )
}

/** The newest step by which a build of then refused a store. */
async function newestRequired(): Promise<number> {
  const [row] = await sql('select max(version)::int as newest from memgov.migration')
  return Number(row?.['newest'])
}

describe('a rolling upgrade', () => {
  test('two versions serve beside each other, a scope moves both ways, and nodes come and go in any order until it is finished', async () => {
    await setup(KNOWN)
    const old = await node('http://old', KNOWN)
    expect(await setup(NEXT)).toEqual({
      made: ['0008-beside'],
      older: [{ url: 'http://old', version: 'http://old', reads: newestOf(KNOWN) }],
    })
    const next = await node('http://next', NEXT)
    let seq = 0
    for (const owner of [old, next, old, await node('http://old-again', KNOWN), next]) {
      const grant = await owner.ownership.acquire(KEY)
      await owner.journal.append(grant, recordOf(KEY, (seq += 1)))
      expect(await seqsOf(owner, grant, KEY, 1)).toHaveLength(seq)
      owner.ownership.release(grant, KEY)
      await expect.poll(() => owner.cluster?.shardsHeld()).toBe(0)
      await expect.poll(() => sql('select from memgov.shard where owner is not null')).toEqual([])
    }
  })

  test('is finished by the setup that meets no older node: from then on an older build is refused with the version to use', async () => {
    await setup(KNOWN)
    const old = await node('http://old', KNOWN)
    await setup(NEXT)
    const next = await node('http://next', NEXT)
    expect(next.cluster?.readByAll()).toBe(newestOf(KNOWN))
    await old.close()
    expect(await setup(NEXT)).toEqual({ made: [], older: [] })
    await next.lease.renew()
    expect(next.cluster?.readByAll()).toBe(8)
    const refusal = /version 8 .* use memgov \d+\.\d+\.\d+ or later/
    await expect(node('http://old', KNOWN)).rejects.toThrow(refusal)
    await expect(setup(KNOWN)).rejects.toThrow(refusal)
  })

  test('a node of an older version that stood still meanwhile does not come back', async () => {
    await setup(KNOWN)
    const old = await node('http://old', KNOWN)
    await setup(NEXT)
    await sql("update memgov.node set expires = '-infinity'")
    expect((await setup(NEXT)).older).toEqual([])
    await expect(old.lease.renew()).rejects.toThrow(/start this node with a newer version/)
    await expect(old.ownership.acquire(KEY)).rejects.toMatchObject({ journalFailure: 'unavailable' })
    expect(old.cluster?.isLeaseValid()).toBe(false)
  })

  test('a step that older nodes cannot serve beside is refused while one lives, names it, and changes nothing', async () => {
    await setup(KNOWN)
    const old = await node('http://old', KNOWN)
    await expect(setup(AFTER_NEXT)).rejects.toThrow(/http:\/\/old \(http:\/\/old\)\. Stop them/)
    expect(await sql('select version from memgov.pending')).toEqual([])
    await old.close()
    expect(await setup(AFTER_NEXT)).toEqual({ made: ['0008-beside', '0009-alone'], older: [] })
    expect(await newestRequired()).toBe(9)
  })

  test('a build from before there were versions serves beside this one, and is refused by both its start and the store afterwards', async () => {
    await setupOfStepOne()
    const first = '00000000-0000-4000-8000-000000000001'
    await registerOfStepOne(first)
    expect(await setup(KNOWN)).toEqual({
      made: KNOWN.slice(1).map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}`),
      older: [{ url: 'http://first', version: '0.1.0', reads: 1 }],
    })
    const now = await node('http://now', KNOWN)
    expect([await newestRequired(), now.cluster?.readByAll()]).toEqual([1, 1])
    await sql('delete from memgov.node where id = $1', [first])
    await registerOfStepOne(first)
    await sql('delete from memgov.node where id = $1', [first])
    await setup(KNOWN)
    expect(await newestRequired()).toBe(newestOf(KNOWN))
    await expect(registerOfStepOne(first)).rejects.toThrow(/node_reads/)
  })

  test('of a setting that older nodes have not heard of the first newer node says what counts; others have to be the same', async () => {
    await setup(KNOWN)
    await node('http://old', KNOWN, { percent: 5 })
    await expect(node('http://next', KNOWN, { percent: 6, added: 1 })).rejects.toThrow(/percent is 5 there/)
    await node('http://next', KNOWN, { percent: 5, added: 2 })
    await expect(node('http://third', KNOWN, { percent: 5, added: 3 })).rejects.toThrow(
      /added is 2 there and 3/,
    )
    await node('http://old-again', KNOWN, { percent: 5 })
  })
})

describe('what nodes of one store read of each other', () => {
  test('a kind of event that older nodes cannot read is written once every node knows its step, and refused for a while before', () => {
    const type = 'task_succeeded'
    const event: ActorEvent = { type, memoryId: 'm', runId: 'r' }
    const eventTypes = { ...EVENT_TYPES, [type]: { code: 21, version: 1, sinceStep: 8 } }
    let known = 7
    const codec = createCodec({ eventTypes, readByAll: () => known })
    const turn = { seq: 1, atMs: 1, events: [event] }
    expect(() => codec.encodeTurn(turn)).toThrow(
      expect.objectContaining({ code: 'storage_unavailable', details: { needs_store_step: 8 } }),
    )
    known = 8
    expect(codec.decodeTurn(codec.encodeTurn(turn))).toEqual(turn)
    expect(createCodec({ eventTypes }).decodeTurn(codec.encodeTurn(turn))).toEqual(turn)
  })

  test('every kind of event that the first step does not know names the step from which on it is written', () => {
    const kinds: readonly StoredKind[] = Object.values(EVENT_TYPES)
    const later = kinds.filter(({ code, version }) => OF_STEP_ONE[code] !== version)
    expect(kinds.length - later.length).toBe(Object.keys(OF_STEP_ONE).length)
    for (const { code, sinceStep } of later) {
      expect(
        KNOWN.map(({ version }) => version),
        `event ${code}`,
      ).toContain(sinceStep)
      expect(sinceStep).toBeGreaterThan(1)
    }
  })

  test('everything else has the shape of the first step: who changes one makes a step, and writes the older shape until every node knows it', () => {
    expect({
      container: CONTAINER_VERSION,
      image: IMAGE_SCHEMA,
      hop: Object.keys(HopClaims.shape),
    }).toEqual({
      container: 2,
      image: 1,
      hop: ['from', 'to', 'atMs', 'once', 'bodySha256', 'operationId', 'principal'],
    })
  })
})

/** Versions by code, of the builds that know the first step only. */
const OF_STEP_ONE: Readonly<Record<number, number>> = {
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 21, 28, 29, 30, 41, 42, 50, 51, 52, 53, 54].map(
      (code) => [code, 1],
    ),
  ),
  9: 2,
  10: 2,
}
