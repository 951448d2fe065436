import type { DecidedMemory } from '../guide/decision.ts'
import type { GuideStory } from '../guide/story.ts'
import type { Erasure } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'

type Erasures = Pick<ActorState, 'erasures'>

/** Memory that a guide decided about and that was erased since: shown in rank order, then omitted. */
export function erasedSince({ exposure, decision }: GuideStory, { erasures }: Erasures): readonly Erasure[] {
  if (erasures.size === 0) return []
  const ids = [...exposure.memoryIds, ...(decision?.omitted ?? []).map(({ memoryId }) => memoryId)]
  return ids.flatMap((id) => erasures.get(id) ?? [])
}

/**
 * The story as it may be told after an erasure: ids, rules, codes, scores and hashes. Its query may quote what it found
 * and its files may be those of the erased memory, so they go, as they do in history; until history is redacted, and
 * for a turn that was read just before, this does it.
 */
export function withoutErased(story: GuideStory, erasures: Erasures): GuideStory {
  const { exposure, decision } = story
  const erased = new Set(erasedSince(story, erasures).map(({ memoryId }) => memoryId))
  if (decision === null || erased.size === 0) return story
  const unsaid = <Memory extends DecidedMemory>(memory: Memory): Memory =>
    erased.has(memory.memoryId) ? { ...memory, reason: '' } : memory
  return {
    exposure,
    decision: {
      ...decision,
      ask: { ...decision.ask, queryText: '' },
      targetFiles: [],
      printed: decision.printed.map(unsaid),
      omitted: decision.omitted.map(unsaid),
    },
  }
}

/** A tombstone in wire names. Why it was erased is told to whoever erases, not in reports. */
export function erasedRow({ memoryId, atMs, seq }: Erasure, isoTime: (atMs: number) => string) {
  return { memory_id: memoryId, erased_at: isoTime(atMs), seq }
}
export type ErasedRow = ReturnType<typeof erasedRow>
