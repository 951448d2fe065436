import type { DecisionTraceRequest } from '../contract/decision-trace.ts'
import { DomainError } from '../core/base/errors.ts'
import { decisionAudit } from '../core/report/decision-audit.ts'
import { type DecisionTrace, decisionTrace } from '../core/report/decision-trace.ts'
import { type TraceSources, traceInputOf } from '../core/report/decision-trace-input.ts'
import { traceAsk } from './normalise/decision-trace.ts'
import { identityOf } from './normalise/identity.ts'
import { envelopeOf, type RuntimeParts, sourceMap } from './parts.ts'
import { traceSourcesOf } from './trace-sources.ts'

const OMITTED = ['agent_prompt_text', 'memory_text', 'query_text'] as const

/** Why a guide showed what it showed. @throws replay_artifact_required, guide_trace_not_found */
export async function memoryDecisionTrace(
  parts: RuntimeParts,
  request: DecisionTraceRequest,
): Promise<object> {
  const memory_decision_trace = await traceOf(parts, request)
  return {
    ...envelopeOf('svc_memory_decision_trace_result_v1', identityOf(request)),
    memory_decision_trace,
    source_map: sourceMap('/v1/debug/memory-decision-trace', SURFACES_USED, OMITTED),
  }
}

/** The same as a report. @throws replay_artifact_required, guide_trace_not_found */
export async function memoryDecisionReport(
  parts: RuntimeParts,
  request: DecisionTraceRequest,
): Promise<object> {
  const memory_decision_audit = decisionAudit(await traceOf(parts, request))
  return {
    ...envelopeOf('svc_memory_decision_audit_result_v1', identityOf(request)),
    memory_decision_audit,
    source_map: sourceMap(
      '/v1/audit/memory-decision-report',
      [...SURFACES_USED, 'memory_decision_trace'],
      OMITTED,
    ),
  }
}

const SURFACES_USED = ['exposure_ledger', 'guide_decisions', 'feedback_attribution', 'memory_lifecycle']

async function traceOf(parts: RuntimeParts, request: DecisionTraceRequest): Promise<DecisionTrace> {
  const ask = traceAsk(request)
  const { tenantId, scope } = identityOf(request)
  return parts.registry.use(tenantId, scope, async (actor) => {
    const sources = await traceSourcesOf(parts, actor, ask)
    if (ask.productTrace === null) refuseUnknown(sources, ask.guideTraceId)
    return actor.turn((state, nowMs) => ({
      events: [],
      reply: decisionTrace(traceInputOf(state, sources, nowMs)),
    }))
  })
}

function refuseUnknown({ after }: TraceSources, guideTraceId: string | null): void {
  if (after.holding === 'held') return
  const expired = after.holding === 'expired' ? { expired: true } : {}
  throw new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId, ...expired })
}
