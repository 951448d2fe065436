import { countIn } from '../base/collections.ts'
import { CONCEPT_LANGUAGES } from './concepts.ts'
import { type Clause, clauseOf, type OpenClause, type Token, tokenOf, tokenWith } from './dispute-clause.ts'
import {
  CHINESE,
  type Column,
  conceptOf,
  conceptOfForm,
  DUTCH,
  ENGLISH,
  GERMAN,
  isParticle,
  JAPANESE,
  partedVerb,
  partsOf,
  phraseIn,
  REWORDED,
  REWORDED_FORMS,
} from './dispute-concepts.ts'
import { infoOf, M } from './dispute-lexicon.ts'
import { isDate } from './dispute-pair.ts'
import type { DisputeReading } from './dispute-reading.ts'
import { mayBeWritten, monthOf, withPlainValues } from './dispute-times.ts'
import { W } from './dispute-words.ts'
import { wordSet } from './fact-words.ts'

// A text in the words by which texts of two languages are compared: each word that the table of concepts knows is put into
// English, compounds are parted, and times, dates and money are written in one way.

const ENGLISH_BIT = 1 << ENGLISH

/** Whether two texts are of two languages. One whose language nobody can tell passes for English. */
export function areOfTwoLanguages(one: DisputeReading, other: DisputeReading): boolean {
  return (languageOf(one) & languageOf(other)) === 0
}

/** The languages that a text may be of, a bit each. Where English is one of several, it is that. */
export function languageOf({ common: { languages } }: DisputeReading): number {
  return languages === 0 || (languages & ENGLISH_BIT) !== 0 ? ENGLISH_BIT : languages
}

/** Whether two texts that pass for texts of two languages may be of one. */
export function mayBeOfOneLanguage(one: DisputeReading, other: DisputeReading): boolean {
  if (!areOfTwoLanguages(one, other)) return false
  const [a, b] = [one.common.languages, other.common.languages]
  return a === 0 || b === 0 || (a & b) !== 0 || ALIKE.some((alike) => (a & alike) !== 0 && (b & alike) !== 0)
}

/** Short texts of one of them often have more words of another. */
const ALIKE: readonly number[] = [
  ['fr', 'es', 'it', 'pt'],
  ['de', 'nl'],
  ['zh', 'ja'],
].map((languages) =>
  CONCEPT_LANGUAGES.reduce(
    (mask, language, column) => (languages.includes(language) ? mask | (1 << column) : mask),
    0,
  ),
)

/** A text in common words; itself where these are its own. Of one reading it is made once. */
export function inCommonWords(reading: DisputeReading): DisputeReading {
  const { common } = reading
  common.reading ??= translate(reading)
  return common.reading
}

/** Whether two texts are to be compared in common words: of two languages always, of one where they share no less of them. */
export function mayTellMoreInCommonWords(one: DisputeReading, other: DisputeReading): boolean {
  if (areOfTwoLanguages(one, other)) return true
  const [a, b] = [inCommonWords(one), inCommonWords(other)]
  return (a !== one || b !== other) && countIn(a.words, b.words) >= countIn(one.words, other.words)
}

function translate(reading: DisputeReading): DisputeReading {
  if (reading.record !== null || reading.isTalk) return reading
  if (languageOf(reading) === ENGLISH_BIT && !isReworded(reading.clauses)) return reading
  const columns = columnsOf(languageOf(reading))
  let isSame = true
  const clauses: Clause[] = []
  const byClause = new Map<Clause, Clause>()
  for (const clause of reading.clauses) {
    const tokens = withPlainValues(tokensIn(clause.tokens, columns), columns.includes(ENGLISH))
    if (tokens === clause.tokens || isAsBefore(tokens, clause.tokens)) clauses.push(clause)
    else {
      isSame = false
      const changed = clauseIn(clause, tokens)
      if (changed === null) continue
      const { leadIn } = clause
      changed.leadIn = leadIn === null ? null : (byClause.get(leadIn) ?? leadIn)
      byClause.set(clause, changed)
      clauses.push(changed)
    }
  }
  if (isSame) return reading
  const words = new Set<string>()
  for (const { content } of clauses) for (const key of content.keys()) words.add(key)
  const { record, isCorrection, isTalk, item, spelling, common, text } = reading
  const ids = new Set([...reading.ids].map((id) => idIn(id, columns)))
  return { clauses, record, ids, words, isCorrection, isTalk, item, spelling, common, text }
}

