import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'

/** The name or address in a `Host` header (RFC 9110, 7.2), without its port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/

/** Scheme, authority and name of the page that a request comes from (RFC 6454, 7). */
const ORIGIN = /^https?:\/\/(([^/]*?)(?::\d+)?)$/

/**
 * Whether a request that names this host is meant for this service: an address, a name without a dot, one below `localhost`,
 * one of `names`, or none at all. A page in a browser can have a name of its own point at this machine (DNS rebinding) and
 * would then be of the same origin as the service; that name gives it away, and such names have a dot.
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => boolean {
  const known = new Set(names.map(canonical))
  // Nearly every request names the same host as the one before.
  let last: string | undefined
  return (host) => {
    if (host === last) return true
    const name = HOST.exec(host ?? '')?.[1]
    if (name === undefined || !(isLocal(canonical(name)) || known.has(canonical(name)))) return false
    last = host
    return true
  }
}

/**
 * Whether a request may come from a page in a browser: from a page of this service, of one of `names` or of `origins`, or from
 * no page at all. Browsers say of their own accord where a page is from (Fetch Metadata; `origin`); other clients say nothing.
 */
export function pageCheck(
  names: readonly string[],
  origins: readonly string[] = [],
): (headers: IncomingHttpHeaders) => boolean {
  const known = new Set(names.map(canonical))
  return ({ host, origin, 'sec-fetch-site': site }) => {
    const [, authority, name = ''] = ORIGIN.exec(origin?.toLowerCase() ?? '') ?? []
    if (known.has(canonical(name)) || isListed(origins, origin)) return true
    if (site === 'cross-site' || site === 'same-site') return false
    return origin === undefined || (authority !== undefined && authority === host?.toLowerCase())
  }
}

/** What a page of a listed origin may send, and for how long its browser need not ask again. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, last-event-id, x-api-key, x-memgov-client, x-request-id',
  'access-control-max-age': '600',
} as const

/** What stands on every answer where origins are listed: a cache may not give one page what was meant for another. */
const FOR_OTHERS = { vary: 'origin' } as const

/**
 * What lets a browser give the answer to the page that asked: only a listed origin, by its name, never `*`. What a browser
 * keeps by itself, such as cookies, is never asked for: a key goes in a header. Null: no origin is listed.
 */
export function originCheck(
  origins: readonly string[],
): ((origin: string | undefined) => Readonly<Record<string, string>>) | null {
  if (origins.length === 0) return null
  return (origin) => {
    if (origin === undefined || !isListed(origins, origin)) return FOR_OTHERS
    return {
      ...FOR_OTHERS,
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
    }
  }
}

export function isListed(origins: readonly string[], origin: string | undefined): boolean {
  return origin !== undefined && origins.includes(origin.toLowerCase())
}

function isLocal(name: string): boolean {
  if (!name.includes('.') || name.endsWith('.localhost')) return true
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Names are the same in upper and lower case, and with the dot of the root behind them. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/** Of the network 127.0.0.0/8, also as IPv6 writes it, or ::1. */
const LOOPBACK = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/

/** Whether the other end of a connection is on this machine: a Unix socket has no address. */
export function isFromThisMachine({ remoteAddress }: Pick<Socket, 'remoteAddress'>): boolean {
  return remoteAddress === undefined || LOOPBACK.test(remoteAddress)
}
