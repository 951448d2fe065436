import { hash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Client } from 'pg'
import { messageOf, StartError } from '../../core/base/errors.ts'
import { packageFile, packageVersion } from '../files/package-file.ts'
import { hasCode } from '../files/whole-file.ts'

const FILE = /^(\d{4})-(.+)\.sql$/
/** First line of a step that nodes without it can serve beside. */
const BESIDE = '-- Older nodes: serve beside it.'

/**
 * One numbered change of the store. Its number also stands for everything else that nodes of one store read of each other:
 * a build that writes what older ones cannot read has a step for it, with or without a change of tables.
 */
export interface Step {
  readonly version: number
  readonly name: string
  readonly sha256: string
  readonly text: string
  readonly servesOlder: boolean
}

export async function knownSteps(): Promise<readonly Step[]> {
  const folder = packageFile('src/adapters/postgres/sql/')
  const names = (await readdir(fileURLToPath(folder))).toSorted()
  const found: Step[] = []
  for (const file of names) {
    const [, version, name] = FILE.exec(file) ?? []
    if (version === undefined || name === undefined) continue
    found.push(stepOf(Number(version), name, await readFile(new URL(file, folder), 'utf8')))
  }
  return found
}

export function stepOf(version: number, name: string, text: string): Step {
  const servesOlder = text.startsWith(`${BESIDE}\n`)
  return { version, name, sha256: hash('sha256', text, 'hex'), text, servesOlder }
}

export function newestOf(steps: readonly Step[]): number {
  return steps.at(-1)?.version ?? 0
}

/** Shards of a new store: what nodes divide among themselves. Fixed for its life, as the key of an actor gives its shard. */
export const SHARDS = 1024
/** What is in none of them was never written. */
export const CONTENT_TABLES = ['turn', 'snapshot', 'exposure', 'note', 'vector', 'api_key']
/** The lock of whoever changes tables: two at once would both see that something is missing. */
const LOCK = 'select pg_advisory_xact_lock(1835887479, 1)'

/** One whose lease has just lapsed, as in a moment without the database, comes back: so long it counts as alive. */
const COMES_BACK = "interval '1 minute'"

interface OlderNode {
  readonly url: string
  readonly version: string
  readonly reads: number
}

export type Migrated = Awaited<ReturnType<typeof migrate>>

interface AppliedStep {
  readonly version: number
  readonly sha256: string
  /** The version of memgov that made it; null: one of before that was said. */
  readonly madeBy: string | null
}

/**
 * Brings the tables to this version, by a role that may change them, and lets `role` serve from them; null: the role itself
 * serves. Where older nodes live it makes only what they can serve beside. All of it or nothing.
 */
export async function migrate(client: Client, role: string | null, known: readonly Step[] | null = null) {
  const steps = known ?? (await knownSteps())
  await client.query('begin')
  try {
    await client.query(LOCK)
    await client.query('create schema if not exists memgov')
    await client.query(
      'create table if not exists memgov.migration (version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())',
    )
    const made = await makeMissing(client, steps)
    await client.query(
      'insert into memgov.store (store_id, shards) values ($1, $2) on conflict (one) do nothing',
      [randomUUID(), SHARDS],
    )
    await client.query(
      'insert into memgov.shard (shard) select generate_series(0, shards - 1) from memgov.store on conflict (shard) do nothing',
    )
    if (role !== null) await grant(client, role)
    const older = await finish(client, newestOf(steps))
    await client.query('commit')
    /** `older`: nodes that have to be replaced before what is new is written; none: the upgrade is finished. */
    return { made, older }
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw hasCode(error, DENIED) ? notMigrated(`the role may make no tables (${messageOf(error)})`) : error
  }
}

/** @throws StartError when the tables are not those of this version, or are for newer builds only */
export async function requireMigrated(client: Client, known: readonly Step[] | null = null): Promise<void> {
  const steps = known ?? (await knownSteps())
  await requireTables(client)
  const [required, pending] = [await appliedIn(client, 'migration'), await appliedIn(client, 'pending')]
  const applied = [...required, ...pending]
  if (steps.some((step) => !isApplied(applied, step))) throw notMigrated('its tables are of an older version')
  refuseNewer(required, steps)
}

/** @throws StartError when the tables are for newer builds only */
function refuseNewer(required: readonly AppliedStep[], steps: readonly Step[]): void {
  const newest = required.at(-1)
  if (newest === undefined || newest.version <= newestOf(steps)) return
  const wanted = newest.madeBy === null ? 'that version' : `memgov ${newest.madeBy} or later`
  throw new StartError(
    'store_newer',
    `A newer version of memgov has made tables of version ${newest.version} in the database, and this one (${packageVersion()}) reads up to ${newestOf(steps)}: use ${wanted}.`,
  )
}

