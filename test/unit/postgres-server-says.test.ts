import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAddress } from '../../src/adapters/postgres/address.ts'
import { connected } from '../../src/adapters/postgres/database.ts'
import { openPostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { appended, KEY, recordOf } from '../conformance/written.ts'
import { SERVING_ROLE } from '../harness/postgres.ts'
import { type Base, postgresBase, postgresOptions } from '../harness/postgres-store.ts'
import { memoryLog } from '../harness/system.ts'

/** What a server says in another language for how grave something is, in as many bytes as the English word. */
const WORDS = { SWARNING: 'SWARNUNG', SERROR: 'SCHYBA' }

let base: Base
let store: PostgresStore
const server = createServer()
const { log, lines } = memoryLog()

beforeAll(async () => {
  base = await postgresBase()
  const { hostname, port } = new URL(base.url)
  server.on('connection', (near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => [near, far].map((each) => each.destroy()))
    }
    near.pipe(far)
    far.on('data', (bytes: Buffer) => {
      let text = bytes.toString('latin1')
      for (const [word, other] of Object.entries(WORDS)) text = text.replaceAll(`${word}\0`, `${other}\0`)
      near.write(text, 'latin1')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('there is no port')
  const url = base.url.replace(`:${port}/`, `:${address.port}/`)
  store = await openPostgresStore({ ...postgresOptions(url), log })
})

afterAll(async () => {
  await store.close()
  server.close()
})

test('a server that warns in another language is heard: what it may not have copied is not acknowledged', async () => {
  const grant = await store.ownership.acquire(KEY)
  await store.journal.append(grant, recordOf(KEY, 1))
  await base.sql(`create function memgov.warned() returns trigger language plpgsql as $$
    begin raise warning 'canceling wait for synchronous replication due to user request'; return new; end $$`)
  await base.sql(
    'create trigger warned before insert on memgov.turn for each row execute function memgov.warned()',
  )
  await expect(store.journal.append(grant, recordOf(KEY, 2))).rejects.toMatchObject({
    journalFailure: 'unknown',
  })
  await base.sql('drop trigger warned on memgov.turn')
})

test('what is done once waits for a lock of somebody else for a while only', async () => {
  const client = await connected(parseAddress(base.url, false))
  expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '30s' }])
  await client.end()
})

test('a server that refuses a statement is there, and the log tells why, once for many requests', async () => {
  for (const _ of [1, 2]) await expect(store.database.query('select 1 / $1::int', [0])).rejects.toThrow()
  expect(store.cluster?.isStoreReachable()).toBe(true)
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    { level: 'warn', fields: { cause: 'division by zero' }, message: 'the database refused a statement' },
  ])
})

test('says that it is refused every write until the database takes one again, also when nobody writes', async () => {
  const tasks: (() => void)[] = []
  const store = await openPostgresStore({
    ...postgresOptions(base.url),
    schedule(task, ms) {
      if (ms === 5_000) tasks.push(task)
      return () => undefined
    },
  })
  const other = actorKeyOf('acme', 'other')
  await appended(store, other, 1, 1)
  await base.sql(`revoke insert on memgov.turn from ${SERVING_ROLE}`)
  try {
    await expect(openPostgresStore(postgresOptions(base.url))).rejects.toThrow(
      /may not write into memgov.turn: run memgov store setup --role/,
    )
    const grant = await store.ownership.acquire(other)
    await store.journal.append(grant, recordOf(other, 2)).catch(() => undefined)
    tasks.shift()?.()
    await expect.poll(() => tasks.length).toBe(1)
    expect(store.journal.health()).toMatchObject({ isRefused: true, isFull: false })
  } finally {
    await base.sql(`grant insert on memgov.turn to ${SERVING_ROLE}`)
  }
  tasks.shift()?.()
  await expect.poll(() => store.journal.health().isRefused).toBe(false)
  expect(await base.sql('select seq from memgov.turn where actor = $1', [other])).toHaveLength(1)
  await store.close()
})
