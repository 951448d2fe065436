import type { GuidanceAuthority, Surface, UsedSurface, VerifierStatus } from '../base/closed-sets.ts'
import type { DecidedSignal } from '../guide/decision.ts'
import { DECISION_OF } from '../guide/receipt.ts'
import type { FeedbackMark } from '../model/record.ts'
import { isThresholdMet, type ThresholdState, thresholdOf } from './calibration.ts'
import { type AttributionStrength, type Credit, strengthOf } from './credit.ts'
import type { TracedView } from './decision-trace-facts.ts'
import type { TracedMemory, TracedOmission } from './decision-trace-guide.ts'

export const BLOCKED_BY = [
  'suppressed_lifecycle',
  'failed_lifecycle',
  'superseded_lifecycle',
  'expired_lifecycle',
  'failed_outcome',
  'unknown',
] as const

/** Everything that is known of one shown memory. */
export interface DecisionSource {
  readonly memory: TracedMemory
  /** Null: it is not here, or not visible. */
  readonly view: TracedView | null
  /** Outcomes of this guide that name it, oldest first. */
  readonly marks: readonly FeedbackMark[]
  /** Where the guide before had shown it; null: not, or there was none. */
  readonly before: Surface | null
}

/** Why one memory stood where it stood, and what came of it. One literal: a spread of parts is ten times slower. */
export function memoryDecision(source: DecisionSource) {
  const { memory, view } = source
  const authority = authorityOf(source)
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
    recall_sources: memory.signals.map(recallSource),
    before_guide_surface: source.before,
    revised_since: view?.isRevisedSince ?? false,
    used_detail: usedDetail(source, authority),
    downgraded_detail: downgradedDetail(source),
    blocked_detail: blockedDetail(source, authority),
    feedback_detail: feedbackDetail(source),
    rehydrate_detail: rehydrateDetail(source),
    credit: view === null ? null : creditView(view.credit),
  }
}
export type MemoryDecision = ReturnType<typeof memoryDecision>

/** Memory that was decided about and has no line: the budget was used up, or a hold-out kept it back. */
export function omittedDecision(memory: TracedOmission, view: TracedView | null) {
  return {
    memory_id: memory.memoryId,
    title: view?.title ?? null,
    domain: view?.domain ?? null,
    memory_type: view?.memoryType ?? null,
    lifecycle_state: memory.lifecycleState,
    lifecycle_state_now: view?.lifecycleNow ?? null,
    agent_surface: 'not_agent_facing' as const,
    decision_kind: 'not_agent_facing' as const,
    withheld_surface: memory.surface,
    omitted_by: memory.omitted,
    rule_id: memory.ruleId,
    reason_codes: memory.reasonCodes,
    reason: memory.reason,
    recall_sources: memory.signals.map(recallSource),
  }
}

export type OmittedDecision = ReturnType<typeof omittedDecision>

/** A credit as it goes over the wire. */
export function creditView(credit: Credit) {
  const { use_now, inspect_before_use, rehydrate, do_not_use } = credit.exposed
  return {
    exposed: { use_now, inspect_before_use, rehydrate, do_not_use, total: credit.exposedTotal },
    unknown_count: credit.unknown,
    ...outcomeCreditView(credit),
  }
}

/** The outcomes of a credit alone: how often a memory is shown to others is nothing that a consumer may know. */
export function outcomeCreditView(credit: Omit<Credit, 'exposed' | 'exposedTotal' | 'unknown'>) {
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

/** What the outcomes of a guide that name one memory amount to. */
export function thresholdsOf({ marks, view }: DecisionSource): readonly ThresholdState[] {
  return marks.map((mark) => thresholdOf(mark, countUpTo(view?.weakSeqs ?? [], mark.seq)))
}

function recallSource({ kind, score, reason }: DecidedSignal) {
  return { kind, score, reason }
}

function authorityOf({ memory, view }: DecisionSource): GuidanceAuthority {
  return view?.authority ?? (memory.surface === 'do_not_use' ? 'blocked' : 'candidate')
}

function usedDetail({ memory, view }: DecisionSource, authority: GuidanceAuthority) {
  if (memory.surface !== 'use_now') return null
  const stateThen = memory.lifecycleState
  return {
    authority,
    confidence: view?.confidence ?? null,
    not_superseded: stateThen === null ? null : stateThen !== 'superseded' && stateThen !== 'expired',
  }
}

/** Also for blocked memory that another one or an outcome brought down. */
function downgradedDetail({ memory, view }: DecisionSource) {
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

function blockedDetail({ memory }: DecisionSource, authority: GuidanceAuthority) {
  if (memory.surface !== 'do_not_use') return null
  const fromState = BLOCKED_BY.find((word) => word === `${memory.lifecycleState ?? ''}_lifecycle`)
  return {
    blocked_by: fromState ?? (memory.ruleId === 'S2' ? ('failed_outcome' as const) : ('unknown' as const)),
    lifecycle_state: memory.lifecycleState,
    authority,
    reason: memory.reason,
  }
}

export interface FeedbackDetail {
  readonly run_id: string
  readonly outcome: FeedbackMark['outcome']
  readonly used_surface: UsedSurface
  readonly verifier_status: VerifierStatus | null
  readonly attribution_strength: AttributionStrength
  readonly outcome_count: number
  readonly weak_counter_signal_count: number
  readonly strong_counter_signal_count: number
  readonly threshold_state: ThresholdState
  readonly threshold_met: boolean
  readonly host_marked_used: boolean
  readonly reason: string
}

/** The latest outcome; an earlier one whose threshold was met is told before it. */
function feedbackDetail(source: DecisionSource): FeedbackDetail | null {
  const thresholds = thresholdsOf(source)
  const met = thresholds.findLastIndex(isThresholdMet)
  const at = met >= 0 ? met : source.marks.length - 1
  const [mark, state] = [source.marks[at], thresholds[at]]
  if (mark === undefined || state === undefined) return null
  return {
    run_id: mark.runId,
    outcome: mark.outcome,
    used_surface: mark.usedSurface,
    verifier_status: mark.verifierStatus,
    attribution_strength: strengthOf(mark),
    outcome_count: source.marks.length,
    weak_counter_signal_count: countUpTo(source.view?.weakSeqs ?? [], mark.seq),
    strong_counter_signal_count: countUpTo(source.view?.strongSeqs ?? [], mark.seq),
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

function rehydrateDetail({ memory, view }: DecisionSource) {
  const required = memory.surface === 'rehydrate'
  const isHint = memory.surface !== 'do_not_use' && view?.hasFullText === true
  if (!required && !isHint) return null
  return {
    mode: 'partial' as const,
    required,
    reason: required ? memory.reason : 'Only a compact text is shown; the full text is kept.',
    payload_status: payloadStatus(view),
  }
}

function payloadStatus(view: TracedView | null): 'cold_payload' | 'summary_only' | 'unknown' {
  if (view === null || view.hasPayload === null) return 'unknown'
  return view.hasPayload ? 'cold_payload' : 'summary_only'
}

function countUpTo(seqs: readonly number[], seq: number): number {
  return seqs.filter((each) => each <= seq).length
}
