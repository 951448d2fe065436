// `memgov/client`: a running service, called by the methods of an embedded runtime. One file, for Node and browsers: it
// imports types only, and the build makes one module of it.

import type {
  GuideBody,
  GuidePromptResponse,
  GuideResponse,
  HealthResponse,
  MemgovRuntime,
} from '../index.ts'
import { connectionError, MemgovError } from './client-error.ts'
import { type Exchange, exchanged, objectFrom, type Request, requestFor } from './exchange.ts'
import { ROUTES } from './routes.ts'

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

/** Connects nothing: each call does. Throws a TypeError when the URL is none. */
export function createClient(options: ClientOptions = {}): MemgovClient {
  const base = baseOf(options.url ?? DEFAULT_URL)
  const { key, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options
  const headers = {
    accept: 'application/json',
    'x-memgov-client': `memgov-js/${CLIENT_VERSION}`,
    ...(key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }),
  }
  // A browser calls its fetch as a function of the page only.
  const ask = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  let isClosed = false
  const exchange = (call: CallOptions = {}): Exchange => {
    if (isClosed) throw new MemgovError('shutting_down', {}, 'This client is closed: make another one.')
    return { fetch: ask, headers, retries, timeoutMs: call.timeoutMs ?? timeoutMs, signal: call.signal }
  }
  const operation =
    ([method, path, writes]: (typeof ROUTES)[keyof typeof ROUTES]) =>
    async (body: object = {}, call?: CallOptions): Promise<object> => {
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
  return url.replace(/\/+$/, '')
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
