import { z } from 'zod'
import {
  AVAILABILITIES,
  FACETS,
  LANES,
  LIFECYCLE_STATES,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  OUTCOMES,
  STANDINGS,
  TRUSTS,
  VALIDITIES,
} from '../core/base/closed-sets.ts'
import { MemoryUseReceipt } from './agent-context.ts'
import { CalibrationSummary } from './decision-trace.ts'
import { id, jsonObject, optional, request } from './fields.ts'
import {
  ClaimLedgerProjection,
  count,
  counters,
  described,
  ErasedMemory,
  envelope,
  guidanceAuthority,
  idsBySurface,
  isoTime,
  lifecycleState,
  mismatches,
  nullableText,
  readOnly,
  recommendedPosture,
  riskLevel,
  rows,
  seenAs,
  strings,
} from './vocabulary.ts'

const GUIDE_OBJECT =
  'Compared with the record when this actor holds the guide, shown as supplied when it does not.'

export const OperatorSnapshotRequest = request(
  'Which work or guide to show. Nothing is required: without consumer fields the whole actor is shown.',
  {
    guide_trace_id: optional(
      id,
      'The guide to show. Then the request acts with the consumer of that guide. Default: the latest guide of `run_id`, else of `task_signature`, else of the actor.',
    ),
    agent_context: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    guide_packet: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    memory_use_receipt: optional(jsonObject, `As the guide answered it. ${GUIDE_OBJECT}`),
    memory_decision_trace: optional(jsonObject, `A decision trace. ${GUIDE_OBJECT}`),
    memory_decision_audit: optional(jsonObject, `A decision audit. ${GUIDE_OBJECT}`),
    effect_report: optional(jsonObject, 'As measure answered it; shown as supplied.'),
    claim_ledger_projection: optional(jsonObject, 'A claim ledger; its memory ids are shown as supplied.'),
    execution_context: optional(
      jsonObject,
      'Lists `active_path`, `passed_solutions`, `failed_branches` of the caller; shown as supplied behind those of the record.',
    ),
    include_markdown: optional(z.boolean(), 'Add the snapshot as a page of Markdown. Default false.'),
    source_map: optional(jsonObject, 'Accepted and not used.'),
  },
)

const nullableNumber = z.number().nullable()
const counts = <Word extends string>(words: readonly [Word, ...Word[]]) => z.record(z.enum(words), count)

const MemoryCounts = described('Memories that are seen. Every group adds up to `total`.', {
  total: count,
  erased: count.describe('Of all: erased, and counted in the groups as they were.'),
  by_domain: counts(MEMORY_DOMAINS),
  by_type: counts(MEMORY_TYPES),
  by_lane: counts(LANES),
  by_lifecycle_state: counts(LIFECYCLE_STATES),
  by_facet: z.strictObject({
    trust: counts(TRUSTS),
    standing: counts(STANDINGS),
    validity: counts(VALIDITIES),
    availability: counts(AVAILABILITIES),
    suppression: counts(['none', 'suppressed']),
  }),
})

const PathEntry = z.strictObject({
  entry_id: z.string(),
  title: nullableText,
  summary: z.string().describe('A sentence of ours; of a supplied entry its own.'),
  source: z.enum(['runtime_record', 'execution_context']),
  memory_ids: strings,
  evidence_refs: strings,
  lifecycle_state: lifecycleState.nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  run_id: nullableText,
  at: isoTime.nullable(),
})
const PathList = z.strictObject({ count, entries: z.array(PathEntry).max(12) })

const ExecutionState = z.strictObject({
  history_used: z.boolean(),
  actionable_history_used: z.boolean(),
  recommended_posture: recommendedPosture.nullable(),
  authority: guidanceAuthority.nullable(),
  active_path: PathList.describe('Handoffs in force and the latest run, if that did not fail.'),
  passed_solutions: PathList,
  failed_branches: PathList,
  branch_isolation: z.strictObject({
    active_path_visible: z.boolean(),
    passed_solution_visible: z.boolean(),
    failed_branch_visible_in_do_not_use: z.boolean(),
    failed_branch_leaked_to_use_now: z.boolean(),
    status: z.enum(['pass', 'fail', 'not_applicable']),
    reason: z.string(),
  }),
})

const TraceToProcedure = z.strictObject({
  present: z.boolean(),
  runtime_mutation: z.literal(false),
  source_surfaces: z.array(
    z.enum(['execution_tree', 'workflow_projection', 'replay_playbook', 'memory_decision_trace']),
  ),
  procedure_memory_ids: strings.max(200),
  workflow_ids: strings.max(200),
  candidate_visible: z.boolean(),
  stable_reuse_visible: z.boolean(),
  promotion_status: z.enum([
    'stable_ready',
    'candidate_only',
    'blocked',
    'insufficient_evidence',
    'not_applicable',
  ]),
  promotion_blocked_count: count,
  reason: z.string(),
})

