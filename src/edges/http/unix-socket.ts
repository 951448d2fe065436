import { once } from 'node:events'
import { chmod, lstat, unlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Transport } from './transport.ts'

/** Makes `app` listen on a Unix socket too, from `ready` to `close`. The socket belongs to its owner alone. */
export function serveUnixSocket(app: FastifyInstance, transport: Transport, path: string): void {
  const server = transport.createServer((request, response) => {
    // Whoever may open the socket means this service, by whatever name; no page in a browser can.
    delete request.headers.host
    app.routing(request, response)
  })
  app.addHook('onReady', async () => {
    await removeStaleSocket(path)
    await listenOn(server, path)
    await chmod(path, 0o600)
  })
  let closed: Promise<unknown> = Promise.resolve()
  app.addHook('preClose', (done) => {
    if (server.listening) {
      closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
    }
    done()
  })
  app.addHook('onClose', async () => {
    await closed
  })
}

async function listenOn(server: Server, path: string): Promise<void> {
  server.listen({ path })
  await once(server, 'listening')
}

/**
 * A killed process leaves its socket behind. One that still answers stays, as does anything that is no socket, so that
 * listening there fails.
 */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found?.isSocket() === true && !(await isAnswering(path))) await unlink(path)
}

async function isAnswering(path: string): Promise<boolean> {
  const probe = connect({ path })
  try {
    await once(probe, 'connect')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    probe.destroy()
  }
}
