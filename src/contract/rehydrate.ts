import { z } from 'zod'
import {
  AVAILABILITIES,
  LANES,
  LIFECYCLE_OPERATIONS,
  LIFECYCLE_TARGETS,
  MEMORY_SOURCES,
  ORIGINS,
  OUTCOMES,
  REHYDRATE_MODES,
  STANDINGS,
  TOOL_STATUSES,
  TRUSTS,
  VALIDITIES,
} from '../core/base/closed-sets.ts'
import { filled, id, ids, optional, request, share, text } from './fields.ts'
import {
  attributionStrength,
  count,
  counters,
  described,
  disputes,
  feedbackOutcome,
  isoTime,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableText,
  rows,
  strings,
  usedSurface,
  verifierStatus,
  writtenEnvelope,
} from './vocabulary.ts'

const Provenance = z.strictObject({
  source: z.enum(MEMORY_SOURCES),
  origin: z.enum(ORIGINS),
  actor: nullableText,
  producer_agent_id: nullableText,
  producer_team_id: nullableText,
  memory_lane: z.enum(LANES),
  owner_agent_id: nullableText,
  owner_team_id: nullableText,
  run_id: nullableText,
  task_id: nullableText,
  task_family: nullableText,
  task_signature: nullableText,
  workflow_signature: nullableText,
  derived_from: strings,
  created_at: isoTime,
  observed_at: isoTime,
  updated_at: isoTime,
  revision: count,
})

/** What the lifecycle state is made of. */
export const FACET_FIELDS = {
  trust: z.enum(TRUSTS),
  standing: z.enum(STANDINGS),
  validity: z.enum(VALIDITIES),
  valid_until: isoTime.nullable(),
  availability: z.enum(AVAILABILITIES),
  suppression: z
    .strictObject({
      reason: z.string(),
      by: nullableText,
      since: isoTime,
      until: isoTime.nullable(),
    })
    .nullable(),
}

const Lifecycle = z.strictObject({ lifecycle_state: lifecycleState, ...FACET_FIELDS })

const LinkedDecision = z.strictObject({
  kind: z.enum(['guide', 'feedback', 'lifecycle']),
  guide_trace_id: nullableText.optional(),
  surface: nullableText.optional(),
  run_id: nullableText.optional(),
  outcome: nullableText.optional(),
  facet: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  cause: z.string().optional(),
  reason: nullableText.optional(),
  at: isoTime,
})

const Evidence = z.strictObject({
  outcome: z.enum(OUTCOMES).nullable(),
  outcome_raw: nullableText,
  confidence: share,
  target_files: strings,
  acceptance_checks: strings,
  workflow_steps: strings,
  tools: strings,
  verifier: rows({ name: z.string(), status: verifierStatus, summary: nullableText }),
  evidence_refs: strings,
  raw_ref: nullableText,
  next_action: nullableText,
})

const FieldChange = z.strictObject({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
})

const RehydratedMemory = z.strictObject({
  memory_id: z.string(),
  client_id: nullableText,
  uri: z.string(),
  domain: memoryDomain,
  memory_type: memoryType,
  kind: nullableText,
  title: nullableText,
  summary: nullableText,
  lifecycle: Lifecycle,
  provenance: Provenance,
  disputes,
  text: z.string().optional().describe('partial and full.'),
  linked_decisions: z.array(LinkedDecision).optional().describe('partial and full.'),
  payload: z.unknown().optional().describe('full.'),
  revisions: rows({
    revision: count,
    at: isoTime,
    title: nullableText,
    text: z.string(),
    summary: nullableText,
    payload: z.unknown(),
    evidence: Evidence,
  })
    .optional()
    .describe('full: earlier contents, oldest first.'),
  evidence: Evidence.optional().describe('full.'),
  counters: counters.optional().describe('full.'),
  differential: z
    .strictObject({
      compared_with: z.enum(['revision', 'guide', 'nothing']),
      from_revision: count.nullable(),
      guide_trace_id: nullableText,
      changes: z.array(FieldChange),
    })
    .optional()
    .describe('differential: what changed, field by field.'),
})

export const RehydrateResult = described('Expanded evidence in the order of the references.', {
  mode: z.enum(REHYDRATE_MODES),
  memories: z.array(RehydratedMemory),
  missing_memory_ids: strings,
  missing_client_ids: strings,
  rehydrated: z.strictObject({
    moved_ids: strings.describe('Archived memory that is resident now.'),
    unchanged_ids: strings,
  }),
})

const Attribution = z.strictObject({
  run_id: nullableText,
  outcome: feedbackOutcome,
  used_surface: usedSurface,
  verifier_status: verifierStatus.optional(),
  tool_status: z.enum(TOOL_STATUSES).optional(),
  runtime_signal_refs: strings.optional(),
  attribution_strength: attributionStrength.optional(),
})

