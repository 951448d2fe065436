import { Buffer } from 'node:buffer'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type AnyObject, isObject } from '../../core/base/collections.ts'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type { Clock, Log } from '../../ports/system.ts'
import { errorReply, goneSignal, namesTwoHosts } from '../http/error-reply.ts'
import { hostCheck, pageCheck } from '../http/hosts.ts'
import { type AnswerReading, readAnswer, UNJUDGED } from './answer.ts'
import { isExact, jsonIn, jsonTextOf } from './exact-json.ts'
import {
  askUpstream,
  bodyWithin,
  endToEnd,
  hasBody,
  headersForUpstream,
  judgeableBody,
  keptHeaders,
  refused,
  refuseRedirect,
  type UpstreamAddress,
} from './forward.ts'
import { type Asked, type Judge, type Judged, ownersIn } from './judge.ts'
import type { Shape, Upstream, UpstreamRoute } from './upstreams.ts'

export interface Target {
  /** As it came, with its query: what the upstream is asked for. */
  readonly text: string
  /** Decoded, without the slash at the end. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Servers disagree about what such a part of a path means, so that one of them could read another route than we do. */
const UNCLEAR = /^\.{1,2}$|[/\\;\p{Cc}]/u

/** Null: an absolute target, or a path that two servers may read as two. */
export function targetIn(text: string): Target | null {
  if (!text.startsWith('/') || text.includes('#')) return null
  const [path = '', ...rest] = text.split('?')
  const parts = path.slice(1).replace(/\/$/, '').split('/')
  try {
    const decoded = parts.map((part) => decodeURIComponent(part))
    if (decoded.some((part) => UNCLEAR.test(part)) || decoded.slice(0, -1).includes('')) return null
    return { text, parts: decoded, query: new URLSearchParams(rest.join('?')) }
  } catch {
    return null
  }
}

export interface Matched {
  readonly route: UpstreamRoute
  /** What stands for the names of its path. */
  readonly named: Readonly<Record<string, string>>
}

/** The route of a request, the one with more fixed parts first; null: it is not in the table. */
export function matchRoute(upstream: Upstream, method: string, { parts }: Target): Matched | null {
  for (const prefix of [...upstream.prefixes.map(partsOf), []]) {
    if (!prefix.every((part, at) => isSame(part, parts[at]))) continue
    const rest = parts.slice(prefix.length)
    const [found] = upstream.routes
      .flatMap((route) => {
        const named = route.method === method ? namedIn(route.path, rest) : null
        return named === null ? [] : [{ route, named }]
      })
      .sort((a, b) => Object.keys(a.named).length - Object.keys(b.named).length)
    if (found !== undefined) return found
  }
  return null
}

function partsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
}

function namedIn(path: string, parts: readonly string[]): Readonly<Record<string, string>> | null {
  const template = partsOf(path)
  if (template.length !== parts.length) return null
  const named: Record<string, string> = {}
  for (const [at, part] of template.entries()) {
    const said = parts[at] ?? ''
    if (!part.startsWith(':')) {
      if (!isSame(part, said)) return null
    } else if (said === '') return null
    else named[part.slice(1)] = said
  }
  return named
}

/** A server that tells no case apart would answer another spelling. */
function isSame(part: string, said: string | undefined): boolean {
  return part === said?.toLowerCase()
}

export interface ProxyOptions {
  readonly upstream: Upstream
  readonly address: UpstreamAddress
  readonly judge: Judge
  /** Null: the owner that the upstream knows names it. */
  readonly scope: string | null
  readonly isTrusted: boolean
  /** True: routes that are in no table are passed as they are. */
  readonly passesUnknown: boolean
  /** True: what memgov cannot judge is passed with a label that says so. */
  readonly failsOpen: boolean
  readonly clock: Clock
  readonly log: Log
}

const QUESTION_BYTES_MAX = 2 * 1024 * 1024
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
/** Answers in memory at once. */
const GOVERNED_MAX = 32
const CONNECTIONS_MAX = 512
/** In which a request must have arrived. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 60_000
/** Of the memgov key of a caller. What is in `authorization` is for the upstream. */
const KEY_HEADER = 'x-memgov-key'
const OUR_KEY = /\bmg_[\w-]{8,}/

