import { hashText, mix32 } from '../base/hash.ts'
import { isBound } from './dispute-amounts.ts'
import { mayBeChanged, mayBeTurned } from './dispute-changed.ts'
import type { Clause, Token } from './dispute-clause.ts'
import { isOrdinal } from './dispute-dates.ts'
import { mayBeEnded } from './dispute-ended.ts'
import { FIELD_WORDS_MIN } from './dispute-fields.ts'
import { switchedIn } from './dispute-flags.ts'
import { leastTakenBack } from './dispute-gone.ts'
import { mayBeHeld, mayNameHolder } from './dispute-holders.ts'
import { hasOneEach, isWorkedIn, WORDS_MAX } from './dispute-hole.ts'
import { isCalled, lacks } from './dispute-kinds.ts'
import { M } from './dispute-lexicon.ts'
import { isShort } from './dispute-likely.ts'
import { meansAt } from './dispute-means.ts'
import { mayTellNews } from './dispute-news.ts'
import { fileOf, isDate, isName, isNumber, isOneSentence, isSwitch } from './dispute-pair.ts'
import { mayHave, mayLift } from './dispute-permits.ts'
import { mayTellPlace } from './dispute-places.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { mayBeFocused } from './dispute-reworded.ts'
import { RIVALS } from './dispute-rivals.ts'
import { leadsToStep } from './dispute-slots.ts'
import { inCommonWords, languageOf } from './dispute-translated.ts'
import { mayBeEach } from './dispute-turns.ts'
import { hasWay, isRunIn, wayOf } from './dispute-ways.ts'
import { W } from './dispute-words.ts'
import { sideOf } from './fact-words.ts'
import { namesOf } from './record-text.ts'

/** A statement, as far as tells with which others it cannot be in dispute. */
export interface Outline {
  /** Hashes of its content words, or of what a record names its thing by. */
  readonly keys: readonly number[]
  /** Bits of `O`, and counts. */
  readonly marks: number
  /** Fewest words that it shares with what it takes back; 0: it takes nothing back. */
  readonly taken: number
  /** Bits of `O`: it may tell news, in other words, of what an earlier text says that has one of them. 0: of nothing. */
  readonly news: number
  /** Short, in a short text: it may be weighed by signs what it says instead of. */
  readonly isShort: boolean
}

/** What a text states, and what it speaks of. */
export interface TextOutline {
  readonly outlines: readonly Outline[]
  /** Hashes of its content words, each once; those in common words too. None where no statement is asked what else is said. */
  readonly words: readonly number[]
  /** How many words it has, where it has fewest: in its own words, or in common ones. */
  readonly size: number
  /** The languages that it may be in, a bit each. */
  readonly languages: number
}

/** Bits of an outline. The first eight are what two statements may differ in: both have what the kind compares. */
export const O = {
  number: 1 << 0,
  date: 1 << 1,
  /** A word that excludes others. */
  rival: 1 << 2,
  /** `on` or `off`. */
  switch: 1 << 3,
  value: 1 << 4,
  holder: 1 << 5,
  place: 1 << 6,
  means: 1 << 7,
  isNegated: 1 << 8,
  /** No list: of what is listed, several hold. */
  differs: 1 << 9,
  isPast: 1 << 10,
  /** Says that something is otherwise now. */
  hasCue: 1 << 11,
  /** Something later can take it back. */
  isStanding: 1 << 12,
  isRecord: 1 << 13,
  /** A name or a path: a statement of another form may have another one. */
  named: 1 << 22,
  /** What it is done without. */
  lacks: 1 << 27,
  /** What it is done with, or needs. */
  has: 1 << 28,
  /** The text says nothing else. */
  isWhole: 1 << 29,
  /** Says how many there may be, or how often. */
  isBound: 1 << 30,
  /** Says by whom something is done. */
  isDoing: 1 << 31,
} as const

export const VALUES = O.value | O.holder | O.place
/** Kinds that nothing disputes in which happened once. */
const OF_NO_EVENT = O.number | O.date | VALUES | O.means

/** Counts of four bits each, of words like `yesterday`, and of dates and day numbers; of three, of words behind `with`. */
export const WHEN_SHIFT = 14
export const DATES_SHIFT = 18
export const MEANS_SHIFT = 24
/** As many or more. */
export const COUNT_MAX = 15

export const MEANS_REST = 6

const NOTHING: TextOutline = { outlines: [], words: [], size: 0, languages: 0 }

