import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { DomainError } from '../../core/base/errors.ts'
import type { OperatorStream, StreamedEvent } from '../../runtime/runtime.ts'
import type { Transport } from './transport.ts'

/** Proxies end connections on which nothing moves, and readers want to know that they still hear. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = ':\n\n'
/** How often it is asked whether the reader may still read. */
const LOOK_MS = 250
/** Writes that find out whether a reader has left. */
const PROBES = 2
/** When a reader that was cut off comes back. */
const RETRY_MS = 1000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Otherwise a proxy may keep events until there are many.
  'x-accel-buffering': 'no',
  // Nothing follows a stream on its connection: a close need not wait for it.
  connection: 'close',
} as const

type EndReason = NonNullable<OperatorStream['ended']> | 'unauthorized'

export interface EventStreams {
  /** Writes events until the reader goes, may not read any more, or the service closes. */
  serve(stream: OperatorStream, reply: FastifyReply, mayRead: () => boolean): void
}

/**
 * Streams of server-sent events. A close ends them at once, before it waits for anything else: to be called before what
 * drains requests.
 */
export function eventStreams(app: FastifyInstance, transport: Pick<Transport, 'answering'>): EventStreams {
  const open = new Set<(reason: EndReason) => void>()
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    for (const end of open) end('shutting_down')
  })
  return {
    serve(stream, reply, mayRead) {
      if (isClosing) {
        stream.close()
        throw new DomainError('shutting_down')
      }
      // It is no longer a request that is carried out.
      reply.request.leave?.()
      transport.answering(reply.request.raw, 0)
      reply.hijack()
      const response = reply.raw
      // The reader left while the stream was opened: nothing would tell of it any more.
      if (response.destroyed) return stream.close()
      const end = (reason: EndReason) => {
        if (!response.writableEnded) response.end(textOf({ id: null, name: 'end', data: { reason } }))
        stream.close()
      }
      open.add(end)
      const heartbeat = setInterval(() => void response.write(HEARTBEAT), HEARTBEAT_MS)
      watchReader(reply, () => {
        if (!mayRead()) end('unauthorized')
      })
      response.once('close', () => {
        clearInterval(heartbeat)
        open.delete(end)
        stream.close()
      })
      response.on('error', () => {})
      response.writeHead(200, { ...sentHeaders(reply), ...HEADERS })
      response.write(`retry: ${RETRY_MS}\n\n`)
      void pump(stream, response).catch(() => response.destroy())
    },
  }
}

/** Looks until the answer has ended. A reader that sends no more may have left: then a write is answered by a reset, and the next one fails. */
export function watchReader({ raw: response, request }: FastifyReply, look = () => {}): void {
  const { socket } = request.raw
  let probes = socket.readableEnded ? PROBES : 0
  socket.once('end', () => {
    probes = PROBES
  })
  const watch = setInterval(() => {
    look()
    if (response.headersSent && !response.writableEnded && probes-- > 0) response.write(HEARTBEAT)
  }, LOOK_MS)
  response.once('close', () => clearInterval(watch))
}

/** While the reader does not take what was written, events wait in the stream, which bounds them. */
async function pump(stream: OperatorStream, response: ServerResponse): Promise<void> {
  for (;;) {
    const events = await stream.next()
    if (response.writableEnded || response.destroyed) return
    if (events === null) {
      response.end(textOf({ id: null, name: 'end', data: { reason: stream.ended ?? 'shutting_down' } }))
      return
    }
    if (!response.write(Buffer.concat(events.map(bytesOf)))) await drained(response)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/** Readers who are told the same are given the same object. */
const BYTES_OF = new WeakMap<object, Buffer>()

function bytesOf(event: StreamedEvent): Buffer {
  const bytes = BYTES_OF.get(event.data) ?? Buffer.from(textOf(event))
  BYTES_OF.set(event.data, bytes)
  return bytes
}

/** JSON holds no line break, so that data is one line. */
function textOf({ id, name, data }: StreamedEvent): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function sentHeaders(reply: FastifyReply): Record<string, string | number | string[]> {
  const headers: Record<string, string | number | string[]> = {}
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) headers[name] = value
  return headers
}
