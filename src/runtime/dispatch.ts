import { yieldToLoop } from '../actor/yield-to-loop.ts'
import { authorised } from '../contract/access.ts'
import { isLongJson } from '../contract/json-pieces.ts'
import {
  type AnyAnswerOf,
  isWriting,
  OPERATIONS,
  type RequestedName,
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
import type { Handler, RuntimeParts } from './parts.ts'
import { rehydrate } from './rehydrate.ts'
import { resolve } from './resolve.ts'
import type { CallContext } from './runtime.ts'

/** What operators ask is a third of the program: it is loaded when it is first asked for. */
function later<Name extends RequestedName>(load: () => Promise<Handler<Name>>): Handler<Name> {
  return async (parts, call) => (await load())(parts, call)
}

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
  resolve,
  measure: later(async () => (await import('./measure.ts')).measure),
  proposeSkills: later(async () => (await import('./skills.ts')).proposeSkills),
  listSkills: later(async () => (await import('./skills.ts')).listSkills),
  promoteSkill: later(async () => (await import('./skills.ts')).promoteSkill),
  rejectSkill: later(async () => (await import('./skills.ts')).rejectSkill),
  settle: later(async () => (await import('./settle.ts')).settle),
  operatorSnapshot: later(async () => (await import('./reports/operator-snapshot.ts')).operatorSnapshot),
  listActors: later(async () => (await import('./operator/list-actors.ts')).listActors),
  listMemories: later(async () => (await import('./operator/list-memories.ts')).listMemories),
  searchMemories: later(async () => (await import('./operator/list-memories.ts')).listMemories),
  listGuides: later(async () => (await import('./operator/list-guides.ts')).listGuides),
  listExternal: later(async () => (await import('./operator/list-external.ts')).listExternal),
  listReview: later(async () => (await import('./operator/list-review.ts')).listReview),
  countRules: later(async () => (await import('./operator/count-rules.ts')).countRules),
  compareEffect: later(async () => (await import('./operator/compare-effect.ts')).compareEffect),
  blastRadius: later(async () => (await import('./reports/blast-radius.ts')).blastRadius),
  decisionTrace: later(async () => (await import('./reports/decision-trace.ts')).decisionTrace),
  decisionReport: later(async () => (await import('./reports/decision-trace.ts')).decisionReport),
  flightRecorder: later(async () => (await import('./reports/flight-recorder.ts')).flightRecorder),
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
    const { tenantId, scope, operationId } = identityOf(request)
    const named = operationId ?? context.operationId
    const key = operationKeyFor(parts.codec, operation, body, named, principal?.keyId ?? null)
    const operationKey = key instanceof Promise ? await key : key
    reply = await HANDLERS[operation](parts, { request, tenantId, scope, operationKey, principal })
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
