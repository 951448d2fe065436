import type { MemoryDecisionAudit } from '../../contract/decision-trace.ts'
import type { Answer } from '../../contract/vocabulary.ts'
import type { DecisionTrace } from './decision-trace-rows.ts'

type Report = Answer<typeof MemoryDecisionAudit>
type Reviewed = Report['neighborhood_drift_review']

/** A prompt within so many characters is compact. */
const COMPACT_CHARS_MAX = 4096
const RISK_REASONS_MAX = 8

/** A decision trace as a report for an operator. It says nothing that the trace does not hold. */
export function decisionReport(trace: DecisionTrace): Report {
  const { summary } = trace
  const of = reviewsOf(trace)
  const controlled = summary.inspect_before_use_count + summary.do_not_use_count + summary.rehydrate_count
  return {
    contract_version: 'svc_memory_decision_audit_report_v1',
    intended_use: 'operator_audit',
    agent_prompt_included: false,
    runtime_mutation: false,
    guide_trace_id: trace.guide_trace_id,
    run_id: trace.run_id,
    replay_source: trace.replay_source,
    verdict: verdictOf(trace),
    claims: claimsOf(trace, controlled),
    counters: {
      total_memory_count: summary.total_memory_count,
      controlled_memory_count: controlled,
      omitted_count: summary.omitted_count,
      relation_count: summary.relation_count,
      feedback_attribution_count: summary.feedback_attribution_count,
      feedback_threshold_met_count: summary.feedback_threshold_met_count,
      prompt_char_count: summary.prompt_char_count,
    },
    risks: {
      negative_transfer_risk: summary.negative_transfer_risk,
      unresolved_inspection_count: unresolvedCount(trace),
      blocked_or_suppressed_count: summary.do_not_use_count,
      reasons: riskReasons(trace),
    },
    artifact_mismatch: trace.artifact_mismatch,
    artifact_unverified: trace.artifact_unverified,
    hold_out: trace.hold_out,
    erased_memories: trace.erased_memories,
    feedback_signal_review: feedbackReview(trace),
    judgment_calibration_review: calibrationReview(trace),
    neighborhood_drift_review: of(
      trace.neighborhood_drift_observation.candidate_memory_ids,
      'Newer memory of the same paths says something else.',
    ),
    confidence_decay_candidate_review: of(
      trace.confidence_decay_candidate_summary.candidate_memory_ids,
      'Much older than the freshest memory, and never confirmed.',
    ),
    decision_reviews: {
      used_memories: decisionReview(trace, 'used'),
      downgraded_memories: decisionReview(trace, 'downgraded'),
      blocked_memories: decisionReview(trace, 'blocked'),
      rehydrate_memories: decisionReview(trace, 'rehydrate'),
    },
  }
}

function verdictOf({ summary }: DecisionTrace): Report['verdict'] {
  if (summary.total_memory_count + summary.omitted_count === 0) return 'no_history'
  const isVisible = summary.learning_control_visible || summary.negative_transfer_risk !== 'low'
  return isVisible ? 'learning_control_visible' : 'insufficient_trace'
}

function claimsOf(trace: DecisionTrace, controlled: number): Report['claims'] {
  const { summary, feedback_attribution: attribution } = trace
  const stated = trace.memory_decisions.filter((row) => row.lifecycle_state !== null).length
  const chars = summary.prompt_char_count ?? 0
  const total = summary.total_memory_count
  const claim = (
    name: Report['claims'][number]['claim'],
    isAsked: boolean,
    holds: boolean,
    evidence: string,
  ): Report['claims'][number] => ({
    claim: name,
    status: isAsked ? (holds ? 'pass' : 'fail') : 'not_applicable',
    evidence,
  })
  return [
    claim(
      'agent_prompt_excluded',
      true,
      true,
      'The report is made of ids, codes and sentences of the rules.',
    ),
    claim('runtime_state_unchanged', true, true, 'It was read in a turn without events.'),
    artifactClaim(trace),
    claim(
      'memory_lifecycle_visible',
      total > 0,
      stated === total,
      `The lifecycle state at that moment is known of ${stated} of ${total} memories.`,
    ),
    claim(
      'negative_transfer_control_visible',
      controlled + summary.relation_count > 0,
      trace.memory_decisions.every((row) => row.agent_surface === 'use_now' || row.reason_codes.length > 0),
      `${controlled} memories were held back and ${summary.relation_count} relations touch what was shown.`,
    ),
    claim('feedback_attribution_visible', attribution.present, true, attribution.reason),
    claim(
      'history_surface_compact',
      chars > 0,
      chars <= COMPACT_CHARS_MAX,
      `The prompt had ${chars} characters; ${COMPACT_CHARS_MAX} are compact.`,
    ),
  ]
}

