import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

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
 * Whether a request may come from a page in a browser: from a page of this service, of one of `names`, or from no page at
 * all. Browsers say of their own accord where a page is from (Fetch Metadata; `origin`); other clients say nothing.
 */
export function pageCheck(names: readonly string[]): (headers: IncomingHttpHeaders) => boolean {
  const known = new Set(names.map(canonical))
  return ({ host, origin, 'sec-fetch-site': site }) => {
    const [, authority, name = ''] = ORIGIN.exec(origin?.toLowerCase() ?? '') ?? []
    if (known.has(canonical(name))) return true
    if (site === 'cross-site' || site === 'same-site') return false
    return origin === undefined || (authority !== undefined && authority === host?.toLowerCase())
  }
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
export function isFromThisMachine({
  remoteAddress,
}: {
  readonly remoteAddress?: string | undefined
}): boolean {
  return remoteAddress === undefined || LOOPBACK.test(remoteAddress)
}
