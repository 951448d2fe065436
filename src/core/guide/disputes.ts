import { FNV_PRIME, FNV_START } from '../base/hash.ts'
import type { MemoryColumns } from '../model/columns.ts'
import type { DisputeSide } from '../model/dispute.ts'
import { isLess, voiceOf } from '../model/principal.ts'
import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, disputeKey, liveRecord } from '../model/state.ts'
import {
  type DisputeReading,
  isSameEntity,
  readForDispute,
  type Subject,
  subjectOf,
} from '../similarity/dispute.ts'
import { maySayAnew } from '../similarity/dispute-anew.ts'
import { changedEntry, type DisputeMark, type GuideEntry } from './entry.ts'

// Of memories that cannot both hold, or say something of the same subject, the one that counts is read first.

/** A newer text goes before an older one of its subject when its score is at least this share of the older one's. */
const NEWER_SCORE_MIN = 0.8
/** Entries before a newer one that it is compared with. */
const COMPARED_MAX = 8
/** Texts about the same share this much of the words of the smaller one. */
const WORDS_SHARED_MIN = 0.25
/** Articles have no more than three letters; what stands behind the fourth is mostly an ending: `routes are planned`, `route plans`. */
const STEM_LETTERS = 4
/** Of a longer text its beginning tells the subject. Characters. */
const SUBJECT_CHARS = 240
/** Pairs of texts read for one guide, the best ranked first. */
const READ_MAX = 3
/** Of the texts that were found at most so many have one of the words that two share: else they are only made after one pattern. */
const HOLDERS_MAX = 3
/** From so many texts on that says something by itself. */
const FOUND_MIN = 6
/** What a longer text says, another one does not say anew as a whole. Characters. */
const SAID_ANEW_CHARS = 120
/** Statements compared with each other for one guide, and pairs of them read. */
const COMPARED_ANEW_MAX = 24
const READ_ANEW_MAX = 8

/** What a line says of the disputes of its memory: nothing where it is the later one and stands. */
export function disputeMark(state: ActorState, disputes: readonly DisputeSide[]): DisputeMark | null {
  const last = disputes.findLast(({ yields, isOtherLater }) => yields || isOtherLater)
  const record = last === undefined ? undefined : liveRecord(state, last.memoryId)
  if (record === undefined) return null
  const { memoryId, origin, observedAtMs } = record
  return { memoryId, origin, observedAtMs }
}

/**
 * Candidates in their order, but what yields in a dispute behind what stands in it, where both are candidates. Takes all
 * of them only when it must.
 */
export function standingFirst(
  state: Pick<ActorState, 'disputes'>,
  entries: Iterable<GuideEntry>,
): Iterable<GuideEntry> {
  return state.disputes.size === 0 ? entries : reordered(entries)
}

function* reordered(entries: Iterable<GuideEntry>): Generator<GuideEntry> {
  const iterator = entries[Symbol.iterator]()
  const given = new Set<string>()
  for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
    const entry = next.value
    if (entry.disputes.some(({ yields, memoryId }) => yields && !given.has(memoryId))) {
      const waiting = [entry]
      for (let more = iterator.next(); more.done !== true; more = iterator.next()) waiting.push(more.value)
      yield* ranked(placed(waiting, given), given.size)
      return
    }
    given.add(entry.record.memoryId)
    yield entry
  }
}

/** Each entry once, at its place, but behind what it yields to. */
function placed(waiting: readonly GuideEntry[], before: ReadonlySet<string>): readonly GuideEntry[] {
  const byId = new Map(waiting.map((entry) => [entry.record.memoryId, entry]))
  const met = new Set(before)
  const order: GuideEntry[] = []
  const place = (entry: GuideEntry): void => {
    // Met before it is placed: a circle of disputes ends.
    if (met.has(entry.record.memoryId)) return
    met.add(entry.record.memoryId)
    for (const { yields, memoryId } of entry.disputes) {
      const standing = yields ? byId.get(memoryId) : undefined
      if (standing !== undefined) place(standing)
    }
    order.push(entry)
  }
  for (const entry of waiting) place(entry)
  return order
}

function ranked(entries: readonly GuideEntry[], from: number): readonly GuideEntry[] {
  return entries.map((entry, at) =>
    entry.rank === from + at ? entry : changedEntry(entry, { rank: from + at }),
  )
}

