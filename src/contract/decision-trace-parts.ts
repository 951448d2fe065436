import { z } from 'zod'
import {
  FEEDBACK_OUTCOMES,
  RELATION_TYPES,
  USED_SURFACES,
  VERIFIER_STATUSES,
} from '../core/base/closed-sets.ts'
import { ADJUSTMENTS, THRESHOLD_STATES } from '../core/report/calibration.ts'
import { ATTRIBUTION_STRENGTHS } from '../core/report/credit.ts'
import { BLOCKED_BY } from '../core/report/decision-trace-memory.ts'
import { FeedbackSignalSummary } from './effect-report.ts'
import { count, strings } from './envelope.ts'
import {
  decisionKind,
  guidanceAuthority,
  lifecycleState,
  memoryDomain,
  memoryType,
  recallSource,
  surface,
} from './vocabulary.ts'

export const nullableText = z.string().nullable()
export const nullableCount = count.nullable()
const outcome = z.enum(FEEDBACK_OUTCOMES)
const usedSurface = z.enum(USED_SURFACES)
const verifierStatus = z.enum(VERIFIER_STATUSES)
const strength = z.enum(ATTRIBUTION_STRENGTHS)
export const readOnlyArtifact = {
  agent_prompt_included: z.literal(false),
  runtime_mutation: z.literal(false),
}

/** What a memory did where it was shown. */
export const MemoryCredit = z
  .strictObject({
    exposed: z
      .strictObject({
        use_now: count,
        inspect_before_use: count,
        rehydrate: count,
        do_not_use: count,
        total: count,
      })
      .meta({ description: 'How often it was shown, by surface.' }),
    used_count: count.meta({ description: 'Outcomes that name it.' }),
    helped_count: count.meta({ description: 'Direct positives.' }),
    hurt_weak_count: count.meta({ description: 'Negatives without failure evidence.' }),
    hurt_strong_count: count.meta({ description: 'Negatives with failure evidence.' }),
    observed_count: count.meta({ description: 'Positives that were only observed.' }),
    neutral_count: count,
    unknown_count: count.meta({ description: 'Exposures that no outcome speaks of.' }),
    runs: z
      .array(
        z.strictObject({
          run_id: z.string(),
          guide_trace_id: nullableText,
          outcome,
          attribution_strength: strength,
          used_surface: usedSurface,
        }),
      )
      .meta({
        description: 'The latest outcomes, oldest first; for a consumer only those of its own guides.',
      }),
  })
  .meta({
    description: 'What the memory did where it was shown. Only outcomes that name it count.',
  })

/** What a consumer may know of it: not how often others were shown the memory. */
export const OutcomeCredit = MemoryCredit.omit({ exposed: true, unknown_count: true }).meta({
  description: 'Outcomes that name the memory. Runs are those of the consumer’s own guides.',
})

const identity = {
  memory_id: z.string(),
  title: nullableText.meta({
    description: 'A title that these eyes may see; of blocked memory only one that its caller gave.',
  }),
  domain: memoryDomain.nullable(),
  memory_type: memoryType.nullable(),
  lifecycle_state: lifecycleState.nullable().meta({
    description: 'At that moment; null when the explanation of the guide is not kept.',
  }),
  lifecycle_state_now: lifecycleState.nullable(),
}
const why = {
  rule_id: nullableText.meta({ description: 'Row of the surface table that decided.' }),
  reason_codes: strings,
  reason: nullableText.meta({ description: 'One sentence, as it was told.' }),
  recall_sources: z.array(recallSource).meta({ description: 'What made it a candidate, with scores.' }),
}

const FeedbackDetail = z.strictObject({
  run_id: z.string(),
  outcome,
  used_surface: usedSurface,
  verifier_status: verifierStatus.nullable(),
  attribution_strength: strength,
  outcome_count: count,
  weak_counter_signal_count: count,
  strong_counter_signal_count: count,
  threshold_state: z.enum(THRESHOLD_STATES),
  threshold_met: z.boolean(),
  host_marked_used: z.boolean(),
  reason: z.string(),
})

