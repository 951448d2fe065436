import { isExactIdentifier } from '../text/identifiers.ts'
import { canonicalText, foldCase } from './canonical-text.ts'
import { denseWordsOf } from './dense-words.ts'
import {
  type Clause,
  clauseOf,
  frameOf,
  isDate,
  isNamedBy,
  type OpenClause,
  type Token,
  type TokenKind,
} from './dispute-clause.ts'
import { infoOf, M, VERSION_WORDS, type WordInfo, wordsOfCompound } from './dispute-lexicon.ts'
import {
  codeKind,
  DIGIT_SHAPE,
  DOT_SHAPE,
  isCyrillic,
  isFolderAt,
  isMarkAt,
  markBefore,
  NAME_SHAPE,
  quotesOf,
  shapeOf,
  withPlainSigns,
} from './dispute-signs.ts'
import { IT, PLACES } from './dispute-slot-words.ts'
import { classesOfWord, W } from './dispute-words.ts'
import { quantityOf, withUnit, wordSet } from './fact-words.ts'
import { type RecordText, readRecord } from './record-text.ts'
import { scanWords } from './statement.ts'

/** A text, read once for any number of comparisons. */
export interface DisputeReading {
  readonly clauses: readonly Clause[]
  /** Fields, when the text is a record rather than prose; it has no clauses then. */
  readonly record: RecordText | null
  /** Order numbers, addresses and other names of one thing among many. */
  readonly ids: ReadonlySet<string>
  /** Words with the number behind them, which may tell which one of many: `class 4`. */
  readonly numbered: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Begins with `Correction:` or the like. */
  readonly isCorrection: boolean
  /** What one person says to another. */
  readonly isTalk: boolean
  /** In which something is stated. */
  readonly sentences: number
  /** Its words in their order, in small letters. */
  readonly spelling: readonly string[]
  /** What was read; the clauses are places of it. */
  readonly text: string
}

/** Read from the beginning of a text. What is longer is a document, of which later parts seldom state one fact. */
const READ_CHARS_MAX = 4_000
const CLAUSES_MAX = 48

const COUNTED = /^\d+(?:\.\d+)?-\p{L}{2,}$/u
const PARTS = /[,()[\]{}]| - | -- |\u2026|\.\.\.|\uff0c|\u3001/u
const NAMING = /[_/@#]|::|\\/

/** Reads a text of any length. Linear in what it reads. */
export function readForDispute(raw: string): DisputeReading {
  const text = withPlainSigns(canonicalText(beginningOf(raw)))
  const record = readRecord(raw)
  const reader = new Reader(text)
  if (record === null) reader.read()
  return {
    clauses: reader.clauses,
    record,
    ids: reader.ids,
    numbered: reader.numbered,
    words: reader.words,
    isCorrection: reader.isCorrection,
    isTalk: reader.isTalk,
    sentences: reader.sentences,
    spelling: reader.spelling,
    text,
  }
}

/** Whole sentences and lines only: half of one would say something else. */
function beginningOf(text: string): string {
  if (text.length <= READ_CHARS_MAX) return text
  const head = text.slice(0, READ_CHARS_MAX)
  return head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1))
}

class Reader {
  readonly clauses: OpenClause[] = []
  readonly ids = new Set<string>()
  readonly numbered = new Set<string>()
  readonly words = new Set<string>()
  readonly spelling: string[] = []
  isCorrection = false
  isTalk = false
  sentences = 0
  readonly #text: string
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
  /** Clauses of the sentence that is read, and whether it puts a condition. */
  #first = 0

  constructor(text: string) {
    this.#text = text
    const lower = foldCase(text)
    this.#lower = lower.length === text.length ? lower : null
    this.#quotes = quotesOf(text)
  }