/**
 * Of two usable texts with the same subject, both found by what was asked, the newer stands first when it is found about
 * as well. Ranks stay what they are: who moves up takes the rank that it finds there.
 */
export function newerFirst(entries: readonly GuideEntry[], subjects: Subjects): readonly GuideEntry[] {
  let order: GuideEntry[] | null = null
  for (let at = 1; at < entries.length; at += 1) {
    const list: readonly GuideEntry[] = order ?? entries
    const to = placeOf(list, at, subjects)
    if (to === at) continue
    order ??= [...entries]
    order.splice(to, 0, ...order.splice(at, 1))
  }
  if (order === null) return entries
  return order.map((entry, at) => {
    const rank = entries[at]?.rank ?? at
    return entry.rank === rank ? entry : changedEntry(entry, { rank })
  })
}

/** Where the entry at a place belongs: before the first older text of its subject, else where it is. */
function placeOf(list: readonly GuideEntry[], at: number, subjects: Subjects): number {
  const newer = list[at]
  if (newer === undefined || !isStatement(newer)) return at
  const score = scoreOf(newer)
  if (score === 0) return at
  let to = at
  for (let before = at - 1; before >= 0 && at - before <= COMPARED_MAX; before -= 1) {
    const older = list[before]
    if (older === undefined || older.record.ordinal > newer.record.ordinal || !isStatement(older)) continue
    const itsScore = scoreOf(older)
    if (itsScore === 0 || score < itsScore * NEWER_SCORE_MIN) continue
    if (isOfSubject(older, newer, subjects)) to = before
  }
  return to
}

/**
 * Which usable texts of one guide a newer one of their kind, with no less authority, may say anew, and which that is. The
 * best ranked ones are compared; the two share words, of which few texts that were found have one.
 */
export function saidAnew(
  state: Pick<ActorState, 'disputes' | 'operatorMemories'>,
  entries: readonly GuideEntry[],
  subjects: Subjects,
): ReadonlyMap<GuideEntry, GuideEntry> {
  const found = new Map<GuideEntry, GuideEntry>()
  if (entries.length < FOUND_MIN) return found
  const statements = entries.filter(mayTellAnew).slice(0, COMPARED_ANEW_MAX)
  for (const older of statements) {
    if (older.surface !== 'use_now' || older.record.content.text.length > SAID_ANEW_CHARS) continue
    const saysAnew = (newer: GuideEntry): boolean =>
      isLater(state, newer, older) && subjects.mayBeSaidAnew(older, newer)
    const newer = statements.find(saysAnew)
    if (newer !== undefined) found.set(older, newer)
  }
  return found
}

/** One that only a weak match brought here may tell of the news, too: it says it in other words. */
function mayTellAnew({ surface, ruleId, record }: GuideEntry): boolean {
  return (surface === 'use_now' || ruleId === 'S13') && isShortStatement(record)
}

/** Of the same kind, said and seen later, with no less authority, and no dispute known: one that was settled stays so. */
function isLater(
  state: Pick<ActorState, 'disputes' | 'operatorMemories'>,
  { record: newer }: GuideEntry,
  { record: older }: GuideEntry,
): boolean {
  return (
    newer.ordinal > older.ordinal &&
    newer.observedAtMs >= older.observedAtMs &&
    newer.memoryType === older.memoryType &&
    !state.disputes.has(disputeKey(newer.memoryId, older.memoryId)) &&
    !isLess(voiceOf(state, newer), voiceOf(state, older))
  )
}

/** A general text that may be acted on. */
function isStatement({ surface, record }: GuideEntry): boolean {
  return surface === 'use_now' && isShortStatement(record)
}

/** A longer text tells much else. */
function isShortStatement({ domain, claim, content }: MemoryRecord): boolean {
  return domain === 'general' && claim === null && content.text.length <= SUBJECT_CHARS
}

function scoreOf({ recallSources }: GuideEntry): number {
  let score = 0
  for (const source of recallSources) score += source.score
  return score
}

function isOfSubject(older: GuideEntry, newer: GuideEntry, subjects: Subjects): boolean {
  if (newer.disputes.some(({ memoryId }) => memoryId === older.record.memoryId)) return false
  return subjects.areAlike(older, newer)
}

