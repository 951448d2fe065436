import { listAt } from '../base/collections.ts'
import type { MemoryWrite } from '../model/commands.ts'
import { isSuppressed } from '../model/lifecycle.ts'
import { wholeTextOf } from '../model/memory-fields.ts'
import { isSameOccurrence } from '../model/occurrence.ts'
import type { MemoryRecord, Suppression } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isSeenByAllWhoSee } from '../model/visibility.ts'
import { normaliseText } from '../similarity/canonical-text.ts'
import type { Decision, Seen } from './decision.ts'
import { isSaidWhole, type Similar, saidText } from './similar.ts'

/**
 * What a text that was just stored takes over from memories that say exactly the same: their suppression, which ends
 * with theirs, and that they failed. Everyone who sees the new memory sees the old one. What was contested, superseded or
 * demoted is said anew; and an operator who says again what was suppressed is asked to confirm it, not silenced.
 */
export function carryFromSame(
  decision: Decision,
  similar: Similar,
  input: MemoryWrite,
  memoryId: string,
  isAsked: boolean,
): void {
  const written = decision.seen(memoryId)
  if (written === null || input.domain !== 'general') return
  const text = saidText(written)
  if (text === '') return
  const same = similar.exact(text).flatMap((id) => sameBefore(decision, id, written, input) ?? [])
  const suppressed = same.filter(({ facets }) => isSuppressed(facets, decision.nowMs))
  const source = suppressed.toSorted((a, b) => endOf(b) - endOf(a))[0]
  if (source !== undefined && isAsked) doubt(decision, memoryId, source)
  else if (source !== undefined) suppressWith(decision, memoryId, source)
  const failed = same.find(({ facets }) => facets.standing === 'failed')
  if (failed === undefined) return
  const reason = `${failed.memoryId} says the same and failed`
  decision.move(memoryId, {
    facet: 'standing',
    to: 'failed',
    cause: 'same_text',
    reason,
    byMemoryId: failed.memoryId,
  })
}

/** Memories that were suppressed together with another one, by nothing else since, and not erased; by that other one. */
export function suppressedCopies(state: ActorState): ReadonlyMap<string, readonly string[]> {
  const copies = new Map<string, string[]>()
  for (const id of state.changedByOthers) {
    const changes = liveRecord(state, id)?.changes ?? []
    const last = changes.findLast(({ facet }) => facet === 'suppression')
    if (last?.cause !== 'same_text' || last.byMemoryId === null) continue
    listAt(copies, last.byMemoryId).push(id)
  }
  return copies
}

/** The memory, when it said the same before this request and nothing in it has changed that. */
function sameBefore(
  decision: Decision,
  memoryId: string,
  written: Seen,
  input: MemoryWrite,
): MemoryRecord | null {
  const record = decision.state.memories.get(memoryId)
  if (record === undefined || memoryId === written.memoryId) return null
  if (decision.seen(memoryId)?.content !== record.content) return null
  if (!isSeenByAllWhoSee(record.audience, written.audience)) return null
  const occurrence = {
    memoryType: input.memoryType,
    observedAtMs: input.observedAtMs ?? decision.nowMs,
  }
  if (!isSameOccurrence(record, occurrence)) return null
  if (isSaidWhole(record) && isSaidWhole(written)) return record
  // Two long texts may have the same compact form.
  return normaliseText(wholeText(record)) === normaliseText(wholeText(written)) ? record : null
}

function wholeText(seen: Pick<Seen, 'content'>): string {
  return isSaidWhole(seen) ? saidText(seen) : wholeTextOf(seen.content)
}

function doubt(decision: Decision, memoryId: string, source: MemoryRecord): void {
  const reason = `${source.memoryId} says the same and is suppressed`
  decision.move(memoryId, { facet: 'trust', to: 'candidate', cause: 'suppressed_before', reason })
}

function suppressWith(decision: Decision, memoryId: string, source: MemoryRecord): void {
  // A copy of a copy goes with the first, whose suppression an operator lifts.
  const change = source.changes.findLast(({ facet }) => facet === 'suppression')
  const firstId = change?.cause === 'same_text' ? (change.byMemoryId ?? source.memoryId) : source.memoryId
  const untilMs = source.facets.suppression?.untilMs ?? null
  const along = suppressionAlong(firstId, decision.nowMs, untilMs)
  decision.suppress(memoryId, along, 'same_text', firstId)
}

function endOf({ facets }: MemoryRecord): number {
  return facets.suppression?.untilMs ?? Infinity
}

/** What follows the suppression of another memory says so. */
export function suppressionAlong(firstId: string, sinceMs: number, untilMs: number | null): Suppression {
  return { reason: `it says the same as ${firstId}, which is suppressed`, by: null, sinceMs, untilMs }
}
