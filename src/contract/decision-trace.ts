import { z } from 'zod'
import { LIFECYCLE_OPERATIONS, RELATION_TYPES } from '../core/base/closed-sets.ts'
import { ADJUSTMENTS } from '../core/report/trace-input.ts'
import { MemoryUseReceipt } from './agent-context.ts'
import { FeedbackSignalSummary, ignoredClaims } from './effect-report.ts'
import { id, jsonObject, optional, request, share, words } from './fields.ts'
import { MemoryDecision, OmittedMemory, TraceAdmissionRecord } from './memory-decision.ts'
import {
  attributionStrength,
  count,
  described,
  driftFields,
  ErasedMemory,
  envelope,
  feedbackOutcome,
  guidanceAuthority,
  mismatches,
  nullableCount,
  nullableText,
  outcomeFields,
  readOnly,
  recommendedPosture,
  riskLevel,
  rows,
  strings,
  usedSurface,
  verifierStatus,
} from './vocabulary.ts'

/** The rule that a JSON Schema cannot carry. */
export const TRACE_RULE = 'Say which guide to trace: send guide_trace_id, or product_trace with after_guide.'

export const guideArtifactFields = {
  guide_trace_id: optional(id, 'The guide; the runtime looks it up in its own records.'),
  agent_context: optional(jsonObject, 'As the guide answered it.'),
  memory_use_receipt: optional(jsonObject, 'As the guide answered it.'),
  memory_packet: optional(jsonObject, 'As the guide answered it.'),
  guide_packet: optional(jsonObject, 'As the guide answered it.'),
}

const GuideArtifact = z.looseObject(guideArtifactFields).describe('A guide response, whole or in part.')

const TracedLoop = described(
  'Artifacts of one loop, compared with the records. Strict: a field that is not listed is refused.',
  {
    before_guide: optional(GuideArtifact, 'An earlier guide, to compare with.'),
    after_guide: GuideArtifact.describe('The guide that is traced.'),
    feedback_result: optional(jsonObject, 'The feedback response. Outcome and ids come from the records.'),
    forget_result: optional(jsonObject, 'A forget, rehydrate or feedback response.'),
    evidence_ids: optional(words, 'References to evidence. Counted, not believed.'),
    sufficient_evidence: optional(z.boolean(), 'What you claim. Echoed, not believed.'),
  },
)

/** What both operations take. */
const tracedFields = {
  guide_trace_id: optional(
    id,
    'The guide to trace, from the records alone. With product_trace it says which guide that is.',
  ),
  product_trace: optional(TracedLoop, 'Artifacts to compare with the records.'),
}

export const DecisionTraceRequest = request(
  'A guide by its id, the artifacts of one loop, or both.',
  tracedFields,
)

export const RelationDecision = z.strictObject({
  evidence_id: z.string(),
  memory_id: z.string(),
  relation: z.enum(RELATION_TYPES),
  source_memory_id: z.string(),
  target_memory_id: z.string(),
  lifecycle_relation: z.enum(['superseded', 'contested']).nullable(),
  confidence: share,
  known_at_decision: z.boolean().nullable(),
  reason: z.string(),
})

export const FeedbackAttribution = described(
  'Which of the shown memories outcomes name. The others get no credit and no blame.',
  {
    present: z.boolean(),
    guide_trace_id: nullableText,
    run_id: nullableText.describe('Of the latest outcome, as the next three.'),
    outcome: feedbackOutcome.nullable(),
    used_surface: usedSurface.nullable(),
    verifier_status: verifierStatus.nullable(),
    affected_memory_ids: strings,
    exposed_memory_count: count,
    attributed_memory_count: count,
    unattributed_recalled_memory_count: count,
    attributed_memory_ids: strings,
    unattributed_recalled_memory_ids: strings,
    unattributed_use_now_memory_ids: strings,
    unattributed_inspect_before_use_memory_ids: strings,
    unattributed_do_not_use_memory_ids: strings,
    unattributed_rehydrate_memory_ids: strings,
    unused_exposure_observation: z.strictObject({
      present: z.boolean(),
      memory_ids: strings,
      authority_mutation: z.literal(false),
    }),
    weak_counter_signal_memory_ids: strings,
    strong_counter_signal_memory_ids: strings,
    threshold_met_memory_ids: strings,
    outcomes: rows({
      memory_id: z.string(),
      run_id: z.string(),
      ...outcomeFields,
      attribution_strength: attributionStrength,
    }),
    sparse_feedback_signal_summary: FeedbackSignalSummary,
    reason: z.string(),
  },
)

