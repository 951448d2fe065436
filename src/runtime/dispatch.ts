import type { OperationName } from '../contract/operations.ts'
import { OPERATIONS } from '../contract/operations.ts'
import { parseRequest } from '../contract/parse.ts'
import { DomainError } from '../domain/errors.ts'
import type { Durability } from '../ports/journal.ts'
import { blastRadius } from './blast-radius.ts'
import { memoryDecisionReport, memoryDecisionTrace } from './decision-trace.ts'
import { erase } from './erase.ts'
import { feedback } from './feedback.ts'
import { flightRecorder } from './flight-recorder.ts'
import { forget } from './forget.ts'
import { govern } from './govern.ts'
import { guide } from './guide.ts'
import { operationKeyOf } from './idempotency.ts'
import { measure } from './measure.ts'
import { identityOf } from './normalise/identity.ts'
import { observe } from './observe.ts'
import { operatorSnapshot } from './operator-snapshot.ts'
import type { RuntimeParts } from './parts.ts'
import { rehydrate } from './rehydrate.ts'
import { resolve } from './resolve.ts'
import type { CallContext } from './runtime.ts'
import { listSkills, proposeSkills, reviewSkill } from './skills.ts'

/** Parses a request, runs its operation, and says on the answer what was ignored or is not yet durable. */
export async function dispatch(
  parts: RuntimeParts,
  durability: Durability,
  operation: OperationName,
  body: unknown,
  context: CallContext,
): Promise<object> {
  const { reply, warnings } = await run(parts, operation, body, context)
  const own = 'warnings' in reply && Array.isArray(reply.warnings) ? reply.warnings : []
  const all = [...warnings, ...own]
  // An erasure is durable whatever the durability of other writes.
  const isLoose = durability !== 'sync' && OPERATIONS[operation].writes && operation !== 'erase'
  if (all.length === 0 && !isLoose) return reply
  return { ...reply, ...(all.length === 0 ? {} : { warnings: all }), ...(isLoose ? { durable: false } : {}) }
}

interface Answered {
  readonly reply: object
  readonly warnings: readonly string[]
}

async function run(
  parts: RuntimeParts,
  operation: OperationName,
  body: unknown,
  context: CallContext,
): Promise<Answered> {
  switch (operation) {
    case 'observe': {
      const { request, warnings } = parseRequest(OPERATIONS.observe, body)
      return { reply: await observe(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'guide': {
      const { request, warnings } = parseRequest(OPERATIONS.guide, body)
      return { reply: await guide(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'feedback': {
      const { request, warnings } = parseRequest(OPERATIONS.feedback, body)
      return { reply: await feedback(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'govern': {
      const { request, warnings } = parseRequest(OPERATIONS.govern, body)
      return { reply: await govern(parts, request), warnings }
    }
    case 'forget': {
      const { request, warnings } = parseRequest(OPERATIONS.forget, body)
      return { reply: await forget(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'erase': {
      const { request, warnings } = parseRequest(OPERATIONS.erase, body)
      return { reply: await erase(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'rehydrate': {
      const { request, warnings } = parseRequest(OPERATIONS.rehydrate, body)
      return { reply: await rehydrate(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'resolve': {
      const { request, warnings } = parseRequest(OPERATIONS.resolve, body)
      return { reply: await resolve(parts, request), warnings }
    }
    case 'health':
    case 'openapi':
      throw new DomainError('not_found', { operation })
    default:
      return runReport(parts, operation, body, context)
  }
}

type ReportName =
  | 'measure'
  | 'proposeSkills'
  | 'listSkills'
  | 'promoteSkill'
  | 'rejectSkill'
  | 'operatorSnapshot'
  | 'blastRadius'
  | 'decisionTrace'
  | 'decisionReport'
  | 'flightRecorder'

/** What operators ask: reports, and the review of skill candidates. */
async function runReport(
  parts: RuntimeParts,
  operation: ReportName,
  body: unknown,
  context: CallContext,
): Promise<Answered> {
  switch (operation) {
    case 'measure': {
      const { request, warnings } = parseRequest(OPERATIONS.measure, body)
      return { reply: await measure(parts, request), warnings }
    }
    case 'proposeSkills': {
      const { request, warnings } = parseRequest(OPERATIONS.proposeSkills, body)
      return { reply: await proposeSkills(parts, callOf(parts, operation, request, body, context)), warnings }
    }
    case 'listSkills': {
      const { request, warnings } = parseRequest(OPERATIONS.listSkills, body)
      return { reply: await listSkills(parts, request), warnings }
    }
    case 'promoteSkill':
    case 'rejectSkill': {
      const { request, warnings } = parseRequest(OPERATIONS[operation], body)
      const call = callOf(parts, operation, request, body, context)
      const decision = operation === 'promoteSkill' ? 'promoted' : 'rejected'
      return { reply: await reviewSkill(parts, call, decision), warnings }
    }
    case 'operatorSnapshot': {
      const { request, warnings } = parseRequest(OPERATIONS.operatorSnapshot, body)
      return { reply: await operatorSnapshot(parts, request), warnings }
    }
    case 'blastRadius': {
      const { request, warnings } = parseRequest(OPERATIONS.blastRadius, body)
      return { reply: await blastRadius(parts, request), warnings }
    }
    case 'decisionTrace': {
      const { request, warnings } = parseRequest(OPERATIONS.decisionTrace, body)
      return { reply: await memoryDecisionTrace(parts, request), warnings }
    }
    case 'decisionReport': {
      const { request, warnings } = parseRequest(OPERATIONS.decisionReport, body)
      return { reply: await memoryDecisionReport(parts, request), warnings }
    }
    case 'flightRecorder': {
      const { request, warnings } = parseRequest(OPERATIONS.flightRecorder, body)
      return { reply: await flightRecorder(parts, request), warnings }
    }
  }
}

function callOf<Request extends Parameters<typeof identityOf>[0]>(
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
