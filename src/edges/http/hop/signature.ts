import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { HopClaims } from '../../../contract/hop.ts'

// One header says by whom a request was taken in before a peer sent it on:
//
//   memgov-hop: <claims: base64url of JSON> . <base64url of HMAC-SHA256 over "method \n path with query \n claims">

export const HOP_HEADER = 'memgov-hop'

/** How far the time of a hop may be from now. */
export const HOP_VALID_MS = 30_000

/** What is signed beside the claims. */
export interface HopTarget {
  readonly method: string
  /** With its query. */
  readonly path: string
}

/** The header of a hop. */
export function signedHop(secret: string, target: HopTarget, claims: HopClaims): string {
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${text}.${macOf(secret, target, text).toString('base64url')}`
}

/** What a header claims; null when it was signed with another secret, for another request, or not at all. */
export function claimsIn(secret: string, target: HopTarget, header: string): HopClaims | null {
  const dot = header.indexOf('.')
  const text = header.slice(0, Math.max(0, dot))
  const given = Buffer.from(header.slice(dot + 1), 'base64url')
  const mac = macOf(secret, target, text)
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return null
  const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  return HopClaims.safeParse(claims).data ?? null
}

export function sha256Of(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

function macOf(secret: string, { method, path }: HopTarget, claims: string): Buffer {
  return createHmac('sha256', secret).update(`${method}\n${path}\n${claims}`).digest()
}
