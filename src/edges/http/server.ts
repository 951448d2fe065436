import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import {
  methodsOf,
  type OperationName,
  type OperationSpec,
  type RequestedName,
} from '../../contract/operations.ts'
import { isObject } from '../../core/base/collections.ts'
import { DomainError, type ErrorCode } from '../../core/base/errors.ts'
import { isLongJson, jsonPieces } from '../../core/base/json-pieces.ts'
import type { Entropy, Log } from '../../ports/system.ts'
import type { CallContext, OperatorStream } from '../../runtime/runtime.ts'
import type { Console } from '../console-host/console.ts'
import { HOOK_ROUTES, type HookSettings, serveHooks } from '../hooks/hook-route.ts'
import { MCP_PATH, serveMcp } from '../mcp/mcp-route.ts'
import {
  bodyBytes,
  bodyOfQuery,
  ONE_BREATH_BYTES_MAX,
  parseBody,
  parseLargeBody,
  refuseUnclearQuery,
  withDecodablePath,
} from './body.ts'
import {
  errorReply,
  operationIdFrom,
  pathOf,
  type Route,
  refusalOf,
  refuseUnknownRoutes,
  requestIdFrom,
} from './error-reply.ts'
import { type EventStreams, eventStreams } from './event-stream.ts'
import { type GuardOptions, guardRequests } from './guard.ts'
import { executed, followed, routedRuntime } from './hop/routed.ts'
import { Routing } from './hop/routing.ts'
import { isFromThisMachine } from './hosts.ts'
import { METRICS_PATH, type MetricsText } from './metrics-server.ts'
import { RequestBatcher } from './request-batcher.ts'
import type { Tls } from './tls.ts'
import { createTransport, HEADER_BYTES_MAX, serveUnixSocket } from './transport.ts'

/** The columns of the operations table that transport needs; health, ready and openapi are rows too. */
export interface HttpOperation
  extends Pick<OperationSpec, 'method' | 'alsoGet' | 'access' | 'path' | 'isOperatorRead' | 'writes'> {
  readonly name: OperationName
  /** What a query is read by; left out: every parameter is text. */
  readonly request?: OperationSpec['request']
}

/** What the edge serves: the runtime, whatever its answers are. */
export interface Served {
  execute(operation: RequestedName, body: unknown, context: CallContext): Promise<object>
  follow(body: unknown, context: CallContext): Promise<OperatorStream>
  health(): object
  readiness(): { readonly ready: boolean }
}

export interface HttpOptions extends GuardOptions {
  /** Time in which a request must have arrived whole, and within which some of an answer must be read. */
  readonly requestTimeoutMs: number
  /** Bytes of answers that wait for their readers, over all connections; and as many of large bodies on their way in. */
  readonly transitBytesMax: number
  /** How often requests are checked against `requestTimeoutMs`; a quarter of it, one second at most, unless given. */
  readonly timeoutCheckMs?: number
  /** What encrypts TCP; null: nothing does. */
  readonly tls: Tls | null
  /** Unix socket to listen on as well; null for none. */
  readonly socketPath: string | null
  /** Who may ask there, as bits of a file: 0o600 is its owner alone. */
  readonly socketMode: number
  /** The document of `/openapi.json`; called when it is first asked for. */
  readonly openapi: () => object | Promise<object>
  /** What `/metrics` answers; null: nothing but which option would. */
  readonly metrics: MetricsText | null
  readonly hooks: HookSettings
  /** Null: there is no page for operators. */
  readonly console: Console | null
  /** Is told of every refusal that no operation gave. */
  readonly onRefused: (requestId: string, code: ErrorCode) => void
  readonly entropy: Entropy
  readonly log: Log
}

/** Bodies are parsed behind this edge. Fastify's own validator and serialiser are large and would be loaded for nothing. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } }

function refuseSchema(): never {
  throw new Error('no route has a schema')
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The service over HTTP; it listens once `listen` is called. Every answer is JSON and carries `x-request-id`.
 * `close` stops accepting, answers requests that still arrive with 503 shutting_down, lets those in progress finish,
 * and ends what is left at the deadline. It does not close the runtime.
 */
