import type { IncomingHttpHeaders } from 'node:http'

const BEARER = /^Bearer +(\S+) *$/i

/** The key of a request; null when it names none, or two. */
export function tokenIn({ authorization, 'x-api-key': apiKey }: IncomingHttpHeaders): string | null {
  const bearer = authorization === undefined ? null : (BEARER.exec(authorization)?.[1] ?? '')
  if (apiKey === undefined) return bearer
  return typeof apiKey === 'string' && (bearer === null || bearer === apiKey) ? apiKey : null
}
