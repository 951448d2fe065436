import type { CalibrationSummary, FeedbackAttribution } from '../../contract/decision-trace.ts'
import {
  BLOCKED_BY,
  type MemoryCredit,
  type MemoryDecision,
  type OmittedMemory,
  type OutcomeCredit,
} from '../../contract/memory-decision.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import { bySurface, type GuidanceAuthority, type RelationType } from '../../core/base/closed-sets.ts'
import { DECISION_OF } from '../../core/guide/decision.ts'
import { feedbackSignals } from '../../core/measure/feedback-signals.ts'
import type { FeedbackMark } from '../../core/model/record.ts'
import { type OutcomeCredit as SeenOutcomes, strengthOf } from '../../core/report/credit.ts'
import type { MemoryOutcome, OmittedGuideMemory } from '../../core/report/guide-record.ts'
import {
  adjustmentOf,
  countUpTo,
  isInconclusive,
  isThresholdMet,
  type JudgedMemory,
  type Judgment,
  judgedGroups,
  type ThresholdState,
  type TracedMemory,
  type TraceInput,
} from '../../core/report/trace-input.ts'
import type { TracedView } from '../../core/report/traced-memory.ts'
import { reported, signalRow } from './rows.ts'

export type Attribution = Answer<typeof FeedbackAttribution>

/** What a relation does to its target; the other types only tell. */
export const EFFECT_OF: Readonly<Partial<Record<RelationType, 'superseded' | 'contested'>>> = {
  supersedes: 'superseded',
  invalidates: 'superseded',
  contradicts: 'contested',
}

/** Outcomes listed with a trace, the latest. */
const OUTCOMES_MAX = 200

/** Which of the shown memories the outcomes of a guide name, and which they leave open. */
export function attributionRow(input: TraceInput, contestedIds: readonly string[]): Attribution {
  const { guide, shown, outcomes } = input
  const named = new Set(outcomes.map(({ memoryId }) => memoryId))
  const open = guide.shown.filter(({ memoryId }) => !named.has(memoryId))
  const openOn = bySurface((surface) => idsOf(open.filter((row) => row.surface === surface)))
  const last = outcomes.at(-1)?.mark
  const hasFeedback = last !== undefined
  return {
    present: hasFeedback,
    guide_trace_id: guide.guideTraceId,
    run_id: last?.runId ?? null,
    outcome: last?.outcome ?? null,
    used_surface: last?.usedSurface ?? null,
    verifier_status: last?.verifierStatus ?? null,
    affected_memory_ids: [...named],
    exposed_memory_count: guide.shown.length,
    attributed_memory_count: named.size,
    unattributed_recalled_memory_count: open.length,
    attributed_memory_ids: [...named],
    unattributed_recalled_memory_ids: idsOf(open),
    unattributed_use_now_memory_ids: openOn.use_now,
    unattributed_inspect_before_use_memory_ids: openOn.inspect_before_use,
    unattributed_do_not_use_memory_ids: openOn.do_not_use,
    unattributed_rehydrate_memory_ids: openOn.rehydrate,
    // Shown and not named, while the guide has an outcome: reported, it demotes nothing.
    unused_exposure_observation: {
      present: hasFeedback && open.length > 0,
      memory_ids: hasFeedback ? idsOf(open) : [],
      authority_mutation: false,
    },
    weak_counter_signal_memory_ids: idsWith(shown, ({ marks }) => marks.some(isNegative(false))),
    strong_counter_signal_memory_ids: idsWith(shown, ({ marks }) => marks.some(isNegative(true))),
    threshold_met_memory_ids: idsWith(shown, ({ thresholds }) => thresholds.some(isThresholdMet)),
    outcomes: outcomes.slice(-OUTCOMES_MAX).map(outcomeRow),
    sparse_feedback_signal_summary: signalSummary(input, contestedIds),
    reason: hasFeedback
      ? `Outcomes name ${named.size} of ${guide.shown.length} shown memories; the others get no credit and no blame.`
      : 'No outcome was attributed to memory of this guide.',
  }
}

function idsWith(
  shown: readonly TracedMemory[],
  holds: (traced: TracedMemory) => boolean,
): readonly string[] {
  return shown.filter(holds).map(({ memory }) => memory.memoryId)
}

function isNegative(isStrong: boolean): (mark: FeedbackMark) => boolean {
  return (mark) => mark.outcome === 'negative' && mark.strong === isStrong
}

function outcomeRow({ memoryId, mark }: MemoryOutcome): Attribution['outcomes'][number] {
  return {
    memory_id: memoryId,
    run_id: mark.runId,
    ...reported(mark),
    attribution_strength: strengthOf(mark),
  }
}

/** The reading that measure has of guides and outcomes; a supplied guide is no record. */
function signalSummary(
  { guide, before, outcomes, relations }: TraceInput,
  contestedIds: readonly string[],
): Attribution['sparse_feedback_signal_summary'] {
  const targets = new Set(
    relations.filter(({ type }) => EFFECT_OF[type] !== undefined).map(({ dstId }) => dstId),
  )
  return feedbackSignals({
    guides: [guide, before].flatMap((each) => {
      if (each === null || each.guideTraceId === null || each.seq === null) return []
      const idsOn = bySurface((surface) => idsOf(each.shown.filter((row) => row.surface === surface)))
      return [{ guideTraceId: each.guideTraceId, exposed: idsOn }]
    }),
    feedback: outcomes.map(({ memoryId, mark }) => ({
      memoryId,
      guideTraceId: mark.guideTraceId,
      outcome: mark.outcome,
      isDirect: mark.direct,
      isStrong: mark.strong,
    })),
    relationTargetIds: idsOf(guide.shown).filter((id) => targets.has(id)),
    contradictionIds: contestedIds,
  })
}

