import { type BySurface, countBySurface } from '../base/by-surface.ts'
import { GUIDANCE_AUTHORITIES, type RelationType } from '../base/closed-sets.ts'
import { confidenceDecay, neighborhoodDrift } from '../measure/memory-drift.ts'
import type { Relation } from '../model/record.ts'
import { type JudgedMemory, judgmentCalibration, judgmentOf } from './calibration.ts'
import { admissionRecordOf } from './decision-trace-admission.ts'
import { feedbackAttribution } from './decision-trace-attribution.ts'
import type { TracedForget } from './decision-trace-facts.ts'
import type { TraceInput } from './decision-trace-input.ts'
import {
  type DecisionSource,
  type MemoryDecision,
  memoryDecision,
  omittedDecision,
  thresholdsOf,
} from './decision-trace-memory.ts'
import { tracedReceipt } from './decision-trace-receipt.ts'

/** What a relation does to its target; the other types only tell. */
const EFFECT_OF: Readonly<Partial<Record<RelationType, 'superseded' | 'contested'>>> = {
  supersedes: 'superseded',
  invalidates: 'superseded',
  contradicts: 'contested',
}

/**
 * Why a guide showed what it showed, and what came of it: ids, codes and sentences of the rules, never memory text or
 * prompt. Pure, and every list is bounded by what a guide can show.
 */
export function decisionTrace(input: TraceInput) {
  const { guide, before } = input
  const sources = decisionSources(input)
  const decisions = sources.map(memoryDecision)
  const targets = new Set(
    input.relations.filter(({ type }) => EFFECT_OF[type] !== undefined).map(({ dstId }) => dstId),
  )
  const contested = decisions.filter((row) => row.lifecycle_state === 'contested').map((row) => row.memory_id)
  const attribution = feedbackAttribution(guide, sources, input.outcomes, {
    before,
    relationTargetIds: decisions.map((row) => row.memory_id).filter((id) => targets.has(id)),
    contestedIds: contested,
  })
  const omitted = guide.omitted.map((memory) =>
    omittedDecision(memory, input.views.get(memory.memoryId) ?? null),
  )
  return {
    contract_version: 'svc_memory_decision_trace_v1' as const,
    intended_use: 'measure_debug_audit' as const,
    agent_prompt_included: false as const,
    runtime_mutation: false as const,
    guide_trace_id: guide.guideTraceId,
    run_id: guide.runId,
    replay_source: guide.source,
    record: {
      after_guide: input.holdings.after,
      before_guide: input.holdings.before,
      explanation: guide.isExplained ? ('kept' as const) : ('not_kept' as const),
    },
    artifact_mismatch: input.mismatches,
    artifact_unverified: input.unverified,
    client_claims_ignored: {
      sufficient_evidence: input.claims.sufficientEvidence,
      evidence_id_count: input.claims.evidenceIdCount,
    },
    input: input.supplied,
    query: { hash: guide.queryHash, char_count: guide.queryChars },
    hold_out: {
      held_out: guide.isHeldOut,
      withheld_memory_ids: guide.omitted
        .filter(({ omitted }) => omitted === 'hold_out')
        .map(({ memoryId }) => memoryId),
    },
    erased_memories: input.erased,
    summary: summaryOf(input, decisions, contested.length, attribution),
    memory_decisions: decisions,
    omitted_memories: omitted,
    relation_decisions: input.relations.map((relation) => relationDecision(relation, input)),
    feedback_attribution: attribution,
    judgment_calibration_summary: judgmentCalibration(judgedMemories(input, sources, attribution.present)),
    neighborhood_drift_observation: neighborhoodDrift(input.driftFacts),
    confidence_decay_candidate_summary: confidenceDecay(input.driftFacts),
    context_decision: contextDecision(input),
    memory_use_receipt: tracedReceipt(guide, attribution, contested.length),
    admission_record: admissionRecordOf(guide, decisions, omitted),
    forget_decisions: input.forgets.map(forgetDecision),
  }
}
export type DecisionTrace = ReturnType<typeof decisionTrace>

