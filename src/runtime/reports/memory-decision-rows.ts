import type { Answer } from '../../contract/envelope.ts'
import {
  BLOCKED_BY,
  type MemoryCredit,
  type MemoryDecision,
  type OmittedMemory,
  type OutcomeCredit,
} from '../../contract/memory-decision.ts'
import type { GuidanceAuthority } from '../../core/base/closed-sets.ts'
import { DECISION_OF } from '../../core/guide/decision.ts'
import { isThresholdMet, type ThresholdState } from '../../core/report/calibration.ts'
import { type Credit, strengthOf } from '../../core/report/credit.ts'
import type { OmittedGuideMemory } from '../../core/report/guide-record.ts'
import { countUpTo, type TracedMemory } from '../../core/report/trace-input.ts'
import type { TracedView } from '../../core/report/traced-memory.ts'
import { signalRow } from './rows.ts'

export type Decision = Answer<typeof MemoryDecision>
export type Omission = Answer<typeof OmittedMemory>

/** Why one memory stood where it stood, and what came of it. */
export function decisionRow(traced: TracedMemory): Decision {
  const { memory, view } = traced
  const authority = view?.authority ?? (memory.surface === 'do_not_use' ? 'blocked' : 'candidate')
  return {
    memory_id: memory.memoryId,
    title: view?.title ?? null,
    domain: view?.domain ?? null,
    memory_type: view?.memoryType ?? null,
    lifecycle_state: memory.lifecycleState,
    lifecycle_state_now: view?.lifecycleNow ?? null,
    authority,
    agent_surface: memory.surface,
    decision_kind: DECISION_OF[memory.surface],
    rule_id: memory.ruleId,
    reason_codes: memory.reasonCodes,
    reason: memory.reason,
    evidence_ids: view?.evidenceRefs ?? [],
    recall_sources: memory.signals.map(signalRow),
    before_guide_surface: traced.before,
    revised_since: view?.isRevisedSince ?? false,
    used_detail: usedDetail(traced, authority),
    downgraded_detail: downgradedDetail(traced),
    blocked_detail: blockedDetail(traced, authority),
    feedback_detail: feedbackDetail(traced),
    rehydrate_detail: rehydrateDetail(traced),
    credit: view === null ? null : creditView(view.credit),
  }
}

/** Memory that was decided about and has no line. */
export function omissionRow(memory: OmittedGuideMemory, view: TracedView | null): Omission {
  return {
    memory_id: memory.memoryId,
    title: view?.title ?? null,
    domain: view?.domain ?? null,
    memory_type: view?.memoryType ?? null,
    lifecycle_state: memory.lifecycleState,
    lifecycle_state_now: view?.lifecycleNow ?? null,
    agent_surface: 'not_agent_facing',
    decision_kind: 'not_agent_facing',
    withheld_surface: memory.surface,
    omitted_by: memory.omitted,
    into: memory.intoId,
    rule_id: memory.ruleId,
    reason_codes: memory.reasonCodes,
    reason: memory.reason,
    recall_sources: memory.signals.map(signalRow),
  }
}

function usedDetail({ memory, view }: TracedMemory, authority: GuidanceAuthority): Decision['used_detail'] {
  if (memory.surface !== 'use_now') return null
  const stateThen = memory.lifecycleState
  return {
    authority,
    confidence: view?.confidence ?? null,
    not_superseded: stateThen === null ? null : stateThen !== 'superseded' && stateThen !== 'expired',
  }
}

/** Also for blocked memory that another one or an outcome brought down. */
function downgradedDetail({ memory, view }: TracedMemory): Decision['downgraded_detail'] {
  if (memory.surface !== 'inspect_before_use' && memory.surface !== 'do_not_use') return null
  const by = view?.heldBack ?? null
  if (by === null && memory.surface === 'do_not_use') return null
  return {
    by_memory_id: by?.byMemoryId ?? null,
    evidence_id: by?.runId == null ? null : `run:${by.runId}`,
    relation: by?.relation ?? null,
    cause: by?.cause ?? memory.reasonCodes[0] ?? null,
  }
}

