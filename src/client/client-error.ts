import type { ErrorCode } from '../index.ts'

/** Why there is no answer of a service; beside these, the codes of the service. A code is public. */
export const CONNECTION_ERRORS = {
  timeout: 'No answer came in time. What was sent may have been carried out.',
  unreachable:
    'No service answers at the address, or the connection broke. What was sent may have been carried out.',
  not_memgov: 'What answers is not memgov: a proxy, or another service.',
} as const

export type ConnectionErrorCode = keyof typeof CONNECTION_ERRORS

/** What an answer says of itself, beside its body. */
export interface AnswerFacts {
  /** Null: no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  /** What the header retry-after asks for. */
  readonly retryAfterMs: number | null
}

const NO_ANSWER: AnswerFacts = { status: null, requestId: null, retryAfterMs: null }

/** Everything that a call rejects with, but for the reason of a caller who aborts it. Of a request that the service refused nothing was written. */
export class MemgovError extends Error {
  override readonly name = 'MemgovError'
  /** What went wrong, for a program: a code of the service, of which a newer one may have more, or why there is no answer. */
  readonly code: ErrorCode | ConnectionErrorCode | (string & {})
  /** Facts about it, in snake_case; `issues` of `invalid_request` lists each path and sentence. Never memory text. */
  readonly details: Readonly<Record<string, unknown>>
  /** HTTP status; null when no answer came. */
  readonly status: number | null
  /** By which the log of the service names the request. */
  readonly requestId: string | null
  /** How long the service asks to wait before a repeat. */
  readonly retryAfterMs: number | null

  constructor(
    code: string,
    details: Readonly<Record<string, unknown>>,
    message: string,
    facts: AnswerFacts = NO_ANSWER,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfterMs = facts.retryAfterMs
  }
}

export function connectionError(
  code: ConnectionErrorCode,
  details: Readonly<Record<string, unknown>>,
  facts: AnswerFacts = NO_ANSWER,
  cause?: unknown,
): MemgovError {
  const { url } = details
  // Of a fetch that failed only its cause says why, such as a certificate that is not trusted.
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : null
  const why = inner !== null && 'code' in inner ? inner.code : inner?.message
  const told = [url, why].filter((each) => typeof each === 'string' && each !== '').join(': ')
  return new MemgovError(
    code,
    details,
    CONNECTION_ERRORS[code] + (told === '' ? '' : ` (${told})`),
    facts,
    cause,
  )
}

/** A request that would not arrive as it is. */
export function invalidRequest(path: string, sentence: string): MemgovError {
  const message = path === '' ? sentence : `${path}: ${sentence}`
  return new MemgovError('invalid_request', { issues: [{ path, message }] }, message, {
    ...NO_ANSWER,
    status: 400,
  })
}
