import { z } from 'zod'
import { CLAIM_AUTHORITIES, CLAIM_KINDS, CONFLICT_POLICIES, SURFACES } from '../core/base/closed-sets.ts'
import { CLAIM_LEDGER_STATUSES } from '../core/guide/claims.ts'
import { share } from './fields.ts'
import { count, described, nullableText, readOnly, strings } from './vocabulary.ts'

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
  superseded_slots: z
    .array(z.strictObject({ slot_key: z.string(), claims: z.array(ClaimRow).max(4) }))
    .max(8),
  counts,
})

/** The claim ledger of one guide in a replay: ids and codes only. */
export const ReplayedClaimLedger = z
  .strictObject({
    source: z
      .enum(['runtime', 'supplied'])
      .describe('supplied: as a caller tells it, confirmed by no record.'),
    live_claims: z
      .array(
        z.strictObject({
          claim_id: z.string(),
          memory_id: nullableText,
          claim_kind: z.enum(CLAIM_KINDS).nullable(),
          authority: z.enum(CLAIM_AUTHORITIES).nullable(),
          status: z.enum(CLAIM_LEDGER_STATUSES).nullable(),
          agent_surface: z.enum([...SURFACES, 'audit_only']).nullable(),
          reason_codes: strings,
        }),
      )
      .max(12),
    superseded_slots: z
      .array(
        z.strictObject({
          claim_id: z.string().describe('The newest superseded claim of the slot.'),
          superseded_count: count.describe('Of the slot, at most 4 of a record.'),
        }),
      )
      .max(8),
    counts,
  })
  .describe(
    'Claims that the consumer sees and that were written at or before the guide, by ids and codes. Of a record, status, surface and counts are of now.',
  )
