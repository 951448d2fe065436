import type { OperationName } from '../contract/operations.ts'
import { operationKeyOf } from './idempotency.ts'
import { identityOf } from './normalise/identity.ts'
import type { RuntimeParts } from './parts.ts'
import type { CallContext } from './runtime.ts'

/** The answer of an operation, and what was ignored of its request. */
export interface Answered {
  readonly reply: object
  readonly warnings: readonly string[]
}

/** A parsed request with the actor that it is for and the key under which a repeat is known. */
export function callOf<Request extends Parameters<typeof identityOf>[0]>(
  parts: RuntimeParts,
  operation: OperationName,
  request: Request,
  body: unknown,
  context: CallContext,
) {
  const { tenantId, scope, operationId } = identityOf(request)
  const operationKey = operationKeyOf(parts.codec, operation, body, operationId ?? context.operationId)
  return { request, tenantId, scope, operationKey }
}