export function createServer(
  runtime: Served,
  operations: readonly HttpOperation[],
  options: HttpOptions,
): FastifyInstance {
  const makeRequestId = () => options.entropy.uuid(options.clock.nowMs())
  const transport = createTransport(
    {
      connectionsMax: options.connectionsMax,
      requestTimeoutMs: options.requestTimeoutMs,
      transitBytesMax: options.transitBytesMax,
      timeoutCheckMs: options.timeoutCheckMs ?? Math.min(1000, Math.ceil(options.requestTimeoutMs / 4)),
    },
    makeRequestId,
    (unsentBytes) =>
      options.log.warn({ unsent_bytes: unsentBytes }, 'a connection was ended: nobody reads its answers'),
    options.onRefused,
  )
  /** What operations threw: they have told of it themselves. */
  const thrown = new WeakSet<object>()
  const fail: Fail = (error, request, reply) => sendFailure(error, request, reply, options, thrown)
  const app = fastify({
    serverFactory: (handler) => transport.createServer(handler, options.tls),
    // The transport answers malformed bytes, for both of its servers.
    clientErrorHandler: () => {},
    frameworkErrors: fail,
    rewriteUrl: ({ url = '/' }) => withDecodablePath(url),
    bodyLimit: options.bodyLimitBytes,
    // An id in a path may be as long as headers are.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    genReqId: (request) => requestIdFrom(request.headers) ?? makeRequestId(),
    return503OnClosing: false,
    schemaController: NO_SCHEMAS,
    logger: false,
  })
  acceptRawJson(app)
  const streams = eventStreams(app, transport)
  const isStillWhoItWas = guardRequests(app, transport, options, options.console?.sessions ?? null)
  app.setErrorHandler(fail)
  let openapiText: Promise<string> | null = null
  const openapi = () => (openapiText ??= textOf(options.openapi()))
  const batcher = new RequestBatcher()
  const routing = options.hops === null ? null : new Routing(options.hops, options.log)
  app.addHook('onClose', async () => routing?.close())
  const serving = { runtime, openapi, batcher, thrown, streams, isStillWhoItWas, routing }
  for (const operation of operations) {
    const handler = handlerOf(operation, serving)
    const { access, name, path: url } = operation
    const config = { access, operation: name }
    for (const method of methodsOf(operation)) app.route({ method, url, config, handler })
  }
  serveOtherWaysIn(app, routedRuntime(runtime, routing, operations), options, fail)
  const { metrics, console } = options
  const others = [
    MCP_ROUTE,
    ...HOOK_ROUTES,
    ...(metrics === null ? [] : [METRICS_ROUTE]),
    ...(console?.routes ?? []),
  ]
  refuseUnknownRoutes(app, [...operations.flatMap(routesOf), ...others], console?.routes[0]?.path ?? null)
  if (options.socketPath !== null) serveUnixSocket(app, transport, options.socketPath, options.socketMode)
  return app
}

/** What is no operation of its own: tools of agents, their hooks, and numbers. */
function serveOtherWaysIn(
  app: FastifyInstance,
  runtime: Pick<Served, 'execute'>,
  options: HttpOptions,
  fail: Fail,
): void {
  const { metrics, version, log } = options
  serveMcp(app, { execute: (...call) => runtime.execute(...call), parse: parseBody, version, log })
  app.get(METRICS_PATH, async ({ principal }, reply) => {
    if (metrics === null) throw new DomainError('not_found', METRICS, METRICS_OFF)
    if (principal?.readsMetrics === false)
      throw new DomainError('operator_key_required', METRICS, METRICS_KEY)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
  options.console?.serve(app)
  serveHooks(app, {
    ...options.hooks,
    execute: (...asked) => runtime.execute(...asked),
    parse: parseBody,
    refusalOf: (error) => refusalOf(error, options.bodyLimitBytes),
    fail,
    nowMs: () => options.clock.nowMs(),
    log,
  })
}

const METRICS = { operation: 'metrics' }
const METRICS_OFF =
  'No such route: metrics are off here; memgov serve --metrics (MEMGOV_METRICS=true) answers them.'
const METRICS_KEY = 'This needs a key for metrics: memgov keys create --metrics makes one.'

function routesOf(operation: HttpOperation): readonly Route[] {
  return methodsOf(operation).map((method) => ({ method, path: operation.path }))
}

const METRICS_ROUTE: Route = { method: 'GET', path: METRICS_PATH }
const MCP_ROUTE: Route = { method: 'POST', path: MCP_PATH }

async function textOf(document: object | Promise<object>): Promise<string> {
  return JSON.stringify(await document)
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Leaves the parsing to the handler: a refusal there keeps the connection, one in Fastify's parser closes it. */
function acceptRawJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, bytes)
  })
}

/** Without keys nobody knows who asks from another machine. */
const FROM_ELSEWHERE =
  'Without keys only the machine of the service may read this: ask there, by 127.0.0.1 or its Unix socket, or make an operator key with memgov keys create --operator.'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** @throws operator_key_required */
function refuseOtherMachine({ principal, hop, raw }: FastifyRequest): void {
  // A peer has looked where its caller is.
  if (principal !== null || hop !== null || isFromThisMachine(raw.socket)) return
  throw new DomainError('operator_key_required', { where: 'other_machine' }, FROM_ELSEWHERE)
}

/** What handlers work with. */
interface Serving {
  readonly runtime: Served
  readonly openapi: () => Promise<string>
  readonly batcher: RequestBatcher
  readonly thrown: WeakSet<object>
  readonly streams: EventStreams
  readonly routing: Routing | null
  /** Whether the headers of a request still open what they did. */
  readonly isStillWhoItWas: (request: FastifyRequest) => boolean
}

