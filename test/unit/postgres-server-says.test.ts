import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts'
import { KEY, recordOf } from '../conformance/written.ts'
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
})

test('a server that refuses a statement is there, and the log tells why, once for many requests', async () => {
  for (const _ of [1, 2]) await expect(store.database.query('select 1 / $1::int', [0])).rejects.toThrow()
  expect(store.cluster?.isStoreReachable()).toBe(true)
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    { level: 'warn', fields: { cause: 'division by zero' }, message: 'the database refused a statement' },
  ])
})
