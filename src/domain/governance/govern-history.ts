import type { Consumer, MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import { normaliseText } from '../similarity/canonical-text.ts'
import type { HistoryMatch } from './govern.ts'
import { HISTORY_STATES, type HistoryState } from './govern-words.ts'
import { isSuppressed, validityAt } from './lifecycle.ts'
import { isVisibleTo } from './visibility.ts'

/**
 * Looks a content up among the memories that the consumer can see and that something is known against. Equal means one
 * normalised form. The first look-up reads those memories, the others are one look into a map.
 */
export function exactHistory(
  state: ActorState,
  consumer: Consumer,
  nowMs: number,
): (text: string) => HistoryMatch | null {
  let known: ReadonlyMap<string, HistoryMatch> | null = null
  return (text) => {
    known ??= heldBackContents(state, consumer, nowMs)
    return known.size === 0 ? null : (known.get(normaliseText(text)) ?? null)
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

function heldBackContents(
  state: ActorState,
  consumer: Consumer,
  nowMs: number,
): ReadonlyMap<string, HistoryMatch> {
  const found = new Map<string, HistoryMatch>()
  for (const { audience, memoryIds } of state.audiences.values()) {
    if (!isVisibleTo(audience, consumer)) continue
    for (const memoryId of memoryIds) {
      const record = state.memories.get(memoryId)
      const held = record === undefined ? null : historyStateOf(record, nowMs)
      if (record === undefined || held === null) continue
      const key = normaliseText(wholeTextOf(record))
      const before = found.get(key)
      if (key !== '' && (before === undefined || isGraver(held, before.state))) {
        found.set(key, { state: held, memoryId })
      }
    }
  }
  return found
}

function wholeTextOf({ content }: MemoryRecord): string {
  const fullText = content.payload?.['full_text']
  return typeof fullText === 'string' ? fullText : content.text || (content.summary ?? '')
}

function isGraver(a: HistoryState, b: HistoryState): boolean {
  return HISTORY_STATES.indexOf(a) < HISTORY_STATES.indexOf(b)
}