function artifactClaim(trace: DecisionTrace): Report['claims'][number] {
  const { artifact_mismatch: mismatches, artifact_unverified: unverified, record, input } = trace
  const isSupplied = Object.values(input).some((present) => present)
  const isHeld = record.after_guide === 'held'
  const status = mismatches.length > 0 ? 'fail' : isSupplied && isHeld ? 'pass' : 'not_applicable'
  const open = unverified.length === 0 ? '' : ` ${unverified.length} can be neither confirmed nor denied.`
  const evidence = isHeld
    ? `${mismatches.length} fields of what was supplied differ from the record.${open}`
    : 'The guide is not held here: what was supplied was replayed as it came.'
  return { claim: 'artifacts_match_records', status, evidence }
}

/** Shown to be verified first, and no outcome says what came of it. */
function unresolvedCount({ memory_decisions: rows }: DecisionTrace): number {
  return rows.filter((row) => row.agent_surface === 'inspect_before_use' && row.feedback_detail === null)
    .length
}

function riskReasons({ memory_decisions: rows }: DecisionTrace): readonly string[] {
  const codes = rows.filter((row) => row.agent_surface !== 'use_now').flatMap((row) => row.reason_codes)
  return [...new Set(codes)].slice(0, RISK_REASONS_MAX)
}

function feedbackReview(trace: DecisionTrace): Report['feedback_signal_review'] {
  const signals = trace.feedback_attribution.sparse_feedback_signal_summary
  const of = reviewsOf(trace)
  return {
    present: signals.present,
    authority_mutation: false,
    positive_attributed_memories: of(signals.positive_attributed_memory_ids, 'A run succeeded with it.'),
    weak_counter_signal_memories: of(
      signals.weak_counter_signal_memory_ids,
      'A run reported against it, without failure evidence.',
    ),
    strong_counter_signal_memories: of(
      signals.strong_counter_signal_memory_ids,
      'A run failed with it, with failure evidence.',
    ),
    relation_counter_signal_memories: of(
      signals.relation_counter_signal_memory_ids,
      'Another memory supersedes, invalidates or contradicts it.',
    ),
    contradiction_warning_memories: of(
      signals.contradiction_warning_memory_ids,
      'It was contested when it was shown.',
    ),
    repeated_unattributed_memories: of(
      signals.repeated_unattributed_memory_ids,
      'Both guides gave it for direct use, and no outcome names it.',
    ),
    read_only_signal_memories: of(signals.read_only_signal_memory_ids, 'Its outcomes were only observed.'),
  }
}

function calibrationReview(trace: DecisionTrace): Report['judgment_calibration_review'] {
  const summary = trace.judgment_calibration_summary
  const of = reviewsOf(trace)
  return {
    authority: 'read_only',
    supported_memories: of(summary.supported_memory_ids, 'Outcomes speak for it.'),
    contradicted_memories: of(summary.contradicted_memory_ids, 'Outcomes speak against it.'),
    weak_memories: of(summary.weak_memory_ids, 'One weak negative is not enough to judge.'),
    unused_memories: of(summary.unused_memory_ids, 'Shown and not named by the outcome.'),
    inconclusive_memories: of(summary.inconclusive_memory_ids, 'No outcome decides.'),
  }
}

/** Rows about memories of a trace, with one reason for all. */
function reviewsOf({ memory_decisions: rows }: DecisionTrace) {
  const titles = new Map(rows.map((row) => [row.memory_id, row.title]))
  return (ids: readonly string[], reason: string): Reviewed =>
    ids.map((memory_id) => ({ memory_id, title: titles.get(memory_id) ?? null, reason }))
}

function decisionReview(
  { memory_decisions: rows }: DecisionTrace,
  kind: DecisionTrace['memory_decisions'][number]['decision_kind'],
): Reviewed {
  return rows
    .filter((row) => row.decision_kind === kind)
    .map((row) => ({
      memory_id: row.memory_id,
      title: row.title,
      reason: row.reason ?? row.reason_codes[0] ?? 'Its explanation is not kept.',
    }))
}
