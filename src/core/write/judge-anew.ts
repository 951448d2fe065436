import { listAt } from '../base/collections.ts'
import type { ActorEvent } from '../model/events.ts'
import type { FacetChange, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { Decision } from './decision.ts'
import { findDispute, recordUpTo } from './dispute.ts'
import type { Similar } from './similar.ts'

/** Memories judged in one turn, or as many as one text has contested. */
const JUDGED_MAX = 64

/** What an older build contested by words alone: those memories, by the one that contested them. */
export type Contested = ReadonlyMap<string, readonly string[]>

/**
 * Memories that stand contested because an earlier build took a newer text for their correction. None after each has
 * been judged anew once, so that nothing else has to be kept of it.
 */
export function contestedByText(state: ActorState): Contested {
  const byText = new Map<string, string[]>()
  for (const memoryId of state.changedByOthers) {
    const record = liveRecord(state, memoryId)
    const by = record === undefined ? null : (correctionOf(record)?.byMemoryId ?? null)
    if (by !== null) listAt(byText, by).push(memoryId)
  }
  return byText
}

/** The change that left the memory contested, if words alone did. */
function correctionOf({ facets, changes }: MemoryRecord): FacetChange | null {
  if (facets.standing !== 'contested') return null
  const last = changes.findLast(({ facet }) => facet === 'standing')
  return last?.cause === 'corrected' ? last : null
}

/**
 * Gives some of them the standing that they had, or what other evidence since then gives, and records a dispute where
 * their text and that of the other memory cannot both hold. The same turns come out of the same state.
 */
export function judgeAnew(
  state: ActorState,
  similar: Pick<Similar, 'reading'>,
  contested: Contested,
  nowMs: number,
): readonly ActorEvent[] {
  const decision = new Decision(state, nowMs, () => '')
  let judged = 0
  for (const [byId, memoryIds] of contested) {
    if (judged > 0 && judged + memoryIds.length > JUDGED_MAX) break
    judged += memoryIds.length
    const by = liveRecord(state, byId)
    const found = memoryIds.flatMap((memoryId) => {
      const record = liveRecord(state, memoryId)
      if (record === undefined) return []
      restore(decision, record)
      if (by === undefined) return []
      const [earlier, later] = record.ordinal < by.ordinal ? [record, by] : [by, record]
      return findDispute(decision, similar, earlier, later) ?? []
    })
    recordUpTo(decision, byId, found)
  }
  return decision.events
}

function restore(decision: Decision, record: MemoryRecord): void {
  const { memoryId } = record
  const correction = correctionOf(record)
  if (correction === null) return
  const { from, seq, byMemoryId } = correction
  decision.move(memoryId, {
    facet: 'standing',
    to: from,
    cause: 'judged_anew',
    reason: 'words alone contest nothing any more',
    ...(byMemoryId === null ? {} : { byMemoryId }),
  })
  // What speaks against it by itself found it contested and moved nothing.
  const contest = (cause: 'contradicted' | 'strong_negative', reason: string): boolean =>
    decision.move(memoryId, { facet: 'standing', to: 'contested', cause, reason })
  const contradiction = (decision.state.relationsByTarget.get(memoryId) ?? []).find(
    (relation) => relation.type === 'contradicts' && relation.effective && relation.seq > seq,
  )
  if (contradiction !== undefined) contest('contradicted', `${contradiction.srcId} contradicts it`)
  else if (record.marks.some((mark) => mark.outcome === 'negative' && mark.strong && mark.seq > seq))
    contest('strong_negative', 'a failure named it since then')
}
