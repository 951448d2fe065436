import { hash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refuseEntry } from '../../contract/access.ts'
import { OPERATIONS, type RequestedName } from '../../contract/operations.ts'
import { DomainError } from '../../core/base/errors.ts'
import type { Log } from '../../ports/system.ts'
import type { CallContext } from '../../runtime/runtime.ts'
import { bodyBytes } from '../http/body.ts'
import { goneSignal, operationIdFrom } from '../http/error-reply.ts'
import { watchReader } from '../http/event-stream.ts'
import { placed, placeIn } from '../place/place.ts'
import type { Ask, McpHandler, ToolCall } from './mcp-server.ts'

export const MCP_PATH = '/mcp'

export interface McpOptions {
  readonly execute: (operation: RequestedName, body: unknown, context: CallContext) => Promise<object>
  readonly parse: (bytes: Buffer) => unknown
  readonly version: string
  readonly log: Log
}

/**
 * The Model Context Protocol under `/mcp`. Who may come in is decided as for every route. Nothing of the protocol is
 * loaded before the first message. To be called behind what refuses new requests during a close.
 */
export function serveMcp(app: FastifyInstance, options: McpOptions): void {
  let opened: Promise<McpHandler> | null = null
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    ;(await opened)?.end()
  })
  const onError = (error: Error) => options.log.debug({ err: error }, 'a message of MCP was refused')
  const open = async () => (await import('./mcp-server.ts')).openMcpHandler(options.version, onError)
  app.post(MCP_PATH, { config: { access: 'agent' } }, async (request, reply) => {
    const place = placeIn(request.raw.rawHeaders)
    const body = options.parse(bodyBytes(request))
    const handler = await (opened ??= open())
    if (isClosing) throw new DomainError('shutting_down')
    const named = operationIdFrom(request.headers, null)
    let calls = 0
    const isKeyed = request.principal !== null
    const ask: Ask = async (operation, bodyOf, call) => {
      // Several calls may come in one request, which counts as the first of them.
      const leave = (calls += 1) === 1 ? null : request.enterAgain?.()
      try {
        if (request.principal !== null)
          refuseEntry(request.principal, OPERATIONS[operation], placed(operation, place, isKeyed, {}))
        const here = placed(operation, place, isKeyed, bodyOf())
        const id = operationIdOf(call, { named, isBatch: Array.isArray(body), headers: request.headers })
        return await execute(options, request, operation, here, id)
      } finally {
        leave?.()
      }
    }
    const response = await handler.answer(messageOf(request, reply), body, ask)
    if (Begin.safeParse(body).success) void reply.header(SESSION, randomUUID())
    return sendResponse(response, isListen(body), reply)
  })
}

async function execute(
  { execute: carryOut, log }: McpOptions,
  { id: requestId, principal, headers }: FastifyRequest,
  operation: RequestedName,
  body: object,
  operationId: string | null,
): Promise<object> {
  try {
    return await carryOut(operation, body, { requestId, operationId, headers, principal })
  } catch (error) {
    if (error instanceof DomainError) throw error
    log.error({ request_id: requestId, path: MCP_PATH, err: error }, 'unexpected failure')
    throw new DomainError('internal_error')
  }
}

/** Nothing is kept of a session: its id only tells the calls of one client from those of another. */
const SESSION = 'mcp-session-id'
const Begin = z.object({ method: z.literal('initialize') })

/**
 * What stays the same when a call arrives again. Within a session no id of a message is used twice; what the call says is
 * part of it, so that a client that does use an id twice loses nothing. A key that names a batch names each of its calls.
 * Null: the call is carried out each time.
 */
function operationIdOf(
  { id, params, changes }: ToolCall,
  {
    named,
    isBatch,
    headers: { [SESSION]: session },
  }: { readonly named: string | null; readonly isBatch: boolean; readonly headers: IncomingHttpHeaders },
): string | null {
  if (named !== null && !isBatch) return named
  const within = named ?? (changes && typeof session === 'string' && session !== '' ? session : null)
  if (within === null) return null
  return `mcp:${hash('sha256', JSON.stringify([within, id, params]))}`
}

/** The request as the protocol's library takes it; its body is handed over beside it. */
function messageOf({ raw, method }: FastifyRequest, reply: FastifyReply): Request {
  return new Request(`http://localhost${MCP_PATH}`, {
    method,
    headers: headersOf(raw.headers),
    signal: goneSignal(reply.raw),
  })
}

function headersOf(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] satisfies [string, string]] : [],
  )
}

const Listen = z.object({ method: z.literal('subscriptions/listen') })

function isListen(body: unknown): boolean {
  return Listen.safeParse(body).success
}

async function sendResponse(response: Response, isLong: boolean, reply: FastifyReply): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (name !== 'connection') void reply.header(name, value)
  void reply.code(response.status)
  // What ends by itself is sent whole, so that its bytes count among those that wait for their readers.
  if (!isLong) return reply.send(await response.text())
  watchReader(reply)
  // Otherwise its connection would stay open, idle, when a close has ended it.
  return reply.header('connection', 'close').send(response.body)
}
