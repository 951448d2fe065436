import { z } from 'zod'
import { CLAIM_AUTHORITIES, CLAIM_KINDS, CONFLICT_POLICIES } from '../core/base/closed-sets.ts'
import { anyJson, filled, id, instant, jsonObject, optional, required, share, text } from './fields.ts'

/** The rules of a claim that a JSON Schema cannot carry. */
export const CLAIM_RULES = {
  slot: 'A claim with conflict_policy singleton_latest needs slot_key.',
  evidence: 'A claim with authority trusted needs at least one of evidence_refs.',
  value: 'A claim needs value or value_text.',
} as const

/** One element of `claims`: strict, a field that is not listed is refused. */
export const ClaimObject = z
  .strictObject({
    contract_version: optional(text, 'Optional; `svc_claim_write_v1`.'),
    client_id: optional(id, 'Your id of the claim. A known one returns the claim that exists.'),
    subject_key: required(filled, 'What the claim is about.'),
    predicate: required(filled, 'What is said about it.'),
    value: anyJson.optional().meta({ description: 'The value: any JSON, null included.' }),
    value_text: optional(text.max(2000), 'The value as text, at most 2000 characters.'),
    slot_key: optional(text, 'Slot in which singleton_latest keeps only the latest claim.'),
    claim_kind: optional(z.enum(CLAIM_KINDS), 'Default ordinary_fact.'),
    conflict_policy: optional(z.enum(CONFLICT_POLICIES), 'Default manual_or_inspect.'),
    authority: optional(z.enum(CLAIM_AUTHORITIES), 'Default advisory.'),
    confidence: optional(share, 'From 0 to 1. Default 0.75.'),
    valid_from: optional(instant, 'From when it holds: ISO 8601, without a zone UTC.'),
    evidence_refs: optional(z.array(text).max(32), 'Evidence references.'),
    source_memory_id: optional(
      id,
      'Memory the claim comes from. Default: the first memory written by the same request.',
    ),
    metadata: optional(jsonObject, 'Free object; kept as payload.'),
  })
  .refine((claim) => claim.conflict_policy !== 'singleton_latest' || (claim.slot_key ?? '') !== '', {
    path: ['slot_key'],
    error: CLAIM_RULES.slot,
  })
  .refine((claim) => claim.authority !== 'trusted' || (claim.evidence_refs ?? []).some((ref) => ref !== ''), {
    path: ['evidence_refs'],
    error: CLAIM_RULES.evidence,
  })
  .refine((claim) => claim.value !== undefined || (claim.value_text ?? '') !== '', {
    path: ['value'],
    error: CLAIM_RULES.value,
  })
  .meta({ description: 'One claim of the ledger. Strict: a field that is not listed is refused.' })

export type WireClaim = z.output<typeof ClaimObject>
