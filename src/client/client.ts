// `memgov/client`: a running service, called by the methods of an embedded runtime. One file, for Node and browsers: it
// imports types only, and the build makes one module of it.

import type {
  GuideBody,
  GuidePromptResponse,
  GuideResponse,
  HealthResponse,
  MemgovRuntime,
} from '../index.ts'
import { jsonOf } from './body-json.ts'
import { type AnswerFacts, connectionError, invalidRequest, MemgovError } from './client-error.ts'
import { ROUTES } from './routes.ts'
import { isTimeLimit, TIME_LIMIT, TIMER_MAX_MS } from './time-limit.ts'

export { type ConnectionErrorCode, MemgovError } from './client-error.ts'

/** The version of this client, that of the package, which it names in the header x-memgov-client. */
export const CLIENT_VERSION = '0.1.0'

/** About one call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason. What was sent may have been carried out. */
  readonly signal?: AbortSignal | undefined
  /** For the whole call, its repeats included. */
  readonly timeoutMs?: number | undefined
}

export interface ClientOptions {
  /** Where the service listens. Default `http://127.0.0.1:3001`. */
  readonly url?: string | undefined
  /** The key of the service, `mg_…`; sent as Bearer. */
  readonly key?: string | undefined
  /** For a whole call, its repeats included. Default 30000. */
  readonly timeoutMs?: number | undefined
  /** How often a call is repeated that failed in passing. Default 2; with 0 a write is given no operation_id. */
  readonly retries?: number | undefined
  /** In the place of the fetch of the host. */
  readonly fetch?: typeof fetch | undefined
}

type Called<Method> = Method extends (...args: infer Args) => infer Result
  ? (...args: [...Args, call?: CallOptions]) => Result
  : never

/** With a view the answer is that view. */
interface GuideCall {
  (body: GuideBody & { readonly view?: null | undefined }, call?: CallOptions): Promise<GuideResponse>
  (body: GuideBody & { readonly view: 'prompt' }, call?: CallOptions): Promise<GuidePromptResponse>
  (body: GuideBody, call?: CallOptions): Promise<GuideResponse | GuidePromptResponse>
}

type Other = 'guide' | 'health' | 'metrics' | 'close' | typeof Symbol.asyncDispose

/** The operations of an embedded runtime, each with options of the call behind its body. */
type Operations = { readonly guide: GuideCall } & {
  readonly [Name in Exclude<keyof MemgovRuntime, Other>]: Called<MemgovRuntime[Name]>
}

/**
 * A running service, by the methods of an embedded runtime. What fails in passing is repeated, and a write under an
 * operation_id that is added, so that it is carried out once.
 */
