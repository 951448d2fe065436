import type { Surface } from '../base/closed-sets.ts'
import { isLess, voiceOf } from '../model/authority.ts'
import { isSameOccurrence } from '../model/occurrence.ts'
import type { ActorState } from '../model/state.ts'
import { audienceKey } from '../model/visibility.ts'
import { normaliseText } from '../similarity/canonical-text.ts'
import type { GuideEntry, Omission } from './entry.ts'

/**
 * Of memories of one audience that say the same, one is shown: the one on the best surface, of these the one of the
 * highest authority, of these the newest. What observers wrote is meant, as long as it is not do_not_use: runs, handoffs
 * and claims say more than their text, and a warning shows none.
 */
export function foldSameTexts(
  state: Pick<ActorState, 'operatorMemories' | 'columns'>,
  entries: readonly GuideEntry[],
  omitted: Map<string, Omission>,
): void {
  const byKey = new Map<number, GuideEntry[]>()
  const into = new Map<GuideEntry, GuideEntry>()
  for (const entry of entries) {
    const text = omitted.has(entry.record.memoryId) ? null : textOf(entry)
    if (text === null) continue
    const key = state.columns.textKey(entry.record, () => keyOf(text))
    const alike = byKey.get(key)
    if (alike === undefined) {
      byKey.set(key, [entry])
      continue
    }
    const at = alike.findIndex((other) => isSame(entry, text, other))
    const other = alike[at]
    if (other === undefined) alike.push(entry)
    else if (isBetter(state, entry, other)) {
      alike[at] = entry
      into.set(other, entry)
    } else into.set(entry, other)
  }
  for (const [entry, other] of into) {
    let last = other
    for (let next = into.get(last); next !== undefined; next = into.get(last)) last = next
    omitted.set(entry.record.memoryId, { entry, reason: 'same_text', intoId: last.record.memoryId })
  }
}

/** What is compared; null: nothing stands for this entry, and it stands for none. */
function textOf({ record, surface }: GuideEntry): string | null {
  const { content, source, domain } = record
  if (surface === 'do_not_use' || source !== 'observe' || domain !== 'general') return null
  if (content.fullTextChars !== null) return null
  return content.text || content.summary || null
}

function isSame(entry: GuideEntry, text: string, other: GuideEntry): boolean {
  const { record } = entry
  if (audienceKey(record.audience) !== audienceKey(other.record.audience)) return false
  if (!isSameOccurrence(record, other.record)) return false
  const otherText = textOf(other) ?? ''
  return text === otherText || normaliseText(text) === normaliseText(otherText)
}

const SURFACE_ORDER = {
  use_now: 3,
  inspect_before_use: 2,
  rehydrate: 1,
  do_not_use: 0,
} as const satisfies Record<Surface, number>

function isBetter(state: Pick<ActorState, 'operatorMemories'>, a: GuideEntry, b: GuideEntry): boolean {
  const bySurface = SURFACE_ORDER[a.surface] - SURFACE_ORDER[b.surface]
  if (bySurface !== 0) return bySurface > 0
  const [ours, theirs] = [voiceOf(state, a.record), voiceOf(state, b.record)]
  if (isLess(ours, theirs)) return false
  return isLess(theirs, ours) || a.record.ordinal > b.record.ordinal
}

/** Equal for texts that normalise to the same, and mostly only for those: a hash of their letters and digits. */
function keyOf(text: string): number {
  const hash = hashOf(text)
  return hash === NOT_ASCII ? hashOf(normaliseText(text), true) : hash
}

const NOT_ASCII = -1

/** 31 bits, or `NOT_ASCII` for a text beyond ASCII unless that is allowed. */
function hashOf(text: string, isAnyScript = false): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f && !isAnyScript) return NOT_ASCII
    const lower = code | 0x20
    if (lower >= 0x61 && lower <= 0x7a) hash = Math.imul(hash ^ lower, 0x01000193)
    else if ((code >= 0x30 && code <= 0x39) || code > 0x7f) hash = Math.imul(hash ^ code, 0x01000193)
  }
  return hash & 0x7fffffff
}
