import { isExactIdentifier } from '../text/identifiers.ts'
import { canonicalText, foldCase } from './canonical-text.ts'
import { denseWordsOf } from './dense-words.ts'
import { type Clause, clauseOf, isNegative, type Token } from './dispute-clause.ts'
import { isRival } from './dispute-rivals.ts'
import { classesOfWord, W } from './dispute-words.ts'
import { isFunctionWord, quantityOf, sideOf, spelledNumber, withUnit, wordSet } from './fact-words.ts'
import { type RecordText, readRecord } from './record-text.ts'
import { scanWords } from './statement.ts'

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
  /** What one person says to another. */
  readonly isTalk: boolean
  /** Equal for texts of the same words in the same order. */
  readonly spelling: string
  /** Of each clause. */
  readonly spellings: ReadonlySet<string>
  /** What was read; the clauses are places of it. */
  readonly text: string
}

/** Read from the beginning of a text. What is longer is a document, of which later parts seldom state one fact. */
const READ_CHARS_MAX = 4_000
const CLAUSES_MAX = 48

const QUOTED = /"[^"\n]{1,400}"|(?<![\p{L}\p{N}])'[^'\n]{1,400}'(?![\p{L}\p{N}])/gu
const QUOTED_WORDS_MAX = 3
const PARTS = /[,()[\]{}]| - | -- |\u2026|\.\.\.|\uff0c|\u3001/u
const NAMING = /[_/@#]|::|\\/

/** Reads a text of any length. Linear in what it reads. */
export function readForDispute(raw: string): DisputeReading {
  const text = canonicalText(beginningOf(raw))
    .replaceAll('\\', '/')
    .replace(/\b[a-z]{2,6}:\/\//g, '')
  const record = readRecord(raw)
  const reader = new Reader(text)
  if (record === null) reader.read()
  return {
    clauses: reader.clauses,
    record,
    ids: reader.ids,
    words: reader.words,
    isCorrection: reader.isCorrection,
    isTalk: reader.isTalk,
    spelling: reader.spelling.join(' '),
    spellings: new Set(reader.clauses.map(({ spelling }) => spelling)),
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
  readonly clauses: Clause[] = []
  readonly ids = new Set<string>()
  readonly words = new Set<string>()
  readonly spelling: string[] = []
  isCorrection = false
  isTalk = false
  readonly #text: string
  readonly #lower: string
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
    this.#lower =
      lower.length === text.length ? lower : text.toLowerCase().slice(0, text.length).padEnd(text.length)
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
    if (this.#tokens.length > 0 && start - this.#end > 1 && PARTS.test(this.#text.slice(this.#end, start)))
      this.#closeClause()
    else return
    this.#isPart = true
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
    const lower = this.#lower.slice(start, end)
    this.spelling.push(lower)
    const isQuoted = this.#isQuotedAt(start)
    if (isQuoted === 'long') return
    if (this.#number(lower, start, end, isQuoted === 'short')) return
    const before = this.#tokens.at(-1)
    if (before?.kind === 'number' && start - this.#end <= 1) {
      const unit = withUnit({ key: before.key.slice(2), dimension: before.dimension }, lower)
      if (unit !== null) {
        this.#tokens[this.#tokens.length - 1] = { ...before, key: `= ${unit.key}`, dimension: unit.dimension }
        return
      }
    }
    const mark = markBefore(this.#text, start)
    const hasCapital = !this.#text.startsWith(lower, start)
    if (
      mark !== '' ||
      isFolderAt(this.#text, end) ||
      NAMING.test(lower) ||
      (lower.includes('.') && isExactIdentifier(this.#text, start, end))
    )
      return this.#name(mark + lower, hasCapital, isQuoted === 'short')
    for (const word of wordsOfCompound(lower)) this.#plain(word, hasCapital, isQuoted === 'short')
  }

  #name(name: string, hasCapital: boolean, isQuoted: boolean): void {
    const bare = `/${name.replace(/^[./~]+/, '')}`
    if (name.includes('@') || /\d{3}/.test(name)) this.ids.add(bare)
    this.#push({
      text: name,
      key: bare,
      kind: 'name',
      classes: 0,
      dimension: '',
      hasCapital,
      isQuoted,
      isContent: true,
    })
  }

  #number(lower: string, start: number, end: number, isQuoted: boolean): boolean {
    if (!/\p{Nd}/u.test(lower) && spelledNumber(lower) === null) return false
    const text = this.#text
    const quantity = quantityOf(lower, text.slice(Math.max(0, start - 2), start), text.slice(end, end + 1))
    if (quantity === null) return false
    const label = this.#tokens.at(-1)
    const isLabelled =
      (label !== undefined && (label.classes & W.label) !== 0 && start - this.#end <= 2) ||
      this.#tokens.at(-2)?.text === 'ending'
    const hasCapital = !text.startsWith(lower, start)
    if (isLabelled || text.charAt(start - 1) === '#') {
      const id = `${text.charAt(start - 1) === '#' ? '#' : (label?.key ?? '')} ${lower}`
      this.ids.add(id)
      this.#push({
        text: lower,
        key: id,
        kind: 'id',
        classes: 0,
        dimension: '',
        hasCapital,
        isQuoted,
        isContent: true,
      })
      return true
    }
    const kind = quantity.dimension === 'code' ? codeKind(lower) : quantity.dimension
    const dimension =
      kind === '' && /^\d{7,}$/.test(lower)
        ? 'id'
        : kind === 'date' && VERSION_WORDS.has(label?.text ?? '')
          ? 'version'
          : kind
    if (dimension === 'id') {
      if (/\d{3}/.test(lower)) this.ids.add(lower)
      this.#push({
        text: lower,
        key: lower,
        kind: NAMING.test(lower) ? 'name' : 'id',
        classes: 0,
        dimension: '',
        hasCapital,
        isQuoted,
        isContent: true,
      })
      return true
    }
    this.#push({
      text: lower,
      key: `= ${quantity.key.replace(/^v(?=\d)/, '')}`,
      kind: 'number',
      classes: dimension === 'date' || dimension === 'clock' ? W.date : 0,
      dimension,
      hasCapital: false,
      isQuoted,
      isContent: true,
    })
    return true
  }

  #plain(word: string, hasCapital: boolean, isQuoted: boolean): void {
    if (word === '') return
    const classes = classesOfWord(word)
    if ((classes & W.joint) !== 0 && this.#tokens.length > 2 && !isQuoted) return this.#closeClause()
    const label = this.#tokens.at(-1)
    if (hasCapital && word.length <= 2 && label !== undefined && (label.classes & W.label) !== 0) {
      this.#push({
        text: word,
        key: `${label.key} ${word}`,
        kind: 'id',
        classes: 0,
        dimension: '',
        hasCapital,
        isQuoted,
        isContent: true,
      })
      return
    }
    const isContent = !isQuoted && isSilent(word, classes, hasCapital) ? false : !isNegative(word)
    this.#push({
      text: word,
      key: stemOf(word),
      kind: 'word',
      classes,
      dimension: '',
      hasCapital,
      isQuoted,
      isContent,
    })
  }

  #dense(start: number, end: number): void {
    const isQuoted = this.#isQuotedAt(start)
    this.spelling.push(this.#text.slice(start, end))
    if (isQuoted === 'long') return
    for (const word of denseWordsOf(this.#text.slice(start, end))) {
      const classes = classesOfWord(word)
      const isContent = !isSilent(word, classes, false) && !isNegative(word)
      this.#push({
        text: word,
        key: word,
        kind: 'word',
        classes,
        dimension: '',
        hasCapital: false,
        isQuoted: isQuoted === 'short',
        isContent,
      })
    }
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
    const clauses = this.clauses.splice(this.#first)
    const isConditional = clauses.some((clause) => clause.isConditional)
    const isList = this.#hasShortPart
    this.#hasShortPart = false
    if (!isQuestion)
      for (const clause of clauses)
        this.clauses.push(
          clauses.length > 1
            ? { ...clause, isConditional, isPart: true, isList: clause.isList || isList }
            : clause,
        )
    this.#first = this.clauses.length
  }
}

