import { z } from 'zod'
import {
  CLAIM_AUTHORITIES,
  CLAIM_KINDS,
  CONFLICT_POLICIES,
  FACETS,
  FEEDBACK_OUTCOMES,
  GUIDANCE_AUTHORITIES,
  LIFECYCLE_STATES,
  MEMORY_DOMAINS,
  MEMORY_TYPES,
  OMITTED_REASONS,
  RECOMMENDED_POSTURES,
  SURFACES,
  USED_SURFACES,
  VERIFIER_STATUSES,
} from '../core/base/closed-sets.ts'
import { ERROR_CODES } from '../core/base/errors.ts'
import { CLAIM_LEDGER_STATUSES } from '../core/guide/claims.ts'
import { ATTRIBUTION_STRENGTHS } from '../core/report/credit.ts'
import { share } from './fields.ts'

/** An object that has these fields and no others. */
export function described<Shape extends z.core.$ZodShape>(description: string, shape: Shape) {
  return z.strictObject(shape).describe(description)
}

/** A list of such objects. */
export function rows<Shape extends z.core.$ZodShape>(shape: Shape) {
  return z.array(z.strictObject(shape))
}

export const strings = z.array(z.string())
export const isoTime = z.iso.datetime({ precision: 3 })
export const count = z.int().min(0)

/** The names of a table, for a schema that takes one of them. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  const isName = (name: string): name is keyof Table & string => Object.hasOwn(table, name)
  return Object.keys(table).filter(isName)
}

/** A value that nobody changes. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: Frozen<Value[Field]> }
    : Value

/** An answer as code makes it: what its schema promises. */
export type Answer<Schema extends z.ZodType> = Frozen<z.output<Schema>>

export const SourceMap = described('Which parts of the runtime made the answer.', {
  routes_used: strings.describe('Routes that took part.'),
  internal_surfaces_used: strings.describe('Parts of the runtime that took part.'),
  omitted_internal_surfaces: strings.describe('What was left out of this answer.'),
})

/** What is left of an erased memory in a report about a guide. */
export const ErasedMemory = z.strictObject({ memory_id: z.string(), erased_at: isoTime, seq: count })

/** Fields of every 200 under /v1. */
export function envelope<Version extends string>(version: Version) {
  return {
    contract_version: z.literal(version).describe('Shape of this answer.'),
    tenant_id: z.string().describe('Tenant the answer belongs to.'),
    scope: z.string().describe('Scope the answer belongs to.'),
    source_map: SourceMap,
    warnings: strings
      .min(1)
      .optional()
      .describe('What was ignored or read differently. Left out when there is nothing to say.'),
  }
}

/** Fields of every 200 of a writing endpoint. */
export function writtenEnvelope<Version extends string>(version: Version) {
  return {
    ...envelope(version),
    durable: z
      .literal(false)
      .optional()
      .describe('Present and false when the answer left before the write was flushed.'),
  }
}

// Words and parts that answers share.

export const nullableText = z.string().nullable()
export const nullableCount = count.nullable()
export const idList = (description: string) => strings.describe(description)

/** An object that is not for the agent, and that nothing follows from. */
export const readOnly = {
  agent_prompt_included: z.literal(false),
  runtime_mutation: z.literal(false),
}

export const surface = z.enum(SURFACES)
export const omittedReason = z.enum(OMITTED_REASONS)
export const memoryDomain = z.enum(MEMORY_DOMAINS)
export const memoryType = z.enum(MEMORY_TYPES)
export const lifecycleState = z.enum(LIFECYCLE_STATES)
export const riskLevel = z.enum(['low', 'medium', 'high'])
export const guidanceAuthority = z.enum(GUIDANCE_AUTHORITIES)
export const recommendedPosture = z.enum(RECOMMENDED_POSTURES)
export const decisionKind = z.enum(['used', 'downgraded', 'blocked', 'rehydrate', 'not_agent_facing'])
export const recallSource = z.strictObject({ kind: z.string(), score: z.number(), reason: z.string() })
export const feedbackOutcome = z.enum(FEEDBACK_OUTCOMES)
export const usedSurface = z.enum(USED_SURFACES)
export const verifierStatus = z.enum(VERIFIER_STATUSES)
/** What a run reported of a memory. */
export const outcomeFields = {
  outcome: feedbackOutcome,
  used_surface: usedSurface,
  verifier_status: verifierStatus.nullable(),
}
export const attributionStrength = z.enum(ATTRIBUTION_STRENGTHS)
export const decisionSurface = z.enum([...SURFACES, 'not_agent_facing'])

