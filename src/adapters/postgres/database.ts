import { hash } from 'node:crypto'
import type { Client, Pool, PoolClient, QueryResult } from 'pg'
import { messageOf, StartError } from '../../core/base/errors.ts'
import { Seldom } from '../../core/base/seldom.ts'
import type { Durability, JournalFailureKind } from '../../ports/store.ts'
import type { Log } from '../../ports/system.ts'
import { StoreFailure } from '../files/store-parts.ts'
import type { DatabaseAddress } from './address.ts'

type Driver = Pick<typeof import('pg'), 'Pool' | 'Client'>

export type Row = Readonly<Record<string, unknown>>

export interface DatabaseOptions {
  readonly address: DatabaseAddress
  readonly log: Log
  readonly durability: Durability
  /** A lease has to be renewed within this time, or not at all. */
  readonly leaseMs: number
  /** How long a new connection may take, ms; 3 s unless given: requests wait for it. */
  readonly connectMs?: number
}

/** PostgreSQL cuts a name off behind 63. */
const NAME_DIGITS = 32
const CONNECT_MS = 3_000
/** While pages are written anew, writers of the same partition wait. */
const STATEMENT_MS = 30_000
const LONG_STATEMENT_MS = 3_600_000
const APPENDS = 12
const OTHERS = 8
const LEASES = 3

/** The name by which connections prepare a statement. */
export function preparedName(statement: string): string {
  return hash('sha256', statement, 'hex').slice(0, NAME_DIGITS)
}

/** The connections of one node: those of leases never wait behind those of writes, nor these behind reads. */
export class Database {
  readonly #appends: Pool
  readonly #ready: ReturnType<typeof readyConnections>
  readonly #others: Pool
  readonly #leases: Pool
  /** By statement: a connection prepares one with a name once. Values never stand in the text. */
  readonly #names = new Map<string, string>()
  /** What the server warned of last on a connection, since a statement that writes was sent there. */
  readonly #warnings = new Map<PoolClient, string>()
  #isReachable = true
  readonly #log: Log
  readonly #told = new Seldom()

  private constructor(pg: Driver, options: DatabaseOptions) {
    const { address, log, durability, leaseMs, connectMs = CONNECT_MS } = options
    this.#log = log
    const pool = (max: number, timeoutMs: number, settings: readonly string[] = []): Pool => {
      const made = new pg.Pool({
        ...address,
        max,
        application_name: 'memgov',
        connectionTimeoutMillis: Math.min(connectMs, timeoutMs),
        query_timeout: timeoutMs,
        keepAlive: true,
        idleTimeoutMillis: 60_000,
        allowExitOnIdle: true,
        options: [...SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' '),
      })
      // Without a listener a database that restarts would end the process.
      made.on('error', (error) => log.warn({ cause: error.message }, 'a connection to the database was lost'))
      made.on('connect', (client) => client.on('error', () => undefined))
      return made
    }
    const commit = durability === 'sync' ? [] : ['synchronous_commit=off']
    this.#appends = pool(APPENDS, STATEMENT_MS, commit)
    this.#appends.on('connect', (client) => this.#listenTo(client))
    this.#ready = readyConnections(this.#appends, () => performance.now())
    this.#others = pool(OTHERS, STATEMENT_MS, commit)
    this.#leases = pool(LEASES, leaseMs, [`lock_timeout=${leaseMs}`])
  }

  static async over(options: DatabaseOptions): Promise<Database> {
    return new Database(await loadDriver(), options)
  }

  get isReachable(): boolean {
    return this.#isReachable
  }

  query(statement: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.#heardOf(this.#others.query<Row>(this.#named(statement, values)))
  }

