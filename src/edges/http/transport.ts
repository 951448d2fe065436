import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorReply, refusalOfParser } from './error-reply.ts'

export interface TransportLimits {
  readonly connectionsMax: number
  /** Time in which a request must have arrived whole; its headers within a third of it. */
  readonly requestTimeoutMs: number
  /** How often requests are checked against that time. */
  readonly timeoutCheckMs: number
}

/** HTTP servers under common limits: one for TCP and, if wanted, one for a Unix socket. */
export interface Transport {
  createServer(handler: RequestListener): Server
  /** True when the connection is above the limit: it gets one answer, that it came too late. */
  isSurplus(socket: Socket): boolean
  /** Ends all connections of all servers, whatever they are doing. */
  destroyConnections(): void
}

// Longer than the keep-alive of common clients, so that it is they who close and no request meets a closed socket.
const KEEP_ALIVE_MS = 75_000
const HEADER_BYTES_MAX = 16 * 1024
// Connections above the limit that still get an answer; above these the socket is closed without a word.
const SURPLUS_MAX = 64
// How long the rest of a malformed request is read away. Closing at once would reset the connection, and the
// answer would be lost on its way.
const LINGER_MS = 1000

export function createTransport(limits: TransportLimits, makeRequestId: () => string): Transport {
  const servers: Server[] = []
  const surplus = new WeakSet<Socket>()
  let open = 0

  function countConnection(socket: Socket): void {
    open += 1
    if (open > limits.connectionsMax) surplus.add(socket)
    if (open > limits.connectionsMax + SURPLUS_MAX) socket.destroy()
    socket.once('close', () => {
      open -= 1
    })
  }

  return {
    createServer(handler) {
      const server = createServer(
        {
          connectionsCheckingInterval: limits.timeoutCheckMs,
          headersTimeout: Math.ceil(limits.requestTimeoutMs / 3),
          keepAliveTimeout: KEEP_ALIVE_MS,
          maxHeaderSize: HEADER_BYTES_MAX,
          noDelay: true,
          requestTimeout: limits.requestTimeoutMs,
          // Node would answer a missing host with an empty body.
          requireHostHeader: false,
        },
        handler,
      )
      // The same for an expectation that it does not know.
      server.on('checkExpectation', handler)
      server.on('connection', countConnection)
      server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
        refuseBytes(error, socket, makeRequestId())
      })
      servers.push(server)
      return server
    },
    isSurplus: (socket) => surplus.has(socket),
    destroyConnections() {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** Answers bytes that never became a request. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // Answered already: these are further bytes of the same request.
  if (socket.writableEnded || socket.destroyed) return
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const reply = errorReply(refusalOfParser(error.code))
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