export function judgedMemories({ shown, relations }: TraceInput): readonly JudgedMemory[] {
  return shown.map(({ memory, view, marks, judgment }) => {
    const { memoryId, surface, lifecycleState } = memory
    const groups = [`surface:${surface}`]
    if (view !== null) groups.push(`domain:${view.domain}`)
    for (const outcome of ['positive', 'negative'] as const) {
      if (marks.some((mark) => mark.outcome === outcome)) groups.push(`signal:feedback_${outcome}`)
    }
    const credit = view?.credit
    if (credit?.used === 0 && 'exposed' in credit && credit.exposed.use_now > 1) {
      groups.push('signal:repeated_unused')
    }
    for (const { type, dstId } of relations) {
      if (dstId === memoryId) groups.push(`signal:relation_${type}`)
    }
    if (lifecycleState !== null && lifecycleState !== 'active') {
      groups.push(`signal:lifecycle_${lifecycleState}`)
    }
    return { memoryId, judgment, groups: [...new Set(groups)] }
  })
}

/** Where judgments of the runtime met outcomes. A report: it moves nothing. */
export function calibrationSummary(memories: readonly JudgedMemory[]): Answer<typeof CalibrationSummary> {
  const idsThat = (judgment: Judgment): readonly string[] =>
    idsOf(memories.filter((memory) => memory.judgment === judgment))
  const supported = idsThat('supported')
  const contradicted = idsThat('contradicted')
  const weak = idsThat('weak')
  const unused = idsThat('unused')
  const open = idsOf(memories.filter(isInconclusive))
  return {
    contract_version: 'svc_judgment_calibration_summary_v1',
    authority: 'read_only',
    window: {
      record_count: memories.length,
      anchored_count: supported.length + contradicted.length,
      weak_count: weak.length,
      unused_count: unused.length,
      inconclusive_count: open.length,
    },
    supported_memory_ids: supported,
    contradicted_memory_ids: contradicted,
    weak_memory_ids: weak,
    unused_memory_ids: unused,
    inconclusive_memory_ids: open,
    buckets: judgedGroups(memories).map(([bucket, members]) => bucketRow(bucket, members)),
    reason:
      memories.length === 0
        ? 'The guide showed no memory.'
        : `Outcomes support ${supported.length} and contradict ${contradicted.length} of ${memories.length} memories.`,
  }
}

function bucketRow(
  bucket: string,
  members: readonly JudgedMemory[],
): Answer<typeof CalibrationSummary>['buckets'][number] {
  const countOf = (judgment: Judgment): number =>
    members.filter((memory) => memory.judgment === judgment).length
  const [adjustment, reason] = adjustmentOf(members)
  return {
    bucket,
    record_count: members.length,
    supported_count: countOf('supported'),
    contradicted_count: countOf('contradicted'),
    weak_count: countOf('weak'),
    unused_count: countOf('unused'),
    inconclusive_count: members.filter(isInconclusive).length,
    memory_ids: idsOf(members),
    recommended_adjustment: adjustment,
    reason,
    authority: 'read_only',
  }
}

function idsOf(rows: readonly { readonly memoryId: string }[]): readonly string[] {
  return rows.map(({ memoryId }) => memoryId)
}

export type Decision = Answer<typeof MemoryDecision>
export type Omission = Answer<typeof OmittedMemory>

/** Of which memory a row tells, as it was then and is now. */
function memoryPart(
  { memoryId, lifecycleState }: TracedMemory['memory'] | OmittedGuideMemory,
  view: TracedView | null,
) {
  return {
    memory_id: memoryId,
    title: view?.title ?? null,
    domain: view?.domain ?? null,
    memory_type: view?.memoryType ?? null,
    lifecycle_state: lifecycleState,
    lifecycle_state_now: view?.lifecycleNow ?? null,
  }
}

/** Why one memory stood where it stood, and what came of it. */
export function decisionRow(traced: TracedMemory): Decision {
  const { memory, view } = traced
  const authority = view?.authority ?? (memory.surface === 'do_not_use' ? 'blocked' : 'candidate')
  return {
    ...memoryPart(memory, view),
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
    ...memoryPart(memory, view),
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
    ...reported(mark),
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
function creditView(credit: TracedView['credit']): Answer<typeof MemoryCredit> {
  if (!('exposed' in credit)) return outcomeCreditView(credit)
  const { exposed, exposedTotal: total, unknown } = credit
  const { use_now, inspect_before_use, rehydrate, do_not_use } = exposed
  return {
    exposed: { use_now, inspect_before_use, rehydrate, do_not_use, total },
    unknown_count: unknown,
    ...outcomeCreditView(credit),
  }
}

export function outcomeCreditView(credit: SeenOutcomes): Answer<typeof OutcomeCredit> {
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
