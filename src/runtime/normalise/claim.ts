import type { WireClaim } from '../../contract/claim-input.ts'
import type { ClaimKind, MemoryType } from '../../domain/closed-sets.ts'
import type { ClaimInput } from '../../domain/memory/commands.ts'
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

const TYPES = {
  ordinary_fact: 'fact',
  preference: 'preference',
  project_fact: 'project_context',
  execution_fact: 'fact',
  external_fact: 'fact',
} as const satisfies Record<ClaimKind, MemoryType>

/** The type of the memory that a claim is: what only serves as evidence is evidence. */
export function claimMemoryType(claim: Pick<ClaimInput, 'authority' | 'claimKind'>): MemoryType {
  return claim.authority === 'evidence_only' ? 'evidence' : TYPES[claim.claimKind]
}
