import { request } from 'undici'
import { OPERATIONS } from '../../src/contract/operations.ts'
import { DomainError } from '../../src/core/base/errors.ts'
import { createServer as createEdge } from '../../src/edges/http/server.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import type { Keys } from '../../src/ports/keys.ts'
import type { OperatorStream } from '../../src/runtime/runtime.ts'
import { httpOptions } from '../harness/edge.ts'
import { freePort } from '../harness/listener.ts'
import { memoryLog } from '../harness/system.ts'
import { type Call, fakeRuntime } from './http-fixture.ts'

// Nodes that share a store, each of which has all of it or nothing.

export const SECRET = 'a secret of thirty-two characters'
export const AT_MS = 1_769_860_800_000

export const closing: (() => Promise<unknown>)[] = []

/** For `afterEach`. */
export async function closeNodes(): Promise<void> {
  for (const close of closing.splice(0)) await close()
}

/** What all nodes see of each other: addresses, the clock of the store, and who has everything. */
export class World {
  readonly nodes = new Map<string, string>()
  nowMs = AT_MS + 0.25
  owner: string | null = null
  /** Nodes that answered, those that took no request, and what a new look at the store shows. */
  readonly trusted: string[] = []
  readonly doubted: string[] = []
  onLook = (): void => {}

  seenBy(url: string): Cluster {
    const nodeId = () => this.nodes.get(url) ?? 'gone'
    return {
      get nodeId() {
        return nodeId()
      },
      url,
      isLeaseValid: () => true,
      nodesAlive: () => this.nodes.size,
      shardsHeld: () => 1,
      shardsLeaving: () => 0,
      hotShards: () => [],
      shardChanges: () => ({ taken: 1, moved: 0, idle: 0, lost: 0 }),
      isStoreReachable: () => true,
      doubt: (at) => void this.doubted.push(at),
      trust: (id) => void this.trusted.push(id),
      lookAgain: async () => this.onLook(),
      nodeAt: (at) => this.nodes.get(at) ?? null,
      storeNowMs: () => this.nowMs,
      readByAll: () => 1,
    }
  }
}

export interface NodeOptions {
  readonly keys?: Keys | null
  readonly secret?: string
  readonly answer?: (call: Call) => object | Promise<object>
  readonly follow?: (body: unknown) => OperatorStream
  readonly isAlone?: boolean
}

/** A node whose actors are all its own, or all those of the owner. */
export async function startNode(
  world: World,
  { keys = null, secret = SECRET, answer, follow, isAlone = false }: NodeOptions = {},
) {
  let url = ''
  let isRefusing = false
  const { runtime, calls } = fakeRuntime(async (call) => {
    if (world.owner !== url || isRefusing) {
      calls.pop()
      throw new DomainError('not_owner', world.owner === null ? {} : { owner: world.owner })
    }
    return (await answer?.(call)) ?? { operation: call.operation, body: call.body }
  })
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  world.nodes.set(url, `node-${port}`)
  const { log, lines } = memoryLog()
  const hops = isAlone ? null : { cluster: world.seenBy(url), secret }
  const followed = async (body: unknown): Promise<OperatorStream> => {
    if (world.owner !== url || isRefusing || follow === undefined)
      throw new DomainError('not_owner', world.owner === null ? {} : { owner: world.owner })
    return follow(body)
  }
  const app = createEdge(
    { ...runtime, follow: followed },
    Object.values(OPERATIONS),
    httpOptions({ keys, hops, log, drainDeadlineMs: 50 }),
  )
  await app.listen({ host: '127.0.0.1', port })
  const close = () => app.close()
  closing.push(close)
  return { url, calls, lines, close, refuse: () => void (isRefusing = true) }
}

export async function pair(options: NodeOptions = {}) {
  const world = new World()
  const [asked, owner] = [await startNode(world, options), await startNode(world, options)]
  world.owner = owner.url
  return { world, asked, owner }
}

/** Not by `fetch`, which sends a request again when it is answered 421. */
export async function send(
  url: string,
  path: string,
  body: string | null,
  headers: Record<string, string> = {},
) {
  const response = await request(`${url}${path}`, {
    method: body === null ? 'GET' : 'POST',
    body,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
  })
  const text = await response.body.text()
  return { status: response.statusCode, headers: response.headers, text, body: JSON.parse(text) as unknown }
}
