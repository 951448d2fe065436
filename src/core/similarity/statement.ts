import { classAt, DENSE, isWordClass, JOINT } from '../text/unicode.ts'
import {
  isConcordNegation,
  isFactWord,
  isFunctionWord,
  isNegation,
  type Quantity,
  type Side,
  sideOf,
  wordSet,
} from './fact-words.ts'

/** One sentence, line or clause before a semicolon, read for what it asserts. */
export interface Statement {
  /** All words in order, in small letters; compounds whole when they are identifiers, else in parts. */
  readonly words: readonly string[]
  /** What it is about: words that are no function words, negations, sides or quantities. */
  readonly content: ReadonlySet<string>
  /** Content and identifiers before and after the first `is`, `=` or `:`; null when there is none. */
  readonly subject: readonly string[] | null
  readonly value: readonly string[]
  readonly quantities: readonly Quantity[]
  /** Paths, symbols with joints, addresses, flags, numbered things (`step 2`). */
  readonly identifiers: readonly string[]
  /** The side taken on each axis; null when both are. */
  readonly sides: ReadonlyMap<string, boolean | null>
  /** A key for every quantity, identifier, negation, side and single fact word, with repetitions. */
  readonly facts: readonly string[]
  readonly isNegated: boolean
  readonly isQuestion: boolean
  readonly isPast: boolean
  /** Names a month or an hour of the clock: its numbers may be a date. */
  readonly isDated: boolean
}

/** A statement while it is read. */
export interface Draft {
  readonly words: string[]
  readonly content: Set<string>
  readonly sides: Map<string, boolean | null>
  readonly quantities: Quantity[]
  readonly identifiers: string[]
  readonly facts: string[]
  readonly before: string[]
  readonly after: string[]
  hasValue: boolean
  negations: number
  hasConcord: boolean
  isPast: boolean
  isDated: boolean
  /** Where the last quantity ended, when a unit may follow; else -1. */
  quantityEnd: number
}

export function newDraft(): Draft {
  return {
    words: [],
    content: new Set(),
    sides: new Map(),
    quantities: [],
    identifiers: [],
    facts: [],
    before: [],
    after: [],
    hasValue: false,
    negations: 0,
    hasConcord: false,
    isPast: false,
    isDated: false,
    quantityEnd: -1,
  }
}

export function statementOf(draft: Draft, isQuestion: boolean): Statement {
  const quantities = draft.quantities.map((quantity) => `= ${quantity.key}`)
  return {
    words: draft.words,
    content: draft.content,
    subject: draft.hasValue ? draft.before : null,
    value: draft.after,
    quantities: draft.quantities,
    identifiers: draft.identifiers,
    sides: draft.sides,
    facts: [...quantities, ...draft.identifiers, ...draft.facts],
    isNegated: draft.hasConcord || draft.negations % 2 === 1,
    isQuestion,
    isPast: draft.isPast,
    isDated: draft.isDated,
  }
}

/** Adds a plain word: a negation, a side, or content. */
export function addWord(draft: Draft, word: string): void {
  draft.words.push(word)
  if (PAST.has(word)) draft.isPast = true
  if (DATE_WORDS.has(word)) draft.isDated = true
  if (COPULAS.has(word)) return markValue(draft)
  const isConcord = isConcordNegation(word)
  if (isConcord || isNegation(word)) {
    if (isConcord) draft.hasConcord = true
    return addNegation(draft)
  }
  const side = sideOf(word)
  if (side !== null) return takeSide(draft, side)
  if (isFactWord(word)) draft.facts.push(word)
  else if (isFunctionWord(word)) return
  addContent(draft, stemOf(word))
}

export function addNegation(draft: Draft): void {
  draft.negations += 1
  draft.facts.push('not')
}

export function takeSide(draft: Draft, side: Side): void {
  const known = draft.sides.get(side.axis)
  draft.sides.set(side.axis, known === undefined || known === side.isPlus ? side.isPlus : null)
  draft.facts.push(side.axis + (side.isPlus ? '+' : '-'))
}

export function addContent(draft: Draft, word: string): void {
  draft.content.add(word)
  place(draft, word)
}

/** Adds a name that is compared as a whole. */
export function addIdentifier(draft: Draft, name: string): void {
  draft.words.push(name)
  draft.identifiers.push(name)
  place(draft, name)
}

function place(draft: Draft, word: string): void {
  const side = draft.hasValue ? draft.after : draft.before
  side.push(word)
}

/** What follows is the value, when something stands before. */
export function markValue(draft: Draft): void {
  if (draft.before.length > 0) draft.hasValue = true
}

/** Plural and singular of the languages that form it with an s. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

const COPULAS = wordSet('is are equals ist sind est sont es son é são')
const PAST = wordSet(`
  was were had previously formerly earlier used yesterday war waren wurde wurden früher était étaient era eran fue foi eram
  был была было были раньше ранее`)
const DATE_WORDS = wordSet(`
  am pm january february march april may june july august september october november december jan feb apr jun jul aug sep oct
  nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août septembre octobre
  novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro
  fevereiro março maio junho julho setembro outubro novembro dezembro
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря`)

/** What stands at [start, end) of a canonical text. */
export type ScanKind = 'word' | 'dense' | 'end' | 'question' | 'equals'

export type ScanSink = (kind: ScanKind, start: number, end: number) => void

/**
 * Cuts a text into words (compounds such as `src/a.ts`, `don't`, `1,000`, `10:30` whole), runs of scripts without
 * spaces, ends of statements, and the signs `=` and `:` that part a subject from its value. Linear.
 */
export function scanWords(text: string, sink: ScanSink): void {
  for (let at = 0; at < text.length; ) {
    const here = classAt(text, at)
    if (isWordClass(here)) {
      const end = endOfCompound(text, at)
      sink('word', at, end)
      at = end
    } else if (here === DENSE) {
      let end = at + 1
      while (end < text.length && classAt(text, end) === DENSE) end += 1
      sink('dense', at, end)
      at = end
    } else {
      const mark = MARKS.get(text.charAt(at))
      if (mark !== undefined && isMarkAt(text, at)) sink(mark, at, at + 1)
      at += 1
    }
  }
}

const MARKS: ReadonlyMap<string, ScanKind> = new Map([
  ...['.', '!', ';', '\n', '。'].map((mark): [string, ScanKind] => [mark, 'end']),
  ['?', 'question'],
  ['=', 'equals'],
  [':', 'equals'],
])

/** A stop ends a statement when nothing is joined to it; `=` and a line break always count. */
function isMarkAt(text: string, at: number): boolean {
  const mark = text.charAt(at)
  if (mark === '\n' || mark === '=' || mark === '。') return true
  // `./run.sh` is one name.
  if (mark === '.' && text.charAt(at + 1) === '/') return false
  return at + 1 === text.length || !isWordClass(classAt(text, at + 1))
}

function endOfCompound(text: string, start: number): number {
  let end = start + 1
  for (; end < text.length; ) {
    if (isWordClass(classAt(text, end))) {
      end += 1
      continue
    }
    const joint = jointChars(text, end)
    if (joint === 0 || end + joint >= text.length || !isWordClass(classAt(text, end + joint))) break
    end += joint
  }
  return end
}

function jointChars(text: string, at: number): number {
  if (classAt(text, at) === JOINT) return 1
  const sign = text.charAt(at)
  if (sign === "'") return 1
  if (sign === ':' && text.charAt(at + 1) === ':') return 2
  const isBetweenDigits = isDigitAt(text, at - 1) && isDigitAt(text, at + 1)
  return isBetweenDigits && (sign === ',' || sign === ':') ? 1 : 0
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