/** The disputes of one memory. */
export const disputes = rows({
  memory_id: z.string().describe('The other memory.'),
  kind: z.string().describe('What they disagree about, or the relation that was claimed.'),
  yields: z.boolean().describe('True: this memory yields and is to be inspected; false: it stands.'),
}).describe('Memories in force that say otherwise, as far as the consumer sees them.')

/** What runs reported about a memory. */
export const counters = z.strictObject({
  positive: count,
  negative_weak: count,
  negative_strong: count,
  neutral: count,
  observed_positive: count,
})

/** How often something stood on each surface. */
export const shownCounts = z.strictObject({
  use_now: count,
  inspect_before_use: count,
  rehydrate: count,
  do_not_use: count,
})

/** Memory that newer memory may have left behind, for whoever reads a report. */
export const driftFields = {
  present: z.boolean(),
  candidate_memory_ids: strings,
  authority_mutation: z.literal(false),
  explanation: z.string(),
}

export const idsBySurface = {
  use_now_memory_ids: strings,
  inspect_before_use_memory_ids: strings,
  do_not_use_memory_ids: strings,
  rehydrate_memory_ids: strings,
}

/** What a request did to memories, or would do, in the words of their facets. */
export const facetChanges = rows({
  memory_id: z.string(),
  facet: z.enum(FACETS),
  to: nullableText,
  cause: z.string(),
})

/** Fields of supplied artifacts that say something else than the record. */
export const mismatches = rows({ artifact: z.string(), field: z.string(), guide_trace_id: z.string() })

export const seenAs = described('Who reads; both null for an operator, who sees the whole actor.', {
  consumer_agent_id: nullableText,
  consumer_team_id: nullableText,
})

export const namedTask = z.strictObject({
  task_id: nullableText,
  run_id: nullableText,
  task_signature: nullableText,
  task_family: nullableText,
})

/** Body of every answer that is not 200. */
export const ErrorResponse = described('A refusal.', {
  error: z.enum(ERROR_CODES).describe('Error code.'),
  message: z.string().describe('One sentence that says what to send instead.'),
  details: z
    .looseObject({
      issues: rows({
        path: z.string().describe('Dot-joined path of the field; empty for the body.'),
        message: z.string(),
      })
        .optional()
        .describe('What is wrong, field by field, when a request cannot be understood.'),
    })
    .describe('Facts about the refusal, for example guide_trace_id.'),
})

export type ErrorResponse = z.output<typeof ErrorResponse>

const ClaimRow = z.strictObject({
  claim_id: z.string(),
  memory_id: z.string(),
  subject_key: z.string(),
  predicate: z.string(),
  slot_key: nullableText,
  claim_kind: z.enum(CLAIM_KINDS),
  conflict_policy: z.enum(CONFLICT_POLICIES),
  authority: z.enum(CLAIM_AUTHORITIES),
  confidence: share,
  status: z.enum(CLAIM_LEDGER_STATUSES),
  agent_surface: z.enum([...SURFACES, 'audit_only']),
  reason_codes: strings,
  value_text: nullableText.describe('Null when the claim may not be used.'),
})

const counts = z.strictObject({
  active: count,
  contested: count,
  superseded: count,
  retired: count,
  redacted: count,
})

export const ClaimLedgerProjection = described('Claims that the consumer can see. Not for the agent.', {
  contract_version: z.literal('svc_claim_ledger_projection_v1'),
  ...readOnly,
  live_claims: z.array(ClaimRow).max(12),
  superseded_slots: rows({ slot_key: z.string(), claims: z.array(ClaimRow).max(4) }).max(8),
  counts,
})

/** The claim ledger of one guide in a replay: ids and codes only. */
export const ReplayedClaimLedger = described(
  'Claims that the consumer sees and that were written at or before the guide, by ids and codes. Of a record, status, surface and counts are of now.',
  {
    source: z
      .enum(['runtime', 'supplied'])
      .describe('supplied: as a caller tells it, confirmed by no record.'),
    live_claims: rows({
      claim_id: z.string(),
      memory_id: nullableText,
      claim_kind: z.enum(CLAIM_KINDS).nullable(),
      authority: z.enum(CLAIM_AUTHORITIES).nullable(),
      status: z.enum(CLAIM_LEDGER_STATUSES).nullable(),
      agent_surface: z.enum([...SURFACES, 'audit_only']).nullable(),
      reason_codes: strings,
    }).max(12),
    superseded_slots: rows({
      claim_id: z.string().describe('The newest superseded claim of the slot.'),
      superseded_count: count.describe('Of the slot, at most 4 of a record.'),
    }).max(8),
    counts,
  },
)