export const CalibrationSummary = described(
  'Where judgments of the runtime met outcomes. It moves nothing.',
  {
    contract_version: z.literal('svc_judgment_calibration_summary_v1'),
    authority: z.literal('read_only'),
    window: z.strictObject({
      record_count: count,
      anchored_count: count,
      weak_count: count,
      unused_count: count,
      inconclusive_count: count,
    }),
    supported_memory_ids: strings,
    contradicted_memory_ids: strings,
    weak_memory_ids: strings,
    unused_memory_ids: strings,
    inconclusive_memory_ids: strings,
    buckets: rows({
      bucket: z.string(),
      record_count: count,
      supported_count: count,
      contradicted_count: count,
      weak_count: count,
      unused_count: count,
      inconclusive_count: count,
      memory_ids: strings,
      recommended_adjustment: z.enum(ADJUSTMENTS),
      authority: z.literal('read_only'),
      reason: z.string(),
    }),
    reason: z.string(),
  },
)

/** Where supplied artifacts differ from the record, and what they say that the record cannot tell. */
export const artifactFields = {
  artifact_mismatch: mismatches.describe(
    'Where a supplied artifact differs from the record. The record counts.',
  ),
  artifact_unverified: rows({ artifact: z.string(), field: z.string() }).describe(
    'What can be neither confirmed nor denied, because the record is kept no longer.',
  ),
}

export const replaySource = z
  .enum(['runtime_record', 'supplied_artifacts'])
  .describe('supplied_artifacts: the guide is not held here, what was supplied is replayed as it came.')

export const HoldOut = described('Whether the guide withheld memory so that its run can be compared.', {
  held_out: z.boolean(),
  withheld_memory_ids: strings,
})

export const ErasedMemories = z
  .array(ErasedMemory)
  .describe('Of what the guide decided about: erased since. Ids, surfaces and counts of then are still told.')

const holding = z.enum(['held', 'not_held', 'expired', 'not_supplied'])

export const MemoryDecisionTrace = described(
  'Why a guide showed what it showed, and what came of it. Not for the agent.',
  {
    contract_version: z.literal('svc_memory_decision_trace_v1'),
    intended_use: z.literal('measure_debug_audit'),
    ...readOnly,
    guide_trace_id: nullableText,
    run_id: nullableText,
    replay_source: replaySource,
    record: z.strictObject({
      after_guide: holding,
      before_guide: holding,
      explanation: z.enum(['kept', 'not_kept']),
    }),
    ...artifactFields,
    client_claims_ignored: ignoredClaims,
    input: z.strictObject({
      before_guide_present: z.boolean(),
      after_guide_present: z.boolean(),
      memory_packet_present: z.boolean(),
      guide_packet_present: z.boolean(),
      agent_context_present: z.boolean(),
      feedback_result_present: z.boolean(),
      forget_result_present: z.boolean(),
    }),
    query: z.strictObject({
      hash: nullableText.describe('SHA-256 of the query, hex.'),
      char_count: nullableCount,
    }),
    hold_out: HoldOut,
    erased_memories: ErasedMemories,
    summary: z.strictObject({
      total_memory_count: count,
      direct_use_count: count,
      inspect_before_use_count: count,
      do_not_use_count: count,
      rehydrate_count: count,
      omitted_count: count,
      relation_count: count,
      contradiction_warning_count: count,
      feedback_attribution_count: count,
      feedback_threshold_met_count: count,
      unattributed_recalled_memory_count: count,
      prompt_char_count: nullableCount,
      history_used: z.boolean(),
      actionable_history_used: z.boolean().nullable(),
      recommended_posture: recommendedPosture.nullable(),
      authority: guidanceAuthority,
      negative_transfer_risk: riskLevel.describe(
        'high: warnings and nothing to use; medium: a warning or something to verify.',
      ),
      learning_control_visible: z.boolean(),
    }),
    memory_decisions: z.array(MemoryDecision).describe('What was shown, in rank order.'),
    omitted_memories: z.array(OmittedMemory).describe('What was decided about and has no line.'),
    relation_decisions: z.array(RelationDecision),
    feedback_attribution: FeedbackAttribution,
    judgment_calibration_summary: CalibrationSummary,
    neighborhood_drift_observation: z.strictObject(driftFields),
    confidence_decay_candidate_summary: z.strictObject({ ...driftFields, threshold_days: count }),
    context_decision: z.strictObject({
      prompt_char_count: nullableCount,
      target_files: strings,
      use_now_count: count,
      inspect_before_use_count: count,
      do_not_use_count: count,
      rehydrate_hint_count: count,
      actionable_history_used: z.boolean().nullable(),
      memory_ids: strings,
    }),
    memory_use_receipt: MemoryUseReceipt.nullable().describe(
      'The receipt of the guide with what was attributed since; null when it is not explained.',
    ),
    admission_record: TraceAdmissionRecord,
    forget_decisions: rows({
      action: z.enum(LIFECYCLE_OPERATIONS),
      target: z.literal('memory'),
      changed_count: count,
      affected_memory_ids: strings,
      reason: z.string(),
    }).describe('What operators did to shown memory since the guide, oldest first.'),
  },
)