export function outlineOfText(reading: DisputeReading): TextOutline {
  const { record } = reading
  const languages = languageOf(reading)
  if (record !== null) {
    const keys = namesOf(record).map(hashOf)
    const outline = { keys, marks: O.isRecord, taken: 0, news: 0, isShort: false }
    return keys.length === 0 ? NOTHING : { outlines: [outline], words: [], size: 0, languages }
  }
  const outlines = outlinesIn(reading)
  if (outlines.length === 0) return NOTHING
  const common = inCommonWords(reading)
  // It is met by what other languages say, too.
  const others =
    common === reading
      ? []
      : outlinesIn(common).filter((outline) => !outlines.some((own) => isSameOutline(own, outline)))
  const all = others.length === 0 ? outlines : [...outlines, ...others]
  if (!all.some(({ marks, news }) => (marks & O.differs) !== 0 || news !== 0))
    return { outlines: all, words: [], size: 0, languages }
  const words = Array.from(reading.words, hashOf)
  if (common === reading) return { outlines: all, words, size: words.length, languages }
  const commonWords = Array.from(common.words, hashOf)
  return {
    outlines: all,
    words: [...new Set([...words, ...commonWords])],
    size: Math.min(words.length, commonWords.length),
    languages,
  }
}

function outlinesIn(reading: DisputeReading): readonly Outline[] {
  const { clauses } = reading
  const statements = reading.isTalk ? [] : statementsOf(clauses)
  const whole = isOneSentence(clauses) ? O.isWhole : 0
  return statements.flatMap((clause) => [
    outlineOf(clause, reading, whole),
    ...endIn(clause, reading),
    ...filesIn(clause),
    ...switchIn(clause),
  ])
}

/** A statement that names a file by its path is met by one that says of the file alone that it is gone. */
function filesIn({ tokens, isNegated, isPast, isEvent }: Clause): readonly Outline[] {
  if (isNegated || isPast || isEvent) return []
  return tokens.flatMap(({ kind, key }) => {
    const file = fileOf(key)
    if (kind !== 'name' || file === key) return []
    return [{ keys: [hashOf(file)], marks: O.isStanding, taken: 0, news: 0, isShort: false }]
  })
}

/** The name of a switch alone leads to whatever says the other of it. */
function switchIn(clause: Clause): readonly Outline[] {
  const switched = switchedIn(clause)
  if (switched === null) return []
  const keyOf = (isOn: boolean): readonly number[] => [hashOf(`${switched.name} ${isOn}`)]
  return [
    { keys: keyOf(switched.isOn), marks: O.isStanding, taken: 0, news: 0, isShort: false },
    { keys: keyOf(!switched.isOn), marks: O.isPast, taken: 1, news: 0, isShort: false },
  ]
}

/** What has ended, beside what is so instead: one word of it leads to whatever relied on it. */
function endIn(clause: Clause, reading: DisputeReading): readonly Outline[] {
  const ended = mayBeEnded(clause, reading)
  if (ended.length === 0) return []
  const keys = [...new Set(ended.map(({ key }) => hashOf(key)))]
  return [{ keys, marks: O.isPast, taken: 1, news: 0, isShort: false }]
}

function isSameOutline(one: Outline, other: Outline): boolean {
  const isSame = one.marks === other.marks && one.taken === other.taken && one.news === other.news
  return isSame && String(one.keys) === String(other.keys)
}

/** In more clauses than these somebody tells a story, of which what he says of himself is no statement. */
const SHORT_CLAUSES_MAX = 2

/** What may dispute: the guards `asserted` and `named` let nothing else pass. */
function statementsOf(clauses: readonly Clause[]): readonly Clause[] {
  const isStory = clauses.length > SHORT_CLAUSES_MAX
  return clauses.filter(
    ({ isConditional, isPromise, isAnaphoric, isPersonal, classes }) =>
      // One that puts its own case disputes another that puts the same.
      (!isConditional || (classes & W.condition) !== 0) &&
      !isPromise &&
      !isAnaphoric &&
      !(isPersonal && isStory),
  )
}

