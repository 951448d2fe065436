import { z } from 'zod'
import { CLAIM_AUTHORITIES, CLAIM_KINDS, CONFLICT_POLICIES, SURFACES } from '../domain/closed-sets.ts'
import { count, strings } from './envelope.ts'

const ClaimRow = z.strictObject({
  claim_id: z.string(),
  memory_id: z.string(),
  subject_key: z.string(),
  predicate: z.string(),
  slot_key: z.string().nullable(),
  claim_kind: z.enum(CLAIM_KINDS),
  conflict_policy: z.enum(CONFLICT_POLICIES),
  authority: z.enum(CLAIM_AUTHORITIES),
  confidence: z.number().min(0).max(1),
  status: z.enum(['active', 'contested', 'superseded', 'retired', 'redacted']),
  agent_surface: z.enum([...SURFACES, 'audit_only']),
  reason_codes: strings,
  value_text: z.string().nullable().meta({ description: 'Null when the claim may not be used.' }),
})

/** The claim ledger as far as the consumer of a guide sees it. */
export const ClaimLedgerProjection = z
  .strictObject({
    contract_version: z.literal('svc_claim_ledger_projection_v1'),
    agent_prompt_included: z.literal(false),
    runtime_mutation: z.literal(false),
    live_claims: z.array(ClaimRow).max(12),
    superseded_slots: z
      .array(z.strictObject({ slot_key: z.string(), claims: z.array(ClaimRow).max(4) }))
      .max(8),
    counts: z.strictObject({
      active: count,
      contested: count,
      superseded: count,
      retired: count,
      redacted: count,
    }),
  })
  .meta({ description: 'Claims that the consumer can see. Not for the agent.' })
