import { type CharacterKinds, kindOf, type UnitKinds, unitKinds } from '../text/unicode.ts'
import { isSkipped, SKIPPED_ROWS } from './folding.ts'

// What a unit of a text is to the reader of words.

export const NO_WORD = 1
export const LETTER = 2
export const NUMERAL = 3
/** A letter of a script without spaces. */
export const DENSE = 4
/** Not seen: it does not end a word. */
export const SKIP = 5
/** `@` and `$`: letters only inside a word. */
export const SIGN = 6

const KINDS: CharacterKinds = [
  [NO_WORD, /[^]+/g],
  [LETTER, /[\p{L}\p{M}]+/gu],
  [NUMERAL, /\p{N}+/gu],
  [DENSE, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu],
  [SIGN, /[@$]/g],
]
const HALF = 0
const kinds: UnitKinds = kindTable()

/** What the unit at `at` is; both halves of a surrogate pair are what the pair is. */
export function kindAt(text: string, at: number): number {
  return kinds[text.charCodeAt(at)] || kindOfHalf(text, at)
}

function kindOfHalf(text: string, at: number): number {
  const before = text.codePointAt(at - 1) ?? 0
  const codePoint = before > 0xffff ? before : (text.codePointAt(at) ?? 0)
  if (codePoint <= 0xffff) return NO_WORD
  return isSkipped(codePoint) ? SKIP : kindOf(KINDS, String.fromCodePoint(codePoint))
}

/** Controls below the space are no marks inside a word. */
function kindTable(): UnitKinds {
  const table = unitKinds(KINDS, HALF)
  for (const [first, last] of SKIPPED_ROWS) table.fill(SKIP, Math.max(first, 0x20), last + 1)
  return table
}
