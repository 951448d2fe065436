import { yieldToLoop } from '../actor/yield-to-loop.ts'
import { authorised } from '../contract/access.ts'
import { isLongJson } from '../contract/json-pieces.ts'
import {
  type AnyAnswerOf,
  isWriting,
  OPERATIONS,
  type OperationName,
  type RequestedName,
  type RequestOf,
  requestRow,
} from '../contract/operations.ts'
import { parseRequest } from '../contract/parse.ts'
import { namingUnknown } from '../contract/unknown-fields.ts'
import { DomainError } from '../core/base/errors.ts'
import type { Durability } from '../ports/journal.ts'
import { erase } from './erase.ts'
import { feedback } from './feedback.ts'
import { finish } from './finish.ts'
import { forget } from './forget.ts'
import { govern } from './govern.ts'
import { guide } from './guide.ts'
import { operationKeyFor } from './idempotency.ts'
import { identityOf } from './normalise/identity.ts'
import { observe } from './observe.ts'
import type { Call, RuntimeParts } from './parts.ts'
import { rehydrate } from './rehydrate.ts'
import { resolve } from './resolve.ts'
import type { CallContext } from './runtime.ts'

type Handler<Name extends RequestedName> = (
  parts: RuntimeParts,
  call: Call<RequestOf<Name>>,
) => Promise<AnyAnswerOf<Name>>

/** What carries each operation out. tsc holds every answer against the response schema of its row. */
const HANDLERS: { readonly [Name in RequestedName]: Handler<Name> } = {
  observe,
  guide,
  feedback,
  finish,
  forget,
  erase,
  rehydrate,
  govern,
  resolve: (parts, { request }) => resolve(parts, request),
  // What operators ask is a third of the program: it is loaded when it is first asked for.
  measure: async (parts, { request }) => (await import('./measure.ts')).measure(parts, request),
  proposeSkills: async (parts, call) => (await import('./skills.ts')).proposeSkills(parts, call),
  listSkills: async (parts, { request }) => (await import('./skills.ts')).listSkills(parts, request),
  promoteSkill: async (parts, call) => (await import('./skills.ts')).reviewSkill(parts, call, 'promoted'),
  rejectSkill: async (parts, call) => (await import('./skills.ts')).reviewSkill(parts, call, 'rejected'),
  settle: async (parts, call) => (await import('./settle.ts')).settle(parts, call),
  operatorSnapshot: async (parts, { request }) =>
    (await import('./reports/operator-snapshot.ts')).operatorSnapshot(parts, request),
  listActors: async (parts, { request }) =>
    (await import('./operator/list-actors.ts')).listActors(parts, request),
  listMemories: async (parts, { request }) =>
    (await import('./operator/list-memories.ts')).listMemories(parts, request),
  searchMemories: async (parts, { request }) =>
    (await import('./operator/list-memories.ts')).listMemories(parts, request),
  listGuides: async (parts, { request }) =>
    (await import('./operator/list-guides.ts')).listGuides(parts, request),
  listExternal: async (parts, { request }) =>
    (await import('./operator/list-external.ts')).listExternal(parts, request),
  listReview: async (parts, { request }) =>
    (await import('./operator/list-review.ts')).listReview(parts, request),
  countRules: async (parts, { request }) =>
    (await import('./operator/count-rules.ts')).countRules(parts, request),
  compareEffect: async (parts, { request }) =>
    (await import('./operator/compare-effect.ts')).compareEffect(parts, request),
  blastRadius: async (parts, { request }) =>
    (await import('./reports/blast-radius.ts')).blastRadius(parts, request),
  decisionTrace: async (parts, { request }) =>
    (await import('./reports/decision-trace.ts')).memoryDecisionTrace(parts, request),
  decisionReport: async (parts, { request }) =>
    (await import('./reports/decision-trace.ts')).memoryDecisionReport(parts, request),
  flightRecorder: async (parts, { request }) =>
    (await import('./reports/flight-recorder.ts')).flightRecorder(parts, request),
}

/** Parses a request, runs its operation, and says on the answer what was ignored or is not yet durable. */
export async function dispatch<Name extends RequestedName>(
  parts: RuntimeParts,
  durability: Durability,
  operation: Name,
  body: unknown,
  context: CallContext,
): Promise<AnyAnswerOf<Name>> {
  if (!Object.hasOwn(HANDLERS, operation)) throw new DomainError('not_found', { operation })
  const { principal = null } = context
  // Whoever may not ask learns nothing of how to ask.
  const meant = principal === null ? body : authorised(principal, OPERATIONS[operation], body)
  const { request, warnings, unknown } = parseRequest(requestRow(operation), meant)
  // To read what it means takes as long again.
  if (isLongJson(body)) await yieldToLoop()
  let reply: AnyAnswerOf<Name>
  try {
    const call = callOf(parts, operation, request, body, context)
    reply = await HANDLERS[operation](parts, call instanceof Promise ? await call : call)
  } catch (error) {
    throw error instanceof DomainError ? namingUnknown(error, unknown, body) : error
  }
  // An erasure is durable whatever the durability of other writes.
  const isLoose = durability !== 'sync' && isWriting(operation, body) && operation !== 'erase'
  if (warnings.length === 0 && !isLoose) return reply
  const all = [...warnings, ...(reply.warnings ?? [])]
  // Not as a literal that begins with a spread: the engine takes a microsecond for each field behind it.
  const said = all.length === 0 ? {} : { warnings: all }
  return Object.assign({}, reply, said, isLoose ? { durable: false } : {})
}

/** A parsed request with the actor that it is for and the key under which a repeat is known. */
function callOf<Request extends Parameters<typeof identityOf>[0]>(
  parts: RuntimeParts,
  operation: OperationName,
  request: Request,
  body: unknown,
  context: CallContext,
): Call<Request> | Promise<Call<Request>> {
  const { tenantId, scope, operationId } = identityOf(request)
  const { principal = null } = context
  const key = operationKeyFor(
    parts.codec,
    operation,
    body,
    operationId ?? context.operationId,
    principal?.keyId ?? null,
  )
  if (key instanceof Promise)
    return key.then((operationKey) => ({ request, tenantId, scope, operationKey, principal }))
  return { request, tenantId, scope, operationKey: key, principal }
}
