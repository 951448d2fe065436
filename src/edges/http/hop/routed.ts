import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestedName } from '../../../contract/operations.ts'
import type { CallContext, OperatorStream } from '../../../runtime/runtime.ts'
import { type Forwardable, RelayedAnswer, type RoutedOperation, type Routing } from './routing.ts'

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
  const answer = await answered(request, routing, own, () => ({
    path: request.url,
    contentType: request.headers['content-type'] ?? null,
    body,
    isRepeatable: !operation.writes || context.operationId !== null,
    context,
  }))
  return answer instanceof RelayedAnswer ? relayed(answer, reply) : answer
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
  const answer = await answered(request, routing, own, () => ({
    path: `${operation.path}?${new URLSearchParams(Object.entries(query)).toString()}`,
    contentType: null,
    body: Buffer.alloc(0),
    isRepeatable: true,
    context,
  }))
  return answer instanceof RelayedAnswer ? (answer.stream ?? relayed(answer, reply)) : answer
}

/** @param sent the request as it goes to the owner, where that is another node */
function answered<Own>(
  { method, hop }: FastifyRequest,
  routing: Routing | null,
  own: () => Promise<Own>,
  sent: () => Omit<Forwardable, 'method'>,
): Promise<Own | RelayedAnswer> {
  if (routing === null) return own()
  return hop === null ? routing.answer(own, () => ({ ...sent(), method })) : routing.asOwner(own)
}

function relayed({ status, headers, body }: RelayedAnswer, reply: FastifyReply): FastifyReply {
  return reply.code(status).headers(headers).send(body)
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