export const DecisionTraceResponse = described('The decisions of one guide.', {
  ...envelope('svc_memory_decision_trace_result_v1'),
  memory_decision_trace: MemoryDecisionTrace,
})

const AUDIT_VERDICTS = ['learning_control_visible', 'no_history', 'insufficient_trace'] as const
const AUDIT_CLAIMS = [
  'agent_prompt_excluded',
  'runtime_state_unchanged',
  'artifacts_match_records',
  'memory_lifecycle_visible',
  'negative_transfer_control_visible',
  'feedback_attribution_visible',
  'history_surface_compact',
] as const

export const DecisionReportRequest = request(
  'A guide by its id, the artifacts of one loop, or both.',
  tracedFields,
)

const reviewed = rows({ memory_id: z.string(), title: nullableText, reason: z.string() })

export const MemoryDecisionAudit = described(
  'A decision trace as a report for an operator. Not for the agent.',
  {
    contract_version: z.literal('svc_memory_decision_audit_report_v1'),
    intended_use: z.literal('operator_audit'),
    ...readOnly,
    guide_trace_id: nullableText,
    run_id: nullableText,
    replay_source: replaySource,
    verdict: z.enum(AUDIT_VERDICTS),
    claims: rows({
      claim: z.enum(AUDIT_CLAIMS),
      status: z.enum(['pass', 'fail', 'not_applicable']),
      evidence: z.string().describe('One sentence: what it rests on.'),
    }).length(AUDIT_CLAIMS.length),
    counters: z.strictObject({
      total_memory_count: count,
      controlled_memory_count: count.describe('Held back: to inspect, to rehydrate, blocked.'),
      omitted_count: count,
      relation_count: count,
      feedback_attribution_count: count,
      feedback_threshold_met_count: count,
      prompt_char_count: count.nullable(),
    }),
    risks: z.strictObject({
      negative_transfer_risk: riskLevel,
      unresolved_inspection_count: count.describe('To be inspected, without an outcome.'),
      blocked_or_suppressed_count: count,
      reasons: strings,
    }),
    ...artifactFields,
    hold_out: HoldOut,
    erased_memories: ErasedMemories,
    feedback_signal_review: z.strictObject({
      present: z.boolean(),
      authority_mutation: z.literal(false),
      positive_attributed_memories: reviewed,
      weak_counter_signal_memories: reviewed,
      strong_counter_signal_memories: reviewed,
      relation_counter_signal_memories: reviewed,
      contradiction_warning_memories: reviewed,
      repeated_unattributed_memories: reviewed,
      read_only_signal_memories: reviewed,
    }),
    judgment_calibration_review: z.strictObject({
      authority: z.literal('read_only'),
      supported_memories: reviewed,
      contradicted_memories: reviewed,
      weak_memories: reviewed,
      unused_memories: reviewed,
      inconclusive_memories: reviewed,
    }),
    neighborhood_drift_review: reviewed,
    confidence_decay_candidate_review: reviewed,
    decision_reviews: z.strictObject({
      used_memories: reviewed,
      downgraded_memories: reviewed,
      blocked_memories: reviewed,
      rehydrate_memories: reviewed,
    }),
  },
)

export const DecisionReportResponse = described('The report about one guide.', {
  ...envelope('svc_memory_decision_audit_result_v1'),
  memory_decision_audit: MemoryDecisionAudit,
})
