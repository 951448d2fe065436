import { SURFACES } from '../base/closed-sets.ts'
import type { ActorState } from '../model/state.ts'
import type { RecordedGuide } from './evidence.ts'
import { type Eyes, isKnownTo } from './wire-object.ts'

/** Memory of the guides that another one supersedes, invalidates or contradicts. */
export function relationTargets(
  state: ActorState,
  guides: readonly RecordedGuide[],
  eyes: Eyes,
): readonly string[] {
  const ids = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  return [...ids].filter((id) => {
    const relations = state.relationsByTarget.get(id) ?? []
    if (!relations.some(({ type, effective }) => effective && COUNTER_RELATIONS.includes(type))) return false
    const record = state.memories.get(id)
    return record !== undefined && isKnownTo(eyes, record)
  })
}

const COUNTER_RELATIONS: readonly string[] = ['supersedes', 'invalidates', 'contradicts']
