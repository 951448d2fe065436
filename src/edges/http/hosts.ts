import { isIP } from 'node:net'

/** The name or address in a `Host` header (RFC 9110, 7.2), without its port. */
const HOST = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/

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

function isLocal(name: string): boolean {
  if (!name.includes('.') || name.endsWith('.localhost')) return true
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Names are the same in upper and lower case, and with the dot of the root behind them. */
function canonical(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
