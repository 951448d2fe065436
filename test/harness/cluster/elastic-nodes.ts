import { createHash } from 'node:crypto'
import { setTimeout as elapsed } from 'node:timers/promises'
import { HealthResponse } from '../../../src/contract/health.ts'
import { BalancedClient, type Seen } from './balanced-client.ts'
import { type Faults, type LoadOptions, ManyScopes } from './many-scopes.ts'
import { type ClusterNode, LEASE_MS, Nodes } from './nodes.ts'

const SHARDS = 1024

/** What nodes have, as far as the load knows. */
export interface Shares {
  /** Shards with scopes in them, and those that have still to move. */
  readonly shards: number
  readonly leaving: number
  /** What the node with most has, over what each should have: shards, and requests so far for what it owns now. */
  readonly mostShards: number
  readonly mostRequests: number
}

/** One change of the nodes, what was seen from its beginning, and the shares at the end. */
export interface StepResult extends Seen, Shares {
  readonly step: string
  readonly nodes: number
}

/** Nodes that come and go under load. */
export class ElasticNodes {
  readonly nodes: Nodes
  readonly client = new BalancedClient()
  readonly load: ManyScopes
  readonly #working: Promise<void>

  readonly #leaseMs: number

  private constructor(nodes: Nodes, load: LoadOptions, leaseMs: number) {
    this.nodes = nodes
    this.#leaseMs = leaseMs
    for (const node of nodes.all) if (node.isUp) this.client.urls.add(node.url)
    this.load = new ManyScopes(this.client, load)
    this.#working = this.load.touch().then(() => this.load.run())
    this.#working.catch(() => undefined)
  }

  /** @param started how many of the nodes run at first */
  static async start(
    all: number,
    started: number,
    load: LoadOptions,
    leaseMs = LEASE_MS,
  ): Promise<ElasticNodes> {
    const launch = { residentMax: 10_000, leaseMs }
    const launches = Array.from({ length: all }, (_, at) => ({ ...launch, isClockAhead: at === 1 }))
    return new ElasticNodes(await Nodes.start(launches, [], started), load, leaseMs)
  }

  /** Nodes that run. */
  get up(): readonly ClusterNode[] {
    return this.nodes.all.filter(({ isUp }) => isUp)
  }

  /** Does something to the nodes, waits, and takes the shares. */
  async step(step: string, change: () => Promise<void>, waitMs: number): Promise<StepResult> {
    this.client.take()
    await Promise.race([change(), this.#failed()])
    await Promise.race([elapsed(waitMs), this.#failed()])
    return { step, nodes: this.up.length, ...(await this.shares()), ...this.client.take() }
  }

  /** What the nodes have now. */
  async shares(): Promise<Shares> {
    const leaving = await this.#leaving()
    const owned = await this.#owners()
    const nodes = this.up.length
    const requests = new Map<string, number>()
    let asked = 0
    for (const [key, count] of this.load.asked) {
      const owner = owned.get(shardOf(key))
      asked += count
      if (owner !== undefined) requests.set(owner, (requests.get(owner) ?? 0) + count)
    }
    const shards = new Map<string, number>()
    for (const owner of owned.values()) shards.set(owner, (shards.get(owner) ?? 0) + 1)
    const inUse = new Set(this.load.actors.map(shardOf)).size
    return {
      shards: inUse,
      leaving,
      mostShards: mostOver(shards, inUse / nodes),
      mostRequests: mostOver(requests, asked / nodes),
    }
  }

  /** Resolves when nothing is to move and no node has more than `most` times its share. Rejects when that does not come about. */
  async untilFair(most: number, waitMs: number): Promise<void> {
    const untilMs = performance.now() + waitMs
    for (;;) {
      const { leaving, mostShards } = await this.shares()
      if (leaving === 0 && mostShards > 0 && mostShards <= most) return
      if (performance.now() > untilMs) throw new Error(`${leaving} are to move, one has ${mostShards} shares`)
      await elapsed(200)
    }
  }

  /** Nodes that are down come up, as many as are wanted. */
  async join(count: number): Promise<void> {
    const down = this.nodes.all.filter(({ isUp }) => !isUp).slice(0, count)
    await Promise.all(down.map((node) => node.start()))
    for (const { url } of down) this.client.urls.add(url)
  }

  /** A node leaves in order: a balancer that asks /ready sends it nothing any more. */
  async leave(node: ClusterNode | undefined): Promise<void> {
    this.client.urls.delete(node?.url ?? '')
    await node?.end('SIGTERM')
  }

  /** A node dies. The balancer has to find out for itself. */
  async kill(node: ClusterNode | undefined): Promise<void> {
    await node?.end('SIGKILL')
    await elapsed(this.#leaseMs)
    this.client.urls.delete(node?.url ?? '')
  }

  /** Ends the load, and compares what is there with what was acknowledged. */
  async faults(): Promise<Faults> {
    this.client.isStopped = true
    await this.#working
    this.client.isStopped = false
    const faults = await this.load.faults()
    const gaps = await this.nodes.database.sql(
      'select actor from memgov.turn group by actor having count(*) <> max(seq) - min(seq) + 1',
    )
    if (gaps.length > 0) throw new Error(`turns of ${gaps.length} scopes are not dense`)
    return faults
  }

  async close(): Promise<void> {
    this.client.isStopped = true
    await this.#working.catch(() => undefined)
    await this.client.close()
    await this.nodes.close()
  }

  /** Rejects when the load does. */
  async #failed(): Promise<void> {
    await this.#working
    await new Promise(() => undefined)
  }

  /** Shards that the nodes themselves say are to move. */
  async #leaving(): Promise<number> {
    const counts = this.up.map(async ({ url }) => {
      const health = HealthResponse.parse(await (await fetch(`${url}/health`)).json())
      return health.cluster?.shards_leaving ?? 0
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  /** The address of the owner of each shard that has one. */
  async #owners(): Promise<ReadonlyMap<number, string>> {
    const rows = await this.nodes.database.sql(
      'select s.shard, n.url from memgov.shard s join memgov.node n on n.id = s.owner where n.expires > clock_timestamp()',
    )
    return new Map(rows.map(({ shard, url }) => [Number(shard), String(url)]))
  }
}

function shardOf(actorKey: string): number {
  return createHash('sha256').update(actorKey).digest().readUInt32LE(0) % SHARDS
}

/** What the one with most has, over a fair share. */
function mostOver(counts: ReadonlyMap<string, number>, share: number): number {
  return share === 0 ? 0 : Math.max(0, ...counts.values()) / share
}
