import { isExactIdentifier } from '../text/identifiers.ts'
import { denseTokensOf } from './dense-words.ts'
import {
  type Clause,
  clauseOf,
  ONE,
  type OpenClause,
  sign,
  type Token,
  tokenOf,
  valueInfo,
} from './dispute-clause.ts'
import { type CommonWords, languagesOf } from './dispute-concepts.ts'
import { withoutLead, withState } from './dispute-leads.ts'
import {
  DIGIT_SHAPE,
  DOT_SHAPE,
  infoOf,
  M,
  NAME_SHAPE,
  shapeOf,
  type WordInfo,
  wordsOfCompound,
} from './dispute-lexicon.ts'
import { isDetail } from './dispute-lists.ts'
import {
  ANSWER,
  asSpoken,
  beginningOf,
  GERMAN_DAY,
  isAddition,
  isCaseLead,
  isChangeNote,
  isContrast,
  isContrastAt,
  isFolderAt,
  isGreeting,
  isMarkAt,
  isNews,
  isNote,
  isOfOnePart,
  isOwnMistake,
  isSinceThen,
  itemOf,
  quotesOf,
  withPlainSigns,
} from './dispute-parts.ts'
import { phraseAt } from './dispute-phrases.ts'
import { joinParts } from './dispute-sentence.ts'
import { dashOfSpan, SPAN_TO, withSpans } from './dispute-spans.ts'
import {
  ARROW,
  arrowBehind,
  BREAKS,
  dimensionOf,
  hasLongNumber,
  idOf,
  isCapitalAt,
  isHouseNumber,
  isLabelAt,
  isNamedBy,
  isNameParticle,
  isOfGroups,
  isPlaceAt,
  isRussianIs,
  isSaidFirst,
  isValueAt,
  LOCALE,
  measuredBy,
  NAME_SIGN,
  signBehind,
  wordToken,
} from './dispute-tokens.ts'
import { W } from './dispute-words.ts'
import { hasUnitBehind, quantityOf, wordSet } from './fact-words.ts'
import { isOfferInProse, type RecordText, readRecord } from './record-text.ts'
import { markBefore, scanWords } from './statement.ts'
import { canonicalText, foldCase } from './text-signature.ts'

/** A text, read once for any number of comparisons. */
export interface DisputeReading {
  readonly clauses: readonly Clause[]
  /** Fields, when the text is a record rather than prose; it has no clauses then. */
  readonly record: RecordText | null
  /** Order numbers, addresses and other names of one thing among many. */
  readonly ids: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Begins with `Correction:` or the like. */
  readonly isCorrection: boolean
  /** What one person says to another: it states nothing, and is not read to its end. */
  readonly isTalk: boolean
  /** `3` of a text that begins with `3.`: which item of a list it is; empty for most. */
  readonly item: string
  /** Its words in their order, in small letters. */
  readonly spelling: readonly string[]
  /** By what it is compared with a text of another language. */
  readonly common: CommonWords<DisputeReading>
  /** What was read; the clauses are places of it. */
  readonly text: string
}

const CLAUSES_MAX = 24
const NEXT_CHARS = 40
/** Reads a text of any length, of talk no more than tells it from statements. Linear in what it reads. */
export function readForDispute(raw: string): DisputeReading {
  const text = withPlainSigns(canonicalText(beginningOf(raw)))
  const record = readRecord(raw)
  const reader = new Reader(text)
  reader.isTalk = ANSWER.test(text) || isOfferInProse(text)
  if (record === null) reader.read()
  return {
    clauses: reader.clauses,
    record,
    ids: reader.ids,
    words: reader.words,
    isCorrection: reader.isCorrection,
    isTalk: reader.isTalk,
    item: itemOf(text),
    spelling: reader.spelling,
    common: { languages: languagesOf(reader.spelling), reading: null },
    text,
  }
}

