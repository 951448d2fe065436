import type { MemoryUseReceipt } from '../../contract/agent-context.ts'
import type { MemoryDecisionTrace, RelationDecision } from '../../contract/decision-trace.ts'
import type { TraceAdmissionRecord } from '../../contract/memory-decision.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import {
  type BySurface,
  countBySurface,
  GUIDANCE_AUTHORITIES,
  SURFACES,
} from '../../core/base/closed-sets.ts'
import { isObject } from '../../core/base/collections.ts'
import { DECISION_OF } from '../../core/guide/decision.ts'
import type { ConfidenceDecaySummary, NeighborhoodDriftSummary } from '../../core/measure/memory-drift.ts'
import { fieldOf } from '../../core/measure/wire-object.ts'
import type { Relation } from '../../core/model/record.ts'
import type { GuideRecord } from '../../core/report/guide-record.ts'
import type { TraceInput } from '../../core/report/trace-input.ts'
import {
  type Attribution,
  attributionRow,
  calibrationSummary,
  type Decision,
  decisionRow,
  EFFECT_OF,
  judgedMemories,
  type Omission,
  omissionRow,
} from './memory-decision-rows.ts'
import { erasedRow, idLists, mismatchRow, signalRow } from './rows.ts'

export type DecisionTrace = Answer<typeof MemoryDecisionTrace>
type Receipt = Answer<typeof MemoryUseReceipt>
type AdmissionRecord = Answer<typeof TraceAdmissionRecord>

/**
 * Why a guide showed what it showed, and what came of it: ids, codes and sentences of the rules, never memory text or
 * prompt. Every list is bounded by what a guide can show.
 */
export function decisionTrace(
  input: TraceInput,
  drift: NeighborhoodDriftSummary,
  decay: ConfidenceDecaySummary,
): DecisionTrace {
  const { guide } = input
  const decisions = input.shown.map(decisionRow)
  const contested = contestedIds(input)
  const attribution = attributionRow(input, contested)
  const omitted = guide.omitted.map((memory) => omissionRow(memory, input.views.get(memory.memoryId) ?? null))
  return {
    contract_version: 'svc_memory_decision_trace_v1',
    intended_use: 'measure_debug_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    guide_trace_id: guide.guideTraceId,
    run_id: guide.runId,
    replay_source: guide.source,
    record: {
      after_guide: input.holdings.after,
      before_guide: input.holdings.before,
      explanation: guide.isExplained ? 'kept' : 'not_kept',
    },
    artifact_mismatch: input.mismatches.map(mismatchRow),
    artifact_unverified: input.unverified,
    client_claims_ignored: {
      sufficient_evidence: input.claims.sufficientEvidence,
      evidence_id_count: input.claims.evidenceIdCount,
    },
    input: suppliedInput(input),
    query: { hash: guide.queryHash, char_count: guide.queryChars },
    hold_out: { held_out: guide.isHeldOut, withheld_memory_ids: withheldIds(guide) },
    erased_memories: input.erased.map(erasedRow),
    summary: summaryOf(input, decisions, contested.length, attribution),
    memory_decisions: decisions,
    omitted_memories: omitted,
    relation_decisions: input.relations.map((relation) => relationRow(relation, input)),
    feedback_attribution: attribution,
    judgment_calibration_summary: calibrationSummary(judgedMemories(input)),
    neighborhood_drift_observation: drift,
    confidence_decay_candidate_summary: decay,
    context_decision: contextDecision(guide),
    memory_use_receipt: receipt(guide, attribution, contested.length),
    admission_record: admissionRecord(guide, decisions, omitted),
    forget_decisions: input.forgets.map(({ action, affectedMemoryIds, cause }) => ({
      action,
      target: 'memory',
      changed_count: affectedMemoryIds.length,
      affected_memory_ids: affectedMemoryIds,
      reason: cause,
    })),
  }
}

/** The receipt of a recorded guide with what was attributed since. */
export function guideReceipt(input: TraceInput): Receipt | null {
  const contested = contestedIds(input)
  return receipt(input.guide, attributionRow(input, contested), contested.length)
}

function contestedIds({ shown }: TraceInput): readonly string[] {
  return shown
    .filter(({ memory }) => memory.lifecycleState === 'contested')
    .map(({ memory }) => memory.memoryId)
}

function suppliedInput({ artifacts, answers }: TraceInput): DecisionTrace['input'] {
  const { after, before } = artifacts
  const has = (name: string): boolean => after !== null && isObject(fieldOf(after, name))
  return {
    before_guide_present: before !== null,
    after_guide_present: after !== null,
    memory_packet_present: has('memory_packet'),
    guide_packet_present: has('guide_packet'),
    agent_context_present: has('agent_context'),
    feedback_result_present: answers.some(({ name }) => name === 'feedback_result'),
    forget_result_present: answers.some(({ name }) => name === 'forget_result'),
  }
}

function withheldIds({ omitted }: GuideRecord): readonly string[] {
  return omitted.filter((memory) => memory.omitted === 'hold_out').map(({ memoryId }) => memoryId)
}

function summaryOf(
  { guide, relations, forgets }: TraceInput,
  decisions: readonly Decision[],
  contestedCount: number,
  attribution: Attribution,
): DecisionTrace['summary'] {
  const counts = countBySurface(guide.shown)
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
    learning_control_visible: isControlled || attribution.present || forgets.length > 0,
  }
}

