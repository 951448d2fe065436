import { DomainError, ERRORS, type ErrorSpec, invalidRequest } from '../../core/base/errors.ts'

export interface ErrorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text `{error, message, details}`. */
  readonly body: string
}

/** What goes over the wire for a refusal. */
export function errorReply(error: DomainError): ErrorReply {
  const spec: ErrorSpec = ERRORS[error.code]
  const { retry_after_s: exactly } = error.details
  const retryAfterS = typeof exactly === 'number' ? exactly : spec.retryAfterS
  return {
    status: spec.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }),
    },
    body: JSON.stringify({ error: error.code, message: error.message, details: error.details }),
  }
}

/** The refusal behind whatever was thrown; null when it is a fault of our own and none of the caller's business. */
export function refusalOf(error: unknown, bodyLimitBytes: number): DomainError | null {
  if (error instanceof DomainError) return error
  if (!(error instanceof Error) || !('code' in error)) return null
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new DomainError(
        'body_too_large',
        { limit_bytes: bodyLimitBytes },
        `The body is larger than ${bodyLimitBytes} bytes: send less in one request.`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new DomainError('unsupported_media_type')
    case 'FST_ERR_BAD_URL':
      return new DomainError('not_found')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest([{ path: '', message: 'The body is not as long as content-length says.' }])
    default:
      return null
  }
}

/** The refusal for bytes that Node's HTTP parser gave up on. */
export function refusalOfParser(code: string | undefined): DomainError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout')
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError('body_too_large')
    default:
      return invalidRequest([{ path: '', message: 'The bytes sent are not an HTTP/1.1 request.' }])
  }
}
