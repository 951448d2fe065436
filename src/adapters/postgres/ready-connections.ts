import type { Pool, PoolClient } from 'pg'

/** What lies between may have dropped a connection that was idle for longer, without a word. */
const IDLE_MS_MAX = 60_000

/**
 * Connections of a pool that are kept between two uses. The pool gives one in a later step of the loop only; one of these takes
 * a statement at once, so that the caller goes on while the database works.
 */
export class ReadyConnections {
  readonly #pool: Pool
  readonly #monotonicMs: () => number
  /** The one that was used last is the last. */
  #idle: { readonly client: PoolClient; readonly sinceMs: number }[] = []
  #isClosed = false

  constructor(pool: Pool, monotonicMs: () => number) {
    this.#pool = pool
    this.#monotonicMs = monotonicMs
    pool.on('connect', (client) => client.on('error', (error) => this.#lost(client, error)))
  }

  /** Null: the pool has to be asked. */
  take(): PoolClient | null {
    const last = this.#idle.pop()
    if (last === undefined) return null
    if (this.#monotonicMs() - last.sinceMs <= IDLE_MS_MAX) {
      keepAlive(last.client, 'ref')
      return last.client
    }
    // The others are idle for even longer.
    for (const { client } of [...this.#idle.splice(0), last]) client.release(true)
    return null
  }

  /** @param failed why it cannot be used again; whoever failed may still be busy */
  give(client: PoolClient, failed?: Error): void {
    if (failed !== undefined || this.#isClosed || this.#pool.waitingCount > 0) return client.release(failed)
    keepAlive(client, 'unref')
    this.#idle.push({ client, sinceMs: this.#monotonicMs() })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const ended = this.#pool.end()
    for (const { client } of this.#idle.splice(0)) client.release()
    await ended
  }

  #lost(client: PoolClient, error: Error): void {
    const at = this.#idle.findIndex((idle) => idle.client === client)
    if (at < 0) return
    this.#idle.splice(at, 1)
    client.release(error)
  }
}

/** An idle connection keeps no process alive. The driver has the methods, its types have not. */
function keepAlive(client: PoolClient, how: 'ref' | 'unref'): void {
  const method: unknown = Reflect.get(client, how)
  if (typeof method === 'function') method.call(client)
}
