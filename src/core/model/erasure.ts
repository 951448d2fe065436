import { listAt } from '../base/collections.ts'
import { type CompactRecord, changedRecord, plainRecord } from './compact-record.ts'
import type { ActorEvent, ExposedSet, ExposureRecord, Turn } from './events.ts'
import { withoutErased } from './external-memory.ts'
import { leftOf, MEMORY_FIELDS, withoutReason } from './memory-fields.ts'
import type { Consumer, Erased, ExternalErasure, MemoryRecord } from './record.ts'
import { ERASED_SKILL } from './skill-candidate.ts'
import { consumerKey } from './visibility.ts'

// What stays of an erased memory: ids that were given to it, words of closed sets, numbers and times. What goes: its
// content, what was found in it, and every sentence that somebody wrote about it. State and history go by the same table,
// so that what a redacted turn says is what the state holds.

/** The record that stays: its revisions go, its counters, marks and changes stay without their sentences. */
export function erasedRecord(record: MemoryRecord): CompactRecord {
  const plain = plainRecord(record)
  return changedRecord(plain, leftOf(MEMORY_FIELDS, plain))
}

/** What an erased memory did to another one may be told in its words: the change stays, the sentence goes. */
export function withoutReasonsBy(record: CompactRecord, erased: ReadonlySet<string>): CompactRecord {
  const isOurs = (byMemoryId: string | null): boolean => byMemoryId !== null && erased.has(byMemoryId)
  if (!record.changes.some((change) => isOurs(change.byMemoryId) && change.reason !== '')) return record
  const changes = record.changes.map((change) =>
    isOurs(change.byMemoryId) ? { ...change, reason: '' } : change,
  )
  const last = record.changes.findLast(({ facet }) => facet === 'suppression')
  if (last?.cause !== 'settled' || !isOurs(last.byMemoryId)) return changedRecord(record, { changes })
  const suppression = withoutReason(record.facets.suppression)
  return changedRecord(record, { changes, facets: { ...record.facets, suppression } })
}

/** What history may no longer say of an actor. Plain data: may be sent to a worker. */
export interface Redaction {
  /** Every memory of the actor that was erased. */
  readonly memoryIds: readonly string[]
  /** Guides of the actor that were erased. */
  readonly guides: readonly GuideErasure[]
  /** Memories of other stores that were erased. */
  readonly external: readonly ExternalErasure[]
  /** With which their names are hashed; null: the actor has recorded none. */
  readonly externalKey: string | null
  /** The turn of the last erasure: answers that were stored before it are gone. */
  readonly untilSeq: number
}

/**
 * A turn as it may be kept after an erasure: replayed, it gives every other memory, counter and exposure as before. The
 * same object when nothing in it has to go, so that redacting twice changes nothing.
 */
export function redactedTurn(turn: Turn, erased: ReadonlySet<string>, untilSeq: number): Turn {
  const exposedIds = new Map<string, readonly string[]>()
  for (const event of turn.events)
    if (event.type === 'exposed') exposedIds.set(event.guideTraceId, event.memoryIds)
  let hasChanged = false
  const events = turn.events.map((event) => {
    const redacted = redactedEvent(event, erased, { isEarlier: turn.seq < untilSeq, exposedIds })
    hasChanged ||= redacted !== event
    return redacted
  })
  return hasChanged ? { ...turn, events } : turn
}

/** A turn without the explanations of its guides; the same object when it has none. What was shown stays. */
export function unexplainedTurn(turn: Turn): Turn {
  const events = turn.events.filter(({ type }) => type !== 'guide_decided')
  return events.length === turn.events.length ? turn : { ...turn, events }
}

interface Place {
  /** Before the last erasure. */
  readonly isEarlier: boolean
  /** What the guides of this turn exposed, by their trace ids. */
  readonly exposedIds: ReadonlyMap<string, readonly string[]>
}

