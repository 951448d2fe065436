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

const UNSEEN = 0
/** By code point. Zeros take no memory until they are written. */
const kinds = new Uint8Array(0x110000)

const IS_LETTER = /^[\p{L}\p{M}]$/u
const IS_NUMERAL = /^\p{N}$/u
const IS_DENSE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]$/u

/** What the unit at `at` is; both halves of a surrogate pair are what the pair is. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = kinds[code] ?? UNSEEN
  return known === UNSEEN ? kindBeyond(text, at, code) : known
}

function kindBeyond(text: string, at: number, code: number): number {
  const isHalf = code >= 0xd800 && code <= 0xdfff
  const codePoint = isHalf ? (text.codePointAt(code >= 0xdc00 && at > 0 ? at - 1 : at) ?? 0) : code
  const known = kinds[codePoint] ?? UNSEEN
  if (known !== UNSEEN) return known
  // Not stored: the next one of this half may belong to a pair.
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return NO_WORD
  const kind = kindOf(codePoint)
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