/** High: warnings, and nothing that may be used. Medium: a warning or something to verify. */
function riskOf(counts: BySurface<number>): 'low' | 'medium' | 'high' {
  if (counts.do_not_use > 0 && counts.use_now === 0) return 'high'
  return counts.do_not_use > 0 || counts.inspect_before_use > 0 ? 'medium' : 'low'
}

function relationRow(
  { type, srcId, dstId, confidence, seq }: Relation,
  { guide, views }: TraceInput,
): Answer<typeof RelationDecision> {
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

function contextDecision(guide: GuideRecord): DecisionTrace['context_decision'] {
  const counts = countBySurface(guide.shown)
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

const FLAGS_MAX = 8

/** The receipt of a recorded guide with what was attributed since; null when why it showed what it showed is not kept. */
function receipt(guide: GuideRecord, attribution: Attribution, contestedCount: number): Receipt | null {
  if (guide.source !== 'runtime_record' || !guide.isExplained) return null
  const { shown, omitted } = guide
  const flags = shown.filter(({ surface }) => surface !== 'use_now').flatMap((row) => row.reasonCodes)
  return {
    contract_version: 'svc_memory_use_receipt_v1',
    intended_use: 'memory_use_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    guide_trace_id: guide.guideTraceId,
    history_used: shown.length > 0,
    actionable_history_used: guide.isActionable ?? false,
    prompt_char_count: guide.promptChars ?? 0,
    ...idLists(guide.exposedIds, guide.idsBySurface),
    attributed_memory_ids: attribution.attributed_memory_ids,
    unattributed_recalled_memory_ids: attribution.unattributed_recalled_memory_ids,
    read_only_signal_memory_ids: attribution.sparse_feedback_signal_summary.read_only_signal_memory_ids,
    decision_summaries: shown.map((memory) => ({
      memory_id: memory.memoryId,
      agent_surface: memory.surface,
      decision_kind: DECISION_OF[memory.surface],
      actionable: memory.surface === 'use_now',
      rule_id: memory.ruleId ?? '',
      reason_codes: memory.reasonCodes,
      recall_sources: memory.signals.map(signalRow),
    })),
    omitted: omitted.flatMap(({ memoryId, surface, omitted: reason, intoId }) =>
      reason === 'hold_out'
        ? []
        : [{ memory_id: memoryId, surface, reason, ...(intoId === null ? {} : { into: intoId }) }],
    ),
    ...(guide.isHeldOut ? { hold_out: { withheld_memory_ids: withheldIds(guide) } } : {}),
    risk_flags: [...new Set(flags)].slice(0, FLAGS_MAX),
    summary: receiptSummary(guide, contestedCount),
  }
}

function receiptSummary({ shown, omitted }: GuideRecord, contestedCount: number): string {
  if (shown.length === 0) return 'No memory was shown.'
  const counts = countBySurface(shown)
  const counted = SURFACES.map((surface) => `${counts[surface]} ${surface}`)
  const contested = contestedCount === 0 ? '' : ` ${contestedCount} were contested.`
  return `Memory shown: ${counted.join(', ')}; ${omitted.length} without a line.${contested}`
}

/** The decisions of a guide as rows of a data set: what was admitted to which surface, and what became of it. */
function admissionRecord(
  guide: GuideRecord,
  decisions: readonly Decision[],
  omitted: readonly Omission[],
): AdmissionRecord {
  const entries = [...decisions.map(shownEntry), ...omitted.map(omittedEntry)]
  const usedCount = entries.filter((entry) => entry.agent_used).length
  return {
    contract_version: 'svc_memory_admission_record_v1',
    intended_use: 'memory_admission_audit_dataset',
    source: 'memory_decision_trace',
    agent_prompt_included: false,
    runtime_mutation: false,
    guide_trace_id: guide.guideTraceId,
    prompt_char_count: guide.promptChars,
    history_used: decisions.length > 0,
    actionable_history_used: guide.isActionable,
    candidate_memory_count: entries.length,
    prompt_included_memory_count: decisions.length,
    agent_used_memory_count: usedCount,
    entries,
    summary: `${decisions.length} of ${entries.length} memories had a line; outcomes name ${usedCount}.`,
  }
}

function shownEntry(row: Decision): AdmissionRecord['entries'][number] {
  const feedback = row.feedback_detail
  return {
    ...decidedFields(row),
    authority: row.authority,
    admission_action: row.agent_surface,
    decision_kind: row.decision_kind,
    actionable: row.agent_surface === 'use_now',
    prompt_included: true,
    prompt_surface: row.agent_surface,
    agent_used: feedback !== null,
    feedback_outcome: feedback?.outcome ?? null,
    attribution_strength: feedback?.attribution_strength ?? null,
    evidence_ids: row.evidence_ids,
  }
}

function omittedEntry(row: Omission): AdmissionRecord['entries'][number] {
  return {
    ...decidedFields(row),
    authority: 'none',
    admission_action: row.withheld_surface,
    decision_kind: row.decision_kind,
    actionable: false,
    prompt_included: false,
    prompt_surface: null,
    agent_used: false,
    feedback_outcome: null,
    attribution_strength: null,
    evidence_ids: [],
  }
}

function decidedFields(row: Decision | Omission) {
  return {
    memory_id: row.memory_id,
    title: row.title,
    memory_origin: 'runtime' as const,
    domain: row.domain,
    memory_type: row.memory_type,
    lifecycle_state: row.lifecycle_state,
    rule_id: row.rule_id,
    reason: row.reason,
    reason_codes: row.reason_codes,
    recall_sources: row.recall_sources,
  }
}
