import { z } from 'zod'
import {
  AVAILABILITIES,
  LANES,
  MEMORY_SOURCES,
  ORIGINS,
  OUTCOMES,
  REHYDRATE_MODES,
  STANDINGS,
  TRUSTS,
  VALIDITIES,
} from '../core/base/closed-sets.ts'
import { count, described, isoTime, strings } from './envelope.ts'
import { share } from './fields.ts'
import {
  counters,
  disputes,
  lifecycleState,
  memoryDomain,
  memoryType,
  nullableText,
  verifierStatus,
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
  verifier: z.array(z.strictObject({ name: z.string(), status: verifierStatus, summary: nullableText })),
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
  text: z.string().optional().meta({ description: 'partial and full.' }),
  linked_decisions: z.array(LinkedDecision).optional().meta({ description: 'partial and full.' }),
  payload: z.unknown().optional().meta({ description: 'full.' }),
  revisions: z
    .array(
      z.strictObject({
        revision: count,
        at: isoTime,
        title: nullableText,
        text: z.string(),
        summary: nullableText,
        payload: z.unknown(),
        evidence: Evidence,
      }),
    )
    .optional()
    .meta({ description: 'full: earlier contents, oldest first.' }),
  evidence: Evidence.optional().meta({ description: 'full.' }),
  counters: counters.optional().meta({ description: 'full.' }),
  differential: z
    .strictObject({
      compared_with: z.enum(['revision', 'guide', 'nothing']),
      from_revision: count.nullable(),
      guide_trace_id: nullableText,
      changes: z.array(FieldChange),
    })
    .optional()
    .meta({ description: 'differential: what changed, field by field.' }),
})

export const RehydrateResult = described('Expanded evidence in the order of the references.', {
  mode: z.enum(REHYDRATE_MODES),
  memories: z.array(RehydratedMemory),
  missing_memory_ids: strings,
  missing_client_ids: strings,
  rehydrated: z.strictObject({
    moved_ids: strings.meta({ description: 'Archived memory that is resident now.' }),
    unchanged_ids: strings,
  }),
})

export type RehydrateResult = z.output<typeof RehydrateResult>
