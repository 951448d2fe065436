import type { IncomingHttpHeaders } from 'node:http'
import { type DomainError, invalidRequest } from '../../core/base/errors.ts'

// Visible ASCII and inner spaces: what can be echoed into a header and a log line as it is.
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/

/** The caller's own request id if it is one line of at most 200 printable characters, else null. */
export function requestIdFrom(headers: IncomingHttpHeaders): string | null {
  const value = headers['x-request-id']
  return typeof value === 'string' && PRINTABLE.test(value) ? value : null
}

/**
 * The operation id of a call: the body's `operation_id`, else the header `Idempotency-Key`, else null. Throws
 * invalid_request when both are given and differ, or when the header is not one line of 1 to 200 printable characters.
 */
export function operationIdFrom(headers: IncomingHttpHeaders, body: unknown): string | null {
  const header = headers['idempotency-key']
  const fromBody = operationIdIn(body)
  if (header === undefined) return fromBody
  if (typeof header !== 'string' || !PRINTABLE.test(header)) {
    throw refused('idempotency-key', 'Send 1 to 200 printable characters.')
  }
  if (fromBody !== null && fromBody !== header) {
    throw refused(
      'operation_id',
      'Idempotency-Key says something else: send one of the two, or the same in both.',
    )
  }
  return header
}

/** Bytes that a body will have: what it says of itself, or as many as there may be. */
export function bodyBytesOf(headers: IncomingHttpHeaders, limitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return limitBytes
  const bytes = Number(headers['content-length'] ?? 0)
  // A body above the limit is refused before it is read.
  return bytes <= limitBytes ? bytes : 0
}

/** Of two hosts Node keeps the first; a proxy before it may have gone by the second. */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function operationIdIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('operation_id' in body)) return null
  return typeof body.operation_id === 'string' ? body.operation_id.trim() : null
}

function refused(path: string, message: string): DomainError {
  return invalidRequest([{ path, message }])
}