export interface MemgovClient extends Operations {
  /** Readiness, storage and bounds. Needs no key. */
  health(call?: CallOptions): Promise<HealthResponse>
  /** The numbers of the service in the text format of Prometheus, when its option `metrics` is on. */
  metrics(call?: CallOptions): Promise<string>
  /** Later calls are refused with `shutting_down`. The service goes on. */
  close(): Promise<void>
  /** The same as close, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_URL = 'http://127.0.0.1:3001'
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 2
const OPTIONS: readonly string[] = ['url', 'key', 'timeoutMs', 'retries', 'fetch']

/** Connects nothing: each call does. Throws a TypeError that says which option is not right. */
export function createClient(options: ClientOptions = {}): MemgovClient {
  if (typeof options !== 'object') throw new TypeError(`Give an object of ${OPTIONS.join(', ')}.`)
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new TypeError(`${unknown} is no option: give ${OPTIONS.join(', ')}.`)
  const base = baseOf(String(options.url ?? DEFAULT_URL))
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options
  if (!isTimeLimit(timeoutMs)) throw new TypeError(`timeoutMs is ${timeoutMs}: ${TIME_LIMIT}`)
  if (!(retries >= 0)) throw new TypeError(`retries is ${retries}: give a number from 0.`)
  const key = keyIn(String(options.key ?? ''))
  const headers = {
    accept: 'application/json',
    'x-memgov-client': `memgov-js/${CLIENT_VERSION}`,
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  }
  // A browser calls its fetch as a function of the page only.
  const ask = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  let isClosed = false
  const exchange = (call: CallOptions = {}): Exchange => {
    if (isClosed) throw new MemgovError('shutting_down', {}, 'This client is closed: make another one.')
    const ownMs = call.timeoutMs ?? timeoutMs
    if (!isTimeLimit(ownMs)) throw invalidRequest('timeoutMs', `This is ${ownMs}: ${TIME_LIMIT}`)
    return { fetch: ask, headers, retries, timeoutMs: ownMs, signal: call.signal }
  }
  const operation =
    ([method, path, writes]: (typeof ROUTES)[keyof typeof ROUTES]) =>
    async (given: object = {}, call?: CallOptions): Promise<object> => {
      const body = objectIn(given)
      const sent = (writes || isRecording(body)) && retries > 0 ? withOperationId(body) : body
      return answerOf(requestFor(method, base, path, sent), exchange(call))
    }
  const close = async (): Promise<void> => {
    isClosed = true
  }
  const methods: readonly (readonly unknown[])[] = Object.entries(ROUTES).map(([name, route]) => [
    name,
    operation(route),
  ])
  const operations: Operations = Object.fromEntries(methods)
  return {
    ...operations,
    health: async (call) => answerOf(requestFor('GET', base, '/health', {}), exchange(call)),
    metrics: async (call) => (await exchanged(requestFor('GET', base, '/metrics', {}), exchange(call))).text,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (
    parsed === null ||
    !['http:', 'https:'].includes(parsed.protocol) ||
    parsed.search + parsed.hash !== ''
  ) {
    throw new TypeError(`${url} is not the URL of a service: name it as http://127.0.0.1:3001.`)
  }
  // Refused by fetch as well.
  if (parsed.username + parsed.password !== '')
    throw new TypeError('A URL with a name or a password is not asked: give the key as key.')
  return url.replace(/\/+$/, '')
}

function objectIn(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw invalidRequest('', 'Send one JSON object as the body.')
}

/** Refused by fetch, such a key would look like a service that does not answer. */
function keyIn(text: string): string {
  const key = text.trim()
  if (/[^!-~]/.test(key)) throw new TypeError('The key holds signs that no key has.')
  return key
}

/** A govern that only reads otherwise. */
function isRecording(body: object): boolean {
  return 'record' in body && body.record === true
}

/** Repeated under the same id, a write is carried out once. */
function withOperationId(body: object): object {
  const has = 'operation_id' in body && body.operation_id !== undefined && body.operation_id !== null
  return has ? body : { ...body, operation_id: newId() }
}

/** A page that came over plain HTTP from another machine has no randomUUID. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `client:${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** What the service answers is what its contract says: it is not checked again. */
async function answerOf<Answer extends object>(request: Request, exchange: Exchange): Promise<Answer> {
  const { text, facts } = await exchanged(request, exchange)
  const answer: Answer | null = objectFrom(text)
  if (answer === null) throw connectionError('not_memgov', { status: facts.status }, facts)
  return answer
}

/** A request as it goes out, however often. */
export interface Request {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Null: it has none. */
  readonly body: string | null
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Puts the fields of a body where its route takes them: parts of the path, the query of a GET, else JSON.
 * @throws MemgovError invalid_request for what JSON would lose without a word
 */
function requestFor(method: 'GET' | 'POST', base: string, path: string, body: object): Request {
  const rest: Record<string, unknown> = { ...body }
  const filled = path.replace(/:(\w+)/g, (_part, name: string) => {
    const value = rest[name]
    Reflect.deleteProperty(rest, name)
    // Of a path every reader takes dots away, encoded ones too.
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Cs}/u.test(value))
      throw invalidRequest(name, 'Send its text, which is not empty, "." or "..".')
    return encodeURIComponent(value)
  })
  const url = `${base}${filled}`
  if (method === 'POST') return { method, url, body: jsonOf(rest) }
  const query = queryOf(rest)
  return { method, url: query === '' ? url : `${url}?${query}`, body: null }
}

/** Text as it is, anything else as JSON; what is left out stays out. */
function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    // Of a date there is only its text.
    const plain: unknown = JSON.parse(jsonOf({ [name]: value }))[name]
    // Written out, half of a character would be another text, and a scope another scope.
    if (/\p{Cs}/u.test(String(plain))) throw invalidRequest(name, 'Send whole characters.')
    query.set(name, typeof plain === 'string' ? plain : JSON.stringify(plain))
  }
  return query.toString()
}

