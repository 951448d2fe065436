import { Pool } from 'undici'
import { OPERATIONS, type OperationName } from '../../../src/contract/operations.ts'
import { parsedAnswer, parsedRefusal, type Reply } from '../reply.ts'

const TRY_MS = 5_000
const CONNECTIONS = 32
/** A balancer leaves a node out for so long that took no request. */
const LEFT_OUT_MS = 500
const PAUSE_MS = 40
/** A request that nobody has answered by then is one that stays refused. */
const DEADLINE_MS = 30_000

/** What a client has seen since it was last asked. */
export interface Seen {
  readonly requests: number
  readonly tries: number
  /** Tries that were answered 421 or 5xx. */
  readonly refused: number
  /** Tries without an answer. */
  readonly unanswered: number
  /** The longest time that one request took with all its tries. */
  readonly longestMs: number
  /** How often each refusal was answered. */
  readonly refusals: ReadonlyMap<string, number>
}

function nothing() {
  return {
    requests: 0,
    tries: 0,
    refused: 0,
    unanswered: 0,
    longestMs: 0,
    refusals: new Map<string, number>(),
  }
}

/** A client behind a balancer: of the nodes in service it asks any, and another one when that one cannot answer now. */
export class BalancedClient {
  /** Addresses of nodes in service. */
  readonly urls = new Set<string>()
  readonly #pools = new Map<string, Pool>()
  readonly #leftOut = new Map<string, number>()
  #seen = nothing()
  isStopped = false

  /** Null: it was stopped before an answer came. Rejects when nobody answers. */
  async call<Name extends OperationName>(operation: Name, body: object): Promise<Reply<Name> | null> {
    const sinceMs = performance.now()
    this.#seen.requests += 1
    for (let last = ''; ; ) {
      const reply = await this.once(operation, body).catch((error: Error) => error)
      const tookMs = performance.now() - sinceMs
      if (!(reply instanceof Error) && !isPassing(reply)) {
        this.#seen.longestMs = Math.max(this.#seen.longestMs, tookMs)
        return reply
      }
      if (this.isStopped) return null
      last = reply instanceof Error ? reply.message : reply.text
      if (tookMs > DEADLINE_MS) throw new Error(`${operation} stays refused: ${last}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  /** One try, of one node. Rejects when no whole answer came. */
  async once<Name extends OperationName>(operation: Name, body: object): Promise<Reply<Name>> {
    const url = this.#pick()
    this.#seen.tries += 1
    try {
      const reply = await asked(this.#poolOf(url), operation, body)
      if (isPassing(reply)) {
        this.#seen.refused += 1
        const why = `${reply.refusal?.error} ${JSON.stringify(reply.refusal?.details)}`
        this.#seen.refusals.set(why, (this.#seen.refusals.get(why) ?? 0) + 1)
      }
      return reply
    } catch (error) {
      this.#seen.unanswered += 1
      this.#leftOut.set(url, performance.now() + LEFT_OUT_MS)
      throw error
    }
  }

  /** What was seen since the last time. */
  take(): Seen {
    const seen = this.#seen
    this.#seen = nothing()
    return seen
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  #pick(): string {
    const nowMs = performance.now()
    const all = [...this.urls]
    const some = all.filter((url) => (this.#leftOut.get(url) ?? 0) < nowMs)
    const from = some.length > 0 ? some : all
    return from[Math.floor(Math.random() * from.length)] ?? ''
  }

  #poolOf(url: string): Pool {
    let pool = this.#pools.get(url)
    if (pool === undefined) {
      pool = new Pool(url, { connections: CONNECTIONS, headersTimeout: TRY_MS, bodyTimeout: TRY_MS })
      this.#pools.set(url, pool)
    }
    return pool
  }
}

async function asked<Name extends OperationName>(
  pool: Pool,
  operation: Name,
  body: object,
): Promise<Reply<Name>> {
  const { path, method } = OPERATIONS[operation]
  const query = new URLSearchParams(
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  )
  const response = await pool.request({
    path: method === 'GET' ? `${path}?${query.toString()}` : path,
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.body.text()
  return response.statusCode === 200
    ? { answer: parsedAnswer(operation, text), refusal: null, text }
    : { answer: null, refusal: parsedRefusal(response.statusCode, text), text }
}

function isPassing({ refusal }: Reply<OperationName>): boolean {
  return refusal !== null && (refusal.status === 421 || refusal.status >= 500)
}