/** The proxy over HTTP; it listens once `listen` is called. */
export function createProxy(options: ProxyOptions): Server {
  const isOwnHost = hostCheck([])
  const isOwnPage = pageCheck([])
  let governedNow = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = 'GET' } = request
    if (namesTwoHosts(request.rawHeaders))
      throw invalidRequest([{ path: 'host', message: 'Send one host header.' }])
    if (!isOwnHost(headers.host)) throw new DomainError('host_not_allowed', {}, HOST_HINT)
    if (!isOwnPage(headers)) throw new DomainError('cross_site_request', {}, PAGE_HINT)
    const key = keyIn(headers)
    const target = targetIn(request.url ?? '')
    if (target === null)
      throw new DomainError('unknown_upstream_route', { reason: 'unclear_path' }, UNCLEAR_HINT)
    const matched = matchRoute(options.upstream, method, target)
    if (matched === null && !options.passesUnknown)
      throw new DomainError('unknown_upstream_route', { method })
    const shape = matched?.route.shape ?? null
    if (matched === null || shape === null) return pass(options, request, response, target)
    if (governedNow >= GOVERNED_MAX) throw new DomainError('overloaded', { governed_max: GOVERNED_MAX })
    governedNow += 1
    try {
      await govern(options, { request, response, target, matched, shape, key })
    } finally {
      governedNow -= 1
    }
  }
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(request, response).catch((error: unknown) => fail(error, request, response, options.log))
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** In the place of a refusal that is no JSON. */
const UNREAD = { detail: 'The store refused the request.' }
const HOST_HINT = 'The host header names another machine: ask the proxy by localhost or an address.'
const PAGE_HINT = 'A page of another site may not ask the proxy.'
const UNCLEAR_HINT =
  'The path is absolute, or servers may read it as another one: send a plain path from the root, without //, dots or encoded slashes.'

/** Null: the caller has none of its own. @throws invalid_request for a key of memgov that would go to the upstream */
function keyIn(headers: IncomingHttpHeaders): string | null {
  const strayed = ['authorization', 'x-api-key', 'cookie'].find((name) =>
    OUR_KEY.test(String(headers[name] ?? '')),
  )
  if (strayed !== undefined) {
    throw invalidRequest([
      { path: strayed, message: `A key of memgov goes in ${KEY_HEADER}: ${strayed} is for the store.` },
    ])
  }
  const key = headers[KEY_HEADER]
  return typeof key === 'string' && key !== '' ? key : null
}

/** A write or control: as it came, both ways. */
async function pass(
  { address }: ProxyOptions,
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
): Promise<void> {
  const answered = await askUpstream(address, {
    method: request.method ?? 'GET',
    target: target.text,
    headers: headersForUpstream(request.headers, null),
    body: hasBody(request.headers) ? request : Buffer.alloc(0),
    isRepeatable: false,
    isReadWhole: false,
    signal: goneSignal(response),
  })
  refuseRedirect(answered)
  response.writeHead(answered.statusCode ?? 502, endToEnd(answered.headers))
  // An answer that breaks off breaks off here too.
  await pipeline(answered, response).catch(() => response.destroy())
}

interface Governed {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly matched: Matched
  readonly shape: Shape
  readonly key: string | null
}

async function govern(options: ProxyOptions, governed: Governed): Promise<void> {
  const { upstream, address } = options
  const { request, response, target, matched, key } = governed
  const said = await questionIn(request)
  const body = said === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(said))
  const answered = await askUpstream(address, {
    method: request.method ?? 'GET',
    target: target.text,
    headers: headersForUpstream(request.headers, body),
    body,
    isRepeatable: !matched.route.isWrite,
    isReadWhole: true,
    signal: goneSignal(response),
  })
  refuseRedirect(answered)
  const { statusCode: status = 502, headers } = answered
  const bytes = await judgeableBody(answered, address, ANSWER_BYTES_MAX)
  if (bytes.length === 0) {
    response.writeHead(status, keptHeaders(headers)).end()
    return
  }
  const value = jsonIn(bytes)
  const isRefusal = status >= 400
  if (value === undefined && !isRefusal) throw refused('shape', 'what is no JSON in UTF-8')
  const owners = ownersIn(upstream, [matched.named, parametersOf(target), isObject(said) ? said : {}])
  const { scope, isTrusted, clock } = options
  // What a store says of a request that it refuses has no shape; what cannot be read of it is left out.
  const reading = readAnswer(
    value === undefined ? UNREAD : value,
    isRefusal ? { kind: 'texts' } : governed.shape,
    {
      upstream,
      owners,
      scope,
      isTrusted,
      nowMs: clock.nowMs(),
    },
  )
  const queryText = queryIn(upstream, said)
  const judged = await judgedOf(options, reading, { backend: upstream.backend, queryText, key })
  const rendered = reading.render(judged.rows, judged.texts)
  if (rendered === null) throw heldBack(judged.rows)
  if (rendered.heldBack > 0)
    options.log.info({ held_back: rendered.heldBack }, 'memory of the store was held back')
  response
    .writeHead(status, {
      ...keptHeaders(headers),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-memgov': judged.isGoverned ? 'governed' : 'not_governed',
      'x-memgov-held-back': String(rendered.heldBack),
    })
    .end(jsonTextOf(rendered.body))
}

