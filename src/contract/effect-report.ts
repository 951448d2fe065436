import { z } from 'zod'
import { EVIDENCE_REASONS, PROVENANCES } from '../core/measure/evidence.ts'
import { COMPARISON_MODES } from '../core/measure/job.ts'
import { KERNELS } from '../core/measure/metrics.ts'
import { PROMOTION_STATUSES } from '../core/model/skill-candidate.ts'
import { share } from './fields.ts'
import {
  count,
  described,
  driftFields,
  namedTask,
  namesOf,
  nullableText,
  readOnly,
  rows,
  strings,
} from './vocabulary.ts'

const change = z.number().nullable()
const status = z.enum(['pass', 'warn', 'fail'])

const difference = z.number().min(-1).max(1)

export const ignoredClaims = z.strictObject({
  sufficient_evidence: z.boolean().nullable(),
  evidence_id_count: count,
})

export const KernelReport = described('Low-level scores of both observations.', {
  report_version: z.literal('svc_effect_evaluator_v1'),
  status,
  baseline_score: share,
  guided_score: share,
  effect_delta: difference,
  kernel_scores: rows({
    capability_id: z.enum(KERNELS),
    score: share,
    status,
    metrics: z.record(z.string(), share).describe('The parts whose mean is the score.'),
    signals: strings,
    regressions: strings,
    baseline_score: share,
    delta: difference,
  }).length(KERNELS.length),
  proof_summary: z.strictObject({
    improved_kernel_count: count,
    regressed_kernel_count: count,
    failed_kernel_count: count,
    repeated_discovery_delta: change.describe('Negative: fewer.'),
    continuity_guidance_improved: z.boolean(),
    workflow_reuse_improved: z.boolean(),
    context_precision_delta: change,
    stale_memory_delta: change,
    weak_authority_blocked: z.boolean(),
  }),
  next_actions: strings,
})

export const EvidenceAssessment = described(
  'Whether the evidence supports a claim. The runtime decides, from its own records.',
  {
    status: z.enum(['sufficient', 'insufficient']),
    provenance: z.enum(PROVENANCES),
    reasons: z
      .array(z.enum(namesOf(EVIDENCE_REASONS)))
      .describe('Why it is insufficient; empty when it is sufficient.'),
    runtime_evidence_ids: strings.describe('Guides whose artifacts agree with the records.'),
    artifact_mismatch: rows({ guide_trace_id: z.string(), field: z.string() }).describe(
      'Where a supplied artifact differs from the record.',
    ),
    client_claims_ignored: ignoredClaims,
  },
)

export const TraceDerivedSkill = described(
  'A procedure that records support, for review. It changes nothing.',
  {
    contract_version: z.literal('svc_trace_derived_skill_candidate_v1'),
    skill_name: z.string().min(1).max(160),
    applies_when: z.array(z.string().max(512)).min(1).max(16),
    does_not_apply_when: z.array(z.string().max(512)).max(16),
    procedure_steps: z.array(z.string().max(1024)).min(1).max(16),
    acceptance_checks: strings,
    authority_state: z.literal('candidate'),
    export_policy: z.strictObject({
      ...readOnly,
      required_gate: z.literal('admission_and_promotion_gate'),
    }),
    source_trace_ids: z.array(z.string()).min(1),
    source_signal_ids: strings,
    target_files: strings,
    failure_counterexamples: strings,
    evidence_refs: strings,
    promotion_status: z.enum(PROMOTION_STATUSES),
  },
)

const TrainingCandidate = z.strictObject({
  candidate_type: z.enum([
    'handoff_distillation',
    'workflow_selector',
    'forgetting_suppression',
    'authority_judgment',
    'trace_derived_skill',
  ]),
  source_ids: z.array(z.string()).min(1),
  label: z.enum(['positive', 'negative', 'neutral', 'insufficient_evidence']),
  export_ready: z.boolean(),
  reason: z.string(),
  trace_derived_skill: TraceDerivedSkill.optional(),
})

