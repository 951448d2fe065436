import { erasedClaim, erasedHandoff, ERASED_CONTENT, withoutContent, withoutReason } from './erased.ts'
import type { ActorEvent, Turn } from './events.ts'

/** What history may no longer say of an actor. Plain data: may be sent to a worker. */
export interface Redaction {
  /** Every memory of the actor that was erased. */
  readonly memoryIds: readonly string[]
  /** The turn of the last erasure: answers that were stored before it are gone. */
  readonly untilSeq: number
}

/**
 * A turn as it may be kept after an erasure: replayed, it gives every other memory, counter and exposure as before. The
 * same object when nothing in it has to go, so that redacting twice changes nothing.
 */
export function redactedTurn(turn: Turn, erased: ReadonlySet<string>, untilSeq: number): Turn {
  const shows = turn.events.some((event) => event.type === 'exposed' && namesAny(event.memoryIds, erased))
  let hasChanged = false
  const events = turn.events.map((event) => {
    const redacted = redactedEvent(event, erased, { isEarlier: turn.seq < untilSeq, shows })
    hasChanged ||= redacted !== event
    return redacted
  })
  return hasChanged ? { ...turn, events } : turn
}

interface Place {
  /** Before the last erasure. */
  readonly isEarlier: boolean
  /** The guide of this turn exposed an erased memory. */
  readonly shows: boolean
}

function redactedEvent(event: ActorEvent, erased: ReadonlySet<string>, place: Place): ActorEvent {
  switch (event.type) {
    case 'memory_written':
      return erased.has(event.draft.memoryId)
        ? changed(event, { ...event, draft: withoutContent(event.draft) })
        : event
    case 'memory_revised':
      return erased.has(event.memoryId) ? changed(event, revisionWithoutContent(event)) : event
    case 'suppression_changed':
      return erased.has(event.memoryId)
        ? changed(event, { ...event, reason: '', to: withoutReason(event.to) })
        : event
    case 'trust_changed':
    case 'standing_changed':
    case 'validity_changed':
    case 'availability_changed':
      return namesAny([event.memoryId, event.byMemoryId], erased) ? unexplained(event) : event
    case 'feedback_recorded':
      return erased.has(event.memoryId) && event.mark.reason !== ''
        ? { ...event, mark: { ...event.mark, reason: '' } }
        : event
    case 'run_feedback_recorded':
    case 'lifecycle_requested':
      return namesAny(event.memoryIds, erased) ? unexplained(event) : event
    case 'guide_decided':
      return place.shows || namesAny(event.unprintedIds, erased) ? unasked(event) : event
    case 'operation_recorded':
      if (!place.isEarlier || (event.answer === null && event.requestHash === '')) return event
      return { ...event, requestHash: '', answer: null }
    case 'relation_recorded':
    case 'exposed':
    case 'memory_erased':
      return event
  }
}

function revisionWithoutContent(event: ActorEvent & { type: 'memory_revised' }): ActorEvent {
  return {
    ...event,
    content: ERASED_CONTENT,
    claim: erasedClaim(event.claim),
    handoff: erasedHandoff(event.handoff),
    derivedFrom: [],
    findings: [],
  }
}

function unexplained<Event extends ActorEvent & { readonly reason: string }>(event: Event): Event {
  return event.reason === '' ? event : { ...event, reason: '' }
}

/** A query may quote what it found, and files are those of memories: hashes, ids, rules and scores stay. */
function unasked(event: ActorEvent & { type: 'guide_decided' }): ActorEvent {
  if (event.ask.queryText === '' && event.targetFiles.length === 0) return event
  return { ...event, ask: { ...event.ask, queryText: '' }, targetFiles: [] }
}

/** The event itself when nothing in it is different. */
function changed(before: ActorEvent, after: ActorEvent): ActorEvent {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after
}

function namesAny(memoryIds: readonly (string | null)[], erased: ReadonlySet<string>): boolean {
  return memoryIds.some((id) => id !== null && erased.has(id))
}