/** What an exchange needs of its client. */
export interface Exchange {
  readonly fetch: typeof fetch
  readonly headers: Readonly<Record<string, string>>
  readonly retries: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

interface Exchanged {
  readonly text: string
  readonly facts: AnswerFacts
}

/** What says that the same request may succeed later: the service, or a proxy before it. */
const PASSING: readonly number[] = [408, 429, 502, 503, 504]
/** Another node owns the scope; the other meaning of its status does not pass. */
const PASSING_CODE = 'not_owner'

const FIRST_WAIT_MS = 200
const WAIT_MAX_MS = 5000

/**
 * Sends a request until it is answered, at most `retries` times more than once, within `timeoutMs` in all.
 * @throws MemgovError, or the reason of the signal
 */
async function exchanged(request: Request, exchange: Exchange): Promise<Exchanged> {
  const { signal, timeoutMs } = exchange
  signal?.throwIfAborted()
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const deadline = performance.now() + timeoutMs
  const late = () => stop.abort(connectionError('timeout', { timeout_ms: timeoutMs }))
  const timer = setTimeout(late, Math.min(timeoutMs, TIMER_MAX_MS))
  try {
    return await attempts(request, exchange, stop.signal, deadline)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function attempts(
  request: Request,
  exchange: Exchange,
  stop: AbortSignal,
  deadline: number,
): Promise<Exchanged> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt(request, exchange, stop)
    } catch (error) {
      stop.throwIfAborted()
      if (!(error instanceof MemgovError && failed < exchange.retries && isPassing(error))) throw error
      const waitMs = error.retryAfterMs ?? backOffMs(failed)
      // What asks for more time than there is will not be answered in it.
      if (performance.now() + waitMs >= deadline) throw error
      await sleep(waitMs, stop)
    }
  }
}

function isPassing({ code, status }: MemgovError): boolean {
  return status === null ? code === 'unreachable' : PASSING.includes(status) || code === PASSING_CODE
}

/** Longer each time, and never the same for two clients. */
function backOffMs(failed: number): number {
  return Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** failed) * (0.5 + Math.random() / 2)
}

async function attempt(
  request: Request,
  { fetch, headers }: Exchange,
  stop: AbortSignal,
): Promise<Exchanged> {
  const { method, url, body } = request
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
      body,
      signal: stop,
      // A key is for the address that it was given for: what leads elsewhere is an answer that is not memgov's.
      redirect: 'manual',
    })
    text = await response.text()
  } catch (error) {
    throw connectionError('unreachable', { url: addressOf(url) }, undefined, error)
  }
  const facts = factsOf(response)
  if (response.ok) return { text, facts }
  throw refusalOf(text, facts)
}

function refusalOf(text: string, facts: AnswerFacts): MemgovError {
  const body: Readonly<Record<string, unknown>> | null = objectFrom(text)
  const code = body?.['error']
  if (body === null || typeof code !== 'string') {
    return connectionError('not_memgov', { status: facts.status }, facts)
  }
  const { message, details } = body
  const told = typeof details === 'object' && details !== null ? { ...details } : {}
  return new MemgovError(code, told, typeof message === 'string' ? message : code, facts)
}

function factsOf({ status, headers }: Response): AnswerFacts {
  return {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  }
}

/** Seconds, or a date. */
function retryAfterMs(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const seconds = Number(text)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null
}

/** Without what may be memory text. */
function addressOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** The object that a text says in JSON; null: none. */
function objectFrom<Answer extends object>(text: string): Answer | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function sleep(waitMs: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        stop.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(waitMs, TIMER_MAX_MS),
    )
    function abort(): void {
      clearTimeout(timer)
      reject(stop.reason)
    }
    stop.addEventListener('abort', abort, { once: true })
  })
}