/** Whether an English text has a word or a value that is written in another way. */
function isReworded(clauses: readonly Clause[]): boolean {
  let hasIn = false
  for (const { tokens } of clauses) {
    for (let at = 0; at < tokens.length; at += 1) {
      const { kind = '', key = '' } = tokens[at] ?? {}
      if (kind === 'word' ? REWORDED.has(key) : kind === 'number' && mayBeWritten(tokens, at)) return true
      if (key === 'in') hasIn = true
    }
  }
  // `in` begins a phrase of the table, and stands in every other text: mostly all stays as it is.
  return hasIn && clauses.some(({ tokens }) => tokens.some((_, at) => mayBeOtherwise(tokens, at)))
}

function mayBeOtherwise(tokens: readonly Token[], at: number): boolean {
  const { kind = '', key = '', text = '' } = tokens[at] ?? {}
  if (text === 'in') return phraseIn(ENGLISH, tokens, at) !== null
  return kind === 'id' || key.includes(' ') || REWORDED_FORMS.has(text)
}

function columnsOf(languages: number): readonly Column[] {
  const columns: Column[] = []
  for (let rest = languages; rest !== 0; rest &= rest - 1) columns.push(31 - Math.clz32(rest & -rest))
  return columns.reverse()
}

function isAsBefore(tokens: readonly Token[], before: readonly Token[]): boolean {
  return tokens.length === before.length && tokens.every((token, at) => token === before[at])
}

/** What the words of one language say of a clause stays as it was read. */
function clauseIn(clause: Clause, tokens: readonly Token[]): OpenClause | null {
  const made = clauseOf(tokens, clause.start, clause.end)
  if (made === null) return null
  made.hasNow = clause.hasNow
  made.isNegated = clause.isNegated
  made.isConditional = clause.isConditional
  made.isPromise = clause.isPromise
  made.isWish = clause.isWish
  made.isPast = clause.isPast
  made.isEvent = clause.isEvent
  made.isPersonal = clause.isPersonal
  made.isAnaphoric = clause.isAnaphoric
  made.marks |= clause.marks
  made.sentence = clause.sentence
  made.isContrast = clause.isContrast
  made.isPart = clause.isPart
  made.isList = clause.isList
  return made
}

const DENIALS = M.negation | M.concord | M.restriction
const DENSE_WORDS_MAX = 6

function tokensIn(said: readonly Token[], columns: readonly Column[]): readonly Token[] {
  const tokens = columns.some((column) => VERB_LAST.has(column)) ? withVerbFirst(said) : said
  const found: Token[] = []
  const last = tokens.at(-1)
  const particle =
    last !== undefined && columns.some((column) => isParticle(column, last.text)) ? last.text : ''
  const isGerman = columns.includes(GERMAN)
  const isEnglish = columns.includes(ENGLISH)
  let isParted = false
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'id') found.push(asId(token, columns))
    if (token.kind !== 'word' || token.isQuoted) {
      if (token.kind !== 'id') found.push(token)
      at += 1
      continue
    }
    const verb = particle === '' ? null : partedIn(columns, token.text, particle)
    if (verb !== null) isParted = true
    const meant = verb === null ? meantAt(tokens, at, columns) : { heads: verb, size: 1 }
    if (meant === null) {
      // Endings of verbs, which say nothing by themselves.
      if (
        columns.includes(JAPANESE) &&
        (token.text === DESU || HIRAGANA.test(token.text)) &&
        token.marks === 0
      ) {
        if (token.text === DESU && token === last && found.length > 1)
          found.splice(-1, 0, headOf('is', token, false))
        at += 1
        continue
      }
      const isNoun = isGerman && token.hasCapital && !isNameAt(tokens, at)
      found.push(isNoun ? tokenWith(token, { hasCapital: false }) : token)
      at += 1
      continue
    }
    for (const head of meant.heads) found.push(headOf(head, token, isEnglish))
    at += meant.size
  }
  if (isParted) found.pop()
  return columns.some((column) => column >= CHINESE) ? withVerbBeforeValue(found) : found
}

const FREQUENCIES = wordSet('hourly daily weekly monthly quarterly yearly')

