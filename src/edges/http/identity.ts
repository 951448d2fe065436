import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../core/base/errors.ts'
import type { Keys, Principal } from '../../ports/keys.ts'

const BEARER = /^Bearer +(\S+) *$/i

/** The key of a request; null when it names none, or two. */
export function tokenIn({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | null {
  const bearer = authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? '')
  if (apiKey === undefined) return bearer
  return typeof apiKey === 'string' && (bearer === null || bearer === apiKey) ? apiKey : null
}

/** Sessions of a page, by what its browser sends with each request. */
export interface PageSessions {
  principalOf(headers: IncomingHttpHeaders, nowMs: number): Principal | null
}

/**
 * Whose request it is: that of the key that it names, else that of a session, where sessions count. Null: nobody's. Asked
 * again later it says whether the same headers still open anything.
 */
export function identityOf(
  headers: IncomingHttpHeaders,
  keys: Keys,
  sessions: PageSessions | null,
  nowMs: number,
) {
  const isKeyNamed = headers.authorization !== undefined || headers['x-api-key'] !== undefined
  if (!isKeyNamed && sessions !== null) {
    const principal = sessions.principalOf(headers, nowMs)
    if (principal !== null) return { principal, bySession: true }
  }
  const principal = keys.principalOf(tokenIn(headers) ?? '', nowMs)
  return principal === null ? null : { principal, bySession: false }
}

const PAGE_HEADER = 'x-memgov-console'
const JSON_BODY = /^application\/json\s*(?:;|$)/i
const UNMARKED =
  'A session sends nothing but GET without the header x-memgov-console: 1, and JSON with content-type: application/json: a page of another site can set neither.'

/**
 * A browser sends cookies along with what other pages have it send. A header of our own they cannot add, nor JSON as such.
 * True: this request is neither a plain read nor marked so.
 */
export function isUnmarked({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
  const isJson = !hasBody || JSON_BODY.test(headers['content-type'] ?? '')
  return headers[PAGE_HEADER] !== '1' || !isJson
}

export function unmarkedRefusal(): DomainError {
  return new DomainError('cross_site_request', { header: PAGE_HEADER }, UNMARKED)
}