  /** The same for a statement that takes as long as the tables are large. */
  longQuery(statement: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    const query = { ...this.#named(statement, values), query_timeout: LONG_STATEMENT_MS }
    return this.#heardOf(this.#others.query<Row>(query))
  }

  /** The same on a connection that only leases use. */
  lease(statement: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.#heardOf(this.#leases.query<Row>(this.#named(statement, values)))
  }

  /**
   * One writing statement. A warning of the server while it ran means that it may not be on the standby which it should be
   * on: then nobody may say that it is stored. Rejects as `unavailable` when it was not sent at all. Where a connection is
   * idle it is sent before this returns.
   */
  write(statement: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    const client = this.#ready.take()
    if (client !== null) return this.#written(client, statement, values)
    return this.#connected().then((made) => this.#written(made, statement, values))
  }

  async close(): Promise<void> {
    await Promise.all([this.#ready.close(), this.#others.end(), this.#leases.end()])
  }

  #listenTo(client: PoolClient): void {
    client.on('notice', ({ code = '', message = '' }) => {
      if (code !== NO_WARNING) this.#warnings.set(client, message)
    })
    client.once('end', () => this.#warnings.delete(client))
  }

  #connected(): Promise<PoolClient> {
    return this.#heardOf(this.#appends.connect()).catch((cause: Error) => {
      throw new StoreFailure('unavailable', `the database cannot be reached: ${cause.message}`, { cause })
    })
  }

  /** By a callback: whoever waits for a turn would go through four more promises. */
  #written(client: PoolClient, statement: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    this.#warnings.delete(client)
    return new Promise((resolve, reject) => {
      client.query<Row>(this.#named(statement, values), (error: Error | null, result) => {
        const warning = this.#warnings.get(client)
        const failed =
          error ??
          (warning === undefined ? undefined : new StoreFailure('unknown', `the database warned: ${warning}`))
        this.#heard(error ?? null)
        this.#ready.give(client, failed)
        if (failed === undefined) resolve(result)
        else reject(failed)
      })
    })
  }

  #named(text: string, values: readonly unknown[]) {
    const name = this.#names.get(text) ?? preparedName(text)
    this.#names.set(text, name)
    return { name, text, values: [...values] }
  }

  async #heardOf<Value>(asked: Promise<Value>): Promise<Value> {
    try {
      const value = await asked
      this.#heard(null)
      return value
    } catch (error) {
      this.#heard(error)
      throw error
    }
  }

  #heard(error: unknown): void {
    const state = sqlStateOf(error)
    this.#isReachable = error === null || (state !== null && !TAKES_NOTHING.test(state))
    if (error === null || !this.#isReachable) return
    // Whoever asked is told to repeat: only the log says what has to be changed, once for many requests.
    const cause = messageOf(error)
    if (this.#told.fields(cause, performance.now()) !== null)
      this.#log.warn({ cause }, 'the database refused a statement')
  }
}

/** The rows that a statement gives. Rejects with what a failed read means. */
export async function rowsOf(
  database: Pick<Database, 'query'>,
  statement: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    return (await database.query(statement, values)).rows
  } catch (error) {
    throw readFailure(error)
  }
}

/** Rows page by page, until one has none. @param valuesBehind what asks for the page behind a row; undefined: for the first one */
export async function* pagedRows(
  database: Pick<Database, 'query'>,
  statement: string,
  valuesBehind: (last?: Row) => readonly unknown[],
): AsyncGenerator<Row> {
  let rows = await rowsOf(database, statement, valuesBehind())
  while (rows.length > 0) {
    yield* rows
    rows = await rowsOf(database, statement, valuesBehind(rows.at(-1)))
  }
}

/**
 * Byte strings as one value, with the place and size of each for `substring(bytes from place for size)`: a list of byte
 * strings would travel as text of twice the size.
 */
export function packed(pieces: readonly Uint8Array[]) {
  const sizes = pieces.map(({ length }) => length)
  let at = 1
  const places = sizes.map((size) => {
    at += size
    return at - size
  })
  return { bytes: Buffer.concat(pieces), places, sizes }
}

/** Parameters hold memory text: an error in a statement may not bring them into the log of the server. */
const SETTINGS = ['log_parameter_max_length_on_error=0', 'jit=off', 'client_min_messages=warning']

/** One connection, for what is done once. The caller ends it. */
export async function connected(address: DatabaseAddress, connectMs = CONNECT_MS): Promise<Client> {
  const pg = await loadDriver()
  const client = new pg.Client({
    ...address,
    application_name: 'memgov',
    connectionTimeoutMillis: connectMs,
    options: [...SETTINGS, `lock_timeout=${STATEMENT_MS}`].map((setting) => `-c ${setting}`).join(' '),
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (cause) {
    const at = `${address.host}:${address.port}`
    throw new StartError(
      'store_refused',
      `The database at ${at} cannot be reached: ${messageOf(cause)}.`,
      {},
      cause,
    )
  }
  return client
}

/** The package is a part of no installation that does not ask for it. */
async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new StartError(
      'store_refused',
      'A store on PostgreSQL needs the package pg beside memgov: npm install pg@8.',
      {},
      cause,
    )
  }
}

