import { isSuppressed, validityAt } from '../model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { admissionIn } from '../policy/admission.ts'
import { DIRECT, type TextComparer } from '../similarity/near-duplicate.ts'
import { isSaidWhole, type Similar } from '../write/similar.ts'
import { MEMORY_TEXT_MAX } from '../write/write-memory.ts'
import { type ContentHistory, HISTORY_STATES, type HistoryMatch, type HistoryState } from './govern.ts'

/**
 * Looks a content up among the memories that the consumer can see. The same text in any spelling, or nearly the same words
 * with the same facts; but nothing is known against a text that a memory says which may be used. Of the same content the
 * gravest state counts. A text above 32 000 characters is found only when it is the same.
 * @param compare answers what of the texts is already known
 */
export function heldBackHistory(
  state: ActorState,
  similar: Similar,
  consumer: Consumer,
  nowMs: number,
  compare: TextComparer = DIRECT,
): ContentHistory {
  const seen = (memoryId: string): MemoryRecord | null => {
    const record = state.memories.get(memoryId)
    return record === undefined || !isVisibleTo(record.audience, consumer) ? null : record
  }
  const isHeldBack = (memoryId: string): boolean => {
    const record = seen(memoryId)
    return record !== null && isSaidWhole(record) && historyStateOf(record, nowMs) !== null
  }
  const isUsable = (record: MemoryRecord): boolean =>
    admissionIn(state, record, { nowMs, askedSignature: null, consumer }).surface === 'use_now'
  return (text, signature) => {
    const prepared = { signature, isNearDuplicate: compare.isNearDuplicate }
    const equal = similar
      .exact(text, prepared)
      .flatMap((memoryId) => seen(memoryId) ?? [])
      .filter((record) => isSameWhole(record, text, compare))
    if (equal.some(isUsable)) return null
    const found = gravestOf(equal, false, nowMs)
    if (found !== null || text.length > MEMORY_TEXT_MAX) return found
    const near = similar.nearDuplicates(text, isHeldBack, prepared)
    return gravestOf(
      near.flatMap((memoryId) => seen(memoryId) ?? []),
      true,
      nowMs,
    )
  }
}

/** The gravest thing that holds against a memory now, null when nothing does. */
export function historyStateOf(record: MemoryRecord, nowMs: number): HistoryState | null {
  const { facets, content } = record
  if (isSuppressed(facets, nowMs)) return 'suppressed'
  if (facets.standing === 'failed' || content.outcome === 'failed' || content.outcome === 'blocked') {
    return 'failed'
  }
  if (validityAt(facets, nowMs) === 'superseded') return 'superseded'
  return facets.standing === 'contested' ? 'contested' : null
}

/** The first of the gravest, newer before older. */
function gravestOf(records: readonly MemoryRecord[], isNear: boolean, nowMs: number): HistoryMatch | null {
  let found: HistoryMatch | null = null
  for (const record of records) {
    const state = historyStateOf(record, nowMs)
    if (state === null) continue
    if (found === null || isGraver(state, found.state)) found = { state, isNear, memoryId: record.memoryId }
  }
  return found
}

/** Two long texts may have the same compact form, and a short text may be that of a long one. */
function isSameWhole(record: MemoryRecord, text: string, compare: TextComparer): boolean {
  const fullText = record.content.payload?.['full_text']
  if (isSaidWhole(record) || typeof fullText !== 'string') return text.length <= MEMORY_TEXT_MAX
  return compare.isSame(text, fullText)
}

function isGraver(a: HistoryState, b: HistoryState): boolean {
  return HISTORY_STATES.indexOf(a) < HISTORY_STATES.indexOf(b)
}
