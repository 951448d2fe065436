import type { Client } from 'pg'
import { StartError } from '../../core/base/errors.ts'
import type { Log } from '../../ports/system.ts'
import { CONTENT_TABLES } from './migrate.ts'

/** `local`: a commit is durable on the server that made it. `replicated`: on a standby too. */
export const STORE_SYNCS = ['local', 'replicated'] as const
export type StoreSync = (typeof STORE_SYNCS)[number]

/** Settings by name that have to be the same on every node, because answers depend on them. */
export type SharedSettings = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

const VERSION_MIN = 150_000
/** Those that hold every name of a tenant or scope. */
const ENCODINGS: readonly string[] = ['UTF8', 'SQL_ASCII']
const ASKED = [
  'server_version_num',
  'server_encoding',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'transaction_read_only',
  'log_statement',
  'log_min_duration_statement',
  'log_parameter_max_length',
] as const
/** Tables into which whoever serves has to write. */
const LACKING = `(select string_agg('memgov.' || name, ', ') from unnest(array[${['node', 'shard', 'actor', ...CONTENT_TABLES].map((name) => `'${name}'`).join()}]) as t (name)
   where not (has_table_privilege('memgov.' || name, 'insert') and has_table_privilege('memgov.' || name, 'update'))) as lacking`
type Asked = Readonly<Record<(typeof ASKED)[number], string>>

/**
 * Compares how the server is set with what a store needs, and what peers answer by with what this node would. Resolves with the
 * number of shards. @throws StartError that says what to change
 */
export async function requireSettings(
  client: Client,
  sync: StoreSync,
  shared: SharedSettings,
  log: Log,
): Promise<number> {
  await requireDirect(client)
  const list = ASKED.map((name) => `current_setting('${name}') as ${name}`).join(', ')
  const { rows } = await client.query<Asked & { lacking: string | null }>(`select ${list}, ${LACKING}`)
  if (rows[0] === undefined) throw refused('it does not say how it is set')
  requireDurable(rows[0], sync)
  if (rows[0].lacking)
    throw refused(
      `the role may not write into ${rows[0].lacking}: run memgov store setup --role NAME, which names it, with an address whose role may make tables`,
    )
  warnOfLoggedText(rows[0], log)
  return requireSameAsPeers(client, shared)
}

/** Behind a pooler statements of one node meet those of others, and the warnings of the server are lost. */
async function requireDirect(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const said: unknown = Reflect.get(client, 'processID')
  if (rows[0]?.pid !== said) {
    throw refused(
      'there is a pooler before it: name the address of the server itself, memgov pools by itself',
    )
  }
}

function requireDurable(set: Asked, sync: StoreSync): void {
  const version = Number(set.server_version_num)
  if (version < VERSION_MIN)
    throw refused(`it is PostgreSQL ${Math.floor(version / 10_000)}: use version 15 or later`)
  if (!ENCODINGS.includes(set.server_encoding))
    throw refused(
      `its encoding is ${set.server_encoding}, which cannot hold every name of a scope: make a database with encoding UTF8`,
    )
  if (set.transaction_read_only === 'on')
    throw refused(
      'it takes no writes: name the address of the primary, and set default_transaction_read_only = off',
    )
  if (set.fsync !== 'on')
    throw refused('fsync is off, so that a crash loses what was acknowledged: set fsync = on')
  if (set.full_page_writes !== 'on')
    throw refused('full_page_writes is off, so that a crash can tear pages: set full_page_writes = on')
  const weak = ['off', ...(sync === 'replicated' ? ['local', 'remote_write'] : [])]
  if (weak.includes(set.synchronous_commit))
    throw refused(
      `synchronous_commit is ${set.synchronous_commit}, so that a crash loses what was acknowledged: set synchronous_commit = on`,
    )
  if (sync === 'replicated' && set.synchronous_standby_names === '')
    throw refused(
      "storeSync is replicated and no standby is synchronous: set synchronous_standby_names, such as 'ANY 1 (standby)', or storeSync to local",
    )
}

/** Parameters hold memory text. */
function warnOfLoggedText(set: Asked, log: Log): void {
  const isLogged = ['mod', 'all'].includes(set.log_statement) || set.log_min_duration_statement !== '-1'
  if (isLogged && set.log_parameter_max_length !== '0') {
    log.warn(
      {},
      'the database writes parameters of statements, which hold memory text, into its log: set log_parameter_max_length = 0',
    )
  }
}

async function requireSameAsPeers(client: Client, shared: SharedSettings): Promise<number> {
  // The first node says what counts; it may be changed while no other one lives, and none comes in between.
  await client.query('begin isolation level read committed')
  await client.query('select from memgov.store for update')
  await client.query(
    `update memgov.store set settings = $1 where settings is null
      or (settings <> $1 and not exists (select from memgov.node where expires > clock_timestamp()))`,
    [JSON.stringify(shared)],
  )
  await client.query('commit')
  const { rows } = await client.query<{ settings: Record<string, unknown>; shards: number }>(
    'select settings, shards from memgov.store',
  )
  const [store] = rows
  if (store === undefined) throw refused('its tables are empty: run memgov store setup again')
  refuseOther(store.settings, shared)
  // Nodes of an older version have not heard of every setting: of a new one the first node that knows it says what counts.
  if (!Object.keys(shared).every((name) => Object.hasOwn(store.settings, name))) {
    refuseOther(await completed(client, shared), shared)
  }
  return store.shards
}

/** @throws StartError that names what nodes would answer differently by */
function refuseOther(settings: Readonly<Record<string, unknown>>, shared: SharedSettings): void {
  const other = Object.entries(shared).filter(
    ([name, value]) =>
      Object.hasOwn(settings, name) && JSON.stringify(settings[name]) !== JSON.stringify(value),
  )
  if (other.length === 0) return
  const list = other.map(
    ([name, value]) => `${name} is ${JSON.stringify(settings[name])} there and ${JSON.stringify(value)} here`,
  )
  throw refused(
    `other nodes would answer differently: ${list.join('; ')}. Set the same, or stop the other nodes first`,
  )
}

/** What nodes answer by, with what this node adds to it. */
async function completed(client: Client, shared: SharedSettings): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await client.query<{ settings: Record<string, unknown> }>(
    'update memgov.store set settings = $1::jsonb || settings returning settings',
    [JSON.stringify(shared)],
  )
  return rows[0]?.settings ?? {}
}

function refused(why: string): StartError {
  return new StartError('store_refused', `The database cannot be used: ${why}.`)
}