/** What lies between may have dropped a connection that was idle for longer, without a word. */
const IDLE_MS_MAX = 60_000

/**
 * Connections of a pool that are kept between two uses. The pool gives one in a later step of the loop only; one of these takes
 * a statement at once, so that the caller goes on while the database works.
 */
function readyConnections(pool: Pool, monotonicMs: () => number) {
  /** The one that was used last is the last. */
  const idle: { readonly client: PoolClient; readonly sinceMs: number }[] = []
  let isClosed = false
  pool.on('connect', (client) => client.on('error', (error) => lost(client, error)))

  function lost(client: PoolClient, error: Error): void {
    const at = idle.findIndex((each) => each.client === client)
    if (at < 0) return
    idle.splice(at, 1)
    client.release(error)
  }

  return {
    /** Null: the pool has to be asked. */
    take(): PoolClient | null {
      const last = idle.pop()
      if (last === undefined) return null
      if (monotonicMs() - last.sinceMs <= IDLE_MS_MAX) {
        keepAlive(last.client, 'ref')
        return last.client
      }
      // The others are idle for even longer.
      for (const { client } of [...idle.splice(0), last]) client.release(true)
      return null
    },
    /** @param failed why it cannot be used again; whoever failed may still be busy */
    give(client: PoolClient, failed?: Error): void {
      if (failed !== undefined || isClosed || pool.waitingCount > 0) return client.release(failed)
      keepAlive(client, 'unref')
      idle.push({ client, sinceMs: monotonicMs() })
    },
    async close() {
      isClosed = true
      const ended = pool.end()
      for (const { client } of idle.splice(0)) client.release()
      await ended
    },
  }
}

/** An idle connection keeps no process alive. The driver has the methods, its types have not. */
function keepAlive(client: PoolClient, how: 'ref' | 'unref'): void {
  const method: unknown = Reflect.get(client, how)
  if (typeof method === 'function') method.call(client)
}

/** A statement found that the shard has another epoch: its writer does not own it any more. */
export function fenced(shard: number, owner: string | null = null): StoreFailure {
  return new StoreFailure('fenced', `shard ${shard} belongs to another node`, { owner, shard })
}

/** No row of the key may be there twice. */
const UNIQUE_VIOLATION = '23505'
const DISK_FULL = '53100'
// How grave something is a server says in the language that it is set to.
const NO_WARNING = '00000'
/** It ends the connection, or lets nobody in. */
const TAKES_NOTHING = /^(57P0|08|28|3D|53300)/
/** A server that says one of these may have said it behind a commit; any other error of it means that nothing was written. */
const ENDED_BY_SERVER = /^(57P0|08|XX)/

/** SQLSTATE of what the server said; null: nobody knows what became of the statement. */
export function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

/** Whatever is written next meets the same: no right, read-only, no room, a system that fails. */
export function refusesAll(error: StoreFailure): boolean {
  return error.journalFailure === 'unavailable' && /^(25|42|53|58)/.test(sqlStateOf(error.cause) ?? '')
}

export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === DISK_FULL || (error instanceof Error && sqlStateOf(error.cause) === DISK_FULL)
}

/** What a failed write means. Only what the server has certainly rolled back counts as not written. */
export function writeFailure(error: unknown): StoreFailure {
  const state = sqlStateOf(error)
  if (state === UNIQUE_VIOLATION) return failure('conflict', 'the turn is stored already', error)
  if (state === null || ENDED_BY_SERVER.test(state))
    return failure('unknown', 'the database did not say whether it has stored this', error)
  return failure('unavailable', 'the database refused this', error)
}

export function readFailure(error: unknown): StoreFailure {
  return failure('unavailable', 'the database does not answer', error)
}

export function refuseRead(error: unknown): never {
  throw readFailure(error)
}

/** What was told before stays as it was told. */
function failure(kind: JournalFailureKind, what: string, cause: unknown): StoreFailure {
  if (cause instanceof StoreFailure) return cause
  return new StoreFailure(kind, `${what}: ${messageOf(cause)}`, { cause })
}
