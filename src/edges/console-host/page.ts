import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../core/base/errors.ts'
import { type ConsoleFile, chosenOf, INDEX } from './console-files.ts'

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
