import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../core/base/errors.ts'

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

/** One file of the page, as it leaves. */
interface ConsoleFile {
  /** `assets/index-3f2a.js` */
  readonly name: string
  readonly type: string
  /** After gzip. */
  readonly packed: Buffer
}

/** Every file of the built page. Null: it is not built. Rejects when the list names what is not there. */
export async function readConsoleFiles(folder: URL): Promise<readonly ConsoleFile[] | null> {
  const list = await contentOf(new URL('files.json', folder))
  if (list === null) return null
  const names = Names.parse(JSON.parse(list.toString('utf8')))
  return Promise.all(names.map((name) => readConsoleFile(folder, name)))
}

async function readConsoleFile(folder: URL, name: string): Promise<ConsoleFile> {
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