function blockedDetail({ memory }: TracedMemory, authority: GuidanceAuthority): Decision['blocked_detail'] {
  if (memory.surface !== 'do_not_use') return null
  const byState = BLOCKED_BY.find((word) => word === `${memory.lifecycleState ?? ''}_lifecycle`)
  return {
    blocked_by: byState ?? (memory.ruleId === 'S2' ? 'failed_outcome' : 'unknown'),
    lifecycle_state: memory.lifecycleState,
    authority,
    reason: memory.reason,
  }
}

/** The latest outcome; an earlier one whose threshold was met is told before it. */
function feedbackDetail({ view, marks, thresholds }: TracedMemory): Decision['feedback_detail'] {
  const met = thresholds.findLastIndex(isThresholdMet)
  const at = met >= 0 ? met : marks.length - 1
  const [mark, state] = [marks[at], thresholds[at]]
  if (mark === undefined || state === undefined) return null
  return {
    run_id: mark.runId,
    outcome: mark.outcome,
    used_surface: mark.usedSurface,
    verifier_status: mark.verifierStatus,
    attribution_strength: strengthOf(mark),
    outcome_count: marks.length,
    weak_counter_signal_count: countUpTo(view?.weakSeqs, mark.seq),
    strong_counter_signal_count: countUpTo(view?.strongSeqs, mark.seq),
    threshold_state: state,
    threshold_met: isThresholdMet(state),
    host_marked_used: mark.usedSurface === 'explicit_host_assertion',
    reason: THRESHOLD_REASONS[state],
  }
}

const THRESHOLD_REASONS: Readonly<Record<ThresholdState, string>> = {
  positive_attribution: 'A run succeeded with it.',
  strong_signal_threshold_met: 'A run failed with it, with failure evidence.',
  repeated_weak_threshold_met: 'Two runs or more reported against it.',
  weak_below_threshold: 'One run reported against it, without failure evidence.',
  no_signal: 'The outcome was only observed.',
}

function rehydrateDetail({ memory, view }: TracedMemory): Decision['rehydrate_detail'] {
  const required = memory.surface === 'rehydrate'
  const isHint = memory.surface !== 'do_not_use' && view?.hasFullText === true
  if (!required && !isHint) return null
  const hasPayload = view?.hasPayload ?? null
  return {
    mode: 'partial',
    required,
    reason: required ? memory.reason : 'Only a compact text is shown; the full text is kept.',
    payload_status: hasPayload === null ? 'unknown' : hasPayload ? 'cold_payload' : 'summary_only',
  }
}

/** A credit as it goes over the wire. */
export function creditView(credit: Credit): Answer<typeof MemoryCredit> {
  const { use_now, inspect_before_use, rehydrate, do_not_use } = credit.exposed
  return {
    exposed: { use_now, inspect_before_use, rehydrate, do_not_use, total: credit.exposedTotal },
    unknown_count: credit.unknown,
    ...outcomeCreditView(credit),
  }
}

/** The outcomes of a credit alone: how often a memory is shown to others is nothing that a consumer may know. */
export function outcomeCreditView(
  credit: Omit<Credit, 'exposed' | 'exposedTotal' | 'unknown'>,
): Answer<typeof OutcomeCredit> {
  return {
    used_count: credit.used,
    helped_count: credit.helped,
    hurt_weak_count: credit.hurtWeak,
    hurt_strong_count: credit.hurtStrong,
    observed_count: credit.observed,
    neutral_count: credit.neutral,
    runs: credit.runs.map((run) => ({
      run_id: run.runId,
      guide_trace_id: run.guideTraceId,
      outcome: run.outcome,
      attribution_strength: run.strength,
      used_surface: run.usedSurface,
    })),
  }
}
