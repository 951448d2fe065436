import type { WireClaim } from '../../contract/claim-input.ts'
import type { ClaimInput } from '../../core/model/commands.ts'
import { distinct, firstOf } from './absence.ts'
import { jsonOf } from './payload.ts'
import { CONFIDENCE_DEFAULT } from './write-context.ts'

/** One claim of the ledger, with the defaults of the contract. */
export function claimInput(claim: WireClaim): ClaimInput {
  return {
    clientId: claim.client_id ?? null,
    subjectKey: claim.subject_key,
    predicate: claim.predicate,
    value: jsonOf(claim.value),
    valueText: firstOf(claim.value_text),
    slotKey: firstOf(claim.slot_key),
    claimKind: claim.claim_kind ?? 'ordinary_fact',
    conflictPolicy: claim.conflict_policy ?? 'manual_or_inspect',
    authority: claim.authority ?? 'advisory',
    confidence: claim.confidence ?? CONFIDENCE_DEFAULT,
    validFromMs: claim.valid_from ?? null,
    evidenceRefs: distinct(claim.evidence_refs),
    sourceMemoryId: claim.source_memory_id ?? null,
    metadata: jsonOf(claim.metadata),
  }
}
