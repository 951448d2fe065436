import type { WireReference, WireReferences } from '../../contract/memory-input.ts'
import { OUR_ID } from '../../core/base/ids.ts'
import type { MemoryRef } from '../../core/model/commands.ts'

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
