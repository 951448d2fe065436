import { setTimeout as elapsed } from 'node:timers/promises'
import { Pool } from 'undici'
import { OPERATIONS, type OperationName } from '../../../src/contract/operations.ts'
import { parsedAnswer, parsedRefusal, type Reply } from '../reply.ts'

/** A try that takes longer is given up: its node may be stopped. */
const TRY_MS = 2_500
const PAUSE_MS = 40
/** A request that nobody has answered by then is one that stays refused. */
const DEADLINE_MS = 30_000

class Unanswered extends Error {
  readonly code = 'ECONNRESET'
}

/** A client of all nodes: it asks any of them, and another one when that one cannot answer now. */
export class AnyNode {
  readonly #pools: readonly Pool[]
  isStopped = false
  /** The longest time from a request to its answer, however many tries it took. */
  longestMs = 0
  /** Tries that were answered 421 or 503, or not at all. */
  refusedTries = 0
  tries = 0

  constructor(urls: readonly string[], connections = 32) {
    this.#pools = urls.map(
      (url) => new Pool(url, { connections, headersTimeout: TRY_MS, bodyTimeout: TRY_MS }),
    )
  }

  /** Repeats until it is answered. Rejects as a broken connection when it was stopped, or when nobody answers. */
  async call<Name extends OperationName>(operation: Name, body: object): Promise<Reply<Name>> {
    const sinceMs = performance.now()
    let last = 'stopped'
    for (let node = this.#anyNode(); ; node = (node + 1) % this.#pools.length) {
      if (this.isStopped) throw new Unanswered('stopped')
      if (performance.now() - sinceMs > DEADLINE_MS) throw new Error(`${operation} stays refused: ${last}`)
      const reply = await this.once(operation, body, node).catch((error: Error) => error)
      if (!(reply instanceof Error) && !isPassing(reply)) {
        this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs)
        return reply
      }
      this.refusedTries += 1
      last = reply instanceof Error ? reply.message : reply.text
      await elapsed(PAUSE_MS)
    }
  }

  /** One try, of one node. Rejects when no whole answer came. */
  async once<Name extends OperationName>(
    operation: Name,
    body: object,
    node = this.#anyNode(),
  ): Promise<Reply<Name>> {
    const pool = this.#pools[node]
    if (pool === undefined) throw new Error(`there is no node ${node}`)
    this.tries += 1
    const { path, method } = OPERATIONS[operation]
    const response = await pool.request({
      path: method === 'GET' ? `${path}?${queryOf(body)}` : path,
      method,
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.body.text()
    return response.statusCode === 200
      ? { answer: parsedAnswer(operation, text), refusal: null, text }
      : { answer: null, refusal: parsedRefusal(response.statusCode, text), text }
  }

  #anyNode(): number {
    return Math.floor(Math.random() * this.#pools.length)
  }

  /** No request is sent any more; those under way may end. */
  stop(): void {
    this.isStopped = true
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.destroy()))
  }
}

function isPassing({ refusal }: Reply<OperationName>): boolean {
  return refusal !== null && [421, 503].includes(refusal.status)
}

function queryOf(body: object): string {
  return new URLSearchParams(
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])),
  ).toString()
}