function summaryOf(
  input: TraceInput,
  decisions: readonly MemoryDecision[],
  contestedCount: number,
  attribution: ReturnType<typeof feedbackAttribution>,
) {
  const { guide, relations } = input
  const counts = countBySurface(input.guide.shown)
  const authorities = new Set(decisions.map(({ authority }) => authority))
  const isControlled = counts.inspect_before_use + counts.do_not_use + counts.rehydrate + relations.length > 0
  return {
    total_memory_count: guide.shown.length,
    direct_use_count: counts.use_now,
    inspect_before_use_count: counts.inspect_before_use,
    do_not_use_count: counts.do_not_use,
    rehydrate_count: counts.rehydrate,
    omitted_count: guide.omitted.length,
    relation_count: relations.length,
    contradiction_warning_count: contestedCount,
    feedback_attribution_count: attribution.attributed_memory_count,
    feedback_threshold_met_count: attribution.threshold_met_memory_ids.length,
    unattributed_recalled_memory_count: attribution.unattributed_recalled_memory_count,
    prompt_char_count: guide.promptChars,
    history_used: guide.shown.length > 0,
    actionable_history_used: guide.isActionable,
    recommended_posture: guide.posture,
    authority: guide.authority ?? GUIDANCE_AUTHORITIES.find((each) => authorities.has(each)) ?? 'none',
    negative_transfer_risk: riskOf(counts),
    learning_control_visible: isControlled || attribution.present || input.forgets.length > 0,
  }
}

/** High: warnings, and nothing that may be used. Medium: a warning or something to verify. */
function riskOf(counts: BySurface<number>): 'low' | 'medium' | 'high' {
  if (counts.do_not_use > 0 && counts.use_now === 0) return 'high'
  return counts.do_not_use > 0 || counts.inspect_before_use > 0 ? 'medium' : 'low'
}

function relationDecision(relation: Relation, { guide, views }: TraceInput) {
  const { type, srcId, dstId, confidence, seq } = relation
  const effect = EFFECT_OF[type] ?? null
  return {
    evidence_id: `relation:${type}:${srcId}:${dstId}`,
    memory_id: views.has(dstId) ? dstId : srcId,
    relation: type,
    source_memory_id: srcId,
    target_memory_id: dstId,
    lifecycle_relation: effect,
    confidence,
    known_at_decision: guide.seq === null ? null : seq < guide.seq,
    reason: effect === null ? 'It tells how they belong together.' : `It makes its target ${effect}.`,
  }
}

/** One for each shown memory, in rank order. */
function decisionSources({ guide, before, views, outcomes }: TraceInput): readonly DecisionSource[] {
  const earlier = new Map(before?.shown.map(({ memoryId, surface }) => [memoryId, surface]))
  return guide.shown.map((memory) => ({
    memory,
    view: views.get(memory.memoryId) ?? null,
    marks: outcomes.filter((each) => each.memoryId === memory.memoryId).map(({ mark }) => mark),
    before: earlier.get(memory.memoryId) ?? null,
  }))
}

function judgedMemories(
  input: TraceInput,
  sources: readonly DecisionSource[],
  hasFeedback: boolean,
): readonly JudgedMemory[] {
  return sources.map((source) => {
    const { memory, view, marks } = source
    const groups = [`surface:${memory.surface}`]
    if (view !== null) groups.push(`domain:${view.domain}`)
    for (const outcome of ['positive', 'negative'] as const) {
      if (marks.some((mark) => mark.outcome === outcome)) groups.push(`signal:feedback_${outcome}`)
    }
    const wasNeverNamed = view !== null && view.credit.used === 0
    if (wasNeverNamed && view.credit.exposed.use_now > 1) groups.push('signal:repeated_unused')
    for (const { type, dstId } of input.relations) {
      if (dstId === memory.memoryId) groups.push(`signal:relation_${type}`)
    }
    if (memory.lifecycleState !== null && memory.lifecycleState !== 'active') {
      groups.push(`signal:lifecycle_${memory.lifecycleState}`)
    }
    const judgment = judgmentOf(thresholdsOf(source), hasFeedback)
    return { memoryId: memory.memoryId, judgment, groups: [...new Set(groups)] }
  })
}

function contextDecision(input: TraceInput) {
  const { guide } = input
  const counts = countBySurface(input.guide.shown)
  return {
    prompt_char_count: guide.promptChars,
    target_files: guide.targetFiles,
    use_now_count: counts.use_now,
    inspect_before_use_count: counts.inspect_before_use,
    do_not_use_count: counts.do_not_use,
    rehydrate_hint_count: counts.rehydrate,
    actionable_history_used: guide.isActionable,
    memory_ids: guide.shown.map(({ memoryId }) => memoryId),
  }
}

function forgetDecision({ action, affectedMemoryIds, cause }: TracedForget) {
  return {
    action,
    target: 'memory' as const,
    changed_count: affectedMemoryIds.length,
    affected_memory_ids: affectedMemoryIds,
    reason: cause,
  }
}
