import { isExactIdentifier } from '../text/identifiers.ts'
import { classAt, DIGIT } from '../text/unicode.ts'
import { isFunctionWord, isNegation, quantityOf, spelledNumber, withUnit, wordSet } from './fact-words.ts'
import {
  addContent,
  addIdentifier,
  addNegation,
  addWord,
  type Draft,
  markValue,
  newDraft,
  type Statement,
  scanWords,
  statementOf,
  takeSide,
} from './statement.ts'
import { canonicalText, foldCase } from './text-signature.ts'

export interface Reading {
  readonly statements: readonly Statement[]
  /** Words whose capitals say that they are names (`getUserId`, `Alice` inside a sentence), in small letters. */
  readonly names: ReadonlySet<string>
}

/** Reads the statements of a text of any length. Linear. */
export function readText(raw: string): Reading {
  const text = canonicalText(raw).replaceAll('\\', '/')
  const lower = foldCase(text)
  // A letter that grows when it loses its capital shifts all positions: then each word is folded by itself.
  const lowerAt = (start: number, end: number): string =>
    lower.length === text.length ? lower.slice(start, end) : foldCase(text.slice(start, end))
  const statements: Statement[] = []
  const names = new Set<string>()
  let draft = newDraft()
  const close = (isQuestion: boolean): void => {
    if (draft.words.length > 0) statements.push(statementOf(draft, isQuestion))
    draft = newDraft()
  }
  scanWords(text, (kind, start, end) => {
    if (kind === 'word') readWord(draft, names, text, lowerAt(start, end), start, end)
    else if (kind === 'dense') readDense(draft, text.slice(start, end))
    else if (kind === 'equals') markValue(draft)
    else close(kind === 'question')
  })
  close(false)
  return { statements, names }
}

const JOINTS = /[_\-./@#':,]+/
const NAMING_JOINT = /[_/@#]|::/

function readWord(
  draft: Draft,
  names: Set<string>,
  text: string,
  lower: string,
  start: number,
  end: number,
): void {
  if (mayBeQuantity(text, lower, start, end) && readQuantity(draft, text, lower, start, end)) return
  const isUnit = unitBehind(draft, text, lower, start)
  draft.quantityEnd = -1
  if (isUnit) return
  const mark = nameMark(text, start)
  const isCompound = JOINTS.test(lower)
  if (mark !== '' || (isCompound && isNaming(text, lower, start, end)))
    return addIdentifier(draft, mark + lower)
  const isNamed =
    !text.startsWith(lower, start) && (draft.words.length > 0 || isExactIdentifier(text, start, end))
  for (const word of isCompound ? spokenWords(lower) : [lower]) {
    if (isNamed && !isFunctionWord(word)) names.add(word)
    addWord(draft, word)
  }
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
  const label = draft.words.at(-1)
  draft.quantityEnd = -1
  if (text.charAt(start - 1) === '#' || (label !== undefined && LABELS.has(label))) {
    addIdentifier(draft, `# ${quantity.key}`)
  } else if (quantity.dimension === 'code' && NAMING_JOINT.test(lower)) {
    addIdentifier(draft, lower)
  } else {
    draft.words.push(lower)
    draft.quantities.push(quantity)
    draft.quantityEnd = end
  }
  return true
}

/** True when the word is the unit of the quantity just before it. */
function unitBehind(draft: Draft, text: string, lower: string, start: number): boolean {
  const last = draft.quantities.at(-1)
  if (draft.quantityEnd === -1 || last === undefined) return false
  if (start - draft.quantityEnd > 1 || !/[ -]/.test(text.charAt(draft.quantityEnd))) return false
  const quantity = withUnit(last, lower)
  if (quantity === null) return false
  draft.quantities[draft.quantities.length - 1] = quantity
  draft.words.push(lower)
  return true
}

/** `--`, `-`, `.`, `/` or `~/` in front of a word that is a flag, a hidden file or a rooted path. */
function nameMark(text: string, start: number): string {
  let from = start
  while (from > 0 && start - from < 3 && '-./~'.includes(text.charAt(from - 1))) from -= 1
  if (from === start) return ''
  if (from > 0 && !' \n(\'"=:[<'.includes(text.charAt(from - 1))) return ''
  return text.slice(from, start)
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

/** Pairs of characters stand for the words of a script without spaces. */
function readDense(draft: Draft, run: string): void {
  draft.quantityEnd = -1
  const rest = run
    .replace(DENSE_SUCCESS, (word) => denseSide(draft, word, true))
    .replace(DENSE_FAILURE, (word) => denseSide(draft, word, false))
    .replace(DENSE_NEGATION, (word) => {
      draft.words.push(word)
      addNegation(draft)
      return ' '
    })
  for (const piece of rest.split(' ')) {
    if (piece === '') continue
    draft.words.push(piece)
    if (piece.length === 1) addContent(draft, piece)
    for (let at = 0; at + 2 <= piece.length; at += 1) addContent(draft, piece.slice(at, at + 2))
  }
}

function denseSide(draft: Draft, word: string, isPlus: boolean): string {
  draft.words.push(word)
  takeSide(draft, { axis: 'outcome', isPlus })
  return ' '
}

const LABELS = wordSet(`
  step run issue ticket pr task phase case line page chapter round attempt day part example option figure id build job batch
  shard item sprint milestone trial section rule schritt lauf aufgabe seite zeile étape ligne paso línea passo linha шаг`)
