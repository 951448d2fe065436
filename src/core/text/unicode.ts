// What a character may be to the tokeniser. The numbers are ordered: SMALL..DIGIT are the characters of a word.

/** Separates words. */
export const GAP = 0
/** A letter without capital form, a small letter, or a mark that belongs to its letter. */
export const SMALL = 1
export const CAPITAL = 2
export const DIGIT = 3
/** A letter of a script that is written without spaces between words. */
export const DENSE = 4
/** Joins the parts of an identifier when it stands between two characters of a word. */
export const JOINT = 5

const UNSEEN = 255
const WORD = /^[\p{L}\p{M}\p{N}]$/u
const DENSE_SCRIPT =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u
// Tilde, macron and their like are extensions of dense scripts as well as of Latin, where they make no word dense.
const LATIN = /^\p{scx=Latin}$/u
const JOINTS = '_-./@#'

// Filled as characters are first met: classes of the basic plane, one byte each.
const classes = new Uint8Array(0x10000).fill(UNSEEN)

/** Class of the character at `at`; both halves of a surrogate pair have the class of the pair. */
export function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = classes[code] ?? UNSEEN
  if (known !== UNSEEN) return known
  if (code >= 0xd800 && code <= 0xdfff) return classOfPair(text, at)
  const found = classify(String.fromCharCode(code))
  classes[code] = found
  return found
}

function classOfPair(text: string, at: number): number {
  const isSecond = text.charCodeAt(at) >= 0xdc00
  const codePoint = text.codePointAt(isSecond ? at - 1 : at) ?? 0
  if (codePoint <= 0xffff) return GAP
  return classify(String.fromCodePoint(codePoint))
}

function classify(character: string): number {
  if (JOINTS.includes(character)) return JOINT
  if (!WORD.test(character)) return GAP
  if (DENSE_SCRIPT.test(character) && !LATIN.test(character)) return DENSE
  if (/^\p{Nd}$/u.test(character)) return DIGIT
  return /^\p{Lu}$/u.test(character) ? CAPITAL : SMALL
}

export function isWordClass(characterClass: number): boolean {
  return characterClass >= SMALL && characterClass <= DIGIT
}

const BEYOND_ASCII = /[\u0080-\uffff]/
// Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic. Marks of other scripts are letters
// to their readers and stay, and so does the breve that makes another letter of a Cyrillic one.
const ACCENTS =
  /(?<![\u0400-\u052f])\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]+/g

/**
 * The text with compatibility forms and accents folded and with one kind of slash; capitals stay. Korean syllables
 * and Japanese voiced letters are composed again after the accents are gone.
 */
export function fold(text: string): string {
  const slashed = text.includes('\\') ? text.replaceAll('\\', '/') : text
  if (!BEYOND_ASCII.test(slashed)) return slashed
  return slashed.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}
