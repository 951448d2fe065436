import { hash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { StartError } from '../../core/base/errors.ts'
import { packageFile } from '../files/package-file.ts'

/** Shards of a new store: what nodes divide among themselves. Fixed for its life, as the key of an actor gives its shard. */
export const SHARDS = 1024
const FILE = /^(\d{4})-(.+)\.sql$/
/** The lock of whoever changes tables: two at once would both see that something is missing. */
const LOCK = 'select pg_advisory_xact_lock(1835887479, 1)'

interface Migration {
  readonly version: number
  readonly name: string
  readonly sha256: string
  readonly text: string
}

/** The numbered files, in their order. */
export async function migrations(): Promise<readonly Migration[]> {
  const folder = packageFile('src/adapters/postgres/sql/')
  const names = (await readdir(fileURLToPath(folder))).toSorted()
  const found: Migration[] = []
  for (const file of names) {
    const [, version, name] = FILE.exec(file) ?? []
    if (version === undefined || name === undefined) continue
    const text = await readFile(new URL(file, folder), 'utf8')
    found.push({ version: Number(version), name, sha256: hash('sha256', text, 'hex'), text })
  }
  return found
}

/**
 * Brings the tables to this version, by a role that may change them, and lets `role` serve from them; null: the role itself
 * serves. All of it or nothing. Resolves with the names of what was done.
 */
export async function migrate(client: Client, role: string | null): Promise<readonly string[]> {
  const done: string[] = []
  await client.query('begin')
  try {
    await client.query(LOCK)
    await client.query('create schema if not exists memgov')
    await client.query(
      'create table if not exists memgov.migration (version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const applied = await appliedIn(client)
    for (const { version, name, sha256, text } of await migrations()) {
      if (isApplied(applied, version, sha256)) continue
      await client.query(text)
      await client.query('insert into memgov.migration (version, name, sha256) values ($1, $2, $3)', [
        version,
        name,
        sha256,
      ])
      done.push(`${String(version).padStart(4, '0')}-${name}`)
    }
    await client.query(
      'insert into memgov.store (store_id, shards) values ($1, $2) on conflict (one) do nothing',
      [randomUUID(), SHARDS],
    )
    await client.query(
      'insert into memgov.shard (shard) select generate_series(0, shards - 1) from memgov.store on conflict (shard) do nothing',
    )
    if (role !== null) await grant(client, role)
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** @throws StartError when the tables are not those of this version */
export async function requireMigrated(client: Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('memgov.migration') is not null as there",
  )
  if (rows[0]?.there !== true) throw notMigrated('it has no tables of memgov')
  const applied = await appliedIn(client)
  const known = await migrations()
  const missing = known.filter(({ version, sha256 }) => !isApplied(applied, version, sha256))
  if (missing.length > 0) throw notMigrated('its tables are of an older version')
  const newest = Math.max(...applied.keys())
  if (newest > (known.at(-1)?.version ?? 0)) {
    throw new StartError(
      'store_newer',
      `A newer version of memgov has made tables of version ${newest} in the database: use that version.`,
    )
  }
}

async function appliedIn(client: Client): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ version: number; sha256: string }>(
    'select version, sha256 from memgov.migration',
  )
  return new Map(rows.map(({ version, sha256 }) => [version, sha256]))
}

function isApplied(applied: ReadonlyMap<number, string>, version: number, sha256: string): boolean {
  const found = applied.get(version)
  if (found !== undefined && found !== sha256) {
    throw new StartError(
      'store_refused',
      `The tables of the store were made by another file of number ${version} than this version has: use the version of memgov that made them.`,
    )
  }
  return found !== undefined
}

/** What serving takes, and nothing more: no right to make, change or empty a table. */
async function grant(client: Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  await client.query(`grant usage on schema memgov to ${name}`)
  await client.query(`grant select on all tables in schema memgov to ${name}`)
  const written = [
    'node',
    'shard',
    'actor',
    'turn',
    'snapshot',
    'exposure',
    'note',
    'vector',
    'api_key',
    'arrival',
  ]
  for (const table of written) {
    await client.query(`grant insert, update, delete on memgov.${table} to ${name}`)
  }
  await client.query(`grant update (settings) on memgov.store to ${name}`)
  await client.query(`grant execute on all functions in schema memgov to ${name}`)
}

function notMigrated(what: string): StartError {
  return new StartError(
    'store_refused',
    `The database cannot be used: ${what}. Run memgov store setup with an address whose role may make tables.`,
  )
}