export const MemoryDecision = z
  .strictObject({
    ...identity,
    authority: guidanceAuthority,
    agent_surface: surface,
    decision_kind: decisionKind,
    ...why,
    evidence_ids: strings,
    before_guide_surface: surface.nullable().meta({ description: 'Where the guide before had shown it.' }),
    revised_since: z.boolean().meta({ description: 'Its content was replaced after the guide.' }),
    used_detail: z
      .strictObject({
        authority: guidanceAuthority,
        confidence: z.number().min(0).max(1).nullable(),
        not_superseded: z.boolean().nullable(),
      })
      .nullable()
      .meta({ description: 'Only on use_now.' }),
    downgraded_detail: z
      .strictObject({
        by_memory_id: nullableText,
        evidence_id: nullableText,
        relation: z.enum(RELATION_TYPES).nullable(),
        cause: nullableText,
      })
      .nullable()
      .meta({ description: 'What brought it down: another memory, an outcome, an operator.' }),
    blocked_detail: z
      .strictObject({
        blocked_by: z.enum(BLOCKED_BY),
        lifecycle_state: lifecycleState.nullable(),
        authority: guidanceAuthority,
        reason: nullableText,
      })
      .nullable()
      .meta({ description: 'Only on do_not_use.' }),
    feedback_detail: FeedbackDetail.nullable().meta({
      description: 'The latest outcome of this guide that names it, or the latest whose threshold was met.',
    }),
    rehydrate_detail: z
      .strictObject({
        mode: z.literal('partial'),
        required: z.boolean(),
        reason: nullableText,
        payload_status: z.enum(['cold_payload', 'summary_only', 'unknown']),
      })
      .nullable(),
    credit: MemoryCredit.nullable(),
  })
  .meta({ description: 'Why one memory stood where it stood, and what came of it.' })

export const OmittedMemory = z.strictObject({
  ...identity,
  agent_surface: z.literal('not_agent_facing'),
  decision_kind: z.literal('not_agent_facing'),
  withheld_surface: surface.meta({ description: 'Where it would have stood.' }),
  omitted_by: z.enum(['budget', 'hold_out']),
  ...why,
})

/** The decisions of a guide as rows of a data set. */
export const TraceAdmissionRecord = z
  .strictObject({
    contract_version: z.literal('svc_memory_admission_record_v1'),
    intended_use: z.literal('memory_admission_audit_dataset'),
    source: z.literal('memory_decision_trace'),
    ...readOnlyArtifact,
    guide_trace_id: nullableText,
    prompt_char_count: nullableCount,
    history_used: z.boolean(),
    actionable_history_used: z.boolean().nullable(),
    candidate_memory_count: count,
    prompt_included_memory_count: count,
    agent_used_memory_count: count.meta({ description: 'Memories that an outcome names.' }),
    entries: z.array(
      z.strictObject({
        memory_id: z.string(),
        title: nullableText,
        memory_origin: z.literal('runtime'),
        domain: memoryDomain.nullable(),
        memory_type: memoryType.nullable(),
        lifecycle_state: lifecycleState.nullable(),
        ...why,
        authority: guidanceAuthority,
        admission_action: surface,
        decision_kind: decisionKind,
        actionable: z.boolean(),
        prompt_included: z.boolean(),
        prompt_surface: surface.nullable(),
        agent_used: z.boolean(),
        feedback_outcome: outcome.nullable(),
        attribution_strength: strength.nullable(),
        evidence_ids: strings,
      }),
    ),
    summary: z.string(),
  })
  .meta({ description: 'The decisions of a guide as rows of a data set. Not for the agent.' })

export const RelationDecision = z.strictObject({
  evidence_id: z.string(),
  memory_id: z.string(),
  relation: z.enum(RELATION_TYPES),
  source_memory_id: z.string(),
  target_memory_id: z.string(),
  lifecycle_relation: z.enum(['superseded', 'contested']).nullable(),
  confidence: z.number().min(0).max(1),
  known_at_decision: z.boolean().nullable(),
  reason: z.string(),
})

export const FeedbackAttribution = z
  .strictObject({
    present: z.boolean(),
    guide_trace_id: nullableText,
    run_id: nullableText.meta({ description: 'Of the latest outcome, as the next three.' }),
    outcome: outcome.nullable(),
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
    outcomes: z.array(
      z.strictObject({
        memory_id: z.string(),
        run_id: z.string(),
        outcome,
        used_surface: usedSurface,
        verifier_status: verifierStatus.nullable(),
        attribution_strength: strength,
      }),
    ),
    sparse_feedback_signal_summary: FeedbackSignalSummary,
    reason: z.string(),
  })
  .meta({ description: 'Which of the shown memories outcomes name. The others get no credit and no blame.' })

export const CalibrationSummary = z
  .strictObject({
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
    buckets: z.array(
      z.strictObject({
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
    ),
    reason: z.string(),
  })
  .meta({ description: 'Where judgments of the runtime met outcomes. It moves nothing.' })

export const driftFields = {
  present: z.boolean(),
  candidate_memory_ids: strings,
  authority_mutation: z.literal(false),
  explanation: z.string(),
}
