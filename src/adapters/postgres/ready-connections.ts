import type { Pool, PoolClient } from 'pg'

/** What lies between may have dropped a connection that was idle for longer, without a word. */
const IDLE_MS_MAX = 60_000

/**
 * Connections of a pool that are kept between two uses. The pool gives one in a later step of the loop only; one of these takes
 * a statement at once, so that the caller goes on while the database works.
 */
export function readyConnections(pool: Pool, monotonicMs: () => number) {
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
