import { isSkipped } from './hidden.ts'

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

/** By code point, 0 for what was not seen yet. Zeros take no memory until they are written. */
const kinds = new Uint8Array(0x110000)

const IS_LETTER = /^[\p{L}\p{M}]$/u
const IS_NUMERAL = /^\p{N}$/u
const IS_DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u

/** What the unit at `at` is; both halves of a surrogate pair are what the pair is. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return kinds[code] || kindBeyond(text, at, code)
}

function kindBeyond(text: string, at: number, code: number): number {
  if (code < 0xd800 || code > 0xdfff) return storedKindOf(code)
  // Of a half alone nothing is stored: the next one of it may belong to a pair.
  const before = text.codePointAt(at - 1) ?? 0
  const codePoint = before > 0xffff ? before : (text.codePointAt(at) ?? 0)
  return codePoint > 0xffff ? storedKindOf(codePoint) : NO_WORD
}

function storedKindOf(codePoint: number): number {
  const kind = kinds[codePoint] || kindOf(codePoint)
  kinds[codePoint] = kind
  return kind
}

function kindOf(codePoint: number): number {
  if (codePoint === 0x40 || codePoint === 0x24) return SIGN
  if (codePoint >= 0x20 && isSkipped(codePoint)) return SKIP
  const character = String.fromCodePoint(codePoint)
  if (IS_DENSE.test(character)) return DENSE
  if (IS_NUMERAL.test(character)) return NUMERAL
  return IS_LETTER.test(character) ? LETTER : NO_WORD
}