/** @throws StartError when there are none of any version, or the role may not use them */
export async function requireTables(client: Client): Promise<void> {
  if (!(await hasTable(client, 'migration').catch(refuseDenied)))
    throw notMigrated('it has no tables of memgov')
}

/** What a role was refused for want of a right, with what to run; anything else as it is. */
export function refuseDenied(error: unknown): never {
  if (!hasCode(error, DENIED)) throw error
  throw new StartError(
    'store_refused',
    `The role may not use the tables of memgov (${messageOf(error)}). Run memgov store setup --role NAME, which names it, with an address whose role may make tables.`,
  )
}

/** The database says that a role has no right to what it asked for. */
const DENIED = '42501'

async function makeMissing(client: Client, steps: readonly Step[]): Promise<readonly string[]> {
  const required = await appliedIn(client, 'migration')
  refuseNewer(required, steps)
  const applied = [...required, ...(await appliedIn(client, 'pending'))]
  const missing = steps.filter((step) => !isApplied(applied, step))
  for (const { version, text, servesOlder } of missing) {
    if (!servesOlder) refuseBeside(await olderNodes(client, version))
    await client.query(text)
  }
  for (const { version, name, sha256 } of missing) {
    await client.query(
      'insert into memgov.pending (version, name, sha256, made_by) values ($1, $2, $3, $4)',
      [version, name, sha256, packageVersion()],
    )
  }
  return missing.map(({ version, name }) => `${String(version).padStart(4, '0')}-${name}`)
}

/** From here on every node knows the steps, unless an older one lives: nobody else may come in any more, not even by an older build. */
async function finish(client: Client, newest: number): Promise<readonly OlderNode[]> {
  const { rows } = await client.query('select from memgov.pending where version <= $1', [newest])
  if (rows.length === 0) return []
  const older = await olderNodes(client, newest)
  if (older.length > 0) return older
  await client.query('delete from memgov.node where reads < $1', [newest])
  await client.query('alter table memgov.node drop constraint if exists node_reads')
  await client.query(`alter table memgov.node add constraint node_reads check (reads >= ${newest})`)
  await client.query(
    `with moved as (delete from memgov.pending where version <= $1 returning *)
      insert into memgov.migration (version, name, sha256, applied_at, made_by)
      select version, name, sha256, applied_at, made_by from moved`,
    [newest],
  )
  return []
}

/** Nodes that live and do not know a step. None comes or goes until the transaction ends. */
async function olderNodes(client: Client, version: number): Promise<readonly OlderNode[]> {
  if (!(await hasTable(client, 'node'))) return []
  await client.query('lock table memgov.node in access exclusive mode')
  // The column may be younger than the table.
  const older = await client.query<OlderNode>(
    `select url, version, reads from (
       select url, version, coalesce((to_jsonb(n) ->> 'reads')::int, 1) as reads
         from memgov.node n where expires > clock_timestamp() - ${COMES_BACK}) as living
      where reads < $1 order by url`,
    [version],
  )
  return older.rows
}

function refuseBeside(older: readonly OlderNode[]): void {
  if (older.length === 0) return
  throw new StartError(
    'store_refused',
    `The tables cannot be changed while nodes of an older version serve: ${namesOf(older)}. Stop them, then run memgov store setup again.`,
  )
}

export function namesOf(nodes: readonly OlderNode[]): string {
  return nodes
    .map(({ url, version }) => `${url === '' ? 'one without an address' : url} (${version})`)
    .join(', ')
}

async function appliedIn(client: Client, table: 'migration' | 'pending'): Promise<readonly AppliedStep[]> {
  if (!(await hasTable(client, table))) return []
  const found = await client.query<AppliedStep>(
    `select version, sha256, to_jsonb(m) ->> 'made_by' as "madeBy" from memgov.${table} m order by version`,
  )
  return found.rows
}

async function hasTable(client: Client, table: string): Promise<boolean> {
  const asked = 'select to_regclass($1) is not null as there'
  const { rows } = await client.query<{ there: boolean }>(asked, [`memgov.${table}`])
  return rows[0]?.there === true
}

function isApplied(applied: readonly AppliedStep[], { version, sha256 }: Step): boolean {
  const found = applied.find((step) => step.version === version)
  if (found !== undefined && found.sha256 !== sha256) {
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
  for (const table of ['node', 'shard', 'actor', ...CONTENT_TABLES, 'arrival']) {
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
