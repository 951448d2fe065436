import type { Upstream, UpstreamRoute } from './upstreams.ts'

export interface Target {
  /** As it came, with its query: what the upstream is asked for. */
  readonly text: string
  /** Decoded, without the slash at the end. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Servers disagree about what such a part of a path means, so that one of them could read another route than we do. */
const UNCLEAR = /^\.{1,2}$|[/\\;\p{Cc}]/u

/** Null: an absolute target, or a path that two servers may read as two. */
export function targetIn(text: string): Target | null {
  if (!text.startsWith('/') || text.includes('#')) return null
  const [path = '', ...rest] = text.split('?')
  const parts = path.slice(1).replace(/\/$/, '').split('/')
  try {
    const decoded = parts.map((part) => decodeURIComponent(part))
    if (decoded.some((part) => UNCLEAR.test(part)) || decoded.slice(0, -1).includes('')) return null
    return { text, parts: decoded, query: new URLSearchParams(rest.join('?')) }
  } catch {
    return null
  }
}

export interface Matched {
  readonly route: UpstreamRoute
  /** What stands for the names of its path. */
  readonly named: Readonly<Record<string, string>>
}

/** The route of a request, the one with more fixed parts first; null: it is not in the table. */
export function matchRoute(upstream: Upstream, method: string, { parts }: Target): Matched | null {
  for (const prefix of [...upstream.prefixes.map(partsOf), []]) {
    if (!prefix.every((part, at) => isSame(part, parts[at]))) continue
    const rest = parts.slice(prefix.length)
    const [found] = upstream.routes
      .flatMap((route) => {
        const named = route.method === method ? namedIn(route.path, rest) : null
        return named === null ? [] : [{ route, named }]
      })
      .sort((a, b) => Object.keys(a.named).length - Object.keys(b.named).length)
    if (found !== undefined) return found
  }
  return null
}

function partsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
}

function namedIn(path: string, parts: readonly string[]): Readonly<Record<string, string>> | null {
  const template = partsOf(path)
  if (template.length !== parts.length) return null
  const named: Record<string, string> = {}
  for (const [at, part] of template.entries()) {
    const said = parts[at] ?? ''
    if (!part.startsWith(':')) {
      if (!isSame(part, said)) return null
    } else if (said === '') return null
    else named[part.slice(1)] = said
  }
  return named
}

/** A server that tells no case apart would answer another spelling. */
function isSame(part: string, said: string | undefined): boolean {
  return part === said?.toLowerCase()
}
