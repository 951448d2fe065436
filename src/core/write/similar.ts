import { type Origin, TRUSTED_ORIGINS } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import type { MemoryWrite } from '../model/commands.ts'
import { type Cause, isSuppressed, validityAt } from '../model/lifecycle.ts'
import { isOfOneMoment, isSameOccurrence, wholeTextOf } from '../model/memory-fields.ts'
import type { Audience, Consumer, MemoryRecord, Suppression } from '../model/record.ts'
import { byId } from '../model/references.ts'
import { type ActorState, exposureTotalsOf, liveRecord } from '../model/state.ts'
import { isSeenByAllWhoSee, isVisibleTo } from '../model/visibility.ts'
import { admissionIn, CONFIDENCE_MIN } from '../policy/admission.ts'
import { isTrustedThrough } from '../policy/lineage.ts'
import { type DisputeReading, readForDispute } from '../similarity/dispute.ts'
import { normaliseText, type TextSignature } from '../similarity/text-signature.ts'
import type { Decision, Seen } from './decision.ts'
import { MEMORY_TEXT_MAX } from './write-memory.ts'

/** What the asker has worked out before; without it the answer is the same, and later. */
export interface Prepared {
  /** Of the text as a memory would hold it. */
  readonly signature: TextSignature
  readonly isNearDuplicate: (text: string, other: string) => boolean
}

/** A memory that shares words with a text. */
export interface RelatedText {
  readonly memoryId: string
  /** Different words of the text that it holds … */
  readonly sharedWords: number
  /** … of so many. Neither counts words without content. */
  readonly words: number
}

/** Which of the memories observed before a text may dispute: all others it does not. Asked before anything is written. */
export interface Disputed {
  readonly isNone: boolean
  readonly mayBe: (memoryId: string) => boolean
}

/** What is known of texts that were written before the turn. Answers name memories; the newest content counts. */
export interface Similar {
  /** Memories whose text normalises to the same, the newest first. */
  exact(text: string, prepared?: Prepared): readonly string[]
  /**
   * Other memories that say the same in nearly the same words, the most similar first. Only those for which `holds` is
   * true are read; the work is bounded, so of very many or very long ones the least similar are left out.
   */
  nearDuplicates(text: string, holds: (memoryId: string) => boolean, prepared?: Prepared): readonly string[]
  /** Memories of the allowed audiences that share words with the text, the best match first. */
  related(text: string, allows: (audience: Audience) => boolean, limit: number): readonly RelatedText[]
  /** Memories of the allowed audiences that may say otherwise in another language, with which a text shares no words. */
  inOtherLanguages(text: string, allows: (audience: Audience) => boolean): readonly RelatedText[]
  /** A text as disputes compare it: the nearest texts are mostly those that were read a moment ago. */
  reading(text: string): DisputeReading
  /** What a text disputes that is said at this time; null where that is not known in time. */
  disputedBy(text: string, saidMs: number): Disputed | null
}

/** Of an actor that is asked nothing about similar texts. */
export const NOTHING_SIMILAR: Similar = {
  exact: () => [],
  nearDuplicates: () => [],
  related: () => [],
  inOtherLanguages: () => [],
  reading: readForDispute,
  disputedBy: () => null,
}

/** The text of a memory that others are compared with; empty when it has none. At most 32 000 characters. */
export function saidText({ content }: Pick<MemoryRecord, 'content'>): string {
  return content.text === '' ? (content.summary ?? '') : content.text
}

/** True when the whole text is in the record: of a longer one it holds a compact form, which proves nothing. */
export function isSaidWhole({ content }: Pick<MemoryRecord, 'content'>): boolean {
  return content.fullTextChars === null
}

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
  // A revision takes no end from what is suppressed itself, and makes it no copy of another.
  const heldTo = isSuppressed(written.facets, decision.nowMs) ? endOf(written) : 0
  if (source !== undefined && isAsked) doubt(decision, memoryId, source)
  else if (source !== undefined && endOf(source) > heldTo) suppressWith(decision, memoryId, source)
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