class Reader {
  readonly clauses: OpenClause[] = []
  readonly ids = new Set<string>()
  readonly words = new Set<string>()
  readonly spelling: string[] = []
  isCorrection = false
  isTalk = false
  readonly #text: string
  readonly #hasArrow: boolean
  /** Null where a letter grows when it loses its capital: then each word is folded by itself. */
  readonly #lower: string | null
  readonly #quotes: readonly (readonly [start: number, end: number, isLong: boolean])[]
  #quote = 0
  #tokens: Token[] = []
  #start = 0
  #end = 0
  #hasSpeakerLabel = false
  /** The clause that is read follows a comma; one of the sentence was a word or two long, as in a list. */
  #isPart = false
  #hasShortPart = false
  /** A part of the sentence that states nothing puts a condition: `Once saved, …`. */
  #isConditional = false
  /** What is stated is so since something else became otherwise. */
  #isSince = false
  /** Clauses of the sentence that is read. */
  #first = 0
  #sentence = 0

  constructor(text: string) {
    this.#text = text
    this.#hasArrow = ARROW.test(text)
    const lower = foldCase(text)
    this.#lower = lower.length === text.length ? lower : null
    this.#quotes = quotesOf(text)
  }

  read(): void {
    scanWords(this.#text, (kind, start, end) => {
      if (this.isTalk || this.clauses.length >= CLAUSES_MAX) return
      if (kind === 'word' || kind === 'dense') {
        this.#pass(start)
        if (this.#tokens.length === 0) this.#start = start
        if (kind === 'word') this.#word(start, end)
        else this.#dense(start, end)
        this.#end = end
      } else if (kind === 'equals') this.#equals(start)
      else {
        if (this.#hasSpeakerLabel && this.#text.charAt(start) === '!') this.isTalk = true
        this.#closeSentence(kind === 'question')
        this.#end = end
      }
    })
    this.#closeSentence(false)
  }

  /** Looks at the signs between the last word and the next one. */
  #pass(start: number): void {
    const between = this.#text.slice(this.#end, start)
    if (isRussianIs(this.#tokens, between)) return void this.#tokens.push(sign(':'))
    if (this.#hasArrow && ARROW.test(between))
      return void this.#tokens.push(...arrowBehind(this.#tokens.at(-1)))
    if (this.#tokens.length > 0 && start - this.#end > 1 && BREAKS.test(between)) {
      if (isOfOnePart(this.#tokens, this.#text.slice(start, start + NEXT_CHARS))) return
      this.#closeClause()
    } else return
    this.#isPart = true
  }

  #equals(at: number): void {
    const [only, second] = this.#tokens
    if (this.clauses.length === 0 && only !== undefined) {
      const isCorrection = isChangeNote(this.#tokens) || isOwnMistake(this.#tokens, '')
      if (isCorrection || isNote(this.#tokens)) {
        this.isCorrection ||= isCorrection
        this.#tokens = []
        return
      }
      const areCapitals = only.hasCapital && (second === undefined || second.hasCapital)
      if (areCapitals && this.#tokens.length <= 2 && (only.classes & W.slot) === 0)
        this.#hasSpeakerLabel = true
    }
    if (this.#tokens.length > 0) this.#tokens.push(sign(this.#text.charAt(at)))
  }

  #word(start: number, end: number, joined = ''): void {
    const lower = joined || (this.#lower?.slice(start, end) ?? foldCase(this.#text.slice(start, end)))
    if (joined === '') this.spelling.push(lower)
    const quoted = this.#isQuotedAt(start)
    if (quoted === 'long') return
    const isQuoted = quoted === 'short'
    const shape = shapeOf(lower)
    if ((shape & DIGIT_SHAPE) !== 0) {
      const before = this.#tokens.at(-1)
      if (before !== undefined && start - this.#end === 1 && isOfGroups(before, lower)) {
        this.#tokens.pop()
        const first = start - 1 - before.text.length
        this.#end = first - 1
        return this.#word(first, end, before.text + lower)
      }
      if (this.#number(lower, start, end, isQuoted)) return
    }
    if (shape === 0) {
      const info = infoOf(lower)
      if ((info.marks & M.spelled) !== 0 && this.#number(lower, start, end, isQuoted)) return
      if (this.#unit(lower, start)) return
      if (!isMarkAt(this.#text, start, end)) return this.#plain(lower, info, start, isQuoted)
    }
    const mark = markBefore(this.#text, start)
    const isName =
      mark !== '' ||
      LOCALE.test(this.#text.slice(start, end)) ||
      (shape & NAME_SHAPE) !== 0 ||
      isFolderAt(this.#text, end) ||
      ((shape & DOT_SHAPE) !== 0 && isExactIdentifier(this.#text, start, end))
    if (isName) return this.#name(mark + lower, !this.#text.startsWith(lower, start), isQuoted)
    for (const word of wordsOfCompound(lower, this.#tokens.length === 0))
      if (word !== '') this.#plain(word, infoOf(word), start, isQuoted)
  }

  /** Takes the word as the unit of the number just before it. */
  #unit(lower: string, start: number): boolean {
    const measured = start - this.#end > 1 ? null : measuredBy(lower, this.#tokens.at(-1))
    if (measured === null) return false
    this.#tokens[this.#tokens.length - 1] = measured
    return true
  }

  #name(name: string, hasCapital: boolean, isQuoted: boolean): void {
    const bare = `/${name.replace(/^[./~]+/, '')}`
    const isOne = name.includes('@') || hasLongNumber(name)
    if (isOne && !isValueAt(this.#tokens, name.includes('@'))) this.ids.add(bare)
    this.#push(tokenOf(name, valueInfo(bare), 'name', isQuoted, hasCapital))
  }

  #number(lower: string, start: number, end: number, isQuoted: boolean): boolean {
    const text = this.#text
    const quantity = quantityOf(lower, text.slice(Math.max(0, start - 2), start), signBehind(text, end))
    if (quantity === null) return false
    const label = this.#tokens.at(-1)
    const isLabelled =
      isLabelAt(
        this.#tokens,
        lower,
        start - this.#end,
        hasUnitBehind(text, end, quantity) || isSaidFirst(text, end),
      ) || this.#tokens.at(-2)?.text === 'ending'
    const hasCapital = !text.startsWith(lower, start)
    const isHouse = isHouseNumber(text, start, end)
    if (isLabelled || isHouse || text.charAt(start - 1) === '#') {
      const id = idOf(text.charAt(start - 1) === '#' ? '#' : (label?.key ?? ''), lower)
      const isIn = isHouse || isPlaceAt(this.#tokens) || (this.#isPart && isDetail(this.#tokens))
      if (!isIn && !isValueAt(this.#tokens, false)) this.ids.add(id)
      this.#push(tokenOf(lower, valueInfo(id), 'id', isQuoted, hasCapital))
      return true
    }
    const isDay = GERMAN_DAY.test(text.slice(start, end + 2))
    const dimension = dimensionOf(
      lower,
      isDay ? 'date' : quantity.dimension,
      label,
      text.slice(end, end + NEXT_CHARS),
    )
    if (dimension === 'id') {
      const dash = dashOfSpan(lower)
      if (dash > 0) {
        this.#number(lower.slice(0, dash), start, start + dash, isQuoted)
        this.#push(SPAN_TO)
        return this.#number(lower.slice(dash + 1), start + dash + 1, end, isQuoted)
      }
      if (hasLongNumber(lower) && !isValueAt(this.#tokens, false)) this.ids.add(lower)
      const named = NAME_SIGN.test(lower) ? 'name' : 'id'
      this.#push(tokenOf(lower, valueInfo(lower), named, isQuoted, hasCapital))
      return true
    }
    const classes = dimension === 'date' || dimension === 'clock' ? W.date : 0
    const key = `= ${quantity.key.replace(/^v(?=\d)/, '')}`
    this.#push(tokenOf(lower, valueInfo(key, classes), 'number', isQuoted, false, dimension))
    return true
  }

  #plain(word: string, listed: WordInfo, start: number, isQuoted: boolean): void {
    const before = this.#tokens.at(-1)
    const info = isQuoted ? listed : asSpoken(word, listed, this.#tokens)
    if (word === 'one' && before !== undefined && !POINTERS.has(before.text))
      return this.#push(tokenOf('one', ONE, 'number', isQuoted))
    const phrase = isQuoted ? null : phraseAt(this.#tokens, word)
    if (phrase !== null) {
      this.#tokens.length -= phrase.before
      return this.#plain(phrase.means, infoOf(phrase.means), start, false)
    }
    if (!isQuoted && isNameParticle(this.#text, start + word.length, word, before)) return
    if (
      (info.classes & W.joint) !== 0 &&
      this.#tokens.length > 2 &&
      !isQuoted &&
      !isSinceThen(this.#text, word, start)
    )
      return this.#closeClause()
    if (!isQuoted && this.#tokens.length > 2 && isContrastAt(before, info)) {
      this.#tokens.pop()
      this.#closeClause()
      this.#isPart = true
      this.#start = start
    }
    const hasCapital = isCapitalAt(this.#text, start, word)
    if (before !== undefined && isNamedBy(before, word, hasCapital)) {
      const key = `${before.key} ${word}`
      return this.#push(tokenOf(word, valueInfo(key), 'id', isQuoted, hasCapital))
    }
    this.#push(wordToken(this.#text, start, word, info, before, isQuoted, hasCapital))
  }

  #dense(start: number, end: number): void {
    const isQuoted = this.#isQuotedAt(start)
    const run = this.#text.slice(start, end)
    this.spelling.push(run)
    if (isQuoted === 'long') return
    for (const token of denseTokensOf(run, isQuoted === 'short')) this.#push(token)
  }

  #push(token: Token): void {
    this.#tokens.push(token)
    if (token.isContent) this.words.add(token.key)
  }

  #isQuotedAt(start: number): 'short' | 'long' | null {
    while ((this.#quotes[this.#quote]?.[1] ?? Number.POSITIVE_INFINITY) <= start) this.#quote += 1
    const quote = this.#quotes[this.#quote]
    if (quote === undefined || quote[0] > start) return null
    return quote[2] ? 'long' : 'short'
  }

  #closeClause(): void {
    const bare = withoutLead(this.#tokens)
    const tokens = bare?.tokens ?? this.#tokens
    this.#tokens = []
    if (bare?.isSince === true) this.#isSince = true
    if (tokens.length === 0 || isGreeting(tokens)) return
    const last = this.clauses.at(-1)
    if (this.#isPart && last !== undefined && isAddition(tokens)) last.marks |= M.addition
    if (isCaseLead(tokens)) this.#isConditional = true
    if (this.#isPart && tokens.length <= 2 && !isContrast(tokens) && !isNews(tokens) && !isDetail(tokens))
      this.#hasShortPart = true
    this.#isPart = false
    const behind = this.#text.slice(this.#end, this.#end + NEXT_CHARS)
    if (this.clauses.length === 0 && isOwnMistake(tokens, behind)) {
      this.isCorrection = true
      return
    }
    const clause = clauseOf(withSpans(withState(tokens)), this.#start, this.#end)
    if (clause === null) {
      if (((tokens[0]?.marks ?? 0) & M.firstCondition) !== 0) this.#isConditional = true
      return
    }
    clause.isContrast = this.clauses.length > this.#first && isContrast(tokens)
    if (clause.isPersonal && this.#hasSpeakerLabel) this.isTalk = true
    clause.sentence = this.#sentence
    if (this.#isSince) clause.hasNow = true
    this.#isSince = false
    this.clauses.push(clause)
  }

  #closeSentence(isQuestion: boolean): void {
    this.#closeClause()
    if (isQuestion) this.clauses.length = this.#first
    const parts = this.clauses.slice(this.#first)
    if (parts.length > 1 || this.#isConditional) joinParts(parts, this.#isConditional, this.#hasShortPart)
    this.#hasShortPart = false
    this.#isConditional = false
    this.#isSince = false
    this.#first = this.clauses.length
    this.#sentence += 1
  }
}

const POINTERS = wordSet('this that the which no any each every another only at')
