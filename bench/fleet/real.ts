import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import pg from 'pg'
import { Pool } from 'undici'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { freePort, PostgresCluster, SERVING_ROLE } from '../../test/harness/postgres.ts'
import { type ServedProcess, startServing } from '../../test/harness/process.ts'
import type { Mix, MixedRequest } from '../load/mix.ts'
import { openLoop } from '../load/open-loop.ts'
import { systemPacer } from '../load/pacer.ts'
import { machineBusyMs } from '../suite/machine.ts'
import { type Seen, seenIn } from './runs.ts'

const SECRET = 'what-only-the-nodes-of-this-bench-know'
const HEADERS = { 'content-type': 'application/json' }
const TICK_MS = 10
const ERROR_TEXT_CHARS = 300
/** Refused while a scope moves: asked again, as a client does. */
const PASSING = [421, 503]
const PAUSE_MS = 100

interface RealNode {
  readonly url: string
  readonly served: ServedProcess
  readonly pool: Pool
}

/** Processor time so far, in milliseconds. */
export interface Spent {
  /** Of the serving thread of each node, and of its other threads. */
  readonly serving: readonly number[]
  readonly aside: readonly number[]
  readonly database: number
  /** This process, which asks. */
  readonly asking: number
  /** Transactions that stored turns, and the turns. */
  readonly commits: number
  readonly turns: number
}

/** Real nodes on this machine over a database of their own. */
export class RealFleet {
  readonly #database: PostgresCluster
  readonly #name: string
  #nodes: RealNode[] = []

  private constructor(database: PostgresCluster, name: string) {
    this.#database = database
    this.#name = name
  }