/** What was suppressed with a memory before follows, while both still say the same. */
export function suppressCopies(
  decision: Decision,
  record: MemoryRecord,
  untilMs: number | null,
  copies = suppressedCopies(decision.state),
): void {
  const along = suppressionAlong(decision.nowMs, untilMs)
  for (const copyId of copies.get(record.memoryId) ?? []) {
    const copy = liveRecord(decision.state, copyId)
    if (copy !== undefined && isSameText(copy, record))
      decision.suppress(copyId, along, 'same_text', record.memoryId)
  }
}

/** What was suppressed with a memory comes back with it. */
export function restoreCopies(
  decision: Decision,
  memoryId: string,
  copies = suppressedCopies(decision.state),
): void {
  const sentence = `it says the same as ${memoryId}, which is no longer suppressed`
  for (const id of copies.get(memoryId) ?? []) decision.unsuppress(id, sentence, memoryId)
}

function isHeldBack({ facets }: MemoryRecord): boolean {
  return facets.suppression !== null || facets.standing === 'failed'
}

/** The memory, when it is held back, said the same before this request and nothing in it has changed that. */
function sameBefore(
  decision: Decision,
  memoryId: string,
  written: Seen,
  input: MemoryWrite,
): MemoryRecord | null {
  const record = decision.state.memories.get(memoryId)
  // Of thousands that say the same mostly none has anything to take over.
  if (record === undefined || !isHeldBack(record) || memoryId === written.memoryId) return null
  if (decision.seen(memoryId)?.content !== record.content) return null
  if (!isSeenByAllWhoSee(record.audience, written.audience)) return null
  const occurrence = {
    memoryType: input.memoryType,
    observedAtMs: input.observedAtMs ?? decision.nowMs,
  }
  if (!isSameOccurrence(record, occurrence)) return null
  if (isSaidWhole(record) && isSaidWhole(written)) return record
  // Two long texts may have the same compact form.
  return isSameText(record, written) ? record : null
}

/** Whether two memories say exactly the same, in any spelling. */
function isSameText(one: Pick<MemoryRecord, 'content'>, other: Pick<MemoryRecord, 'content'>): boolean {
  return normaliseText(wholeText(one)) === normaliseText(wholeText(other))
}

function wholeText(seen: Pick<Seen, 'content'>): string {
  return isSaidWhole(seen) ? saidText(seen) : wholeTextOf(seen.content)
}

function doubt(decision: Decision, memoryId: string, source: MemoryRecord): void {
  const reason = `${source.memoryId} says the same and is suppressed`
  decision.move(memoryId, { facet: 'trust', to: 'candidate', cause: 'suppressed_before', reason })
}

function suppressWith(decision: Decision, memoryId: string, source: MemoryRecord): void {
  // A copy of a copy goes with the first, whose suppression an operator lifts; nobody lifts that of an erased one.
  const change = source.changes.findLast(({ facet }) => facet === 'suppression')
  const first =
    change?.cause === 'same_text' ? liveRecord(decision.state, change.byMemoryId ?? '') : undefined
  const firstId = (first ?? source).memoryId
  const untilMs = source.facets.suppression?.untilMs ?? null
  const along = suppressionAlong(decision.nowMs, untilMs)
  decision.suppress(memoryId, along, 'same_text', firstId)
}

function endOf({ facets }: Pick<MemoryRecord, 'facets'>): number {
  return facets.suppression?.untilMs ?? Infinity
}

/** What follows the suppression of another memory. Prompts print its reason: the event names the other one. */
function suppressionAlong(sinceMs: number, untilMs: number | null): Suppression {
  return { reason: 'the same text was suppressed', by: null, sinceMs, untilMs }
}

/** Sources that an echo is derived from. */
const ECHO_SOURCES_MAX = 8

/** What a general memory repeats of what guides have shown. */
interface Echo {
  /** The shown memory that says exactly this to everyone the new one is for, and may be used: nothing is to be stored. */
  readonly exactId: string | null
  /** The shown memories that say the same in these or nearly these words, candidates first. */
  readonly sourceIds: readonly string[]
}

const NO_ECHO: Echo = { exactId: null, sourceIds: [] }