  read(): void {
    scanWords(this.#text, (kind, start, end) => {
      if (this.clauses.length >= CLAUSES_MAX) return
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
    if (this.#tokens.length === 0 || start - this.#end <= 1 || this.#isPurpose()) return
    const between = this.#text.slice(this.#end, start)
    if (!PARTS.test(between)) return
    // A dash stands where Slavic languages leave the verb out.
    if (between === ' - ' && isCyrillic(this.#text, this.#end - 1) && isCyrillic(this.#text, start, true))
      return this.#push(sign('='))
    this.#closeClause()
    this.#isPart = true
  }

  /** `To fill the tables, run …`: what it is for and how are one statement. */
  #isPurpose(): boolean {
    const [first, second] = this.#tokens
    if (first === undefined || !PURPOSES.has(first.text) || this.#tokens.length > PURPOSE_MAX) return false
    return !this.#isPart && this.clauses.length === this.#first && second?.isContent === true
  }

  #equals(at: number): void {
    const [only, second] = this.#tokens
    if (this.clauses.length === 0 && only !== undefined && this.#tokens.length <= 2) {
      if ((only.classes & W.correction) !== 0) {
        this.isCorrection = true
        this.#tokens = []
        return
      }
      if (only.hasCapital && (second === undefined || second.hasCapital) && (only.classes & W.slot) === 0)
        this.#hasSpeakerLabel = true
    }
    if (this.#tokens.length > 0) this.#tokens.push(sign(this.#text.charAt(at)))
  }

  #word(start: number, end: number): void {
    const lower = this.#lower?.slice(start, end) ?? foldCase(this.#text.slice(start, end))
    this.spelling.push(lower)
    const quoted = this.#isQuotedAt(start)
    if (quoted === 'long') return
    const isQuoted = quoted === 'short'
    const shape = shapeOf(lower)
    const joint = (shape & DIGIT_SHAPE) !== 0 && COUNTED.test(lower) ? lower.indexOf('-') : -1
    if (joint > 0) {
      // `30-day` is `30 days`.
      this.spelling.pop()
      this.#word(start, start + joint)
      this.#end = start + joint
      return this.#word(start + joint + 1, end)
    }
    if ((shape & DIGIT_SHAPE) !== 0 && this.#number(lower, start, end, isQuoted)) return
    if (shape === 0) {
      const info = infoOf(lower)
      if ((info.marks & M.spelled) !== 0 && this.#number(lower, start, end, isQuoted)) return
      if (this.#unit(lower, start)) return
      if (!isMarkAt(this.#text, start, end)) return this.#plain(lower, info, start, isQuoted)
    }
    const mark = markBefore(this.#text, start)
    const isName =
      mark !== '' ||
      (shape & NAME_SHAPE) !== 0 ||
      isFolderAt(this.#text, end) ||
      ((shape & DOT_SHAPE) !== 0 && isExactIdentifier(this.#text, start, end))
    if (isName) return this.#name(mark + lower, !this.#text.startsWith(lower, start), isQuoted)
    for (const word of wordsOfCompound(lower))
      if (word !== '') this.#plain(word, infoOf(word), start, isQuoted)
  }

  /** Takes the word as the unit of the number just before it. */
  #unit(lower: string, start: number): boolean {
    const before = this.#tokens.at(-1)
    if (before?.kind !== 'number' || start - this.#end > 1) return false
    const unit = withUnit({ key: before.key.slice(2), dimension: before.dimension }, lower)
    if (unit === null) return false
    this.#tokens[this.#tokens.length - 1] = { ...before, key: `= ${unit.key}`, dimension: unit.dimension }
    return true
  }

  #name(name: string, hasCapital: boolean, isQuoted: boolean): void {
    const bare = `/${name.replace(/^[./~]+/, '')}`
    if (name.includes('@') || /\d{3}/.test(name)) this.ids.add(bare)
    this.#push({ ...tokenOf(name, { ...ONE, key: bare }, 'name', isQuoted), hasCapital })
  }

  #number(lower: string, start: number, end: number, isQuoted: boolean): boolean {
    const text = this.#text
    const quantity = quantityOf(lower, text.slice(Math.max(0, start - 2), start), text.slice(end, end + 1))
    if (quantity === null) return false
    const label = this.#tokens.at(-1)
    const isLabelled =
      this.#isFirstLabel(label, lower, start) ||
      (label !== undefined && isLabel(label) && start - this.#end <= 2) ||
      this.#tokens.at(-2)?.text === 'ending'
    const hasCapital = !text.startsWith(lower, start)
    if (isLabelled || text.charAt(start - 1) === '#') {
      const id = `${text.charAt(start - 1) === '#' ? '#' : (label?.key ?? '')} ${lower}`
      if (this.#isPlace()) this.numbered.add(id)
      else this.ids.add(id)
      this.#push({ ...tokenOf(lower, { ...ONE, key: id }, 'id', isQuoted), hasCapital })
      return true
    }
    if (label?.isContent === true && start - this.#end <= 1) this.numbered.add(`${label.key} ${lower}`)
    const kind = quantity.dimension === 'code' ? codeKind(lower) : quantity.dimension
    const dimension =
      kind === '' && /^\d{7,}$/.test(lower)
        ? 'id'
        : kind === 'date' && VERSION_WORDS.has(label?.text ?? '')
          ? 'version'
          : kind
    if (dimension === 'id') {
      if (/\d{3}/.test(lower)) this.ids.add(lower)
      const named = NAMING.test(lower) ? 'name' : 'id'
      this.#push({ ...tokenOf(lower, { ...ONE, key: lower }, named, isQuoted), hasCapital })
      return true
    }
    const classes = dimension === 'date' || dimension === 'clock' ? W.date : 0
    const key = `= ${quantity.key.replace(/^v(?=\d)/, '')}`
    this.#push({ ...tokenOf(lower, { ...ONE, key, classes }, 'number', isQuoted), dimension })
    return true
  }

  /** `stored in room 3` says where, `room 3 is` of what is spoken. */
  #isPlace(): boolean {
    const tokens = this.#tokens
    if (!PLACES.has(tokens.at(-1)?.text ?? '') || !tokens.slice(0, -2).some(({ isContent }) => isContent))
      return false
    const lead = tokens.findLast(({ classes }, at) => at < tokens.length - 1 && (classes & W.article) === 0)
    return lead !== undefined && (lead.classes & W.placing) !== 0
  }

  /** `rule 3 says`, `memory 4 of 9`: what begins with a noun and a number tells which one of many. */
  #isFirstLabel(label: Token | undefined, number: string, start: number): boolean {
    if (label?.kind !== 'word' || !label.isContent || start - this.#end > 1 || !/^\d{1,6}$/.test(number))
      return false
    if ((label.classes & (W.slot | W.measure | W.date | W.qualifier)) !== 0 || VERSION_WORDS.has(label.text))
      return false
    return this.#tokens.every((token) => token === label || (token.classes & W.article) !== 0)
  }

  #plain(word: string, info: WordInfo, start: number, isQuoted: boolean): void {
    const before = this.#tokens.at(-1)
    if (word === 'one' && !POINTERS.has(before?.text ?? ''))
      return this.#push(tokenOf('one', ONE, 'number', isQuoted))
    // `i pazienti`: the article of another language.
    const classes =
      word === 'i' && this.#text.charCodeAt(start) === 0x69 ? info.classes & ~W.speaker : info.classes
    if ((classes & W.joint) !== 0 && this.#tokens.length > 2 && !isQuoted) return this.#closeClause()
    if (SHORT_NAMES.has(word) && this.#text.startsWith(word.toUpperCase(), start))
      return this.#push({ ...tokenOf(word, { ...ONE, key: `/${word}` }, 'id', isQuoted), hasCapital: true })
    const first = this.#text.charCodeAt(start)
    const hasCapital = first < 0x80 ? first >= 0x41 && first <= 0x5a : !this.#text.startsWith(word, start)
    if (hasCapital && word.length <= 2 && before !== undefined && isNamedBy(before, word)) {
      const key = `${before.key} ${word}`
      return this.#push({ ...tokenOf(word, { ...ONE, key }, 'id', isQuoted), hasCapital })
    }
    const isMeant = (classes & W.light) !== 0 && before !== undefined && (before.classes & W.means) !== 0
    const isDated = hasCapital && (classes & W.date) !== 0
    const isDenial = (info.marks & (M.negation | M.concord)) !== 0
    this.#push({
      text: word,
      key: info.key,
      kind: 'word',
      classes,
      marks: info.marks,
      dimension: '',
      hasCapital,
      isQuoted,
      isContent: info.isContent || ((isQuoted || isMeant || isDated) && !isDenial),
    })
  }

  #dense(start: number, end: number): void {
    const isQuoted = this.#isQuotedAt(start)
    this.spelling.push(this.#text.slice(start, end))
    if (isQuoted === 'long') return
    for (const word of denseWordsOf(this.#text.slice(start, end)))
      this.#push(tokenOf(word, infoOf(word), 'word', isQuoted === 'short'))
  }

  #push(token: Token): void {
    this.#tokens.push(token)
    if (token.isContent) this.words.add(token.key)
  }

  #isQuotedAt(start: number): 'short' | 'long' | null {
    for (let quote = this.#quotes[this.#quote]; quote !== undefined && quote[1] <= start; ) {
      this.#quote += 1
      quote = this.#quotes[this.#quote]
    }
    const quote = this.#quotes[this.#quote]
    if (quote === undefined || quote[0] > start) return null
    return quote[2] ? 'long' : 'short'
  }

  #closeClause(): void {
    const tokens = this.#tokens
    this.#tokens = []
    if (this.#isPart && tokens.length > 0 && tokens.length <= 2) this.#hasShortPart = true
    this.#isPart = false
    const clause = clauseOf(tokens, this.#start, this.#end)
    if (clause === null) return
    if (clause.isPersonal && this.#hasSpeakerLabel) this.isTalk = true
    this.clauses.push(clause)
  }

  #closeSentence(isQuestion: boolean): void {
    this.#closeClause()
    if (isQuestion) this.clauses.length = this.#first
    if (this.clauses.length - this.#first > 1) this.#joinParts()
    this.#hasShortPart = false
    if (this.clauses.length > this.#first) this.sentences += 1
    this.#first = this.clauses.length
  }

  /** `We raised the limit, it is 5` and `starts later, on 9 May`: the second part is about what the first one speaks of. */
  #nameIt(before: Clause, part: OpenClause, tokens: readonly Token[]): void {
    if (before.isNegated || before.isAnaphoric || part.isNegated) return
    const joined = clauseOf([...before.tokens, ...tokens], before.start, part.end)
    if (joined !== null && joined.content.size <= JOINED_WORDS_MAX) Object.assign(part, joined)
  }

  #joinParts(): void {
    const parts = this.clauses.slice(this.#first)
    const isConditional = parts.some((part) => part.isConditional)
    const frame = frameOf(parts)
    for (const [at, part] of parts.entries()) {
      const before = parts[at - 1]
      if (
        before !== undefined &&
        part.tokens.every((token) => !token.isContent || isDate(token) || token.kind === 'number')
      )
        this.#nameIt(before, part, part.tokens)
      if (before !== undefined && before.changeAt >= 0 && IT.has(part.tokens[0]?.text ?? ''))
        this.#nameIt(before, part, part.tokens.slice(1))
      part.isConditional = isConditional
      part.isPart = true
      part.frame = frame
      if (this.#hasShortPart) part.isList = true
    }
  }
}

function sign(text: string): Token {
  return tokenOf(text, SIGN, 'sign', false)
}

const SIGN: WordInfo = { key: ':', classes: W.copula, marks: 0, isContent: false }
const ONE: WordInfo = { key: '= 1', classes: 0, marks: 0, isContent: true }

function tokenOf(text: string, info: WordInfo, kind: TokenKind, isQuoted: boolean): Token {
  const { key, classes, marks, isContent } = info
  return { text, key, kind, classes, marks, dimension: '', hasCapital: false, isQuoted, isContent }
}

/** `seats 12` says how many. */
function isLabel({ classes, text }: Token): boolean {
  return (classes & W.label) !== 0 && (!text.endsWith('s') || (classesOfWord(text) & W.label) !== 0)
}

/** Countries and regions that are words in small letters. */
const SHORT_NAMES = wordSet('us eu uk it de es')
const PURPOSES = wordSet('to for für voor dla um zum zur para pour per om aby żeby чтобы для')
const PURPOSE_MAX = 6
const JOINED_WORDS_MAX = 8

const POINTERS = wordSet('this that the which no any each every another only at')