/** `会议 10 点 开始` as `会议 开始 10 点`. */
function withVerbBeforeValue(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1)
  const value = tokens.findIndex(
    (token) => token.kind === 'number' || isDate(token) || FREQUENCIES.has(token.text),
  )
  if (last?.kind !== 'word' || isDate(last) || value < 1 || value === tokens.length - 1) return tokens
  return [...tokens.slice(0, value), last, ...tokens.slice(value, -1)]
}

const DESU = 'です'
const HIRAGANA = /^[\u3040-\u309f]$/
const VERB_LAST: ReadonlySet<Column> = new Set([GERMAN, DUTCH])

/** `wird am Montag versendet` as `wird versendet am Montag`: what stands at the end goes with its verb. */
function withVerbFirst(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.at(-1)
  if (last?.kind !== 'word' || last.hasCapital || !/(?:t|en|d)$/.test(last.text)) return tokens
  const verb = tokens.findIndex(({ text }) => AUXILIARIES.has(text))
  if (verb < 0 || verb >= tokens.length - 2) return tokens
  return [...tokens.slice(0, verb + 1), last, ...tokens.slice(verb + 1, -1)]
}

const AUXILIARIES = wordSet(
  'ist sind wird werden wurde wurden hat haben muss müssen darf dürfen kann können soll sollen wordt worden werd werden is zijn heeft hebben moet moeten mag mogen kan kunnen',
)

function partedIn(columns: readonly Column[], verb: string, particle: string): readonly string[] | null {
  for (const column of columns) {
    const heads = partedVerb(column, verb, particle)
    if (heads !== null) return heads
  }
  return null
}

interface Meant {
  readonly heads: readonly string[]
  readonly size: number
}

function meantAt(tokens: readonly Token[], at: number, columns: readonly Column[]): Meant | null {
  const token = tokens[at]
  if (token === undefined) return null
  for (const column of columns) {
    if (column === CHINESE || column === JAPANESE) {
      const dense = denseAt(tokens, at, column)
      if (dense !== null) return dense
      continue
    }
    const phrase = phraseIn(column, tokens, at)
    if (phrase !== null) return phrase
    if ((token.marks & DENIALS) !== 0) continue
    const heads = conceptOf(column, token.text)
    if (heads !== null) return { heads, size: 1 }
  }
  if ((token.marks & DENIALS) !== 0) return null
  // A word of English within another language.
  const heads = (token.isContent ? conceptOf(ENGLISH, token.text) : null) ?? formOf(token.text, columns)
  return heads === null ? null : { heads, size: 1 }
}

function formOf(word: string, columns: readonly Column[]): readonly string[] | null {
  for (const column of columns) {
    const heads = conceptOfForm(column, word) ?? partsOf(column, word)
    if (heads !== null) return heads
  }
  return null
}

/** The longest word of the table, of signs that were read one by one. */
function denseAt(tokens: readonly Token[], at: number, column: Column): Meant | null {
  for (let size = Math.min(DENSE_WORDS_MAX, tokens.length - at); size > 0; size -= 1) {
    const word = tokens
      .slice(at, at + size)
      .map(({ text }) => text)
      .join('')
    const heads = conceptOf(column, word)
    if (heads !== null) return { heads, size }
  }
  return null
}

/** A word of the table as if it had been read in an English text. */
function headOf(head: string, token: Token, isEnglish: boolean): Token {
  if (head === 'may') return monthOf(token, head)
  const info = infoOf(head)
  if (isEnglish && token.key === info.key) return token
  return tokenOf(head, info, 'word', false, (info.classes & W.date) !== 0)
}

/** `Zimmer 4` is `room 4`. */
function asId(token: Token, columns: readonly Column[]): Token {
  const key = idIn(token.key, columns)
  return key === token.key ? token : tokenWith(token, { key })
}

function idIn(id: string, columns: readonly Column[]): string {
  const [label = '', number] = id.split(' ')
  if (number === undefined) return id
  for (const column of columns) {
    const head = (conceptOf(column, label) ?? conceptOfForm(column, label))?.at(-1)
    if (head !== undefined) return `${infoOf(head).key} ${number}`
  }
  return id
}

/** Of German words with a capital, a name: no article and no word of its own kind stands before it. */
function isNameAt(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]
  if (before === undefined) return tokens.length > 1
  return (before.marks & M.title) !== 0 || before.kind === 'sign' || BEFORE_NAMES.has(before.text)
}

const BEFORE_NAMES = wordSet('ist sind an von bei zu nach heisst durch in und wird statt für mit')
