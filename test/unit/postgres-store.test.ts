import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { over } from '../../src/adapters/files/store-parts.ts'
import { createKey, withdrawKey } from '../../src/adapters/keys/key-folder.ts'
import { parseAddress } from '../../src/adapters/postgres/address.ts'
import type { Database } from '../../src/adapters/postgres/database.ts'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { openPostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts'
import type { PostgresStoreOptions } from '../../src/adapters/postgres/tables.ts'
import { storeKeys } from '../../src/app/stores/postgres-store.ts'
import type { Grant } from '../../src/ports/store.ts'
import {
  appended,
  erasedIn,
  helpOf,
  KEY,
  range,
  recordOf,
  redactionOf,
  SECRET,
  seqsOf,
} from '../conformance/written.ts'
import { contentsBelow } from '../harness/data-folder.ts'
import { sharedCluster } from '../harness/postgres.ts'
import { type Base, LEASE_MS, postgresBase, postgresOptions } from '../harness/postgres-store.ts'
import { keyGrant } from '../support/keys.ts'

let base: Base
const opened: PostgresStore[] = []
const TRIED_AGAIN = { timeout: 10_000, interval: 20 }

beforeAll(async () => {
  base = await postgresBase()
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await base.empty()
})

afterAll(() => opened.splice(0))

async function node(name: string, changes: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
  const store = await openPostgresStore({ ...postgresOptions(base.url), nodeUrl: name, ...changes })
  opened.push(store)
  return store
}

/** Nobody hears of the node any more, and it does not know. */
function forget(name: string): Promise<unknown> {
  return base.sql("update memgov.node set expires = '-infinity' where url = $1", [name])
}

/** Changes statements that say something on their way. */
function spoiled(said: string, instead: string) {
  return (database: Database): Database => {
    const changed = (statement: string): string => statement.replace(said, () => instead)
    return over(database, {
      query: (statement, values) => database.query(changed(statement), values),
      lease: (statement, values) => database.lease(changed(statement), values),
      write: (statement, values) => database.write(changed(statement), values),
    })
  }
}

/** A promise of the lease and the fence, and a mistake that has to break it. */
const LAWS = {
  'a node whose lease has ended gives up everything and comes back as another one': {
    async prove(changes: Partial<PostgresStoreOptions>) {
      const store = await node('one', changes)
      const grant = await appended(store, KEY, 1, 1)
      const lost: Grant[] = []
      store.ownership.onLost((each) => lost.push(each))
      const before = store.cluster?.nodeId
      await forget('one')
      await store.lease.renew()
      expect(store.ownership.held(KEY)).toBeNull()
      expect(lost).toEqual([grant])
      expect(store.cluster?.nodeId).not.toBe(before)
      expect(store.cluster?.isLeaseValid()).toBe(true)
    },
    mistake: {
      name: 'a renewal that does not look whether the lease has ended',
      around: spoiled('and expires > clock_timestamp() returning', 'returning'),
    },
  },
  'what an earlier owner sends late is not stored': {
    async prove(changes: Partial<PostgresStoreOptions>) {
      const [one, two] = [await node('one', changes), await node('two', changes)]
      const grant = await appended(one, KEY, 1, 2)
      await forget('one')
      const taken = await two.ownership.acquire(KEY)
      expect(taken.epoch).toBeGreaterThan(grant.epoch)
      await expect(one.journal.append(grant, recordOf(KEY, 3))).rejects.toMatchObject({
        journalFailure: 'fenced',
      })
      const row = { memoryId: 'a', ordinal: 0, updatedAtMs: 1, vector: null }
      await expect(one.vectorStore?.append(grant, KEY, [row])).rejects.toMatchObject({
        journalFailure: 'fenced',
      })
      await two.journal.append(taken, recordOf(KEY, 3))
      expect(await seqsOf(two, taken, KEY, 1)).toEqual([1, 2, 3])
      expect(await base.sql('select 1 from memgov.vector')).toEqual([])
    },
    mistake: {
      name: 'a write without a grant',
      around: spoiled('and epoch = $2 for share', 'and $2::bigint > 0 for share'),
    },
  },
  'who takes a shard reads nothing before the epoch is raised': {
    async prove(changes: Partial<PostgresStoreOptions>) {
      const [one, two] = [await node('one', changes), await node('two', changes)]
      const grant = await appended(one, KEY, 1, 1)
      await forget('one')
      const taken = await two.ownership.acquire(KEY)
      // Taken by the earlier owner after the new one has looked: it would be missing in memory.
      await one.journal.append(grant, recordOf(KEY, 2)).catch(() => undefined)
      const stored = await base.sql('select seq from memgov.turn order by seq')
      expect(stored).toHaveLength(two.journal.headOf(KEY))
      expect(await seqsOf(two, taken, KEY, 1)).toHaveLength(stored.length)
    },
    mistake: {
      name: 'reading before the fence',
      around: spoiled(
        'select granted, owner_url from memgov.acquire_shard($1, $2)',
        'select epoch as granted, null as owner_url from memgov.shard where shard = $1 and $2::uuid is not null',
      ),
    },
  },
  'of one shard one batch is in flight, and what waits goes with the next': {
    async prove(changes: Partial<PostgresStoreOptions>) {
      let flying = 0
      let most = 0
      let batches = 0
      const store = await node('one', {
        around: (database) =>
          over(changes.around?.(database) ?? database, {
            async write(statement, values) {
              batches += 1
              flying += 1
              most = Math.max(most, flying)
              try {
                return await database.write(statement, values)
              } finally {
                flying -= 1
              }
            },
          }),
      })
      await appended(store, KEY, 1, 50)
      expect(most).toBe(1)
      expect(batches).toBeLessThan(10)
    },
    mistake: null,
  },
} as const

describe.each(Object.entries(LAWS))('%s', (_title, law) => {
  const { mistake } = law
  test('holds', () => law.prove({}))

  test.skipIf(mistake === null)('and is broken by a mistake', async () => {
    await expect(law.prove({ around: mistake?.around ?? ((database) => database) })).rejects.toThrow()
  })
})

describe('a store on PostgreSQL', () => {
  test('answers nothing from memory once its lease may have ended, and goes on when the database says that it has not', async () => {
    let lateMs = 0
    const store = await node('one', { monotonicMs: () => performance.now() + lateMs })
    const grant = await appended(store, KEY, 1, 1)
    lateMs = LEASE_MS
    expect(store.ownership.held(KEY)).toBeNull()
    expect(await store.ownership.acquire(KEY)).toEqual(grant)
    expect(store.ownership.held(KEY)).toEqual(grant)
  })

  test('does not know what became of a turn when the connection is lost behind the commit: a new epoch comes before the next look', async () => {
    let isCut = false
    const store = await node('one', {
      around: (database) =>
        over(database, {
          async write(statement, values) {
            const result = await database.write(statement, values)
            if (isCut) throw new Error('Connection terminated unexpectedly')
            return result
          },
        }),
    })
    const grant = await appended(store, KEY, 1, 1)
    isCut = true
    await expect(store.journal.append(grant, recordOf(KEY, 2))).rejects.toMatchObject({
      journalFailure: 'unknown',
    })
    isCut = false
    expect(store.ownership.held(KEY)).toBeNull()
    const again = await store.ownership.acquire(KEY)
    expect(again.epoch).toBeGreaterThan(grant.epoch)
    expect(store.journal.headOf(KEY)).toBe(2)
  })

  test('takes nothing on top of a turn that was not stored', async () => {
    let isRefused = true
    const store = await node('one', {
      around: (database) =>
        over(database, {
          write(statement, values) {
            if (!isRefused) return database.write(statement, values)
            isRefused = false
            return Promise.reject(Object.assign(new Error('no room'), { code: '53100' }))
          },
        }),
    })
    const grant = await store.ownership.acquire(KEY)
    const acks = range(1, 3).map((seq) => store.journal.append(grant, recordOf(KEY, seq)))
    expect((await Promise.allSettled(acks)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ])
    await expect(store.journal.append(grant, recordOf(KEY, 4))).rejects.toMatchObject({
      journalFailure: 'unavailable',
    })
    expect(await base.sql('select 1 from memgov.turn')).toEqual([])
  })

  test('outlives the end of all its connections', async () => {
    const store = await node('one')
    await appended(store, KEY, 1, 1)
    await base.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    // What meets a connection as it ends is refused; whoever tries again gets another one.
    const acquire = () => store.ownership.acquire(KEY)
    const grant = await vi.waitFor(acquire, TRIED_AGAIN)
    await store.journal.append(grant, recordOf(KEY, 2)).catch(() => undefined)
    const again = await vi.waitFor(acquire, TRIED_AGAIN)
    await store.journal.append(again, recordOf(KEY, store.journal.headOf(KEY) + 1))
    expect(await seqsOf(store, again, KEY, 1)).toEqual(range(1, store.journal.headOf(KEY)))
  })

  test('has its keys in the database, for every node at once', async () => {
    const [one, two] = [await node('one'), await node('two')]
    const { key } = await createKey(storeKeys(one.database), keyGrant(), 1)
    const place = storeKeys(two.database)
    const before = await place.state()
    expect((await place.read()).keys).toEqual([{ ...key, isRevoked: false }])
    await withdrawKey(storeKeys(one.database), key.keyId)
    expect(await place.state()).not.toBe(before)
    expect((await place.read()).keys).toEqual([{ ...key, isRevoked: true }])
  })

  test('is refused to a node that would answer differently, and the difference is named', async () => {
    await node('one', { shared: { holdoutPercent: 10 } })
    await expect(node('two', { shared: { holdoutPercent: 20 } })).rejects.toThrow(
      /holdoutPercent is 10 there and 20 here/,
    )
  })

  test('is refused to a node that comes back with the settings of before, after others were started with new ones', async () => {
    const one = await node('one', { shared: { holdoutPercent: 10 } })
    await base.sql("update memgov.node set expires = clock_timestamp() - interval '1 second'")
    await node('two', { shared: { holdoutPercent: 20 } })
    await expect(one.lease.renew()).rejects.toThrow(/answer differently/)
    expect(one.lease.isValid).toBe(false)
  })

  test('keeps its settings while another node is just coming in', async () => {
    await (await node('one', { shared: { holdoutPercent: 10 } })).close()
    const client = new pg.Client({ connectionString: base.url })
    await client.connect()
    await client.query('begin')
    await client.query('select from memgov.store for share')
    await client.query(
      `insert into memgov.node (id, url, version, expires, reads)
        values (gen_random_uuid(), 'one', '0', clock_timestamp() + interval '1 minute', 1000)`,
    )
    const two = node('two', { shared: { holdoutPercent: 20 } }).catch((error: Error) => error.message)
    await vi.waitFor(async () =>
      expect(await base.sql('select from pg_locks where not granted')).not.toEqual([]),
    )
    await client.query('commit')
    await client.end()
    expect(await two).toMatch(/holdoutPercent is 10 there and 20 here/)
  })
})

describe('the serving role', () => {
  test.each([
    'create table memgov.x ()',
    'truncate memgov.turn',
    'alter table memgov.turn add x int',
    'drop table memgov.note',
  ])('may not %s', async (statement) => {
    const client = new pg.Client({ connectionString: base.url })
    await client.connect()
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
    await client.end()
  })
})

describe('tables', () => {
  test('are made once, and not from another file of the same number', async () => {
    const cluster = await sharedCluster()
    const client = new pg.Client({ connectionString: cluster.url(base.name) })
    await client.connect()
    expect(await migrate(client, null)).toEqual({ made: [], older: [] })
    await client.query("update memgov.migration set sha256 = 'x' || sha256")
    await expect(migrate(client, null)).rejects.toThrow(/another file of number 1/)
    await expect(node('one')).rejects.toThrow(/another file of number 1/)
    await client.query('update memgov.migration set sha256 = substr(sha256, 2)')
    await client.end()
  })
})

describe('an erasure', () => {
  test('leaves the word in no file of the tables, also not in what the planner knows of them', async () => {
    const store = await node('one')
    const { world, grant } = await erasedIn(store)
    await base.sql('analyze')
    expect(await filesWith(SECRET)).not.toEqual([])
    await store.removal.erase(grant, KEY, redactionOf(world), helpOf(store, grant, world))
    expect(await filesWith(SECRET)).toEqual([])
  })

  test('is not finished while a session may still look at what is gone, and says which', async () => {
    const store = await node('one')
    const { world, grant } = await erasedIn(store)
    const client = new pg.Client({ connectionString: base.url })
    await client.connect()
    await client.query('begin isolation level repeatable read')
    const { rows } = await client.query('select pg_backend_pid() as pid from memgov.store')
    const erase = () => store.removal.erase(grant, KEY, redactionOf(world), helpOf(store, grant, world))
    await expect(erase()).rejects.toThrow(`session ${rows[0].pid}`)
    await client.end()
    await erase()
    expect(await filesWith(SECRET)).toEqual([])
  })
})

/** Files of the database with these bytes, once everything is on disk. */
async function filesWith(text: string): Promise<readonly string[]> {
  const cluster = await sharedCluster()
  await cluster.sql('checkpoint')
  const [{ oid }] = (await base.sql('select oid from pg_database where datname = current_database()')) as [
    { oid: number },
  ]
  const folder = join(cluster.dir, 'data/base', String(oid))
  return [...contentsBelow(folder)].flatMap(([path, bytes]) => (bytes.includes(text) ? [path] : []))
}

describe('the address of a store', () => {
  const ssl = (text: string, isInsecure = false) => parseAddress(text, isInsecure).ssl

  test('asks for TLS with a compared certificate of any other machine', () => {
    expect(ssl('postgres://u:p@db.example.org/m')).toMatchObject({ rejectUnauthorized: true })
    expect(ssl('postgres://u@127.0.0.1/m')).toBe(false)
    expect(ssl('postgres:///m?host=/run/postgresql&user=u')).toBe(false)
    expect(ssl('postgres://u@db/m', true)).toBe(false)
    const root = `sslrootcert=${encodeURIComponent('test/fixtures/tls/one.cert.pem')}`
    for (const url of [`postgres://u@127.0.0.1/m?${root}`, `postgres://u@db/m?${root}`])
      expect(ssl(url, true)).toMatchObject({ ca: expect.stringContaining('BEGIN CERTIFICATE') })
    expect(ssl(`postgres://u@127.0.0.1/m?sslmode=disable&${root}`)).toBe(false)
    expect(() => ssl('postgres://u@db/m?sslmode=disable')).toThrow(/--insecure-store/)
    expect(() => ssl('postgres://u@db/m?sslmode=require')).toThrow(/verify-full/)
  })

  test('with a bare % is refused with the way to write it, as in a password that nobody escaped', () => {
    for (const text of ['postgres://u:50%off@db/m', 'postgres://u:p@db/m%', 'postgres://%zz@db/m']) {
      expect(() => parseAddress(text, false)).toThrow(/address of the store is refused.*%25/)
    }
    expect(parseAddress('postgres://u:50%25off@db/m', false).password).toBe('50%off')
  })

  test('has a port, or is refused: the driver would ask at another one', () => {
    for (const port of ['abc', '', '0', '65536', '1.5'])
      expect(() => parseAddress(`postgres://u@127.0.0.1/m?port=${port}`, false)).toThrow(/port/)
    expect(() => parseAddress('postgres://u@127.0.0.1:0/m', false)).toThrow(/port/)
    expect(parseAddress('postgres://u@127.0.0.1/m?port=5433', false).port).toBe(5433)
  })

  test('is never quoted by a refusal', () => {
    for (const text of [
      'postgres://u:hidden@db/m?x=1',
      'postgres://u:hidden@/',
      'http://u:hidden@db/m',
      'postgres://u:hidden%@db/m',
    ]) {
      expect(() => parseAddress(text, false)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining('hidden') }),
      )
    }
  })
})
