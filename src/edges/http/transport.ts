import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { lstat, stat, unlink } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep, setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { ErrorCode } from '../../core/base/errors.ts'
import { Connections } from './connections.ts'
import { errorReply, refusalOfParser } from './error-reply.ts'
import type { Tls } from './tls.ts'

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

/** A killed process leaves its socket behind. One that still answers stays, so that listening there fails. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  // Node says of a folder that is not there that permission is denied.
  if (found === null) return void (await stat(dirname(path)))
  if (!found.isSocket()) throw new Error(`${path} is there and is no socket: choose another with --socket.`)
  if (!(await isAnswering(path))) await unlink(path)
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

export interface TransportLimits {
  readonly connectionsMax: number
  /**
   * Time in which a request must have arrived whole; its headers within a third of it. An answer of which nothing is read
   * for so long ends its connection.
   */
  readonly requestTimeoutMs: number
  /** Bytes of answers that wait for their readers, over all connections; and as many of large bodies on their way in. */
  readonly transitBytesMax: number
  /** How often requests are checked against that time. */
  readonly timeoutCheckMs: number
}

/** HTTP servers under common limits: one for TCP and, if wanted, one for a Unix socket. */
export interface Transport {
  /** @param tls null: what is sent can be read on the way */
  createServer(handler: RequestListener, tls?: Tls | null): Server
  /** True for a request that is one too many, by its connection or behind others on it: it is answered so, and the connection closed. */
  isSurplus(request: IncomingMessage): boolean
  /** True when no later request of the same connection is known. */
  isLast(request: IncomingMessage): boolean
  /** Takes room for a body. False: there is none, because too much is on its way. */
  takeBody(request: IncomingMessage, bytes: number): boolean
  /** To be called before an answer is written. */
  answering(request: IncomingMessage, payloadBytes: number): void
  /** Resolves when what clients have already sent is read: no request came for a moment, or they do not stop coming. */
  allRead(): Promise<void>
  /** Ends all connections of all servers, whatever they are doing. */
  destroyConnections(): void
}

// Longer than the keep-alive of common clients, so that it is they who close and no request meets a closed socket.
const KEEP_ALIVE_MS = 75_000
export const HEADER_BYTES_MAX = 16 * 1024
// Connections above the limit that still get an answer; above these the socket is closed without a word.
const SURPLUS_MAX = 64
// How long the rest of a malformed request is read away. Closing at once would reset the connection, and the
// answer would be lost on its way.
const LINGER_MS = 1000
// A client that takes longer to agree on a key is cut off.
const HANDSHAKE_MS = 10_000
// A client that was answered a moment ago has its next request on the way.
const QUIET_MS = 50
const QUIET_ROUNDS_MAX = 10

export function createTransport(
  limits: TransportLimits,
  makeRequestId: () => string,
  onCutOff: (unsentBytes: number) => void,
  onRefused: (requestId: string, code: ErrorCode) => void,
): Transport {
  const servers: Server[] = []
  const surplus = new WeakSet<Socket>()
  const surplusMax = Math.min(SURPLUS_MAX, limits.connectionsMax)
  /** What TLS runs over. Before its handshake a connection is none of those that are counted, and costs as much. */
  const carriers = new Set<Socket>()
  const agreed = new WeakSet<Socket>()
  const connections = new Connections({ ...limits, onCutOff })

  function addConnection(socket: Socket): void {
    agreed.add(socket)
    if (connections.size >= limits.connectionsMax + surplusMax) {
      socket.destroy()
      return
    }
    if (connections.size >= limits.connectionsMax) surplus.add(socket)
    connections.add(socket)
  }

  function secureServer(settings: ServerOptions, tls: Tls, listener: RequestListener): Server {
    const { cert, key } = tls
    const server = createSecureServer({ ...settings, cert, key, handshakeTimeout: HANDSHAKE_MS }, listener)
    tls.follow(server)
    server.on('connection', (socket: Socket) => {
      if (carriers.size >= limits.connectionsMax + surplusMax) {
        socket.destroy()
        return
      }
      carriers.add(socket)
      socket.once('close', () => carriers.delete(socket))
    })
    return server
  }

  return {
    createServer(handler, tls = null) {
      const listener: RequestListener = (request, response) => connections.accept(request, response, handler)
      const settings = settingsOf(limits)
      const server = tls === null ? createServer(settings, listener) : secureServer(settings, tls, listener)
      // The same for an expectation that it does not know.
      server.on('checkExpectation', (request, response) => connections.accept(request, response, handler))
      server.on(tls === null ? 'connection' : 'secureConnection', addConnection)
      server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        // Who has agreed on no key can read no answer.
        if (error.code === 'ECONNRESET' || (tls !== null && !agreed.has(socket))) socket.destroy()
        else refuse(connections, error, socket, () => refuseBytes(error, socket, makeRequestId(), onRefused))
      })
      server.setTimeout(limits.requestTimeoutMs, (socket) => connections.idled(socket))
      // A client that says it will send no more still reads its answers. Headers are bounded by their bytes: above a number of
      // them Node would leave the last ones out without a word.
      Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: 0 })
      servers.push(server)
      return server
    },
    isSurplus: (request) => surplus.has(request.socket) || connections.isRefused(request),
    isLast: (request) => connections.isLast(request),
    takeBody: (request, bytes) => connections.takeBody(request, bytes),
    answering: (request, payloadBytes) => connections.answering(request, payloadBytes),
    async allRead() {
      for (let round = 0; round < QUIET_ROUNDS_MAX; round += 1) {
        const before = connections.arrived
        if (connections.size > 0) await sleep(QUIET_MS)
        // A new connection is accepted in one turn and read in the next.
        for (let turn = 0; turn < 3; turn += 1) await turnOfTheLoop()
        if (connections.arrived === before) return
      }
    },
    destroyConnections() {
      for (const server of servers) server.closeAllConnections()
      for (const socket of carriers) socket.destroy()
    },
  }
}

function settingsOf({ timeoutCheckMs, requestTimeoutMs }: TransportLimits): ServerOptions {
  return {
    connectionsCheckingInterval: timeoutCheckMs,
    headersTimeout: Math.ceil(requestTimeoutMs / 3),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    noDelay: true,
    requestTimeout: requestTimeoutMs,
    // Node would answer a missing host with an empty body.
    requireHostHeader: false,
  }
}

function refuse(
  connections: Connections,
  { code }: NodeJS.ErrnoException,
  socket: Socket,
  answer: () => void,
): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.timedOut(socket, answer)
  else connections.refuseBytes(socket, answer)
}

/** Answers bytes that never became a request. */
function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
  onRefused: (requestId: string, code: ErrorCode) => void,
): void {
  // Answered already: these are further bytes of the same request.
  if (socket.writableEnded || socket.destroyed) return
  const refusal = refusalOfParser(error.code)
  onRefused(requestId, refusal.code)
  const reply = errorReply(refusal)
  const headers = {
    ...reply.headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(reply.body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${head.join('')}\r\n${reply.body}`,
  )
  const linger = setTimeout(() => socket.destroy(), LINGER_MS)
  linger.unref()
  socket.once('close', () => clearTimeout(linger))
}
