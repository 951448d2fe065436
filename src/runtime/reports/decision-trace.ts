import type { Actor } from '../../actor/actor.ts'
import { TRACE_RULE } from '../../contract/decision-trace.ts'
import type { RequestOf } from '../../contract/operations.ts'
import { isObject } from '../../core/base/collections.ts'
import { DomainError } from '../../core/base/errors.ts'
import { isMadeFor, viewerOf } from '../../core/guide/decision.ts'
import { confidenceDecay, neighborhoodDrift } from '../../core/measure/memory-drift.ts'
import { fieldOf, flagOf, partOf, textOf, textsOf, type WireObject } from '../../core/measure/wire-object.ts'
import type { Principal } from '../../core/model/principal.ts'
import type { Viewer } from '../../core/model/visibility.ts'
import {
  asksForHistory,
  type NamedGuide,
  type TraceSources,
  traceInputOf,
} from '../../core/report/trace-input.ts'
import { identityOf, type SentConsumer, sentConsumerOf, viewerIn } from '../normalise/identity.ts'
import { type Call, envelopeOf, exposureFor, type Handler, type RuntimeParts, sourceMap } from '../parts.ts'
import { decisionReport as reportOn } from './decision-report-rows.ts'
import { type DecisionTrace, decisionTrace as traceOn } from './decision-trace-rows.ts'
import { isNotFound, ownGuides, type Records, reportsAbout, storedGuide } from './guide-records.ts'

const OMITTED = ['agent_prompt_text', 'memory_text', 'query_text'] as const
const SURFACES_USED = ['exposure_ledger', 'guide_decisions', 'feedback_attribution', 'memory_lifecycle']

/** Why a guide showed what it showed. @throws replay_artifact_required, guide_trace_not_found */
export const decisionTrace: Handler<'decisionTrace'> = async (parts, call) => {
  const { request } = call
  const memory_decision_trace = await traceOf(parts, call)
  return {
    ...envelopeOf('svc_memory_decision_trace_result_v1', identityOf(request)),
    memory_decision_trace,
    source_map: sourceMap('/v1/debug/memory-decision-trace', SURFACES_USED, OMITTED),
  }
}

/** The same as a report. @throws replay_artifact_required, guide_trace_not_found */
export const decisionReport: Handler<'decisionReport'> = async (parts, call) => {
  const { request } = call
  const memory_decision_audit = reportOn(await traceOf(parts, call))
  const used = [...SURFACES_USED, 'memory_decision_trace']
  return {
    ...envelopeOf('svc_memory_decision_audit_result_v1', identityOf(request)),
    memory_decision_audit,
    source_map: sourceMap('/v1/audit/memory-decision-report', used, OMITTED),
  }
}

async function traceOf(
  parts: RuntimeParts,
  { request, principal }: Call<RequestOf<'decisionTrace'>>,
): Promise<DecisionTrace> {
  const ask = traceAsk(request, principal)
  const { tenantId, scope } = identityOf(request)
  return parts.registry.use(tenantId, scope, async (actor) => {
    const sources = await traceSourcesOf(parts, actor, ask)
    if (ask.productTrace === null && sources.after.holding !== 'held') {
      await refuseUnknown(parts, actor, ask)
    }
    return actor.read((state, nowMs) => {
      const input = traceInputOf(state, sources, nowMs)
      const drift = neighborhoodDrift(input.driftFacts)
      return traceOn(input, drift, confidenceDecay(input.driftFacts))
    })
  })
}

/** Says what became of a guide that is not held: unknown, kept no longer, or erased. */
async function refuseUnknown(
  parts: Pick<RuntimeParts, 'ledger'>,
  actor: Actor,
  { guideTraceId, sent }: TraceAsk,
): Promise<never> {
  if (guideTraceId !== null) await exposureFor(parts, actor, guideTraceId, sent)
  throw new DomainError('guide_trace_not_found', { guide_trace_id: guideTraceId })
}

/**
 * Reads what a decision trace needs beside the state: records of the named guides, whose guides outcomes belong to, and
 * reports that the memories do not confirm. A guide that is not found, or was made for another consumer than the one
 * who asks, is not held.
 * @param hashOf the hash that the records use for prompt texts
 */
export async function traceSourcesOf(
  parts: Records,
  actor: Actor,
  ask: TraceAsk,
  hashOf = (text: string): string => parts.codec.sha256(text),
): Promise<TraceSources> {
  const trace = ask.productTrace ?? {}
  const answers = ['feedback_result', 'forget_result'].flatMap((name) => {
    const value = fieldOf(trace, name)
    return isObject(value) ? [{ name, value }] : []
  })
  const named = fieldOf(trace, 'after_guide')
  const after = await namedGuide(parts, actor, ask.guideTraceId, named, ask.sent, null)
  const { stored } = after
  const viewer = stored === null ? ask.viewer : viewerOf(stored)
  const before = await namedGuide(parts, actor, null, fieldOf(trace, 'before_guide'), ask.sent, viewer)
  const ids = stored?.exposure.memoryIds ?? []
  const needsHistory = stored !== null && asksForHistory(actor.state, stored, answers)
  return {
    after,
    before,
    answers,
    reader: {
      viewer,
      ownGuideIds: await ownGuides(parts, actor, ids, viewer),
      isConsumer: ask.viewer !== null,
    },
    history: needsHistory ? await reportsAbout(parts, actor, stored.exposure) : null,
    claims: {
      sufficientEvidence: flagOf(trace, 'sufficient_evidence'),
      evidenceIdCount: textsOf(trace, 'evidence_ids').length,
    },
    hashOf,
  }
}

async function namedGuide(
  parts: Records,
  actor: Actor,
  guideTraceId: string | null,
  supplied: unknown,
  sent: SentConsumer,
  viewer: Viewer,
): Promise<NamedGuide> {
  const artifact = isObject(supplied) ? supplied : null
  const named = guideTraceId ?? idIn(artifact ?? {})
  const absent = { stored: null, artifact }
  if (named === null) return { ...absent, holding: artifact === null ? 'not_supplied' : 'not_held' }
  try {
    const stored = await storedGuide(parts, actor, named, sent)
    return isMadeFor(stored.exposure, viewer)
      ? { holding: 'held', stored, artifact }
      : { ...absent, holding: 'not_held' }
  } catch (error) {
    if (!isNotFound(error)) throw error
    return { ...absent, holding: error.details['expired'] === true ? 'expired' : 'not_held' }
  }
}

function idIn(artifact: WireObject): string | null {
  const parts = [artifact, partOf(artifact, 'memory_use_receipt'), partOf(artifact, 'agent_context')]
  return parts.map((part) => textOf(part, 'guide_trace_id')).find((id) => id !== null) ?? null
}

/** Which guide a trace is about, what was supplied of it, and who asks. */
export interface TraceAsk {
  /** Null: the one that the artifacts name. */
  readonly guideTraceId: string | null
  readonly productTrace: WireObject | null
  /** Null: an operator who names no consumer. */
  readonly viewer: Viewer
  readonly sent: SentConsumer
}

/** @throws DomainError `replay_artifact_required` when the request names no guide and supplies none */
export function traceAsk(request: RequestOf<'decisionTrace'>, principal: Principal | null = null): TraceAsk {
  const guideTraceId = request.guide_trace_id ?? null
  const productTrace = request.product_trace ?? null
  if (guideTraceId === null && productTrace === null) {
    throw new DomainError('replay_artifact_required', {}, TRACE_RULE)
  }
  const viewer = viewerIn(request)
  return { guideTraceId, productTrace, viewer, sent: sentConsumerOf(request, principal) }
}
