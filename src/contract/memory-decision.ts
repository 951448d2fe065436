import { z } from 'zod'
import { RELATION_TYPES } from '../core/base/closed-sets.ts'
import { THRESHOLD_STATES } from '../core/report/trace-input.ts'
import { share } from './fields.ts'
import {
  attributionStrength,
  count,
  decisionKind,
  described,
  feedbackOutcome,
  guidanceAuthority,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableCount,
  nullableText,
  omittedReason,
  outcomeFields,
  readOnly,
  recallSource,
  rows,
  shownCounts,
  strings,
  surface,
  usedSurface,
} from './vocabulary.ts'

export const BLOCKED_BY = [
  'suppressed_lifecycle',
  'failed_lifecycle',
  'superseded_lifecycle',
  'expired_lifecycle',
  'failed_outcome',
  'unknown',
] as const

export const MemoryCredit = described(
  'What the memory did where it was shown. Only outcomes that name it count.',
  {
    exposed: described('How often it was shown, by surface; not told to a consumer.', {
      ...shownCounts.shape,
      total: count,
    }).optional(),
    used_count: count.describe('Outcomes that name it.'),
    helped_count: count.describe('Direct positives.'),
    hurt_weak_count: count.describe('Negatives without failure evidence.'),
    hurt_strong_count: count.describe('Negatives with failure evidence.'),
    observed_count: count.describe('Positives that were only observed.'),
    neutral_count: count,
    unknown_count: count.optional().describe('Exposures that no outcome speaks of; not told to a consumer.'),
    runs: rows({
      run_id: z.string(),
      guide_trace_id: nullableText,
      outcome: feedbackOutcome,
      attribution_strength: attributionStrength,
      used_surface: usedSurface,
    }).describe('The latest outcomes, oldest first; for a consumer only those of its own guides.'),
  },
)

/** What a consumer may know of it: not how often others were shown the memory. */
export const OutcomeCredit = MemoryCredit.omit({ exposed: true, unknown_count: true }).describe(
  'Outcomes that name the memory. Runs are those of the consumer’s own guides.',
)

const identity = {
  memory_id: z.string(),
  title: nullableText.describe(
    'A title that the reader may see; of blocked memory only one that its caller gave.',
  ),
  domain: memoryDomain.nullable(),
  memory_type: memoryType.nullable(),
  lifecycle_state: lifecycleState
    .nullable()
    .describe('At that moment; null when the explanation of the guide is not kept.'),
  lifecycle_state_now: lifecycleState.nullable(),
}
const why = {
  rule_id: nullableText.describe('Row of the surface table that decided.'),
  reason_codes: strings,
  reason: nullableText.describe('One sentence, as it was told.'),
  recall_sources: z.array(recallSource).describe('What made it a candidate, with scores.'),
}

const FeedbackDetail = z.strictObject({
  run_id: z.string(),
  ...outcomeFields,
  attribution_strength: attributionStrength,
  outcome_count: count,
  weak_counter_signal_count: count,
  strong_counter_signal_count: count,
  threshold_state: z.enum(THRESHOLD_STATES),
  threshold_met: z.boolean(),
  host_marked_used: z.boolean(),
  reason: z.string(),
})

export const MemoryDecision = described('Why one memory stood where it stood, and what came of it.', {
  ...identity,
  authority: guidanceAuthority,
  agent_surface: surface,
  decision_kind: decisionKind,
  ...why,
  evidence_ids: strings,
  before_guide_surface: surface.nullable().describe('Where the guide before had shown it.'),
  revised_since: z.boolean().describe('Its content was replaced after the guide.'),
  used_detail: z
    .strictObject({
      authority: guidanceAuthority,
      confidence: share.nullable(),
      not_superseded: z.boolean().nullable(),
    })
    .nullable()
    .describe('Only on use_now.'),
  downgraded_detail: z
    .strictObject({
      by_memory_id: nullableText,
      evidence_id: nullableText,
      relation: z.enum(RELATION_TYPES).nullable(),
      cause: nullableText,
    })
    .nullable()
    .describe('What brought it down: another memory, an outcome, an operator.'),
  blocked_detail: z
    .strictObject({
      blocked_by: z.enum(BLOCKED_BY),
      lifecycle_state: lifecycleState.nullable(),
      authority: guidanceAuthority,
      reason: nullableText,
    })
    .nullable()
    .describe('Only on do_not_use.'),
  feedback_detail: FeedbackDetail.nullable().describe(
    'The latest outcome of this guide that names it, or the latest whose threshold was met.',
  ),
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

export const OmittedMemory = z.strictObject({
  ...identity,
  agent_surface: z.literal('not_agent_facing'),
  decision_kind: z.literal('not_agent_facing'),
  withheld_surface: surface.describe('Where it would have stood.'),
  omitted_by: omittedReason,
  into: nullableText.describe('The memory whose line stands for it.'),
  ...why,
})

export const TraceAdmissionRecord = described(
  'The decisions of a guide as rows of a data set. Not for the agent.',
  {
    contract_version: z.literal('svc_memory_admission_record_v1'),
    intended_use: z.literal('memory_admission_audit_dataset'),
    source: z.literal('memory_decision_trace'),
    ...readOnly,
    guide_trace_id: nullableText,
    prompt_char_count: nullableCount,
    history_used: z.boolean(),
    actionable_history_used: z.boolean().nullable(),
    candidate_memory_count: count,
    prompt_included_memory_count: count,
    agent_used_memory_count: count.describe('Memories that an outcome names.'),
    entries: rows({
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
      feedback_outcome: feedbackOutcome.nullable(),
      attribution_strength: attributionStrength.nullable(),
      evidence_ids: strings,
    }),
    summary: z.string(),
  },
)
