import { z } from 'zod'
import {
  artifactFields,
  DecisionTraceRequest,
  ErasedMemories,
  HoldOut,
  replaySource,
} from './decision-trace.ts'
import { count, described, envelope, strings } from './envelope.ts'
import { nullableText, readOnly, riskLevel } from './vocabulary.ts'

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

export const DecisionReportRequest = z.object(DecisionTraceRequest.shape).meta({
  description: 'A guide by its id, the artifacts of one loop, or both.',
})

const reviewed = z.array(z.strictObject({ memory_id: z.string(), title: nullableText, reason: z.string() }))

export const MemoryDecisionAudit = z
  .strictObject({
    contract_version: z.literal('svc_memory_decision_audit_report_v1'),
    intended_use: z.literal('operator_audit'),
    ...readOnly,
    guide_trace_id: nullableText,
    run_id: nullableText,
    replay_source: replaySource,
    verdict: z.enum(AUDIT_VERDICTS),
    claims: z
      .array(
        z.strictObject({
          claim: z.enum(AUDIT_CLAIMS),
          status: z.enum(['pass', 'fail', 'not_applicable']),
          evidence: z.string().meta({ description: 'One sentence: what it rests on.' }),
        }),
      )
      .length(AUDIT_CLAIMS.length),
    counters: z.strictObject({
      total_memory_count: count,
      controlled_memory_count: count.meta({ description: 'Held back: to inspect, to rehydrate, blocked.' }),
      omitted_count: count,
      relation_count: count,
      feedback_attribution_count: count,
      feedback_threshold_met_count: count,
      prompt_char_count: count.nullable(),
    }),
    risks: z.strictObject({
      negative_transfer_risk: riskLevel,
      unresolved_inspection_count: count.meta({ description: 'To be inspected, without an outcome.' }),
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
  })
  .meta({ description: 'A decision trace as a report for an operator. Not for the agent.' })

export const DecisionReportResponse = described('The report about one guide.', {
  ...envelope('svc_memory_decision_audit_result_v1'),
  memory_decision_audit: MemoryDecisionAudit,
})
