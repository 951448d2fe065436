import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestedName } from '../../../contract/operations.ts'
import type { CallContext, OperatorStream } from '../../../runtime/runtime.ts'
import { RelayedAnswer, type RoutedOperation, type Routing } from './routing.ts'

/** What a request asks of the runtime. */
export interface Execution {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: Buffer
  readonly operation: RoutedOperation
  readonly context: CallContext
}

/** Carries a request out here, or sends it on as it came and answers what the owner does. */
export async function executed(
  { request, reply, body, operation, context }: Execution,
  routing: Routing | null,
  own: () => Promise<object>,
): Promise<object> {
  if (routing === null) return own()
  if (request.hop !== null) return routing.asOwner(own)
  const answer = await routing.answer(own, () => ({
    method: request.method,
    path: request.url,
    contentType: request.headers['content-type'] ?? null,
    body,
    isRepeatable: !operation.writes || context.operationId !== null,
    context,
  }))
  if (!(answer instanceof RelayedAnswer)) return answer
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

/** What is followed, and with which query. */
export interface Following extends Omit<Execution, 'body'> {
  readonly query: object
}

/** Follows a scope here, or as its owner tells it; the reply: it is a refusal of the owner, and sent. */
export async function followed(
  { request, reply, query, operation, context }: Following,
  routing: Routing | null,
  own: () => Promise<OperatorStream>,
): Promise<OperatorStream | FastifyReply> {
  if (routing === null) return own()
  if (request.hop !== null) return routing.asOwner(own)
  const answer = await routing.answer(own, () => ({
    method: request.method,
    path: `${operation.path}?${new URLSearchParams(Object.entries(query)).toString()}`,
    contentType: null,
    body: Buffer.alloc(0),
    isRepeatable: true,
    context,
  }))
  if (!(answer instanceof RelayedAnswer)) return answer
  return answer.stream ?? reply.code(answer.status).headers(answer.headers).send(answer.body)
}

interface Executing {
  execute(operation: RequestedName, body: unknown, context: CallContext): Promise<object>
}

/** The runtime for calls that are no request of their own: what another node owns is asked of that node. */
export function routedRuntime(
  runtime: Executing,
  routing: Routing | null,
  operations: readonly (RoutedOperation & { readonly name: string })[],
): Executing {
  if (routing === null) return runtime
  const rows = new Map(operations.map((row) => [row.name, row]))
  return {
    execute(operation, body, context) {
      const own = () => runtime.execute(operation, body, context)
      const row = rows.get(operation)
      return row === undefined ? own() : routing.execute(row, body, context, own)
    },
  }
}