function sign(text: string): Token {
  return {
    text,
    key: text,
    kind: 'sign',
    classes: W.copula,
    dimension: '',
    hasCapital: false,
    isQuoted: false,
    isContent: false,
  }
}

const CUES = W.change | W.gone | W.now
const SILENT = W.measure | W.copula | W.light | W.article | W.located | W.prefers | W.plan | W.correction

/** Says nothing about what a clause is about. */
function isSilent(word: string, classes: number, hasCapital: boolean): boolean {
  if (hasCapital && (classes & W.date) !== 0) return false
  if (sideOf(word)?.axis === 'order') return false
  if ((classes & (W.role | W.slot | W.date | W.label | W.qualifier)) !== 0 && !isFunctionWord(word))
    return false
  if ((classes & (SILENT | CUES)) !== 0) return true
  return isFunctionWord(word) || (classes & (W.placing | W.means | W.from | W.to)) !== 0
}

/** Where quoted text stands; of a long quotation no word counts. */
function quotesOf(text: string): readonly (readonly [start: number, end: number, isLong: boolean])[] {
  if (!/["']/.test(text)) return []
  return [...text.matchAll(QUOTED)].map(({ 0: quoted, index }) => [
    index,
    index + quoted.length,
    quoted.trim().split(/\s+/).length > QUOTED_WORDS_MAX,
  ])
}

/** `--`, `-`, `.`, `/` or `~/` in front of a word that is a flag, a hidden file or a rooted path. */
function markBefore(text: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 3 && '-./~'.includes(text.charAt(from - 1))) from -= 1
  if (from === start) return ''
  if (from > 0 && !' \n(\'"=:[<'.includes(text.charAt(from - 1))) return ''
  return text.slice(from, start)
}

/** `docs/` */
function isFolderAt(text: string, end: number): boolean {
  return text.charAt(end) === '/' && /^(?:[\s.,;:)'"]|$)/.test(text.slice(end + 1, end + 2))
}

const ELISION = /^(?:[ldjsmtnc]|qu)'(?=.)/u
const CONTRACTED = /n't$|^[a-z]+'(?:ll|m|ve|d|re)$/

function wordsOfCompound(lower: string): readonly string[] {
  if (!/[-'.:,]/.test(lower)) return [lower]
  if (CONTRACTED.test(lower) || classesOfWord(lower) !== 0 || isRival(lower)) return [lower]
  const elision = ELISION.exec(lower)?.[0] ?? ''
  const rest = lower
    .slice(elision.length)
    .replace(/'\p{L}{1,2}$/u, '')
    .split(/[-'.:,]+/)
  return elision === "n'" ? ['ne', ...rest] : rest
}

function codeKind(lower: string): string {
  if (/^\d{4}-\d\d?-\d\d?(?:t.*)?$|^\d\d?[./]\d\d?[./]\d{2,4}$|^\d{4}\/\d\d?\/\d\d?$/.test(lower))
    return 'date'
  if (/^\d\d?:\d\d(?::\d\d)?(?:am|pm)?$|^\d\d?(?:am|pm)$/.test(lower)) return 'clock'
  if (/^v?\d+(?:\.\d+){0,3}(?:-[a-z]+\.?\d*)?$|^\d+(?:\.x|\.\d+\.x)$/.test(lower)) return 'version'
  if (/^\d+(?:st|nd|rd|th|er|ème|º)$/.test(lower)) return 'date'
  return 'id'
}

/** One form of the inflections of a word, by its ending: right for most, and the same for both texts when wrong. */
function stemOf(word: string): string {
  const size = word.length
  if (size < 4) return word
  if (word.charCodeAt(0) > 0x3ff) return size > 4 ? word.replace(/[аеёиоуыэюяйь]{1,2}$/u, '') : word
  let stem = word
  if (stem.endsWith('ies') && size > 4) stem = `${stem.slice(0, -3)}y`
  else if (/[^sui]s$/.test(stem)) stem = stem.slice(0, -1)
  if (size > 5 && /(?:ed|ing)$/.test(stem)) {
    const cut = stem.replace(/(?:ed|ing)$/, '')
    if (cut.length > 2 && /[aeiouy]/.test(cut)) stem = cut.replace(/([bdgmnprt])\1$/, '$1')
  }
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}

/** Words before a version. */
export const VERSION_WORDS: ReadonlySet<string> = wordSet(
  'version versión versão versione versie version версия версии версию wersja release v 版本 バージョン 버전',
)
