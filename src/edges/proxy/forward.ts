import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { DomainError } from '../../core/base/errors.ts'

// One request to the upstream. Where it goes is configured: nothing that a caller sends changes it.

export interface UpstreamAddress {
  readonly url: URL
  readonly timeoutMs: number
}

export interface Outgoing {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** A body that is read already, or one that is passed on as it comes. */
  readonly body: Buffer | Readable
  /** True: it may be sent twice, so it may take a connection that is kept. */
  readonly isRepeatable: boolean
  /** True: the answer is read whole, so all of it has to be there in time. */
  readonly isReadWhole: boolean
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal
}

/** Of one connection only (RFC 9110, 7.6.1), and `expect`, which is answered here. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]
/** By these a server may be told of another method or path than the one that was judged. */
const ROUTE_HEADERS =
  /^x-(?:http-method(?:-override)?|method-override|original-url|rewrite-url|forwarded-prefix)$/
const OUR_HEADERS = /^x-memgov-/

/** @throws upstream_unavailable when nobody answers in time */
export async function askUpstream(address: UpstreamAddress, outgoing: Outgoing): Promise<IncomingMessage> {
  try {
    return await attempt(address, outgoing)
  } catch (error) {
    if (outgoing.signal.aborted || !(error instanceof StaleConnection)) throw unavailable(address.url, error)
  }
  // Others that were kept may be closed as well: it takes one of its own.
  return attempt(address, { ...outgoing, isRepeatable: false }).catch((error: unknown) => {
    throw unavailable(address.url, error)
  })
}

/** A connection that was kept had been closed by the other end meanwhile: what was sent has arrived nowhere. */
class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function attempt({ url, timeoutMs }: UpstreamAddress, outgoing: Outgoing): Promise<IncomingMessage> {
  const { method, target, headers, body, isRepeatable, isReadWhole, signal } = outgoing
  const whole = `${url.origin}${url.pathname.replace(/\/$/, '')}${target}`
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  const connection = isRepeatable ? {} : { agent: false }
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = open(whole, { method, headers, signal, ...connection })
    const timer = setTimeout(() => request.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs)
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`nothing came for ${timeoutMs} ms`)))
    request.on('response', (response) => {
      // What is passed on may go on as long as something comes.
      if (!isReadWhole) clearTimeout(timer)
      resolve(response)
    })
    request.on('error', (error) => {
      const isStale = isRepeatable && request.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection() : error)
    })
    request.on('close', () => clearTimeout(timer))
    if (Buffer.isBuffer(body)) request.end(body)
    else {
      body.on('error', (error) => request.destroy(error))
      body.pipe(request)
    }
  })
}

export function unavailable({ origin }: URL, error: unknown): DomainError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  const why = code ?? (error instanceof Error ? error.message : String(error))
  return new DomainError(
    'upstream_unavailable',
    {},
    `The store at ${origin} does not answer (${why}): check that it runs there, or start the proxy with another --upstream.`,
  )
}

/** What goes to the upstream of a caller's headers: neither what is of one connection, nor anything that is for memgov. */
export function headersForUpstream(headers: IncomingHttpHeaders, body: Buffer | null): IncomingHttpHeaders {
  const kept = endToEnd(headers)
  for (const name of Object.keys(kept)) {
    if (name === 'host' || ROUTE_HEADERS.test(name) || OUR_HEADERS.test(name)) delete kept[name]
  }
  if (body === null) {
    // A body of unknown length keeps its frame: without one the next server would read it as another request.
    if (headers['transfer-encoding'] === undefined) return kept
    delete kept['content-length']
    return { ...kept, 'transfer-encoding': 'chunked' }
  }
  // A part of an answer, or its compressed bytes, could not be judged; and what a caller has kept was judged long ago.
  for (const name of [
    'range',
    'if-range',
    'if-none-match',
    'if-modified-since',
    'content-length',
    'content-type',
  ]) {
    delete kept[name]
  }
  const typed = body.length === 0 ? {} : { 'content-type': 'application/json' }
  return { ...kept, ...typed, 'accept-encoding': 'identity', 'content-length': String(body.length) }
}

/** Whether a request says that it brings a body. */
export function hasBody({
  'content-length': length,
  'transfer-encoding': encoding,
}: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** Without the headers of one connection, and those that it names. */
export function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  )
}

/** What a judged answer keeps of the headers of the upstream: facts about the request, no text about memory. */
const KEPT = /^(?:retry-after|www-authenticate|x-request-id|(?:x-)?ratelimit-[\w-]{1,40})$/

export function keptHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT.test(name)))
}

/**
 * The body of an answer that is to be judged.
 * @throws upstream_answer_refused when it is compressed or too large, upstream_unavailable when it breaks off
 */
export async function judgeableBody(
  response: IncomingMessage,
  { url }: UpstreamAddress,
  bytesMax: number,
): Promise<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    response.destroy()
    throw refused('encoding', `a body in ${encoding.slice(0, 40)}, though it was asked for identity`)
  }
  const body = await bodyWithin(response, bytesMax).catch((error: unknown) => {
    throw unavailable(url, error)
  })
  if (body !== null) return body
  response.destroy()
  throw refused('size', `more than ${bytesMax} bytes: ask for less at once`)
}

/** Null: it is larger. What is left of it is not read. */
export async function bodyWithin(message: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > bytesMax) return null
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

/** @throws upstream_answer_refused: where it leads is not configured */
export function refuseRedirect(response: IncomingMessage): void {
  const { statusCode = 0, headers } = response
  // 304 leads nowhere: what the caller has is as it was.
  if (statusCode >= 200 && (statusCode < 300 || statusCode >= 400 || statusCode === 304)) return
  // Unread it would hold its connection.
  response.destroy()
  const isElsewhere = headers.location !== undefined
  throw refused('redirect', `status ${statusCode}${isElsewhere ? ', which leads elsewhere' : ''}`)
}

export function refused(reason: 'encoding' | 'size' | 'redirect' | 'shape', what: string): DomainError {
  return new DomainError(
    'upstream_answer_refused',
    { reason },
    `The store answered with ${what}. Nothing of it was passed on.`,
  )
}
