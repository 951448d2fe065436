import pg from 'pg'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { systemSchedule } from '../../src/adapters/files/concurrency.ts'
import { silentTelemetry } from '../../src/adapters/files/null-ports.ts'
import { parseAddress } from '../../src/adapters/postgres/address.ts'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import type { PostgresStoreOptions } from '../../src/adapters/postgres/tables.ts'
import { SNAPSHOT_FORMAT } from '../../src/app/stores/postgres-store.ts'
import { SERVING_ROLE, sharedCluster } from './postgres.ts'
import { manualClock, memoryLog } from './system.ts'

/** A database with the tables of a store. */
export interface Base {
  readonly name: string
  /** For the role that serves. */
  readonly url: string
  /** Runs a statement as the role that may do everything. */
  sql(text: string, values?: readonly unknown[]): Promise<pg.QueryResult['rows']>
  /** Cuts off whoever is connected, and removes all that was written. */
  empty(): Promise<void>
}

const EMPTY = [
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  'update memgov.shard set owner = null, epoch = epoch + 1 where owner is not null',
  'update memgov.store set settings = null',
  ...['node', 'actor', 'turn', 'snapshot', 'exposure', 'note', 'vector', 'api_key', 'arrival'].map(
    (table) => `delete from memgov.${table}`,
  ),
].join(';')

export const LEASE_MS = 5_000

/** A new database with the tables of a store and nothing in them. */
export async function postgresBase(): Promise<Base> {
  const cluster = await sharedCluster()
  const name = await cluster.database()
  const client = new pg.Client({ connectionString: cluster.url(name) })
  await client.connect()
  await migrate(client, SERVING_ROLE)
  await client.end()
  return {
    name,
    url: cluster.url(name, SERVING_ROLE),
    sql: (text, values = []) => cluster.sql(text, values, name),
    async empty() {
      await cluster.sql(EMPTY, [], name)
    },
  }
}

const free: Base[] = []
const lent = new Set<Base>()

/** An empty one, for a while: to make one takes longer than most tests. */
export async function borrowedBase(): Promise<Base> {
  const known = free.pop()
  await known?.empty()
  // Another object each time, by which one that is returned twice is told from one that somebody else has by now.
  const base = { ...(known ?? (await postgresBase())) }
  lent.add(base)
  return base
}

/** To be called when nobody uses it any more. */
export function returnBase(base: Base): void {
  if (!lent.delete(base)) throw new Error(`the database ${base.name} was returned before`)
  free.push(base)
}

/** What a node of a test opens the store by. */
export function postgresOptions(url: string): PostgresStoreOptions {
  return {
    address: parseAddress(url, false),
    clock: manualClock(),
    log: memoryLog().log,
    codec: createCodec(),
    format: SNAPSHOT_FORMAT,
    telemetry: silentTelemetry,
    schedule: systemSchedule,
    monotonicMs: () => performance.now(),
    model: 'model',
    durability: 'sync',
    sync: 'local',
    shared: {},
    leaseMs: LEASE_MS,
    nodeUrl: '',
    version: '0',
    exposureRetentionMs: 30 * 24 * 3_600_000,
    historyRetentionMs: 30 * 24 * 3_600_000,
    copiesKeptMs: 7 * 24 * 3_600_000,
    lingerMs: 0,
    elsewhereMs: 0,
  }
}