/**
 * Whether an agent only says what it may have read from a guide, and may use as it is. General memory without a client
 * id: runs, handoffs, claims, named memories, events and evidence are never echoes, nor is what a user, a verifier or a
 * tool says. A text above 32 000 characters is always stored, because only its compact form is compared.
 * @param eyes of the writer: who asks first, then whoever the memory belongs to
 */
export function echoOf(
  decision: Decision,
  similar: Similar,
  input: MemoryWrite,
  eyes: readonly Consumer[],
): Echo {
  const { text } = input.content
  if (decision.isOperators) return NO_ECHO
  if (input.origin !== 'agent' || input.domain !== 'general' || input.clientId !== null) return NO_ECHO
  if (isOfOneMoment(input) || text === '' || text.length > MEMORY_TEXT_MAX) return NO_ECHO
  const shown = (memoryId: string): MemoryRecord | null => {
    const record = decision.state.memories.get(memoryId)
    if (record === undefined || !isSaidWhole(record) || !wasShown(decision, record)) return null
    if (decision.seen(memoryId)?.content !== record.content) return null
    return eyes.some((consumer) => isVisibleTo(record.audience, consumer)) ? record : null
  }
  const equal = similar.exact(text).flatMap((memoryId) => shown(memoryId) ?? [])
  const exact = equal.find(
    (record) =>
      isSeenByAllWhoSee(record.audience, input.audience) && isUsableBy(eyes[0] ?? null, decision, record),
  )
  if (exact !== undefined) return { exactId: exact.memoryId, sourceIds: [] }
  const near = similar.nearDuplicates(text, (memoryId) => shown(memoryId) !== null)
  if (equal.length + near.length === 0) return NO_ECHO
  const sources = [...equal.map((record) => record.memoryId), ...near]
  const isCandidate = (memoryId: string): boolean => decision.seen(memoryId)?.facets.trust === 'candidate'
  return {
    exactId: null,
    sourceIds: [
      ...sources.filter(isCandidate),
      ...sources.filter((memoryId) => !isCandidate(memoryId)),
    ].slice(0, ECHO_SOURCES_MAX),
  }
}

/** True when a guide printed what it says; a do_not_use or rehydrate line does not. */
function wasShown(decision: Decision, record: MemoryRecord): boolean {
  const totals = exposureTotalsOf(decision.state, record)
  return totals.use_now > 0 || totals.inspect_before_use > 0
}

/** True when the writer would be told to use it now, whatever is asked, and this request has changed nothing of it. */
function isUsableBy(writer: Consumer | null, decision: Decision, record: MemoryRecord): boolean {
  if (writer === null || decision.seen(record.memoryId) !== record) return false
  if (!isVisibleTo(record.audience, writer)) return false
  const ask = { nowMs: decision.nowMs, askedSignature: null, consumer: writer }
  return admissionIn(decision.state, record, ask).surface === 'use_now'
}

/** Who speaks from knowledge of its own, even of what a guide has shown. */
const FIRST_HAND: readonly Origin[] = ['user', 'verifier', 'tool']
/** Candidates that one memory confirms, the newest first. */
const CONFIRMED_MAX = 256

/**
 * Candidates that a written or repeated memory says independently become trusted. Everyone who sees the candidate
 * sees the memory as well; an agent that may have read the candidate from a guide confirms nothing.
 */
export function confirmSame(decision: Decision, similar: Similar, voice: Seen): void {
  const { text } = voice.content
  if (text === '' || !isSaidWhole(voice) || !isTrustedVoice(decision, voice)) return
  const holds = (memoryId: string): boolean => {
    // Of thousands that say the same mostly none is a candidate.
    const seen = decision.seen(memoryId)
    if (seen?.facets.trust !== 'candidate' || memoryId === voice.memoryId) return false
    const record = decision.state.memories.get(memoryId)
    if (record === undefined || seen.content !== record.content || !isSaidWhole(record)) return false
    if (!isSeenByAllWhoSee(voice.audience, record.audience)) return false
    return FIRST_HAND.includes(voice.origin) || !wasShown(decision, record)
  }
  const same = [...similar.exact(text).filter(holds), ...similar.nearDuplicates(text, holds)]
  for (const memoryId of same.slice(0, CONFIRMED_MAX)) {
    const reason = `${voice.memoryId} (origin: ${voice.origin}) says the same independently`
    confirm(decision, memoryId, voice, 'confirmed_independently', reason)
  }
}