const GuideTrace = z.strictObject({
  present: z.boolean(),
  provenance: z.enum(['runtime_record', 'as_supplied', 'none']),
  guide_trace_id: nullableText,
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  at: isoTime.nullable(),
  held_out: z.boolean(),
  query_hash: nullableText.describe('SHA-256, hex; the query itself is not shown.'),
  query_chars: count.nullable(),
  prompt_hash: nullableText,
  prompt_char_count: count.nullable(),
  exposed_memory_ids: strings,
  ...idsBySurface,
  erased_memories: z.array(ErasedMemory).describe('Of what it decided about: erased since.'),
  attributed_memory_ids: strings,
  unattributed_memory_ids: strings,
  feedback_attribution_present: z.boolean(),
  feedback_outcome: nullableText,
  reason: z.string(),
})

const Lifecycle = z.strictObject({
  used_count: count.describe('On this surface of the guide above, as the next three.'),
  inspect_before_use_count: count,
  do_not_use_count: count,
  rehydrate_count: count,
  controlled_memory_count: count.describe('Memories that an operator has acted on.'),
  blocked_or_suppressed_count: count,
  stale_memory_count: count.describe('Superseded or expired.'),
  outcomes: counters,
  change_count: count,
  recent_changes: rows({
    memory_id: z.string(),
    title: nullableText,
    facet: z.enum(FACETS),
    from: z.string(),
    to: z.string(),
    cause: z.string(),
    by_memory_id: nullableText,
    at: isoTime,
  })
    .max(50)
    .describe('The latest first.'),
  learning_control_visible: z.boolean(),
})

const HeldBack = z.strictObject({
  count,
  entries: rows({
    memory_id: z.string(),
    title: nullableText,
    cause: nullableText,
    by_memory_id: nullableText,
    since: isoTime,
  }).max(12),
})

const Incidents = z.strictObject({
  contested: HeldBack,
  failed: HeldBack,
  suppressed: HeldBack,
  most_hurting: rows({
    memory_id: z.string(),
    title: nullableText,
    lifecycle_state: lifecycleState,
    credit: z.int().negative(),
    positive: count,
    negative_weak: count,
    negative_strong: count,
  })
    .max(12)
    .describe('Credit is one for a positive outcome, minus one for a negative, minus two for a strong one.'),
})

const SNAPSHOT_CLAIMS = [
  'active_path_visible',
  'failed_branch_isolated',
  'feedback_attribution_visible',
  'learning_control_visible',
  'memory_use_receipt_visible',
  'judgment_calibration_visible',
  'trace_to_procedure_visible',
  'claim_ledger_projection_visible',
  'runtime_read_only',
  'effect_measured',
] as const

export const OperatorSnapshot = described(
  'The state of an actor for an operator: ids, codes and titles. Not for the agent.',
  {
    contract_version: z.literal('svc_operator_snapshot_v1'),
    intended_use: z.literal('operator_snapshot'),
    ...readOnly,
    at: isoTime,
    task: z.strictObject({
      run_id: nullableText,
      task_signature: nullableText,
      task_family: nullableText,
      workflow_signature: nullableText,
      agent_role: nullableText,
    }),
    seen_as: seenAs,
    memory_counts: MemoryCounts,
    execution_state: ExecutionState,
    trace_to_procedure: TraceToProcedure,
    guide_trace: GuideTrace,
    judgment_calibration: CalibrationSummary.nullable().describe('Null without a recorded guide.'),
    memory_use_receipt: MemoryUseReceipt.nullable(),
    claim_ledger_projection: ClaimLedgerProjection.optional(),
    memory_lifecycle: Lifecycle,
    incidents: Incidents,
    learning_control: z.strictObject({
      visible: z.boolean(),
      runtime_mutation: z.literal(false),
      stable_promotion_allowed: z.literal(false).nullable().describe('Null: nothing waits for it.'),
      candidate_count: count,
      blocked_authority_count: count,
      promotion_denied_reasons: strings,
      reason: z.string(),
    }),
    effect: z.strictObject({
      present: z.boolean(),
      impact_direction: nullableText,
      changed_future_behavior: z.boolean().nullable(),
      token_delta: nullableNumber,
      context_size_delta: nullableNumber,
      repeated_discovery_delta: nullableNumber,
      reason: z.string(),
    }),
    claims: rows({
      claim: z.enum(SNAPSHOT_CLAIMS),
      status: z.enum(['pass', 'fail', 'warning', 'not_applicable']),
      evidence: z.string(),
    }),
    risks: z.strictObject({
      negative_transfer_risk: riskLevel,
      blocked_or_suppressed_count: count,
      unresolved_inspection_count: count,
      reasons: strings,
    }),
    artifacts: rows({
      artifact: z.string(),
      status: z.enum(['agrees', 'differs', 'as_supplied']),
      guide_trace_id: nullableText,
      run_id: nullableText,
      memory_ids: strings.max(200),
    }),
    artifact_mismatch: mismatches.max(200).describe('Where a supplied object differs from the record.'),
  },
)

export const OperatorSnapshotResponse = described(
  'The state of an actor for an operator. Not for the agent.',
  {
    ...envelope('svc_operator_snapshot_result_v1'),
    operator_snapshot: OperatorSnapshot,
    markdown: z.string().min(1).optional().describe('Only with include_markdown.'),
  },
)
