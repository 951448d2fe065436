import type { EmbedFailure, EmbedFailureKind } from '../../ports/embedder.ts'

export class EmbedFailureError extends Error implements EmbedFailure {
  override readonly name = 'EmbedFailureError'
  readonly embedFailure: EmbedFailureKind
  readonly retryAfterMs: number | null

  constructor(embedFailure: EmbedFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.embedFailure = embedFailure
    this.retryAfterMs = retryAfterMs
  }
}

/** What a status other than 200 means. The body is not read: nobody knows what of the request it repeats. */
export function failureOf(status: number, retryAfter: string | null, nowMs: number): EmbedFailureError {
  const message = `the provider answered ${status}`
  const retryAfterMs = waitOf(retryAfter, nowMs)
  if (status === 429) return new EmbedFailureError('limited', message, retryAfterMs)
  if (status >= 500) return new EmbedFailureError('failing', message, retryAfterMs)
  if (status === 401 || status === 403 || status === 404) return new EmbedFailureError('forbidden', message)
  if (status >= 400) return new EmbedFailureError('refused', message)
  return new EmbedFailureError('unreachable', `${message}, which leads elsewhere or has no vectors`)
}

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. Null when it is absent or neither. */
function waitOf(retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const atMs = Date.parse(retryAfter)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}