/** Compares the subjects of the texts of one guide. */
export class Subjects {
  readonly #columns: MemoryColumns
  readonly #found: readonly GuideEntry[]
  readonly #words = new Map<string, readonly number[]>()
  readonly #rare = new Map<number, boolean>()
  readonly #readings = new Map<string, DisputeReading>()
  #left = READ_MAX
  #leftAnew = READ_ANEW_MAX

  /** @param found all texts that are compared, and those that are found beside them */
  constructor({ columns }: Pick<ActorState, 'columns'>, found: readonly GuideEntry[]) {
    this.#columns = columns
    this.#found = found
  }

  areAlike(one: GuideEntry, other: GuideEntry): boolean {
    if (this.#left === 0 || !this.#shareWords(one, other)) return false
    this.#left -= 1
    const [a, b] = [this.#subjectOf(one), this.#subjectOf(other)]
    if (a !== 'named' || b !== 'named') return a !== 'none' && b !== 'none'
    return isSameEntity(this.#readingOf(one), this.#readingOf(other))
  }

  mayBeSaidAnew(older: GuideEntry, newer: GuideEntry): boolean {
    if (this.#leftAnew === 0 || !this.#shareWords(older, newer)) return false
    this.#leftAnew -= 1
    return maySayAnew(this.#readingOf(older), this.#readingOf(newer))
  }

  /** Whether two texts share enough words, of which few texts that were found have one. */
  #shareWords(one: GuideEntry, other: GuideEntry): boolean {
    const [a, b] = [this.#wordsOf(one), this.#wordsOf(other)]
    let shared = 0
    for (const word of a) if (b.includes(word)) shared += 1
    if (shared === 0 || shared < WORDS_SHARED_MIN * Math.min(a.length, b.length)) return false
    return a.some((word) => b.includes(word) && this.#isRare(word))
  }

  /** Of texts made after one pattern every two share all words, and none of few. */
  #isRare(word: number): boolean {
    const known = this.#rare.get(word)
    if (known !== undefined) return known
    let holders = 0
    const isRare = this.#found.every((entry) => {
      if (this.#wordsOf(entry).includes(word)) holders += 1
      return holders <= HOLDERS_MAX
    })
    this.#rare.set(word, isRare)
    return isRare
  }

  #subjectOf(entry: GuideEntry): Subject {
    return this.#columns.subjectOf(entry.record, () => subjectOf(this.#readingOf(entry)))
  }

  #readingOf({ record }: GuideEntry): DisputeReading {
    const { text } = record.content
    const known = this.#readings.get(text)
    if (known !== undefined) return known
    const reading = readForDispute(text)
    this.#readings.set(text, reading)
    return reading
  }

  #wordsOf({ record }: GuideEntry): readonly number[] {
    const { text } = record.content
    const known = this.#words.get(text)
    if (known !== undefined) return known
    const words = wordNumbers(text)
    this.#words.set(text, words)
    return words
  }
}

/**
 * A number for each word, once: for the beginning of one of four letters or more, small and capital letters alike, for
 * `VPN`, and for every two neighbours in a script without spaces. No digits.
 */
function wordNumbers(text: string): readonly number[] {
  const words: number[] = []
  let word = FNV_START
  let letters = 0
  let capitals = 0
  let dense = 0
  for (let at = 0; at <= text.length && at <= SUBJECT_CHARS && words.length < WORDS_MAX; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    const before = dense
    dense = code >= DENSE_START && code <= DENSE_END ? code : 0
    const small = code >= 0x41 && code <= 0x5a ? code | 0x20 : code
    if (dense === 0 && ((small >= 0x61 && small <= 0x7a) || small > 0xbf)) {
      if (letters < STEM_LETTERS) word = Math.imul(word ^ small, FNV_PRIME)
      letters += 1
      if (small !== code) capitals += 1
      continue
    }
    if (letters >= STEM_LETTERS || (letters > 1 && capitals === letters)) addOnce(words, word)
    if (dense !== 0 && before !== 0) addOnce(words, Math.imul(FNV_START ^ before, FNV_PRIME) ^ dense)
    word = FNV_START
    letters = 0
    capitals = 0
  }
  return words
}

function addOnce(words: number[], word: number): void {
  if (!words.includes(word)) words.push(word)
}

/** From kana over Han to Hangul. */
const DENSE_START = 0x3040
const DENSE_END = 0xd7a3
/** So many tell what a text is about. */
const WORDS_MAX = 48