async function judgedOf(
  { judge, failsOpen, log }: ProxyOptions,
  { rows, texts }: AnswerReading,
  about: { readonly backend: string; readonly queryText: string; readonly key: string | null },
) {
  const ask = (asked: readonly Asked[], isRecorded: boolean) =>
    asked.length === 0 ? null : judge(asked, { ...about, isRecorded })
  try {
    const [ofRows, ofTexts] = await Promise.all([ask(rows, true), ask(texts, false)])
    return { rows: ofRows, texts: ofTexts, isGoverned: true }
  } catch (error) {
    if (!failsOpen || !(error instanceof DomainError) || error.code !== 'not_governed') throw error
    log.warn({ code: error.code }, 'an answer was passed without being judged')
    return { rows: null, texts: null, isGoverned: false }
  }
}

/** For who asks for one memory, it is not there. */
function heldBack(judged: Judged | null): DomainError {
  const { reason_codes } = judged?.verdicts[0] ?? UNJUDGED
  return new DomainError(
    'memory_not_found',
    { held_back: true, reason_codes },
    `memgov holds this memory back: ${reason_codes.join(', ')}.`,
  )
}

/** The JSON of a request; undefined: it has no body. What goes on is written anew, so that both servers read the same. */
async function questionIn(request: IncomingMessage): Promise<unknown> {
  const bytes = await bodyWithin(request, QUESTION_BYTES_MAX)
  if (bytes === null) throw new DomainError('body_too_large', { limit_bytes: QUESTION_BYTES_MAX }, LARGE_HINT)
  if (bytes.length === 0) return undefined
  const value = jsonIn(bytes)
  if (value === undefined) throw new DomainError('invalid_json')
  if (!isExact(value)) throw invalidRequest([{ path: '', message: INEXACT_HINT }])
  return value
}

const INEXACT_HINT =
  'A number above 2^53 or without an end would reach the store as another one: send it as text.'
const LARGE_HINT = `The body is larger than ${QUESTION_BYTES_MAX} bytes: send less in one request.`

function parametersOf({ query }: Target): AnyObject {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]))
}

function queryIn({ queries }: Upstream, said: unknown): string {
  if (!isObject(said)) return ''
  const [found] = queries.map((name) => said[name]).filter((value) => value !== undefined && value !== null)
  if (typeof found === 'string') return found
  // Messages: the newest says what it is about.
  const last: unknown = Array.isArray(found) ? found.at(-1) : null
  const content = isObject(last) ? last['content'] : null
  return typeof content === 'string' ? content : ''
}

/** A refusal says nothing of the headers, the path or the body of its request: they may hold keys, ids and memory. */
function fail(error: unknown, request: IncomingMessage, response: ServerResponse, log: Log): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const refusal = error instanceof DomainError ? error : new DomainError('internal_error')
  if (refusal.code === 'internal_error') log.error({ err: error }, 'unexpected failure')
  else log.warn({ method: request.method, code: refusal.code, ...reasonIn(refusal) }, 'a request was refused')
  const { status, headers, body } = errorReply(refusal)
  response.writeHead(status, { ...headers, 'x-memgov': 'refused' }).end(body)
  // Nobody reads the rest of its body.
  if (!request.complete) request.resume()
}

function reasonIn({ details }: DomainError): object {
  const { reason } = details
  return typeof reason === 'string' ? { reason } : {}
}