const PairedOutcomes = described('Success with and without memory over several tasks.', {
  direction: z.enum(['positive', 'negative', 'neutral', 'insufficient_evidence']),
  pair_count: count.describe('Tasks with runs in both arms.'),
  pairs_min: count.describe('Below so many pairs nothing is claimed.'),
  guided_run_count: count,
  without_memory_run_count: count,
  unpaired_run_count: count.describe('Runs that were left out.'),
  guided_success_rate: share.nullable(),
  without_memory_success_rate: share.nullable(),
  difference: difference.nullable().describe('help_rate less harm_rate.'),
  interval: z
    .strictObject({ low: difference, high: difference })
    .nullable()
    .describe('95 %, by resampling the pairs.'),
  help_rate: share.nullable(),
  harm_rate: share.nullable(),
  helped_pair_count: count,
  harmed_pair_count: count,
})

const contribution = z.strictObject({ used: z.boolean(), source_count: count, source_ids: strings })

export const FeedbackSignalSummary = z.strictObject({
  present: z.boolean(),
  source: z.enum(['memory_decision_audit', 'not_supplied']),
  authority_mutation: z.literal(false),
  positive_attributed_memory_ids: strings,
  weak_counter_signal_memory_ids: strings,
  strong_counter_signal_memory_ids: strings,
  relation_counter_signal_memory_ids: strings,
  contradiction_warning_memory_ids: strings,
  repeated_unattributed_memory_ids: strings,
  repeated_unattributed_without_positive_memory_ids: strings,
  read_only_signal_memory_ids: strings,
  explanation: z.string(),
})

export const EffectReport = described(
  'What memory changed, and whether the evidence supports the claim. Not for the agent.',
  {
    contract_version: z.literal('svc_effect_report_v1'),
    intended_use: z.literal('effect_report'),
    ...readOnly,
    task: namedTask,
    comparison: z.strictObject({
      mode: z.enum(COMPARISON_MODES),
      baseline_run_id: nullableText,
      guided_run_id: nullableText,
      sufficient_evidence: z.boolean().describe('As the runtime decided.'),
    }),
    history_impact: z.strictObject({
      changed_future_behavior: z.boolean(),
      impact_direction: z
        .enum(['positive', 'negative', 'neutral', 'insufficient_evidence'])
        .describe('Of a manual pair it is the word of the caller.'),
      changed_fields: strings,
      explanation: z.string(),
    }),
    efficiency: z.strictObject({
      repeated_discovery_delta: change.describe('Negative: fewer.'),
      useful_continuity_delta: change,
      token_delta: change.describe('Of the two prompt texts, four characters a token.'),
      context_size_delta: change,
      recovery_step_delta: change,
    }),
    quality: z.strictObject({
      verifier_outcome: z.enum(['pass', 'fail', 'not_run', 'unknown']),
      recovered_fact_accuracy: z.enum(['positive', 'negative', 'mixed', 'unknown']),
      workflow_reuse_outcome: z.enum(['success', 'failure', 'mixed', 'not_used']),
      negative_transfer_detected: z.boolean(),
    }),
    history_contributions: z.strictObject({ handoff: contribution, replay: contribution }),
    learning_effect: z.strictObject({
      promoted_workflow_ids: strings,
      candidate_workflow_ids: strings,
      demoted_memory_ids: strings,
      blocked_authority_ids: strings,
      promotion_denied_reasons: strings,
    }),
    forgetting_effect: z.strictObject({
      suppressed_memory_ids: strings,
      archived_memory_ids: strings,
      rehydrated_memory_ids: strings,
      stale_memory_filtered_count: z.number().min(0),
    }),
    feedback_signal_summary: FeedbackSignalSummary,
    neighborhood_drift_summary: z.strictObject(driftFields),
    confidence_decay_summary: z.strictObject({ ...driftFields, threshold_days: count }),
    paired_outcomes: PairedOutcomes.nullable().describe('Null: no such runs are recorded.'),
    training_candidates: z.array(TrainingCandidate),
    evidence: z.strictObject({
      evidence_ids: strings,
      replay_run_ids: strings,
      signal_summary_ids: strings,
      promotion_quality_summary_ids: strings,
    }),
  },
)
