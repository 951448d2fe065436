import { type AnswerFacts, connectionError, invalidRequest, MemgovError } from './client-error.ts'

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
export function requestFor(method: 'GET' | 'POST', base: string, path: string, body: object): Request {
  const fields: Fields = { ...body }
  const inPath = new Set<string>()
  const filled = path.replace(/:(\w+)/g, (_part, name: string) => {
    inPath.add(name)
    const value = fields[name]
    if (typeof value !== 'string' || value === '') throw invalidRequest(name, 'Send its text.')
    return encodeURIComponent(value)
  })
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !inPath.has(name)))
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
    const plain: unknown = JSON.parse(jsonOf({ value })).value
    query.set(name, typeof plain === 'string' ? plain : JSON.stringify(plain))
  }
  return query.toString()
}

function jsonOf(body: object): string {
  try {
    return JSON.stringify(body, function (this: Fields, name, value: unknown) {
      // A date arrives here as its text.
      const fault = faultOf(this[name])
      if (fault !== null) throw invalidRequest(name, fault)
      return value
    })
  } catch (error) {
    if (error instanceof TypeError) throw invalidRequest('', 'Send a value that does not hold itself.')
    throw error
  }
}

/** What JSON cannot carry. */
function faultOf(value: unknown): string | null {
  switch (typeof value) {
    case 'bigint':
    case 'function':
    case 'symbol':
      return `Send text, a number or an object instead of a ${typeof value}.`
    case 'number':
      return Number.isFinite(value) ? null : `Send a number that JSON has, not ${value}.`
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Send a date that exists.' : null
      return value instanceof Map || value instanceof Set ? 'Send a plain object or list.' : null
    default:
      return null
  }
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

/** A timer of more ends at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
const FIRST_WAIT_MS = 200
const WAIT_MAX_MS = 5000

/**
 * Sends a request until it is answered, at most `retries` times more than once, within `timeoutMs` in all.
 * @throws MemgovError, or the reason of the signal
 */
export async function exchanged(request: Request, exchange: Exchange): Promise<Exchanged> {
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
      if (!(error instanceof MemgovError) || failed >= exchange.retries || !isPassing(error)) throw error
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
      // A key is for the address that it was given for.
      redirect: 'error',
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
export function objectFrom<Answer extends object>(text: string): Answer | null {
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
