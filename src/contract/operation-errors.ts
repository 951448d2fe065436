import { ERROR_CODES, type ErrorCode } from '../core/base/errors.ts'
import { isForWriters } from './access.ts'
import type { OperationSpec } from './operations.ts'

/** Codes that any endpoint can answer with. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'method_not_allowed',
  'host_not_allowed',
  'cross_site_request',
  'request_timeout',
  'headers_too_large',
  'overloaded',
  'not_owner',
  'storage_unavailable',
  'shutting_down',
  'internal_error',
]

/** Codes that any endpoint with a body can answer with. */
const BODY_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
]

/** What a write may be refused. */
function writeErrors({ writes, writesWith }: OperationSpec): readonly ErrorCode[] {
  return writes || writesWith !== undefined ? ['operation_conflict', 'storage_read_only'] : []
}

function inputErrors({ request, method }: OperationSpec): readonly ErrorCode[] {
  if (request === null) return []
  return method === 'GET' ? ['invalid_request'] : BODY_ERRORS
}

/** What a key may be refused. */
function accessErrors({ name, access, writes, writesWith, request }: OperationSpec): readonly ErrorCode[] {
  if (access === 'everyone') return []
  const codes: ErrorCode[] = ['unauthorized', 'rate_limited']
  if (request !== null) codes.push('tenant_forbidden', 'scope_forbidden', 'agent_forbidden')
  if (access !== 'agent') codes.push('operator_key_required')
  if (isForWriters({ name, writes: writes || writesWith !== undefined })) codes.push('read_only_key')
  return codes
}

/** Every code that an operation can answer with, in the order of the table. */
export function errorsOf(operation: OperationSpec): readonly ErrorCode[] {
  const all = new Set<string>([
    ...COMMON_ERRORS,
    ...accessErrors(operation),
    ...inputErrors(operation),
    ...writeErrors(operation),
    ...operation.errors,
  ])
  return ERROR_CODES.filter((code) => all.has(code))
}
