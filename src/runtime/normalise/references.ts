import type { WireReference, WireReferences } from '../../contract/memory-input.ts'
import type { MemoryRef } from '../../domain/memory/commands.ts'

/** A memory id, or the id of the claim or handoff that a memory holds. */
export const OUR_ID = /^(?:claim:|handoff:)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Plain text that looks like an id of ours is one; any other text is a client id. */
export function referenceOf(reference: WireReference): MemoryRef {
  if (typeof reference === 'string') {
    return OUR_ID.test(reference) ? { id: reference } : { clientId: reference }
  }
  const { id, client_id: clientId } = reference
  return typeof id === 'string' ? { id } : { clientId: clientId ?? '' }
}

export function referencesOf(references: WireReferences | null | undefined): readonly MemoryRef[] {
  if (references === undefined || references === null) return []
  return (typeof references === 'string' ? [references] : references).map(referenceOf)
}