  /** Over an empty database of a server that runs. */
  static async start(database: PostgresCluster, nodes: number): Promise<RealFleet> {
    const name = await database.database()
    const client = new pg.Client({ connectionString: database.url(name) })
    await client.connect()
    await migrate(client, SERVING_ROLE)
    await client.end()
    const fleet = new RealFleet(database, name)
    await Promise.all(Array.from({ length: nodes }, () => fleet.#join()))
    // Every node has to have heard of all others, or it keeps what is not its share.
    await pause(LEASE_MS)
    return fleet
  }

  /** Sends one request until it is taken, to the node given or to any. Throws an Error for an answer that is no refusal of the moment. */
  async ask({ kind, body }: Pick<MixedRequest, 'kind' | 'body'>, node = this.#any()): Promise<string> {
    for (;;) {
      const pool = this.#nodes[node]?.pool
      if (pool === undefined) throw new Error(`there is no node ${node}`)
      const path = `/v1/${kind}`
      const answer = await pool.request({
        method: 'POST',
        path,
        headers: HEADERS,
        body: JSON.stringify(body),
      })
      const text = await answer.body.text()
      if (answer.statusCode === 200) return text
      if (!PASSING.includes(answer.statusCode)) {
        throw new Error(`${path} was answered ${answer.statusCode}: ${text.slice(0, ERROR_TEXT_CHARS)}`)
      }
      await pause(PAUSE_MS)
    }
  }

  /** So many memories for each scope of a mix. */
  async fill(mix: Mix, memories: number): Promise<void> {
    for (let each = 0; each < memories; each += 1) {
      await Promise.all(mix.scopes.map((scope) => this.ask({ kind: 'observe', body: mix.observe(scope) })))
    }
  }

  /** Clients who ask again as soon as they are answered. The first third of the time is not counted. */
  async saturate(next: () => MixedRequest, clients: number, forMs: number, learner?: Mix): Promise<Seen> {
    const latencies: number[] = []
    const [sinceMs, countedMs] = [performance.now(), performance.now() + forMs / 3]
    const client = async (): Promise<void> => {
      while (performance.now() - sinceMs < forMs) {
        const request = next()
        const askedMs = performance.now()
        const text = await this.ask(request)
        if (askedMs > countedMs) latencies.push(performance.now() - askedMs)
        if (request.kind === 'guide') learner?.learn(request.scope, Object(JSON.parse(text)))
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    return seenIn(latencies, performance.now() - countedMs)
  }

  /**
   * What a time at full load leaves behind is over: snapshots that were due, pages that the database has yet to write, the work of
   * collectors. Resolves with false when the fleet is busy for longer than it may take.
   */
  async calm(): Promise<boolean> {
    await this.#sql('checkpoint')
    for (let looks = 0; looks < CALM_LOOKS_MAX; looks += 1) {
      const [beforeMs, sinceMs] = [this.#usedMs(), performance.now()]
      await pause(CALM_LOOK_MS)
      if ((this.#usedMs() - beforeMs) / (performance.now() - sinceMs) < CALM_CORES) return true
    }
    return false
  }

  /** Requests at a constant rate. The first fifth is not counted. */
  async pace(next: () => MixedRequest, ratePerS: number, durationMs: number): Promise<Seen> {
    const latencies: number[] = []
    let failure: unknown = null
    const warm = (ratePerS * durationMs) / 1_000 / 5
    let answered = 0
    const tookMs = await openLoop({
      ratePerS,
      durationMs,
      pacer: systemPacer,
      send: () =>
        this.ask(next()).catch((error: unknown) => {
          failure ??= error
        }),
      onSend: () => undefined,
      onAnswer: (_, latencyMs) => {
        if ((answered += 1) > warm) latencies.push(latencyMs)
      },
    })
    if (failure !== null) throw failure
    return { ...seenIn(latencies, tookMs), perS: (answered * 1_000) / tookMs }
  }

  /** The node that has each scope, by its name. */
  async owners(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql(
      'select a.actor, n.url from memgov.actor a join memgov.shard s using (shard) join memgov.node n on n.id = s.owner',
    )
    return new Map(
      rows.map(({ actor, url }) => [
        String(actor).split('/').slice(1).join('/'),
        this.#nodes.findIndex((node) => node.url === url),
      ]),
    )
  }

  async spent(): Promise<Spent> {
    const threads = this.#nodes.map(({ served: { pid } }) => threadsOf(pid))
    const [row] = await this.#sql(
      'select count(*)::int as turns, count(distinct xmin::text)::int as commits from memgov.turn',
    )
    const { user, system } = process.cpuUsage()
    return {
      serving: threads.map(({ serving }) => serving),
      aside: threads.map(({ all, serving }) => all - serving),
      database: familyMs(this.#database.pid()),
      asking: (user + system) / 1_000,
      commits: Number(row?.['commits']),
      turns: Number(row?.['turns']),
    }
  }

  /** The same, with the cores that programs which are no part of the fleet had meanwhile. */
  async beside(measure: () => Promise<Seen>): Promise<Seen & { readonly coresOfOthers: number }> {
    const [beforeMs, busyMs, sinceMs] = [this.#usedMs(), machineBusyMs(), performance.now()]
    const asking = process.cpuUsage()
    const seen = await measure()
    const { user, system } = process.cpuUsage(asking)
    const ownMs = this.#usedMs() - beforeMs + (user + system) / 1_000
    const othersMs = machineBusyMs() - busyMs - ownMs
    return { ...seen, coresOfOthers: Math.max(0, othersMs / (performance.now() - sinceMs)) }
  }

  /** One node dies. Resolves when its lease has ended: what it had is loaded by whoever is asked. */
  async lose(node: number): Promise<void> {
    const [lost] = this.#nodes.splice(node, 1)
    if (lost !== undefined) await ended(lost, 'SIGKILL')
    await pause(2 * LEASE_MS)
  }

  /** What a turn takes in the database, with its index. */
  async bytesOfTurn(): Promise<number> {
    const [row] = await this.#sql(
      `select sum(pg_total_relation_size(relid))::float8 / (select count(*) from memgov.turn) as bytes
        from pg_partition_tree('memgov.turn') where isleaf`,
    )
    return Number(row?.['bytes'])
  }

  /** Processor time of nodes and database so far. */
  #usedMs(): number {
    const nodes = this.#nodes.reduce((sum, { served: { pid } }) => sum + threadsOf(pid).all, 0)
    return nodes + familyMs(this.#database.pid())
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.splice(0).map((node) => ended(node, 'SIGTERM')))
    await this.#database.sql(`drop database ${this.#name} with (force)`)
  }

  async #join(): Promise<void> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const served = await startServing(['--port', String(port), '--log-level', 'error'], {
      env: {
        MEMGOV_STORE: this.#database.url(this.#name, SERVING_ROLE),
        MEMGOV_NODE_URL: url,
        MEMGOV_LEASE_MS: String(LEASE_MS),
        MEMGOV_CLUSTER_SECRET: SECRET,
      },
    })
    served.leaveOutput()
    this.#nodes.push({ url, served, pool: new Pool(url, { connections: CONNECTIONS }) })
  }

  #any(): number {
    return Math.floor(Math.random() * this.#nodes.length)
  }

  #sql(text: string) {
    return this.#database.sql(text, [], this.#name)
  }
}

const LEASE_MS = 5_000
const CONNECTIONS = 64
/** A fleet that nobody asks renews leases and looks for shards that belong elsewhere. */
const CALM_CORES = 0.1
const CALM_LOOK_MS = 500
const CALM_LOOKS_MAX = 40

async function ended({ served, pool }: RealNode, signal: NodeJS.Signals): Promise<void> {
  served.signal(signal)
  await served.exited
  await pool.destroy()
}

/** Processor time of the first thread of a process, and of all. */
function threadsOf(pid: number): { readonly serving: number; readonly all: number } {
  const msOf = (thread: string) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + msOf(thread), 0)
  return { serving: msOf(String(pid)), all }
}

/** Processor time of a process, of its children, and of those that have ended. */
function familyMs(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (name === String(pid)) ticks += sumOf(fields, 11, 15)
    else if (fields[1] === String(pid)) ticks += sumOf(fields, 11, 13)
  }
  return ticks * TICK_MS
}

/** What Linux says of a process, behind its name: state, parent … utime, stime, cutime, cstime. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function sumOf(fields: readonly string[], from: number, to: number): number {
  return fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
