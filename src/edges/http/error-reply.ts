import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, ERRORS, type ErrorSpec, invalidRequest } from '../../core/base/errors.ts'

// Visible ASCII and inner spaces: what can be echoed into a header and a log line as it is.
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const REQUEST_ID_CHARS_MAX = 200
const OPERATION_ID_CHARS_MAX = 256

/** The caller's own request id if it is one line of at most 200 printable characters, else null. */
export function requestIdFrom(headers: IncomingHttpHeaders): string | null {
  const value = headers['x-request-id']
  return typeof value === 'string' && isLine(value, REQUEST_ID_CHARS_MAX) ? value : null
}

function isLine(value: string, charsMax: number): boolean {
  return value.length <= charsMax && PRINTABLE.test(value)
}

/**
 * The operation id of a call: the body's `operation_id`, else the header `Idempotency-Key`, else null. Throws
 * invalid_request when both are given and differ, or when the header is not one line of 1 to 256 printable characters.
 */
export function operationIdFrom(headers: IncomingHttpHeaders, body: unknown): string | null {
  const header = headers['idempotency-key']
  const fromBody = operationIdIn(body)
  if (header === undefined) return fromBody
  if (typeof header !== 'string' || !isLine(header, OPERATION_ID_CHARS_MAX)) {
    throw refused('idempotency-key', 'Idempotency-Key: Send one line of 1 to 256 printable characters.')
  }
  if (fromBody !== null && fromBody !== header) {
    throw refused(
      'operation_id',
      'Idempotency-Key says something else: send one of the two, or the same in both.',
    )
  }
  return header
}

/** Bytes that a body will have: what it says of itself, or as many as there may be. */
export function bodyBytesOf(headers: IncomingHttpHeaders, limitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return limitBytes
  const bytes = Number(headers['content-length'] ?? 0)
  // A body above the limit is refused before it is read.
  return bytes <= limitBytes ? bytes : 0
}

/** Of two hosts Node keeps the first; a proxy before it may have gone by the second. */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Aborted once the reader of an answer has left. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

function operationIdIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('operation_id' in body)) return null
  return typeof body.operation_id === 'string' ? body.operation_id.trim() : null
}

function refused(path: string, message: string): DomainError {
  return invalidRequest([{ path, message }])
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}

/**
 * Answers a path that nothing is served under, or not by that method, with what to ask for instead.
 * @param page of the console; null: it is not served
 */
export function refuseUnknownRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  page: string | null,
): void {
  const methods = new Map<string, Set<string>>()
  const templates = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    path,
    parts: path.split('/'),
  }))
  const templateOf = (path: string): string => {
    const parts = path.split('/')
    return templates.find((each) => isOfTemplate(parts, each.parts))?.path ?? path
  }
  for (const { method, path } of routes) {
    const known = methods.get(path) ?? new Set<string>()
    methods.set(path, method === 'GET' ? known.add('GET').add('HEAD') : known.add(method))
  }
  const refusal = (request: FastifyRequest, reply: FastifyReply): DomainError => {
    const path = pathOf(request)
    const known = methods.get(templateOf(path))
    if (known === undefined) {
      if (path === '/' && page !== null)
        return new DomainError(
          'not_found',
          { path: page },
          `There is no page here: the operator console is at ${page}, and GET /openapi.json lists every path and method.`,
        )
      const plain = path.replace(/\/+$/, '')
      const meant = [plain, `/v1${plain}`, plain.replace('/v1/', '/')].find((each) =>
        methods.has(templateOf(each)),
      )
      if (meant === undefined) return new DomainError('not_found')
      return new DomainError('not_found', { path: meant }, `No such route: ask for ${meant}.`)
    }
    const allowed = [...known]
    void reply.header('allow', allowed.join(', '))
    return new DomainError(
      'method_not_allowed',
      { allowed },
      `Ask for this route by ${allowed.join(' or ')}.`,
    )
  }
  // Before a body is looked at: what is wrong with it would be said in the place of the route. Without a promise, which
  // every request would wait for.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) done(refusal(request, reply))
    else done()
  })
}

function isOfTemplate(parts: readonly string[], template: readonly string[]): boolean {
  if (parts.length !== template.length) return false
  return template.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''))
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

/** What goes over the wire for a refusal. */
export function errorReply(error: DomainError) {
  const spec: ErrorSpec = ERRORS[error.code]
  const { retry_after_s: exactly } = error.details
  const retryAfterS = typeof exactly === 'number' ? exactly : spec.retryAfterS
  return {
    status: spec.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }),
    },
    body: JSON.stringify({ error: error.code, message: error.message, details: error.details }),
  }
}

/** The refusal behind whatever was thrown; null when it is a fault of our own and none of the caller's business. */
export function refusalOf(error: unknown, bodyLimitBytes: number): DomainError | null {
  if (error instanceof DomainError) return error
  if (!(error instanceof Error) || !('code' in error)) return null
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError(
        'body_too_large',
        { limit_bytes: bodyLimitBytes },
        `The body is larger than ${bodyLimitBytes} bytes: send less in one request.`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_media_type')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest([{ path: '', message: 'The body is not as long as content-length says.' }])
    default:
      return null
  }
}

/** The refusal for bytes that Node's HTTP parser gave up on. */
export function refusalOfParser(code: string | undefined): DomainError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('body_too_large')
    default:
      return invalidRequest([{ path: '', message: 'The bytes sent are not an HTTP/1.1 request.' }])
  }
}
