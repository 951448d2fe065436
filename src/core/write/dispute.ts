import type { MemoryType } from '../base/closed-sets.ts'
import { listAt } from '../base/collections.ts'
import type { ActorEvent } from '../model/events.ts'
import { validityAt } from '../model/lifecycle.ts'
import { isLess } from '../model/principal.ts'
import type { Audience, Dispute, FacetChange, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { audienceKey, isSeenByAllWhoSee } from '../model/visibility.ts'
import { disputeOf, isSilent } from '../similarity/dispute.ts'
import { normaliseText } from '../similarity/text-signature.ts'
import { Decision, type Seen } from './decision.ts'
import { voiceOf } from './lineage.ts'
import { type Disputed, isSaidWhole, type RelatedText, type Similar } from './similar.ts'

/** Nearest texts that one text is compared with. */
const COMPARED_MAX = 20
/** Matches looked at to find them. */
const RELATED_MAX = 60
/** Characters read for one list of nearest texts, the new one counted each time: about 10 ms. */
const READ_CHARS_MAX = 100_000
/** The same for each narrower audience, of which there may be several. */
const NARROW_CHARS_MAX = 40_000
/** Audiences narrower than that of the new text, in order of first appearance. */
const NARROWER_MAX = 24
/** Share of the words of the smaller of two texts that both must have, as far as one statement goes. */
const SHARED_WORDS_MIN = 0.15
const STATEMENT_WORDS_MAX = 12
/** Characters for each word with content, those without and spaces counted. */
const WORD_CHARS = 10
/** Disputes that a caller claimed are about two memories, not about what their texts say. */
const CLAIMED_KINDS: readonly string[] = ['supersedes', 'invalidates', 'contradicts', 'revision']
/** Different texts that one text may dispute; what says otherwise than more is no correction. */
const DISPUTED_MAX = 3

type Found = Omit<Dispute, 'seq'>

/**
 * Compares what was just said with the nearest texts of before, and records where both cannot hold. Order and bounds
 * depend on nothing that somebody who sees the new memory does not see: so does the answer, which is the warning.
 * Narrower audiences are looked at apart, each by what its own members see.
 */
export function disputeOthers(decision: Decision, similar: Similar, said: Seen): readonly string[] {
  const { text } = said.content
  if (!decision.isSaidAnew(said.memoryId) || text === '' || !isComparable(decision, said)) return []
  // Most of what people say to each other ends here, before anything is looked for.
  if (isSilent(similar.reading(text))) return []
  const among = disputedBy(decision, similar, said)
  if (among?.isNone === true && !isSaidAgain(decision, similar, text)) return []
  const open = foundAmong(decision, similar, said, {
    among,
    allows: (audience) => isSeenByAllWhoSee(audience, said.audience),
    charsMax: READ_CHARS_MAX,
  })
  if (!recordUpTo(decision, said.memoryId, open)) return [tooMany(said)]
  for (const key of narrowerKeys(decision, similar, said)) {
    const found = foundAmong(decision, similar, said, {
      among,
      allows: (other) => audienceKey(other) === key,
      charsMax: NARROW_CHARS_MAX,
    })
    recordUpTo(decision, said.memoryId, found, open)
  }
  return []
}

/** A look that spares most texts the search, and all others most comparisons. */
function disputedBy({ nowMs, state }: Decision, similar: Similar, said: Seen): Disputed | null {
  const saidMs =
    said.observedAtMs < saidAtMs(state, nowMs, said) ? said.observedAtMs : Number.POSITIVE_INFINITY
  return similar.disputedBy(said.content.text, saidMs)
}

/** Whether an equal text is in dispute: it may be with what this one would dispute. */
function isSaidAgain({ state }: Decision, similar: Similar, text: string): boolean {
  return state.disputesByMemory.size > 0 && similar.exact(text).some((id) => state.disputesByMemory.has(id))
}

function tooMany({ memoryId }: Seen): string {
  return `too many to be a correction: ${memoryId} says otherwise than more than ${DISPUTED_MAX} memories; no dispute was recorded`
}

/**
 * Records the disputes of one memory, unless they are with more different texts than one text can correct; those that
 * are `known` already count.
 */
export function recordUpTo(
  decision: Decision,
  memoryId: string,
  found: readonly Found[],
  known: readonly Found[] = [],
): boolean {
  const others = [...known, ...found].map((dispute) =>
    dispute.earlierId === memoryId ? dispute.laterId : dispute.earlierId,
  )
  const texts = new Set(others.map((id) => normaliseText(decision.seen(id)?.content.text ?? '')))
  if (texts.size > DISPUTED_MAX) return false
  for (const { earlierId, laterId, kind, yields } of found) decision.dispute(earlierId, laterId, kind, yields)
  return true
}

/**
 * Audiences with a text to compare of which everyone sees the new memory, while not everyone who sees that sees theirs.
 */
function narrowerKeys({ state }: Decision, similar: Similar, said: Seen): readonly string[] {
  const isNarrower = (audience: Audience): boolean =>
    isSeenByAllWhoSee(said.audience, audience) && !isSeenByAllWhoSee(audience, said.audience)
  const narrower: string[] = []
  for (const [key, { audience, memoryIds }] of state.audiences) {
    if (narrower.length === NARROWER_MAX) break
    if (memoryIds.length > 0 && isNarrower(audience)) narrower.push(key)
  }
  if (narrower.length < 2) return narrower
  // One look at all of them: what is not cut off leaves out nothing, so that the rest has nothing to compare.
  const all = similar.related(said.content.text, isNarrower, RELATED_MAX)
  if (all.length >= RELATED_MAX) return narrower
  const holders = new Set<string>()
  for (const { memoryId } of all) {
    const record = liveRecord(state, memoryId)
    if (record !== undefined) holders.add(audienceKey(record.audience))
  }
  return narrower.filter((key) => holders.has(key))
}

interface Search {
  /** Null: any may be in dispute by what the two texts say. */
  readonly among: Disputed | null
  readonly allows: (audience: Audience) => boolean
  readonly charsMax: number
}

function foundAmong(decision: Decision, similar: Similar, said: Seen, search: Search): readonly Found[] {
  const { text } = said.content
  const found: Found[] = []
  let chars = 0
  let compared = 0
  const nearest = [
    ...similar.related(text, search.allows, RELATED_MAX),
    ...similar.inOtherLanguages(text, search.allows),
  ]
  for (const related of nearest) {
    const other =
      related.memoryId === said.memoryId ? undefined : liveRecord(decision.state, related.memoryId)
    if (other === undefined || !maySayOtherwise(related, other) || !isStanding(decision, other)) continue
    chars += text.length + other.content.text.length
    compared += 1
    if (compared > COMPARED_MAX || chars > search.charsMax) break
    const mayDiffer = search.among?.mayBe(other.memoryId) ?? true
    const dispute = findDispute(decision, similar, other, said, mayDiffer)
    if (dispute !== null && !found.some((known) => isSamePair(known, dispute))) found.push(dispute)
  }
  return found
}

function isSamePair(one: Found, other: Found): boolean {
  return one.earlierId === other.earlierId && one.laterId === other.laterId
}

/** A look that spares most texts a reading: two statements of one subject share words, in long texts a few of many. */
function maySayOtherwise({ sharedWords, words }: RelatedText, { content }: MemoryRecord): boolean {
  const smaller = Math.min(words, content.text.length / WORD_CHARS, STATEMENT_WORDS_MAX)
  return sharedWords >= Math.ceil(SHARED_WORDS_MIN * smaller)
}

/** Said before this request, and neither changed nor replaced by it. */
function isStanding(decision: Decision, other: MemoryRecord): boolean {
  const seen = decision.seen(other.memoryId)
  return seen !== null && seen.content === other.content && isComparable(decision, seen)
}

/** Not replaced. What is suppressed or contested may come back, and is compared. */
function isComparable(decision: Decision, seen: Seen): boolean {
  return isStatement(seen) && validityAt(seen.facets, decision.nowMs) === 'live'
}

/** An observed general text, whole: what can be in dispute as long as it is not replaced. */
export function isStatement(seen: Pick<Seen, 'domain' | 'claim' | 'handoff' | 'content'>): boolean {
  if (seen.domain !== 'general' || seen.claim !== null || seen.handoff !== null) return false
  return isSaidWhole(seen)
}

/** What was seen at some time is no statement about now: of two of them each holds for its own. */
const OBSERVATIONS: readonly MemoryType[] = ['event', 'evidence']

/**
 * The dispute of a known memory with one that is said now, and who yields: what was said earlier, unless what was said
 * later has less authority. Null where they dispute nothing, or somebody who sees the one that yields does not see the
 * other.
 * @param mayDiffer false: their texts are known not to dispute each other
 */
export function findDispute(
  decision: Decision,
  similar: Pick<Similar, 'reading'>,
  known: MemoryRecord,
  said: Seen,
  mayDiffer = true,
): Found | null {
  if (!isStanding(decision, known) || !isComparable(decision, said)) return null
  if (OBSERVATIONS.includes(known.memoryType) && OBSERVATIONS.includes(said.memoryType)) return null
  const isEarlier = saysItIsEarlier(decision, said, known)
  const [earlier, later]: readonly [Seen, Seen] = isEarlier ? [said, known] : [known, said]
  const yields = isLess(voiceOf(decision, later), voiceOf(decision, earlier)) ? 'later' : 'earlier'
  const [yielding, standing] = yields === 'later' ? [later, earlier] : [earlier, later]
  if (!isSeenByAllWhoSee(standing.audience, yielding.audience)) return null
  const dispute = mayDiffer
    ? disputeOf(similar.reading(earlier.content.text), similar.reading(later.content.text))
    : null
  const kind = dispute?.kind ?? kindOfEqual(decision, known, said)
  if (kind === null || isEqual(known, said)) return null
  return { earlierId: earlier.memoryId, laterId: later.memoryId, kind, yields }
}

/**
 * What a known memory and the equal of a new one are known to dispute: who says A again after B took it back disputes B,
 * whether or not A says anything of that.
 */
function kindOfEqual({ state }: Decision, known: MemoryRecord, said: Seen): string | null {
  for (const { earlierId, laterId, kind } of state.disputesByMemory.get(known.memoryId) ?? []) {
    const equal = liveRecord(state, earlierId === known.memoryId ? laterId : earlierId)
    if (equal === undefined || CLAIMED_KINDS.includes(kind)) continue
    const isSeen = [known, said].every(({ audience }) => isSeenByAllWhoSee(equal.audience, audience))
    if (isSeen && isEqual(equal, said)) return kind
  }
  return null
}

function isEqual(a: Pick<Seen, 'content'>, b: Pick<Seen, 'content'>): boolean {
  return normaliseText(a.content.text) === normaliseText(b.content.text)
}

/** Order is that of the journal, but a statement may place itself before the date of another one, never behind it. */
function saysItIsEarlier({ nowMs, state }: Decision, said: Seen, known: MemoryRecord): boolean {
  return (
    said.observedAtMs < saidAtMs(state, nowMs, said) &&
    said.observedAtMs < Math.min(known.observedAtMs, known.updatedAtMs)
  )
}

/** When it was said here, whenever it was observed. */
function saidAtMs(state: ActorState, nowMs: number, said: Seen): number {
  return state.memories.get(said.memoryId)?.updatedAtMs ?? nowMs
}

/** Memories judged in one turn, or as many as one text has contested. */
const JUDGED_MAX = 64

/** What an older build contested by words alone: those memories, by the one that contested them. */
export type Contested = ReadonlyMap<string, readonly string[]>

/**
 * Memories that stand contested because an earlier build took a newer text for their correction. None after each has
 * been judged anew once, so that nothing else has to be kept of it.
 */
export function contestedByText(state: ActorState): Contested {
  const byText = new Map<string, string[]>()
  for (const memoryId of state.changedByOthers) {
    const record = liveRecord(state, memoryId)
    const by = record === undefined ? null : (correctionOf(record)?.byMemoryId ?? null)
    if (by !== null) listAt(byText, by).push(memoryId)
  }
  return byText
}

/** The change that left the memory contested, if words alone did. */
function correctionOf({ facets, changes }: MemoryRecord): FacetChange | null {
  if (facets.standing !== 'contested') return null
  const last = changes.findLast(({ facet }) => facet === 'standing')
  return last?.cause === 'corrected' ? last : null
}

/**
 * Gives some of them the standing that they had, or what other evidence since then gives, and records a dispute where
 * their text and that of the other memory cannot both hold. The same turns come out of the same state.
 */
export function judgeAnew(
  state: ActorState,
  similar: Pick<Similar, 'reading'>,
  contested: Contested,
  nowMs: number,
): readonly ActorEvent[] {
  const decision = new Decision(state, nowMs, () => '')
  let judged = 0
  for (const [byId, memoryIds] of contested) {
    if (judged > 0 && judged + memoryIds.length > JUDGED_MAX) break
    judged += memoryIds.length
    const by = liveRecord(state, byId)
    const found = memoryIds.flatMap((memoryId) => {
      const record = liveRecord(state, memoryId)
      if (record === undefined) return []
      restore(decision, record)
      if (by === undefined) return []
      const [earlier, later] = record.ordinal < by.ordinal ? [record, by] : [by, record]
      return findDispute(decision, similar, earlier, later) ?? []
    })
    recordUpTo(decision, byId, found)
  }
  return decision.events
}

function restore(decision: Decision, record: MemoryRecord): void {
  const { memoryId } = record
  const correction = correctionOf(record)
  if (correction === null) return
  const { from, seq, byMemoryId } = correction
  decision.move(memoryId, {
    facet: 'standing',
    to: from,
    cause: 'judged_anew',
    reason: 'words alone contest nothing any more',
    ...(byMemoryId === null ? {} : { byMemoryId }),
  })
  // What speaks against it by itself found it contested and moved nothing.
  const contest = (cause: 'contradicted' | 'strong_negative', reason: string): boolean =>
    decision.move(memoryId, { facet: 'standing', to: 'contested', cause, reason })
  const contradiction = (decision.state.relationsByTarget.get(memoryId) ?? []).find(
    (relation) => relation.type === 'contradicts' && relation.effective && relation.seq > seq,
  )
  if (contradiction !== undefined) contest('contradicted', `${contradiction.srcId} contradicts it`)
  else if (record.marks.some((mark) => mark.outcome === 'negative' && mark.strong && mark.seq > seq))
    contest('strong_negative', 'a failure named it since then')
}
