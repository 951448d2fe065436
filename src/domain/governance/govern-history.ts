import type { Consumer, MemoryRecord } from '../memory/record.ts'
import { isSaidWhole, type Similar } from '../memory/similar.ts'
import type { ActorState } from '../memory/state.ts'
import { COMPACT_TEXT_MAX, MEMORY_TEXT_MAX } from '../memory/write-memory.ts'
import { condense } from '../prompt/condense.ts'
import { normaliseText } from '../similarity/canonical-text.ts'
import { contradictionsAmong } from '../similarity/contradiction.ts'
import type { HistoryMatch, TextContradiction } from './govern.ts'
import { HISTORY_STATES, type HistoryState } from './govern-words.ts'
import { isSuppressed, validityAt } from './lifecycle.ts'
import { isVisibleTo } from './visibility.ts'

/** Characters of all candidates together in which contradictions are looked for: about 50 ms. */
const READ_CHARS_MAX = 400_000

/**
 * Looks a content up among the memories that the consumer can see and that something is known against: the same text
 * in any spelling, or nearly the same words with the same facts. Of the same content the gravest state counts. A text
 * above 32 000 characters is found only when it is the same.
 */
export function heldBackHistory(
  state: ActorState,
  similar: Similar,
  consumer: Consumer,
  nowMs: number,
): (text: string) => HistoryMatch | null {
  const heldBack = (memoryId: string): MemoryRecord | null => {
    const record = state.memories.get(memoryId)
    if (record === undefined || !isVisibleTo(record.audience, consumer)) return null
    return historyStateOf(record, nowMs) === null ? null : record
  }
  return (text) => {
    const isLong = text.length > MEMORY_TEXT_MAX
    const compact = isLong ? condense(text, COMPACT_TEXT_MAX) : text
    const equal = similar.exact(compact).flatMap((memoryId) => heldBack(memoryId) ?? [])
    const near = isLong ? [] : similar.near(text, (memoryId) => isWhole(heldBack(memoryId)))
    const same = [
      ...equal.filter((record) => isSameWhole(record, text)),
      ...near.flatMap((memoryId) => heldBack(memoryId) ?? []),
    ]
    return gravestOf(same, nowMs)
  }
}

/**
 * Contradictions among candidates. Each text is read from its beginning up to its share of 400 000 characters, whole
 * sentences only.
 */
export function contradictionsIn(texts: readonly string[]): readonly TextContradiction[] {
  if (texts.length < 2) return []
  const share = Math.floor(READ_CHARS_MAX / texts.length)
  return contradictionsAmong(texts.map((text) => beginningOf(text, share)))
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

/** The first of the gravest: equal texts before similar ones, newer before older. */
function gravestOf(records: readonly MemoryRecord[], nowMs: number): HistoryMatch | null {
  let found: HistoryMatch | null = null
  for (const record of records) {
    const state = historyStateOf(record, nowMs)
    if (state === null) continue
    if (found === null || isGraver(state, found.state)) found = { state, memoryId: record.memoryId }
  }
  return found
}

function isWhole(record: MemoryRecord | null): boolean {
  return record !== null && isSaidWhole(record)
}

/** Two long texts may have the same compact form, and a short text may be that of a long one. */
function isSameWhole(record: MemoryRecord, text: string): boolean {
  const fullText = record.content.payload?.['full_text']
  if (isSaidWhole(record) || typeof fullText !== 'string') return text.length <= MEMORY_TEXT_MAX
  return normaliseText(fullText) === normaliseText(text)
}

function beginningOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = text.slice(0, maxChars)
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1))
}

function isGraver(a: HistoryState, b: HistoryState): boolean {
  return HISTORY_STATES.indexOf(a) < HISTORY_STATES.indexOf(b)
}
