import type { ActorState } from '../../src/core/model/state.ts'
import { HIT_ABOVE_FLOOR, HIT_EXACT, type TextHits } from '../../src/core/rerank/signals.ts'

/** A hit as tests write it: with the id of its memory, which is the same in every state that has it. */
export interface NamedHit {
  readonly memoryId: string
  readonly score: number
  readonly coverage: number
  readonly matchedTerms: number
  readonly isExact: boolean
  readonly isAboveFloor: boolean
}

/** A hit of a question that the memory answers. A guide shows what answers it, also a warning. */
export const answering = (memoryId: string, rest: Partial<NamedHit> = {}): NamedHit => ({
  memoryId,
  score: 1,
  coverage: 1,
  matchedTerms: 1,
  isExact: false,
  isAboveFloor: true,
  ...rest,
})

/** The same hits as recall gives them for a state; what the state does not have is left out. */
export function hitsIn({ memories }: ActorState, hits: readonly NamedHit[]): TextHits {
  const known = hits.filter(({ memoryId }) => memories.has(memoryId))
  return {
    slots: known.map(({ memoryId }) => memories.get(memoryId)?.slot ?? -1),
    scores: known.map(({ score }) => score),
    coverage: known.map(({ coverage }) => coverage),
    matchedTerms: known.map(({ matchedTerms }) => matchedTerms),
    masks: known.map(() => 0),
    termShares: [],
    flags: known.map((hit) => (hit.isExact ? HIT_EXACT : 0) | (hit.isAboveFloor ? HIT_ABOVE_FLOOR : 0)),
  }
}