const GuideTraceEffect = z.strictObject({
  guide_trace_id: z.string(),
  exposed_memory_ids: strings,
  exposed_memory_count: count,
  attributed_memory_ids: strings,
  attributed_memory_count: count,
  unattributed_recalled_memory_ids: strings,
  unattributed_recalled_memory_count: count,
  unattributed_use_now_memory_ids: strings,
  unattributed_inspect_before_use_memory_ids: strings,
  unattributed_do_not_use_memory_ids: strings,
  unattributed_rehydrate_memory_ids: strings,
  boundary_ignored_memory_ids: strings.describe(
    'Memory that was used on another surface than the one that exposed it.',
  ),
})

export const ForgetEffect = described('Audit record and effect of the operation. Not for the agent.', {
  agent_prompt_included: z.literal(false),
  action: z.enum(LIFECYCLE_OPERATIONS),
  target: z.enum(LIFECYCLE_TARGETS),
  reason: z.string().describe('Echo of the reason.'),
  changed_count: count.describe('Memories whose state changed.'),
  reversible: z.boolean().describe('False for activate.'),
  affected_memory_ids: strings,
  affected_client_ids: strings,
  missing_memory_ids: strings.describe('Ids that name nothing this consumer can see.'),
  missing_client_ids: strings,
  anchor_id: nullableText,
  anchor_uri: nullableText,
  until: nullableText.optional().describe('End of a temporary suppression.'),
  memory_states: rows({ memory_id: z.string(), before: lifecycleState, after: lifecycleState })
    .optional()
    .describe('Reported lifecycle state before and after.'),
  external_states: rows({
    source_backend: z.string(),
    external_memory_id: z.string(),
    before: z.enum(STANDINGS),
    after: z.enum(STANDINGS),
  })
    .optional()
    .describe('Only with the trace of a govern request: memory_ids are external ids then.'),
  attribution: Attribution.optional().describe('Only for activate.'),
  guide_trace: GuideTraceEffect.optional().describe('Only for activate with a guide_trace_id.'),
})

/** How a lifecycle request names memory. */
export const referenceFields = {
  memory_ids: optional(ids, 'Memory ids.'),
  node_ids: optional(ids, 'Older name of `memory_ids`; both count.'),
  client_ids: optional(ids, 'Client ids given at the write.'),
  used_memory_ids: optional(ids, 'Counts when no other reference is given.'),
  anchor_id: optional(id, 'A memory id, a claim: or handoff: id, or the anchor of a handoff.'),
  anchor_uri: optional(id, 'The same as a URI: svc://tenant/scope/type/id, parts percent-encoded.'),
}

type References = {
  readonly [name in keyof typeof referenceFields]?: string | readonly string[] | null | undefined
}

/** The rule of references that a JSON Schema cannot carry. */
export const REFERENCE_RULE =
  'At least one reference is required: send memory_ids, node_ids, client_ids, anchor_id or anchor_uri.'

/** What a request that names nothing is told, by the rule of its operation. */
export function refusalBy(error: string) {
  return { path: ['memory_ids'], error, params: { code: 'reference_required' } }
}

/** True when the request names something. */
export function namesMemory(body: References): boolean {
  const { memory_ids, node_ids, client_ids, used_memory_ids, anchor_id, anchor_uri } = body
  return [memory_ids, node_ids, client_ids, used_memory_ids, anchor_id, anchor_uri].some(
    (reference) => (reference?.length ?? 0) > 0,
  )
}

export const RehydrateRequest = request('Which evidence to expand, and how far.', {
  reason: filled.describe('Why the evidence is needed.'),
  ...referenceFields,
  mode: optional(
    z.enum(REHYDRATE_MODES),
    'summary_only: title, summary, lifecycle, provenance. partial (default): also text and linked decisions. full: also payload, revisions, evidence, counters; it alone shows the values of secrets. differential: what changed.',
  ),
  target: optional(z.enum(LIFECYCLE_TARGETS), 'Target class. Default memory.'),
  target_tier: optional(text, 'warm or hot. Accepted: rehydrated memory is resident either way.'),
  include_linked_decisions: optional(
    z.boolean(),
    'Include linked guide and lifecycle decisions. Default true.',
  ),
  guide_trace_id: optional(id, 'Guide that exposed the memory; differential compares with it.'),
}).refine(namesMemory, refusalBy(REFERENCE_RULE))

export const RehydrateResponse = described('Expanded evidence.', {
  ...writtenEnvelope('svc_rehydrate_result_v1'),
  operation: z.literal('rehydrate'),
  target: z.enum(LIFECYCLE_TARGETS),
  forget_effect: ForgetEffect,
  result: RehydrateResult,
})
