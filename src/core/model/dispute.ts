import { isLess, voiceOf } from './authority.ts'
import { isSuppressed, validityAt } from './lifecycle.ts'
import type { Content, MemoryRecord } from './record.ts'
import { type ActorState, liveRecord } from './state.ts'
import { canSee, type Viewer } from './visibility.ts'

/** One dispute as one of its two memories has it. */
export interface DisputeSide {
  /** The other memory. */
  readonly memoryId: string
  readonly kind: string
  /** Whether this memory yields to the other one. */
  readonly yields: boolean
  /** Whether the other memory counts as said later. */
  readonly isOtherLater: boolean
  /** Turn that found it. */
  readonly seq: number
}

type Disputing = Pick<
  ActorState,
  'memories' | 'erasures' | 'disputes' | 'disputesByMemory' | 'operatorMemories'
>

const NONE: readonly DisputeSide[] = []

/**
 * The disputes of a memory in force now that these eyes may know, in journal order. A dispute is in force while both of
 * its memories are, whatever other disputes say of either; trust takes no part. Null eyes see the whole actor.
 */
export function disputesOf(
  state: Disputing,
  record: MemoryRecord,
  nowMs: number,
  eyes: Viewer,
): readonly DisputeSide[] {
  // Most memories are in no dispute.
  if (state.disputes.size === 0) return NONE
  const known = state.disputesByMemory.get(record.memoryId)
  if (known === undefined || !isInForce(record, nowMs)) return NONE
  const sides: DisputeSide[] = []
  for (const { earlierId, laterId, kind, yields, seq, settled } of known) {
    if (settled === 'both') continue
    const isEarlier = earlierId === record.memoryId
    const other = liveRecord(state, isEarlier ? laterId : earlierId)
    if (other === undefined || !isInForce(other, nowMs) || !canSee(eyes, other)) continue
    const isOurs = isEarlier === (yields === 'earlier')
    // Since it was found an operator may have given his word for the one that yields.
    const [yielding, standing] = isOurs ? [record, other] : [other, record]
    if (isLess(voiceOf(state, standing), voiceOf(state, yielding))) continue
    sides.push({ memoryId: other.memoryId, kind, yields: isOurs, isOtherLater: isEarlier, seq })
  }
  return sides
}

/** Whether a memory can take part in a dispute: neither contested, failed, superseded, expired nor suppressed. */
function isInForce({ facets }: MemoryRecord, nowMs: number): boolean {
  if (facets.standing === 'contested' || facets.standing === 'failed') return false
  return validityAt(facets, nowMs) === 'live' && !isSuppressed(facets, nowMs)
}

type Statement = Pick<MemoryRecord, 'origin'> & { readonly content: Pick<Content, 'text' | 'summary'> }

/**
 * Whether a revision says something else, or somebody else says it: a dispute is about what was said by whom, so it ends
 * with that, and the new text is compared anew. New files, confidence or an end of validity leave it.
 */
export function saysAnew(before: Statement, after: Statement): boolean {
  return (
    before.origin !== after.origin ||
    before.content.text !== after.content.text ||
    before.content.summary !== after.content.summary
  )
}
