import type { TextHit } from '../../src/domain/guide/entry.ts'
import type { ActorState } from '../../src/domain/memory/state.ts'

/** A hit as tests write it: with the id of its memory, which is the same in every state that has it. */
export interface NamedHit extends Omit<TextHit, 'slot'> {
  readonly memoryId: string
}

/** The same hits as recall gives them for a state; what the state does not have is left out. */
export function hitsIn({ memories }: ActorState, hits: readonly NamedHit[]): readonly TextHit[] {
  return hits.flatMap(({ memoryId, ...hit }) => {
    const slot = memories.get(memoryId)?.slot
    return slot === undefined ? [] : [{ slot, ...hit }]
  })
}