function redactedEvent(event: ActorEvent, erased: ReadonlySet<string>, place: Place): ActorEvent {
  switch (event.type) {
    case 'memory_written':
      return erased.has(event.draft.memoryId)
        ? changed(event, { ...event, draft: leftOf(MEMORY_FIELDS, event.draft) })
        : event
    case 'memory_revised':
      return erased.has(event.memoryId) ? changed(event, leftOf(MEMORY_FIELDS, event)) : event
    case 'suppression_changed':
      if (erased.has(event.memoryId))
        return changed(event, { ...event, reason: '', to: withoutReason(event.to) })
      if (!namesAny([event.byMemoryId], erased)) return event
      return unexplained(event.cause === 'settled' ? { ...event, to: withoutReason(event.to) } : event)
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
      return namesAny([...event.memoryIds, ...event.boundaryIgnoredMemoryIds], erased)
        ? unexplained(event)
        : event
    case 'lifecycle_requested':
      return namesAny(event.memoryIds, erased) ? unexplained(event) : event
    case 'guide_decided':
      return withoutWords(
        event,
        [...(place.exposedIds.get(event.guideTraceId) ?? []), ...event.unprintedIds],
        erased,
      )
    case 'operation_recorded':
      if (!place.isEarlier || (event.answer === null && event.requestHash === '')) return event
      return { ...event, requestHash: '', answer: null }
    case 'skill_proposed':
      return namesAny(event.draft.sourceMemoryIds, erased)
        ? changed(event, { ...event, draft: { ...event.draft, skill: ERASED_SKILL } })
        : event
    case 'skill_reviewed':
    case 'skill_settled':
      return namesAny(event.sourceMemoryIds, erased) ? unexplained(event) : event
    case 'dispute_settled':
      return namesAny([event.earlierId, event.laterId], erased) ? unexplained(event) : event
    case 'task_succeeded':
    case 'relation_recorded':
    case 'dispute_found':
    case 'authority_given':
    case 'workspace_changed':
    case 'exposed':
    case 'memory_erased':
    case 'guides_erased':
    case 'external_keyed':
    case 'external_feedback_recorded':
    case 'external_standing_changed':
    case 'external_task_succeeded':
    case 'external_erased':
      return event
  }
}

function unexplained<Event extends ActorEvent & { readonly reason: string }>(event: Event): Event {
  return event.reason === '' ? event : { ...event, reason: '' }
}

/**
 * The record of a guide that decided about an erased memory. A query may quote what it found, files are those of
 * memories, and a reason may be a sentence that was written about one: hashes, ids, rules, codes and scores stay.
 * @param memoryIds in the order of the columns
 */
function withoutWords(
  event: ActorEvent & { type: 'guide_decided' },
  memoryIds: readonly string[],
  erased: ReadonlySet<string>,
): ActorEvent {
  if (!namesAny(memoryIds, erased)) return event
  const others = new Set([...event.rules, ...event.codes, ...event.lifecycleStates])
  for (const packed of event.signals)
    for (const [at, place] of packed.entries()) if (at % 3 < 2) others.add(place)
  const ours = new Set<number>()
  for (const [row, place] of event.reasons.entries()) {
    if (erased.has(memoryIds[row] ?? '')) ours.add(place)
    else others.add(place)
  }
  const words = event.words.map((word, place) => (ours.has(place) && !others.has(place) ? '' : word))
  return changed(event, { ...event, ask: { ...event.ask, queryText: '' }, targetFiles: [], words })
}

/** The event itself when nothing in it is different. */
function changed(before: ActorEvent, after: ActorEvent): ActorEvent {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after
}

function namesAny(memoryIds: readonly (string | null)[], erased: ReadonlySet<string>): boolean {
  return memoryIds.some((id) => id !== null && erased.has(id))
}

/** What is left of an erased guide, or of every guide that a run had until then. */
export interface GuideErasure extends Erased {
  readonly kind: 'guide' | 'run'
  /** The guide's trace, or the run. */
  readonly id: string
  /** Of a run only the guides for this consumer; null: for whomever. */
  readonly madeFor: Consumer | null
}

/** Tombstones that an actor keeps, the oldest out. What they are about was gone before. */
export const ERASED_GUIDES_MAX = 100_000

export function guideErasureKey({
  kind,
  id,
  madeFor,
}: Pick<GuideErasure, 'kind' | 'id' | 'madeFor'>): string {
  return JSON.stringify([kind, id, madeFor === null ? null : consumerKey(madeFor)])
}

type Shown = Pick<ExposedSet, 'guideTraceId' | 'runId' | 'consumerAgentId' | 'consumerTeamId'>

/** Tells whether a guide of a turn was erased. */
export type IsGuideGone = (shown: Shown, seq: number) => boolean

