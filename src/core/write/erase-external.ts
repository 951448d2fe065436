import type { ActorEvent } from '../model/events.ts'
import type { ActorState } from '../model/state.ts'

export interface EraseExternalCommand {
  readonly references: readonly { readonly sourceBackend: string; readonly externalId: string }[]
  readonly reason: string
  readonly actorName: string | null
}

export interface EraseExternalEffect {
  readonly erasedCount: number
  readonly alreadyErasedCount: number
  /** Of the erased ones those that the state still knew. */
  readonly heldCount: number
}

/**
 * Takes away everything that is known of memories of other stores, for every lane. What the state has let go to make room
 * may still be in the journal, so that a name it does not know is erased like any other.
 * @param refOf hash of a name under the key of the actor
 */
export function decideEraseExternal(
  { external }: Pick<ActorState, 'external'>,
  { references, reason, actorName }: EraseExternalCommand,
  refOf: (key: string, reference: EraseExternalCommand['references'][number]) => string,
): { readonly events: readonly ActorEvent[]; readonly effect: EraseExternalEffect } {
  const { key } = external
  // Nothing was ever recorded.
  if (key === null) return { events: [], effect: { erasedCount: 0, alreadyErasedCount: 0, heldCount: 0 } }
  const refs = new Set<string>()
  let alreadyErasedCount = 0
  let heldCount = 0
  for (const reference of references) {
    const ref = refOf(key, reference)
    if (refs.has(ref)) continue
    refs.add(ref)
    if (external.get(reference.sourceBackend, reference.externalId) !== undefined) heldCount += 1
    else if (external.erasures.has(ref)) alreadyErasedCount += 1
  }
  const event: ActorEvent = { type: 'external_erased', refs: [...refs], reason, actorName }
  return {
    events: [event],
    effect: { erasedCount: refs.size - alreadyErasedCount, alreadyErasedCount, heldCount },
  }
}
