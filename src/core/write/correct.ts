import { validityAt } from '../model/lifecycle.ts'
import type { MemoryRecord } from '../model/record.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import { isTrustedThrough } from '../policy/admission.ts'
import { disputeBetween } from '../similarity/dispute.ts'
import { isTrustedVoice } from './confirm.ts'
import type { Decision, Seen } from './decision.ts'
import { isSaidWhole, type Similar } from './similar.ts'

/** Older memories that one newer is compared with. */
const COMPARED_MAX = 20
/** Matches looked at to find them. */
const RELATED_MAX = 60
/** Characters read for one memory, its own counted each time: about 10 ms. */
const READ_CHARS_MAX = 100_000

/**
 * A newer general memory whose text disputes an older one contests it: free text alone, from equal or higher trust,
 * and only where everyone who sees the older memory sees the newer one.
 */
export function correctOlder(decision: Decision, similar: Similar, newer: Seen): void {
  const { text } = newer.content
  if (!isFreeText(newer) || text === '' || !isSaidWhole(newer)) return
  if (newer.facets.standing !== 'active' || validityAt(newer.facets, decision.nowMs) !== 'live') return
  const isTrusted = isTrustedVoice(decision, newer)
  const isCorrectable = (memoryId: string): boolean => {
    const older = decision.state.memories.get(memoryId)
    if (older === undefined || memoryId === newer.memoryId || !isStanding(decision, older)) return false
    return isTrusted || !isTrustedThrough(decision.state, older, null)
  }
  const related = similar.related(
    text,
    (audience) => isSeenByAllWhoSee(newer.audience, audience),
    RELATED_MAX,
  )
  let chars = 0
  for (const memoryId of related.filter(isCorrectable).slice(0, COMPARED_MAX)) {
    const older = decision.state.memories.get(memoryId)?.content.text ?? ''
    chars += text.length + older.length
    if (chars > READ_CHARS_MAX) return
    const dispute = disputeBetween(older, text)
    if (dispute === null) continue
    decision.move(memoryId, {
      facet: 'standing',
      to: 'contested',
      cause: 'corrected',
      reason: `${newer.memoryId} corrects it (${dispute.kind})`,
      byMemoryId: newer.memoryId,
    })
  }
}

/** An observed memory that is neither run, handoff nor claim. */
function isFreeText(seen: Pick<Seen, 'domain' | 'claim' | 'handoff'>): boolean {
  return seen.domain === 'general' && seen.claim === null && seen.handoff === null
}

/** Live before this request, said whole, and not changed by it. */
function isStanding(decision: Decision, older: MemoryRecord): boolean {
  const seen = decision.seen(older.memoryId)
  if (!isFreeText(older) || !isSaidWhole(older) || seen === null || seen.content !== older.content)
    return false
  return validityAt(seen.facets, decision.nowMs) === 'live'
}