function outlineOf(clause: Clause, reading: DisputeReading, whole: number): Outline {
  const { tokens, content, isNegated, isEvent } = clause
  const hasCue = reading.isCorrection || clause.changeAt >= 0 || clause.goneAt >= 0 || clause.hasNow
  const seen =
    (clause.isPast ? O.isPast : 0) | (isNegated || isEvent || clause.noLongerAt >= 0 ? 0 : O.isStanding)
  const news = newsIn(clause, reading)
  // Most statements end here: neither is what it differs in asked, nor what it says instead.
  if (clause.isList || (clause.isPast && !hasCue)) {
    const marks = tokens.reduce((all, token) => all | token.marks, 0)
    return {
      keys: Array.from(content.keys(), hashOf),
      marks: seen,
      taken: leastTakenBack(clause, marks),
      news,
      isShort: false,
    }
  }
  const keys: number[] = []
  let classes = 0
  let wordMarks = 0
  let kinds = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    classes |= token.classes
    wordMarks |= token.marks
    if ((token.marks & M.rival) !== 0) kinds |= O.rival
    if (token.text === 'on' || token.text === 'off' || isSwitch(token.text)) kinds |= O.switch
  }
  const counts = { when: 0, dates: 0, named: 0 }
  content.forEach((at, key) => {
    keys.push(hashOf(key))
    const token = tokens[at]
    if (token !== undefined) kinds |= countIn(token, counts)
  })
  if ((classes & W.copula) !== 0 && ((classes & (W.slot | W.prefers | W.role)) !== 0 || isCalled(clause)))
    kinds |= O.value
  if ((classes & W.prefers) !== 0 || (wordMarks & (M.styled | M.restriction)) !== 0) kinds |= O.value
  if (clause.fieldKeys.length >= FIELD_WORDS_MIN) kinds |= O.value
  if ((classes & W.means) !== 0 || (wordMarks & M.rule) !== 0) kinds |= mayHave(clause) ? O.has : 0
  if ((wordMarks & M.restriction) !== 0 && lacks(clause)) kinds |= O.lacks

  if (counts.named > 0 && mayNameHolder(clause, classes)) kinds |= O.holder
  if (mayTellPlace(clause)) kinds |= O.place
  else if (!mayBePlaced(clause, classes) && !isWorkedIn(clause)) kinds &= ~O.place
  const behindMeans = behindMeansIn(clause, classes, wordMarks)
  if (behindMeans > 0) kinds |= O.means
  if (isEvent) kinds &= ~OF_NO_EVENT
  const marks =
    whole |
    seen |
    kinds |
    O.differs |
    (isNegated ? O.isNegated : 0) |
    (hasCue ? O.hasCue : 0) |
    (isBound(clause) || ((kinds & O.number) !== 0 && mayBeEach(clause)) ? O.isBound : 0) |
    (isDoing(clause) || (counts.named > 0 && mayBeHeld(clause)) ? O.isDoing : 0) |
    (Math.min(counts.when, COUNT_MAX) << WHEN_SHIFT) |
    (Math.min(counts.dates, COUNT_MAX) << DATES_SHIFT) |
    (Math.min(behindMeans, MEANS_REST) << MEANS_SHIFT)
  return {
    keys,
    marks,
    taken: leastTakenBack(clause, wordMarks),
    news,
    isShort: isShort(clause, reading),
  }
}

/** How many words say with what, or how, something is done. */
function behindMeansIn(clause: Clause, classes: number, marks: number): number {
  const { tokens, content } = clause
  const means = (classes & W.means) === 0 ? -1 : meansAt(clause)
  let behindMeans = 0
  // `The plan is printed with …`: the verb may be another word, too.
  if (means > 0 && ((marks & M.present) !== 0 || (tokens[0]?.isContent === true && !isRunIn(clause))))
    behindMeans = 1
  if (means > 0) for (const at of content.values()) if (at > means) behindMeans += 1
  const way = hasWay(clause) ? wayOf(clause) : null
  if (way !== null) behindMeans = Math.max(behindMeans, way.how.length + (way.isTold || way.isField ? 1 : 0))
  if (leadsToStep(clause)) behindMeans = MEANS_REST
  if (hasOneEach(clause)) behindMeans = Math.max(behindMeans, WORDS_MAX)
  return behindMeans
}

function newsIn(clause: Clause, reading: DisputeReading): number {
  if (mayTellNews(clause, reading) || mayLift(reading) || mayBeChanged(clause, reading)) return ANY
  return mayBeTurned(clause) ? O.rival | O.switch : 0
}

/** News of whatever an earlier text says. */
export const ANY = -1

/** Says by whom it is done. */
function isDoing(clause: Clause): boolean {
  return ((clause.classes & W.by) !== 0 && (clause.classes & W.copula) !== 0) || mayBeFocused(clause)
}

/** Counts what a content word is, and answers what it may differ in. */
function countIn(token: Token, counts: { when: number; dates: number; named: number }): number {
  const { kind, text, classes, dimension, hasCapital } = token
  let kinds = 0
  if (isNumber(token)) kinds |= O.number
  if (isDate(token) || (kind === 'number' && dimension === '')) {
    counts.dates += 1
    kinds |= O.date
  }
  if (isOrdinal(token)) counts.dates += 1
  if (isExclusive(token)) kinds |= O.rival
  if ((classes & W.when) !== 0 || text === 'last' || text === 'this') counts.when += 1
  const isNamed = kind === 'word' && (hasCapital || text.charCodeAt(0) > 0x5ff)
  if (isNamed) counts.named += 1
  if (isNamed || isName(token)) kinds |= O.named
  return isNamed || kind !== 'word' ? kinds | O.place : kinds
}

/** One of several that exclude each other. Of a plain word it is known from its first lookup. */
function isExclusive({ kind, marks, text }: Token): boolean {
  if (kind === 'word') return (marks & (M.rival | M.side)) !== 0
  return RIVALS.has(text) || sideOf(text) !== null
}

function mayBePlaced({ tokens, changeAt, hasNow }: Clause, classes: number): boolean {
  const isOrder = tokens[0]?.isContent === true
  if (changeAt < 0 && !hasNow && !isOrder && (classes & (W.located | W.copula)) === 0) return false
  if ((classes & (W.placing | W.to | W.from)) !== 0) return true
  // Where words are not parted by spaces, the verb leads to the place.
  return (classes & (W.located | W.change)) !== 0 && tokens.some(({ text }) => text.charCodeAt(0) > 0x2e7f)
}

/** Of 32 bits, never 0. */
function hashOf(key: string): number {
  return mix32(hashText(key)) | 0 || 1
}
