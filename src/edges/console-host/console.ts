import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError, invalidRequest } from '../../core/base/errors.ts'
import type { Keys, Principal } from '../../ports/keys.ts'
import type { Clock } from '../../ports/system.ts'
import { bodyBytes, parseBody } from '../http/body.ts'
import { isFromThisMachine } from '../http/hosts.ts'
import { isUnmarked, type PageSessions, unmarkedRefusal } from '../http/identity.ts'
import { Sessions } from './sessions.ts'

/** Where the page is. */
const CONSOLE_PATH = '/console'

// The page shows hostile text. Whatever it did wrong with one, a browser runs nothing but the page's own files, sends
// nothing anywhere else, and makes no markup of a string.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // The icon of the page.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  vary: 'accept-encoding',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** A name holds the hash of its content. */
const FOR_GOOD = 'public, max-age=31536000, immutable'

const NOT_BUILT =
  'The console is not built here: run npm run build, or use the published package. memgov serve --no-console leaves it out.'

/** The paths of the page: one for each file, and those of its first one. */
export function pageRoutes(files: readonly ConsoleFile[] | null): readonly PageRoute[] {
  const index = files?.find(({ name }) => name === INDEX) ?? null
  return [
    { path: CONSOLE_PATH, file: index },
    { path: `${CONSOLE_PATH}/`, file: index },
    ...(files ?? []).map((file) => ({ path: `${CONSOLE_PATH}/${file.name}`, file })),
  ]
}

interface PageRoute {
  readonly path: string
  /** Null: the page is not built. */
  readonly file: ConsoleFile | null
}

export function servePage(app: FastifyInstance, routes: readonly PageRoute[]): void {
  for (const { path, file } of routes) {
    const isPage = file === null || file.name === INDEX
    app.get(path, { config: { access: 'everyone', isPage } }, (request, reply) =>
      sendFile(file, request, reply),
    )
  }
}