/** Candidates that a succeeded run with a passed verifier names, as evidence or as used, become trusted. */
export function confirmUsed(
  decision: Decision,
  voice: Seen,
  named: readonly string[],
  eyes: readonly Consumer[],
): void {
  if (named.length === 0 || !isVerifiedSuccess(decision, voice)) return
  for (const ref of named) {
    const used = recordNamed(decision, ref)
    if (used === null || used.memoryId === voice.memoryId) continue
    if (!eyes.some((consumer) => isVisibleTo(used.audience, consumer))) continue
    if (!isSeenByAllWhoSee(voice.audience, used.audience)) continue
    const reason = `the run ${voice.memoryId} used it, succeeded and was verified`
    confirm(decision, used.memoryId, voice, 'verified_use', reason)
  }
}

function confirm(decision: Decision, memoryId: string, voice: Seen, cause: Cause, reason: string): void {
  decision.move(memoryId, { facet: 'trust', to: 'trusted', cause, reason, byMemoryId: voice.memoryId })
}

/** A run that succeeded, was verified, and may speak for other memory. */
export function isVerifiedSuccess(decision: Decision, voice: Seen): boolean {
  if (voice.domain !== 'execution' || voice.content.outcome !== 'succeeded' || !isVerified(voice))
    return false
  return isTrustedVoice(decision, voice)
}

/** A memory that may speak for another: of a trusted origin and lineage, in force, and without a finding. */
export function isTrustedVoice(decision: Decision, voice: Seen): boolean {
  const { facets, content } = voice
  if (!TRUSTED_ORIGINS.includes(voice.origin) || voice.findings.length > 0) return false
  if (facets.trust !== 'trusted' || facets.standing !== 'active') return false
  if (isSuppressed(facets, decision.nowMs) || validityAt(facets, decision.nowMs) !== 'live') return false
  if (content.outcome === 'failed' || content.outcome === 'blocked') return false
  if (content.confidence < CONFIDENCE_MIN) return false
  return sourcesOf(decision, voice).every((sourceId) => isTrustedSource(decision, sourceId))
}

/** Declared sources and those of edges, also of this request. */
function sourcesOf(decision: Decision, voice: Seen): readonly string[] {
  const sources = [...voice.derivedFrom]
  for (const event of decision.events) {
    if (event.type !== 'relation_recorded' || event.relationType !== 'derived_from') continue
    if (event.srcId === voice.memoryId) sources.push(event.dstId)
  }
  for (const { type, dstId } of decision.state.relationsBySource.get(voice.memoryId) ?? [])
    if (type === 'derived_from') sources.push(dstId)
  return sources
}

/** What is written in the same request confirms nothing yet: one request is one voice. */
function isTrustedSource(decision: Decision, sourceId: string): boolean {
  const record = liveRecord(decision.state, sourceId)
  if (record === undefined || decision.seen(sourceId)?.facets.trust !== 'trusted') return false
  return isTrustedThrough(decision.state, record, null)
}

/** A verifier passed, and none failed. */
export function isVerified({ content }: Seen): boolean {
  const statuses = content.verifier.map((verifier) => verifier.status)
  return statuses.includes('passed') && !statuses.includes('failed')
}

const URI = /^svc:\/\/([^/]+)\/([^/]+)\/[^/]+\/([^/]+)$/i

/** The memory that an evidence reference names: its id, or its URI in this actor; null for anything else. */
function recordNamed(decision: Decision, ref: string): MemoryRecord | null {
  const { state } = decision
  const [, tenantId, scope, id] = (URI.exec(ref) ?? []).map(decoded)
  const isElsewhere = id !== undefined && (tenantId !== state.tenantId || scope !== state.scope)
  const named = isElsewhere ? undefined : byId(state, id ?? ref)[0]
  return named === undefined ? null : (liveRecord(state, named.memoryId) ?? null)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