export function guidesGone(erasures: Iterable<GuideErasure>): IsGuideGone {
  const traces = new Set<string>()
  const runs = new Map<string, GuideErasure[]>()
  for (const erasure of erasures) {
    if (erasure.kind === 'guide') traces.add(erasure.id)
    else listAt(runs, erasure.id).push(erasure)
  }
  return ({ guideTraceId, runId, consumerAgentId, consumerTeamId }, seq) => {
    if (traces.has(guideTraceId)) return true
    const asked = runId === null ? undefined : runs.get(runId)
    if (asked === undefined) return false
    const consumer = consumerKey({ agentId: consumerAgentId, teamId: consumerTeamId })
    return asked.some(
      ({ madeFor, seq: untilSeq }) =>
        seq < untilSeq && (madeFor === null || consumerKey(madeFor) === consumer),
    )
  }
}

/** A turn without what erased guides asked, showed and weighed; the same object when it has none of them. */
export function turnWithoutGuides(turn: Turn, isGone: IsGuideGone): Turn {
  const gone = new Set<string>()
  for (const event of turn.events)
    if (event.type === 'exposed' && isGone(event, turn.seq)) gone.add(event.guideTraceId)
  if (gone.size === 0) return turn
  const events = turn.events.filter(
    (event) =>
      !((event.type === 'exposed' || event.type === 'guide_decided') && gone.has(event.guideTraceId)),
  )
  return { ...turn, events }
}

/** Takes out of stored turns and exposure sets what an actor has erased. */
export interface Redactor {
  /** The same object when nothing in it has to go, so that redacting twice changes nothing. */
  turn(turn: Turn): Turn
  /** As `turn`; null: all of it has to go. */
  exposure(shown: ExposureRecord): ExposureRecord | null
}

/** The bytes of a turn without what was erased; null: they say nothing of it. */
export function payloadLeft(
  payload: Uint8Array,
  left: Redactor,
  codec: { decodeTurn(payload: Uint8Array): Turn; encodeTurn(turn: Turn): Uint8Array },
): Uint8Array | null {
  const turn = codec.decodeTurn(payload)
  const redacted = left.turn(turn)
  return redacted === turn ? null : codec.encodeTurn(redacted)
}

export function redactor({
  memoryIds,
  guides,
  external,
  untilSeq,
}: Omit<Redaction, 'externalKey'>): Redactor {
  const erased = new Set(memoryIds)
  const isGuideGone = guidesGone(guides)
  const seqOf = new Map(external.map(({ ref, seq }) => [ref, seq]))
  // What was governed after the erasure is another matter.
  const isErasedIn =
    (seq: number) =>
    (ref: string): boolean =>
      seq < (seqOf.get(ref) ?? 0)
  return {
    turn: (turn) =>
      turnWithoutExternal(
        redactedTurn(turnWithoutGuides(turn, isGuideGone), erased, untilSeq),
        isErasedIn(turn.seq),
      ),
    exposure: (shown) => {
      if (isGuideGone(shown, shown.seq)) return null
      if (shown.external === undefined) return shown
      const left = withoutErased(shown.external, isErasedIn(shown.seq))
      return left === shown.external ? shown : { ...shown, external: left }
    },
  }
}

function turnWithoutExternal(turn: Turn, isErased: (ref: string) => boolean): Turn {
  let hasChanged = false
  const events = turn.events.flatMap((event) => {
    const left = eventLeft(event, isErased)
    hasChanged ||= left !== event
    return left === null ? [] : [left]
  })
  return hasChanged ? { ...turn, events } : turn
}

/** Null: the event goes. A sentence about several of them may name the one that goes. */
function eventLeft(event: ActorEvent, isErased: (ref: string) => boolean): ActorEvent | null {
  switch (event.type) {
    case 'exposed': {
      if (event.external === undefined) return event
      const external = withoutErased(event.external, isErased)
      return external === event.external ? event : { ...event, external }
    }
    case 'external_feedback_recorded':
    case 'external_standing_changed':
    case 'external_task_succeeded':
      return isErased(event.memory.ref) ? null : event
    case 'run_feedback_recorded':
      return event.reason !== '' && event.externalRefs?.some(isErased) === true
        ? { ...event, reason: '' }
        : event
    default:
      return event
  }
}