async function sendFile(
  file: ConsoleFile | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers(HEADERS)
  if (file === null) throw new DomainError('not_found', { path: CONSOLE_PATH }, NOT_BUILT)
  const { bytes, encoding } = await chosenOf(file, request.headers['accept-encoding'])
  if (encoding !== null) void reply.header('content-encoding', encoding)
  void reply.header('cache-control', file.name === INDEX ? 'no-store' : FOR_GOOD)
  return reply.type(file.type).send(bytes)
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

const INDEX = 'index.html'
const NAME = /^(?:index\.html|assets\/[\w-][\w.-]{0,120}\.(?:js|css))$/
const Names = z.array(z.string().regex(NAME)).max(64)

/** The build keeps a file in this form only: every browser takes it, from any place. */
const ENCODING = 'gzip'
const END = '.gz'

/** One file of the page, as it leaves: packed, by a name such as `assets/index-3f2a.js`. */
type ConsoleFile = Awaited<ReturnType<typeof readConsoleFile>>

/** Every file of the built page. Null: it is not built. Rejects when the list names what is not there. */
export async function readConsoleFiles(folder: URL): Promise<readonly ConsoleFile[] | null> {
  const list = await contentOf(new URL('files.json', folder))
  if (list === null) return null
  const names = Names.parse(JSON.parse(list.toString('utf8')))
  return Promise.all(names.map((name) => readConsoleFile(folder, name)))
}

async function readConsoleFile(folder: URL, name: string) {
  const packed = await readFile(new URL(`${name}${END}`, folder))
  return { name, type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream', packed }
}

const unpacked = promisify(gunzip)

/** What of a file is sent to a client that takes these encodings; few take none. */
async function chosenOf(
  { packed }: ConsoleFile,
  accepted: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly encoding: typeof ENCODING | null }> {
  if (acceptedWords(accepted).has(ENCODING)) return { bytes: packed, encoding: ENCODING }
  return { bytes: await unpacked(packed), encoding: null }
}

const REFUSED = /;\s*q=0(?:\.0*)?\s*$/i

function acceptedWords(header = ''): ReadonlySet<string> {
  const parts = header.split(',').filter((part) => !REFUSED.test(part))
  return new Set(parts.map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
}

/** Null: there is no such file. */
async function contentOf(url: URL): Promise<Buffer | null> {
  try {
    return await readFile(url)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

export const SESSION_PATH = '/v1/console/session'
const METHODS = ['GET', 'POST', 'DELETE'] as const

export const SESSION_ROUTES = METHODS.map((method) => ({ method, path: SESSION_PATH }))

/** Who reviews where nobody says who they are. */
const LOCAL_OPERATOR = 'local-operator'

interface SessionParts {
  /** Null: the store is in memory, and has none. */
  readonly keys: Keys | null
  readonly sessions: Sessions | null
  readonly clock: Clock
}

/** Login, logout, and what the page has to know of whoever asks. A key is sent once; later requests have the cookie. */
export function serveSession(app: FastifyInstance, parts: SessionParts): void {
  const config = { access: 'everyone' } as const
  app.get(SESSION_PATH, { config }, (request, reply) =>
    answer(reply, standingOf(parts, request, askedBy(parts, request))),
  )
  app.post(SESSION_PATH, { config }, (request, reply) => {
    if (isUnmarked(request)) throw unmarkedRefusal()
    return answer(reply, logIn(parts, request, reply))
  })
  app.delete(SESSION_PATH, { config }, (request, reply) => {
    if (isUnmarked(request)) throw unmarkedRefusal()
    if (parts.sessions !== null) void reply.header('set-cookie', parts.sessions.end(request.headers))
    return answer(reply, standingOf(parts, request, null))
  })
}

function answer(reply: FastifyReply, standing: object): FastifyReply {
  return reply.header('cache-control', 'no-store').send(standing)
}

const Login = z.object({ key: z.string().min(1).max(256) })
const NO_KEYS = 'Nobody logs in here: there are no keys, and whoever asks on this machine is the operator.'

function logIn(
  { keys, sessions, clock }: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): object {
  const sent = Login.safeParse(parseBody(bodyBytes(request)))
  if (!sent.success) {
    throw invalidRequest([{ path: 'key', message: 'Send the key of an operator, as {"key": "mg_…"}.' }])
  }
  if (keys === null || sessions === null || !keys.areUsed)
    throw invalidRequest([{ path: '', message: NO_KEYS }])
  const nowMs = clock.nowMs()
  const opened = sessions.tried(sent.data.key.trim(), request.raw.socket.remoteAddress ?? '', nowMs)
  if (opened === null) throw new DomainError('unauthorized')
  if (!opened.principal.isOperator) throw new DomainError('operator_key_required', { operation: 'console' })
  // Whatever session the browser came with is over: nobody can have set it up beforehand.
  sessions.end(request.headers)
  void reply.header('set-cookie', sessions.begin(opened.hold, nowMs))
  return keyedStanding(opened.principal)
}

function askedBy({ sessions, clock }: SessionParts, request: FastifyRequest): Principal | null {
  return sessions?.principalOf(request.headers, clock.nowMs()) ?? null
}

function standingOf({ keys }: SessionParts, request: FastifyRequest, principal: Principal | null): object {
  if (keys !== null && keys.areUsed) return keyedStanding(principal)
  const isOperator = isFromThisMachine(request.raw.socket)
  return {
    ...keyedStanding(null),
    has_keys: false,
    needs_login: false,
    operator: isOperator,
    read_only: false,
    four_eyes: false,
    reviewer: isOperator ? LOCAL_OPERATOR : null,
  }
}

/** With keys whoever wrote a memory does not approve it. */
function keyedStanding(principal: Principal | null): object {
  const scopes = principal?.scopes ?? []
  return {
    contract_version: 'svc_console_session_v1',
    has_keys: true,
    needs_login: principal === null,
    operator: principal?.isOperator ?? false,
    read_only: principal?.isReadOnly ?? true,
    four_eyes: true,
    reviewer: principal?.keyId ?? null,
    tenant_id: principal?.tenantId ?? null,
    scopes: scopes.filter(({ isPrefix }) => !isPrefix).map(({ name }) => name),
    scope_prefixes: scopes.filter(({ isPrefix }) => isPrefix).map(({ name }) => name),
  }
}

/** The operator console, as far as a service has to do with it. */
export interface Console {
  /** For the table of known paths. */
  readonly routes: readonly { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string }[]
  /** Null: nobody logs in. */
  readonly sessions: PageSessions | null
  serve(app: FastifyInstance): void
}

interface ConsoleParts {
  /** Of the built page; it may be missing, and then the page says so. */
  readonly folder: URL
  /** Null: the store is in memory, and has none. */
  readonly keys: Keys | null
  /** True: browsers ask over TLS. */
  readonly isSecure: boolean
  readonly clock: Clock
}

export async function openConsole({ folder, keys, isSecure, clock }: ConsoleParts): Promise<Console> {
  const pages = pageRoutes(await readConsoleFiles(folder))
  const sessions = keys === null ? null : new Sessions(keys, isSecure)
  return {
    routes: [...pages.map(({ path }) => ({ method: 'GET', path }) as const), ...SESSION_ROUTES],
    sessions,
    serve(app) {
      servePage(app, pages)
      serveSession(app, { keys, sessions, clock })
    },
  }
}
