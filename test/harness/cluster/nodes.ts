import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrate } from '../../../src/adapters/postgres/migrate.ts'
import { freePort, PostgresCluster, SERVING_ROLE } from '../postgres.ts'
import { MAIN, MODULES_MAIN, type ServedProcess, startServing } from '../process.ts'
import { DatabaseLink } from './database-link.ts'

export const LEASE_MS = 2_000
const SECRET = 'what-only-the-nodes-of-this-test-know'
const CLOCK_AHEAD = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts')
      ? '../../fixtures/clock-ahead.mjs'
      : '../../../../test/fixtures/clock-ahead.mjs',
    import.meta.url,
  ),
)
const FLAGS = ['--snapshot-min-bytes', '4096', '--log-level', 'error']
/** So few that actors are evicted and snapshotted all the time. */
const RESIDENT_MAX = 4

/** How a node is started other than plainly. */
export interface NodeLaunch {
  readonly isClockAhead?: boolean
  /** Modules that are loaded before it. */
  readonly imports?: readonly string[]
  /** It wants a standby behind its database. */
  readonly isReplicated?: boolean
  /** The built tree of another version; this one unless given. */
  readonly build?: string
  readonly residentMax?: number
  readonly leaseMs?: number
}

/** One node as its own process, which is started again on the same address. */
export class ClusterNode {
  readonly url: string
  readonly link: DatabaseLink
  readonly #port: number
  readonly #store: string
  readonly #launch: NodeLaunch
  #main: string | null
  #served: ServedProcess | null = null

  constructor(port: number, store: string, link: DatabaseLink, launch: NodeLaunch) {
    this.#port = port
    this.#store = store
    this.#launch = launch
    this.#main = launch.build === undefined ? null : mainOf(launch.build)
    this.url = `http://127.0.0.1:${port}`
    this.link = link
  }

  /** From its next start on it runs this build, or the one of another tree. */
  becomes(build: string | null): void {
    this.#main = build === null ? null : mainOf(build)
  }

  async start(): Promise<void> {
    const {
      isClockAhead = false,
      imports = [],
      residentMax = RESIDENT_MAX,
      leaseMs = LEASE_MS,
      isReplicated = false,
    } = this.#launch
    const modules = [...(isClockAhead ? [CLOCK_AHEAD] : []), ...imports]
    const imported = modules.map((path) => `--import=${path}`).join(' ')
    const env = {
      MEMGOV_STORE: this.#store,
      MEMGOV_NODE_URL: this.url,
      MEMGOV_LEASE_MS: String(leaseMs),
      MEMGOV_CLUSTER_SECRET: SECRET,
      MEMGOV_STORE_SYNC: isReplicated ? 'replicated' : 'local',
      ...(imported === '' ? {} : { NODE_OPTIONS: imported }),
    }
    // What is planted names modules, which the bundle has none of.
    const own = imports.length > 0 ? { main: MODULES_MAIN } : {}
    const main = this.#main === null ? own : { main: this.#main }
    const flags = ['--port', String(this.#port), '--resident-actors-max', String(residentMax), ...FLAGS]
    this.#served = await startServing(flags, { env, ...main })
  }

  get isUp(): boolean {
    return this.#served !== null
  }

  /** What it wrote to its log in this life. */
  get log(): string {
    return this.#served?.stderr() ?? ''
  }

  signal(signal: NodeJS.Signals): void {
    this.#served?.signal(signal)
  }

  /** Resolves when the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const served = this.#served
    this.#served = null
    // What is stopped takes no other signal.
    served?.signal('SIGCONT')
    served?.signal(signal)
    await served?.exited
  }
}

/** A database of its own and nodes on it. */
export class Nodes {
  readonly database: PostgresCluster
  readonly all: readonly ClusterNode[]

  private constructor(database: PostgresCluster, all: readonly ClusterNode[]) {
    this.database = database
    this.all = all
  }

  /** @param started how many of them run at first; all, unless told otherwise */
  static async start(
    launches: readonly NodeLaunch[],
    settings: readonly string[] = [],
    started = launches.length,
  ): Promise<Nodes> {
    const database = await PostgresCluster.start(settings)
    const build = launches[0]?.build
    if (build === undefined) await madeHere(database)
    else await setUpBy(database, mainOf(build))
    if (launches.some(({ isReplicated }) => isReplicated === true)) await database.addStandby()
    const all: ClusterNode[] = []
    for (const launch of launches) {
      const link = await DatabaseLink.to(database.port)
      const store = `postgres://${SERVING_ROLE}@127.0.0.1:${link.port}/postgres`
      all.push(new ClusterNode(await freePort(), store, link, launch))
    }
    await Promise.all(all.slice(0, started).map((node) => node.start()))
    return new Nodes(database, all)
  }

  /** What `memgov store setup` of this build says. */
  setUp(): Promise<string> {
    return setUpBy(this.database, MAIN)
  }

  /** The node that owns a scope now; null: none does. */
  async ownerOf(tenantId: string, scope: string): Promise<ClusterNode | null> {
    const rows = await this.database.sql(
      `select n.url from memgov.actor a join memgov.shard s using (shard) join memgov.node n on n.id = s.owner
        where a.actor = $1`,
      [`${tenantId}/${scope}`],
    )
    return this.all.find(({ url }) => url === rows[0]?.['url']) ?? null
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((node) => node.end('SIGKILL')))
    for (const { link } of this.all) link.close()
    await this.database.remove()
  }
}

async function madeHere(database: PostgresCluster): Promise<void> {
  const client = new pg.Client({ connectionString: database.url() })
  await client.connect()
  await migrate(client, SERVING_ROLE)
  await client.end()
}

/** This process has to go on meanwhile: it passes on what nodes say to their database. */
async function setUpBy(database: PostgresCluster, main: string): Promise<string> {
  const argv = [main, 'store', 'setup', '--role', SERVING_ROLE]
  const env = { PATH: process.env['PATH'] ?? '', MEMGOV_STORE: database.url() }
  return (await promisify(execFile)(process.execPath, argv, { env })).stdout
}

function mainOf(build: string): string {
  return join(build, 'dist/service/main.js')
}
