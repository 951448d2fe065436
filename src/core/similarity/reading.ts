import { isExactIdentifier } from '../text/identifiers.ts'
import { classAt, DIGIT } from '../text/unicode.ts'
import {
  CONCORD_NEGATIONS,
  FACT_WORDS,
  isFunctionWord,
  isNegation,
  type Quantity,
  quantityOf,
  sideOf,
  spelledNumber,
  withUnit,
  wordSet,
} from './fact-words.ts'
import { markBefore, scanWords } from './statement.ts'
import { canonicalText, foldCase } from './text-signature.ts'

export interface Reading {
  /** All words in order, in small letters; compounds whole when they are identifiers, else in parts. */
  readonly words: readonly string[]
  /** A key for every quantity, identifier, negation, side and single fact word, with repetitions. */
  readonly facts: readonly string[]
  /** Words whose capitals say that they are names (`getUserId`, `Alice` inside a sentence), in small letters. */
  readonly names: ReadonlySet<string>
}

/** A text while it is read. */
interface Draft {
  readonly words: string[]
  readonly facts: string[]
  readonly names: Set<string>
  /** How many words come before the sentence, line or clause that is being read. */
  wordsBefore: number
  /** The quantity that is the last fact, and where it ended, when a unit may follow. */
  last: { readonly quantity: Quantity; readonly end: number } | null
}

/** Reads a text of any length. Linear. */
export function readText(raw: string): Reading {
  const text = canonicalText(raw).replaceAll('\\', '/')
  const lower = foldCase(text)
  // A letter that grows when it loses its capital shifts all positions: then each word is folded by itself.
  const lowerAt = (start: number, end: number): string =>
    lower.length === text.length ? lower.slice(start, end) : foldCase(text.slice(start, end))
  const draft: Draft = { words: [], facts: [], names: new Set(), wordsBefore: 0, last: null }
  scanWords(text, (kind, start, end) => {
    if (kind === 'word') readWord(draft, text, lowerAt(start, end), start, end)
    else if (kind === 'dense') readDense(draft, text.slice(start, end))
    else if (kind !== 'equals') {
      draft.wordsBefore = draft.words.length
      draft.last = null
    }
  })
  return draft
}

const JOINTS = /[_\-./@#':,]+/
const NAMING_JOINT = /[_/@#]|::/

function readWord(draft: Draft, text: string, lower: string, start: number, end: number): void {
  if (mayBeQuantity(text, lower, start, end) && readQuantity(draft, text, lower, start, end)) return
  const isUnit = unitBehind(draft, text, lower, start)
  draft.last = null
  if (isUnit) return
  const mark = markBefore(text, start)
  const isCompound = JOINTS.test(lower)
  if (mark !== '' || (isCompound && isNaming(text, lower, start, end)))
    return addIdentifier(draft, mark + lower)
  const isNamed =
    !text.startsWith(lower, start) &&
    (draft.words.length > draft.wordsBefore || isExactIdentifier(text, start, end))
  for (const word of isCompound ? spokenWords(lower) : [lower]) {
    if (isNamed && !isFunctionWord(word)) draft.names.add(word)
    draft.words.push(word)
    const side = sideOf(word)
    if (CONCORD_NEGATIONS.has(word) || isNegation(word)) draft.facts.push('not')
    else if (side !== null) draft.facts.push(side.axis + (side.isPlus ? '+' : '-'))
    else if (FACT_WORDS.has(word)) draft.facts.push(word)
  }
}

/** Adds a name that is compared as a whole. */
function addIdentifier(draft: Draft, name: string): void {
  draft.words.push(name)
  draft.facts.push(name)
}

function mayBeQuantity(text: string, lower: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (classAt(text, at) === DIGIT) return true
  return spelledNumber(lower) !== null
}

function isNaming(text: string, lower: string, start: number, end: number): boolean {
  return NAMING_JOINT.test(lower) || (lower.includes('.') && isExactIdentifier(text, start, end))
}

/** A number is a quantity, or with a word before it the name of one of many (`step 2`). */
function readQuantity(draft: Draft, text: string, lower: string, start: number, end: number): boolean {
  const quantity = quantityOf(lower, text.slice(Math.max(0, start - 2), start), text.slice(end, end + 1))
  if (quantity === null) return false
  const label = draft.words.length > draft.wordsBefore ? draft.words.at(-1) : undefined
  draft.last = null
  if (text.charAt(start - 1) === '#' || (label !== undefined && LABELS.has(label))) {
    addIdentifier(draft, `# ${quantity.key}`)
  } else if (quantity.dimension === 'code' && NAMING_JOINT.test(lower)) {
    addIdentifier(draft, lower)
  } else {
    draft.words.push(lower)
    draft.facts.push(factOf(quantity))
    draft.last = { quantity, end }
  }
  return true
}

/** True when the word is the unit of the quantity just before it. */
function unitBehind(draft: Draft, text: string, lower: string, start: number): boolean {
  const { last } = draft
  if (last === null || start - last.end > 1 || !/[ -]/.test(text.charAt(last.end))) return false
  const quantity = withUnit(last.quantity, lower)
  if (quantity === null) return false
  draft.facts[draft.facts.length - 1] = factOf(quantity)
  draft.words.push(lower)
  return true
}

function factOf({ key }: Quantity): string {
  return `= ${key}`
}

const ELISION = /^(?:[ldjsmtnc]|qu)'(?=.)/u
const SHORT_ENDING = /'\p{L}{1,2}$/u

/** The words of a compound of prose: `well-known` are two, `n'est` is `ne est`, `anna's` is `anna`. */
function spokenWords(lower: string): readonly string[] {
  if (!lower.includes("'")) return lower.split(JOINTS)
  if (isNegation(lower)) return [lower]
  const elision = ELISION.exec(lower)?.[0] ?? ''
  const rest = lower.slice(elision.length).replace(SHORT_ENDING, '').split(JOINTS)
  return elision === "n'" ? ['ne', ...rest] : rest
}

const DENSE_NEGATION = /[不没沒無无未非勿]|ません|ない|않|없|못|ไม่/g
const DENSE_SUCCESS = /成功|通过|通過|성공|สำเร็จ/g
const DENSE_FAILURE = /失败|失敗|실패|ล้มเหลว/g

function readDense(draft: Draft, run: string): void {
  draft.last = null
  const take = (fact: string) => (word: string) => {
    draft.words.push(word)
    draft.facts.push(fact)
    return ' '
  }
  const rest = run
    .replace(DENSE_SUCCESS, take('outcome+'))
    .replace(DENSE_FAILURE, take('outcome-'))
    .replace(DENSE_NEGATION, take('not'))
  for (const piece of rest.split(' ')) if (piece !== '') draft.words.push(piece)
}

const LABELS = wordSet(`
  step run issue ticket pr task phase case line page chapter round attempt day part example option figure id build job batch
  shard item sprint milestone trial section rule schritt lauf aufgabe seite zeile étape ligne paso línea passo linha шаг`)
