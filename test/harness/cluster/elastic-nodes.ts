import { createHash } from 'node:crypto'
import { setTimeout as elapsed } from 'node:timers/promises'
import { BalancedClient, type Seen } from './balanced-client.ts'
import { type Faults, type LoadOptions, ManyScopes } from './many-scopes.ts'
import { type ClusterNode, LEASE_MS, Nodes } from './nodes.ts'

const SHARDS = 1024
/** Time in which requests are counted for the shares. */
const SHARES_MS = 3_000

/** One change of the nodes, and what was seen from its beginning until the shares were taken. */
export interface StepResult extends Seen {
  readonly step: string
  readonly nodes: number
  /** What the node with most has, over what each would have: shards, and requests. */
  readonly mostShards: number
  readonly mostRequests: number
  /** Shards with an owner. */
  readonly shards: number
}

/** Nodes that come and go under load. */
export class ElasticNodes {
  readonly nodes: Nodes
  readonly client = new BalancedClient()
  readonly load: ManyScopes
  readonly #working: Promise<void>

  private constructor(nodes: Nodes, load: LoadOptions) {
    this.nodes = nodes
    for (const node of nodes.all) if (node.isUp) this.client.urls.add(node.url)
    this.load = new ManyScopes(this.client, load)
    this.#working = this.load.touch().then(() => this.load.run())
    this.#working.catch(() => undefined)
  }

  /** @param started how many of the nodes run at first */
  static async start(all: number, started: number, load: LoadOptions): Promise<ElasticNodes> {
    const launches = Array.from({ length: all }, (_, at) => ({ residentMax: 10_000, isClockAhead: at === 1 }))
    return new ElasticNodes(await Nodes.start(launches, [], started), load)
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
    const owned = await this.#owners()
    this.load.takeAsked()
    await elapsed(SHARES_MS)
    const asked = this.load.takeAsked()
    const requests = new Map<string, number>()
    for (const [key, count] of asked) {
      const owner = owned.get(shardOf(key))
      if (owner !== undefined) requests.set(owner, (requests.get(owner) ?? 0) + count)
    }
    const shards = new Map<string, number>()
    for (const owner of owned.values()) shards.set(owner, (shards.get(owner) ?? 0) + 1)
    const nodes = this.up.length
    return {
      step,
      nodes,
      ...this.client.take(),
      shards: owned.size,
      mostShards: mostOver(shards, nodes),
      mostRequests: mostOver(requests, nodes),
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
    await elapsed(LEASE_MS)
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

/** What the one with most has, over what each of `nodes` would have. */
function mostOver(counts: ReadonlyMap<string, number>, nodes: number): number {
  const all = [...counts.values()]
  const sum = all.reduce((total, count) => total + count, 0)
  return sum === 0 ? 0 : Math.max(...all) / (sum / nodes)
}
