import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parseAddress } from '../../src/adapters/postgres/address.ts'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { openPostgresStore, type PostgresStore } from '../../src/adapters/postgres/store.ts'
import { PostgresCluster, SERVING_ROLE } from '../harness/postgres.ts'
import { postgresOptions } from '../harness/postgres-store.ts'

const PEMS = join(import.meta.dirname, '..', 'fixtures', 'tls')
/** Its certificate names 127.0.0.1 and localhost, and not the second address. */
const SECOND_ADDRESS = '127.0.0.2'

let cluster: PostgresCluster
const opened: PostgresStore[] = []

beforeAll(async () => {
  cluster = await PostgresCluster.start([`listen_addresses = '127.0.0.1,${SECOND_ADDRESS}'`])
  const client = new pg.Client({ connectionString: cluster.url() })
  await client.connect()
  await migrate(client, SERVING_ROLE)
  await client.end()
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

afterAll(() => cluster.remove())

/** A node that takes only a server that shows a certificate of that name. */
async function openOver(host: string, authority: 'one' | 'two'): Promise<PostgresStore> {
  const root = encodeURIComponent(join(PEMS, `${authority}.cert.pem`))
  const url = `postgres://${SERVING_ROLE}@${host}:${cluster.port}/postgres?sslmode=verify-full&sslrootcert=${root}`
  const store = await openPostgresStore({ ...postgresOptions(url), address: parseAddress(url, false) })
  opened.push(store)
  return store
}

describe('a store over TLS', () => {
  test('is refused to a server that speaks none', async () => {
    await expect(openOver('127.0.0.1', 'one')).rejects.toThrow(/TLS|SSL/)
  })

  test('is refused with a file of authorities that names none: any that the system knows would do', () => {
    const url = 'postgres://me@db.example.org/memgov?sslrootcert=/dev/null'
    expect(() => parseAddress(url, false)).toThrow(/the certificate \/dev\/null cannot be read/)
  })

  describe('of a server with a certificate', () => {
    beforeAll(async () => {
      cluster.give('server.crt', readFileSync(join(PEMS, 'one.cert.pem'), 'utf8'))
      cluster.give('server.key', readFileSync(join(PEMS, 'one.key.pem'), 'utf8'))
      await cluster.sql('alter system set ssl = on')
      await cluster.sql('select pg_reload_conf()')
    })

    test.each(['127.0.0.1', 'localhost'])(
      'sends nothing in the clear, and warns of nothing: %s',
      async (host) => {
        const warnings: Error[] = []
        const note = (warning: Error) => warnings.push(warning)
        process.on('warning', note)
        await openOver(host, 'one')
        process.off('warning', note)
        expect(warnings).toEqual([])
        const rows = await cluster.sql(
          `select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = $1`,
          [SERVING_ROLE],
        )
        expect(rows.length).toBeGreaterThan(0)
        expect(rows.every(({ ssl }) => ssl === true)).toBe(true)
      },
    )

    test('refuses a certificate of somebody else', async () => {
      await expect(openOver('127.0.0.1', 'two')).rejects.toThrow(/certificate/)
    })

    test('refuses a certificate that names another machine', async () => {
      await expect(openOver(SECOND_ADDRESS, 'one')).rejects.toThrow(/certificate|altnames/)
    })
  })
})