/** Opens a stream of events, which goes on when the request is over. */
async function follow(
  operation: HttpOperation,
  { runtime, streams, isStillWhoItWas, routing }: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  refuseOtherMachine(request)
  const { id: requestId, headers, principal } = request
  const sent = asRecord(request.query)
  refuseUnclearQuery(sent, request.url, false)
  const last = headers['last-event-id']
  const query = { ...sent, ...(last === undefined ? {} : { last_event_id: last }) }
  const body = bodyOfQuery(operation.request ?? null, query)
  const context = { requestId, operationId: null, headers, principal }
  const own = () => runtime.follow(body, context)
  const opened = await followed({ request, reply, query, operation, context }, routing, own)
  if (!('next' in opened)) return opened
  const stream = opened
  if (request.method === 'HEAD') {
    stream.close()
    return reply.type('text/event-stream').send('')
  }
  streams.serve(stream, reply, () => isStillWhoItWas(request))
  return reply
}

function handlerOf(operation: HttpOperation, served: Serving): Handler {
  const { runtime, openapi, batcher, thrown, routing } = served
  const { name, request: schema = null, isOperatorRead = false } = operation
  switch (name) {
    case 'health':
      return (_request, reply) => reply.send(runtime.health())
    case 'ready':
      return (_request, reply) => {
        const readiness = runtime.readiness()
        return reply.code(readiness.ready ? 200 : 503).send(readiness)
      }
    case 'openapi':
      return async (_request, reply) => reply.type(JSON_TYPE).send(await openapi())
    case 'followEvents':
      return (request, reply) => follow(operation, served, request, reply)
    default:
      return async (request, reply) => {
        if (isOperatorRead) refuseOtherMachine(request)
        const { hop } = request
        const bytes = bodyBytes(request)
        const isBodySent = request.method === 'POST'
        const query = asRecord(request.query)
        refuseUnclearQuery(query, request.url, isBodySent)
        const isLarge = bytes.length > ONE_BREATH_BYTES_MAX
        const parse = () => (isLarge ? parseLargeBody(bytes) : parseBody(bytes))
        const parsed = isBodySent ? parse() : bodyOfQuery(schema, query)
        const sent = parsed instanceof Promise ? await parsed : parsed
        const body = withPathFields(sent, asRecord(request.params))
        const operationId = hop === null ? operationIdFrom(request.headers, body) : hop.operationId
        const together = batcher.enter()
        try {
          const queuedMs = together === null ? 0 : await timeOf(together)
          const { id: requestId, headers, principal } = request
          const early = new EarlyText()
          const meanwhile = (decided: object) => early.write(decided)
          const context = { requestId, operationId, queuedMs, headers, principal, meanwhile }
          const own = () => runtime.execute(name, body, context)
          const answer = await executed({ request, reply, body: bytes, operation, context }, routing, own)
          // What the owner answered has been sent.
          if (answer === reply) return answer
          const written = early.of(answer)
          if (written !== null) return reply.type(JSON_TYPE).send(written)
          if (!isLongJson(answer)) return answer
          return reply.type(JSON_TYPE).send(await bytesOf(answer))
        } catch (error) {
          if (error instanceof Error) thrown.add(error)
          throw error
        } finally {
          batcher.leave()
        }
      }
  }
}

async function timeOf(wait: Promise<void>): Promise<number> {
  const sinceMs = performance.now()
  await wait
  return performance.now() - sinceMs
}

/** What the path says wins. A body that is no object stays as it is, to be refused as such. */
function withPathFields(body: unknown, fields: object): unknown {
  return isObject(body) && Object.keys(fields).length > 0 ? { ...body, ...fields } : body
}

function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  thrown: WeakSet<object>,
): void {
  // The caller hung up in the middle of its body: there is nobody to answer, and nothing broke.
  if (error !== null && error === request.raw.errored) {
    request.leave?.()
    return
  }
  const refusal = refusalOf(error, options.bodyLimitBytes)
  if (refusal === null) {
    options.log.error({ request_id: request.id, path: pathOf(request), err: error }, 'unexpected failure')
  }
  const isTold = error instanceof Error && thrown.has(error)
  if (!isTold) options.onRefused(request.id, refusal?.code ?? 'internal_error')
  const { status, headers, body } = errorReply(refusal ?? new DomainError('internal_error'))
  // The rest of a body that is too large is read away, bounded by the request timeout: closing the connection now
  // would reset it, and the caller would never see why.
  if (refusal?.code === 'body_too_large') reply.removeHeader('connection')
  void reply
    .code(status)
    .headers({ ...headers, 'x-request-id': request.id })
    .send(body)
}

function asRecord(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/** From so many characters on the socket takes bytes faster than a text. */
const ENCODED_CHARS_MIN = 4_096

/** The JSON of an answer, written while the journal stores what it tells: afterwards the caller would wait for it. */
class EarlyText {
  #written: object | null = null
  #json: string | Buffer = ''

  write(answer: object): void {
    if (isLongJson(answer)) return
    const text = JSON.stringify(answer)
    this.#json = text.length < ENCODED_CHARS_MIN ? text : Buffer.from(text)
    this.#written = answer
  }

  /** Null: this is another answer, or a long one. */
  of(answer: object): string | Buffer | null {
    return answer === this.#written ? this.#json : null
  }
}

/** A large answer as JSON, written in slices. */
async function bytesOf(answer: object): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of jsonPieces(answer)) {
    pieces.push(Buffer.from(piece))
    await turnOfTheLoop()
  }
  return Buffer.concat(pieces)
}
