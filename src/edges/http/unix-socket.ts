import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { lstat, unlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import process from 'node:process'
import type { FastifyInstance } from 'fastify'
import type { Transport } from './transport.ts'

/** Makes `app` listen on a Unix socket too, from `ready` to `close`. @param mode who may ask there, as bits of a file */
export function serveUnixSocket(
  app: FastifyInstance,
  transport: Transport,
  path: string,
  mode: number,
): void {
  const server = transport.createServer((request, response) => {
    // Whoever may open the socket means this service, by whatever name; no page in a browser can.
    delete request.headers.host
    app.routing(request, response)
  })
  app.addHook('onReady', async () => {
    await removeStaleSocket(path)
    await listenOn(server, path, mode)
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

/** At no moment may others connect: the file is made with no rights but those of its owner, within this call. */
async function listenOn(server: Server, path: string, mode: number): Promise<void> {
  const listening = once(server, 'listening')
  const before = process.umask(0o177)
  try {
    server.listen({ path })
  } finally {
    process.umask(before)
  }
  await listening
  chmodSync(path, mode)
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
