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

/** Kinds of characters, each with a pattern for runs of it; of two that match, the later one holds. */
export type CharacterKinds = readonly (readonly [kind: number, run: RegExp])[]

/** A kind by unit of UTF-16. Read-only: it is filled once, when its module is loaded. */
export type UnitKinds = { readonly [unit: number]: number }

/** First and last unit of the large blocks of letters without case; all characters of a block are of one kind. */
const BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
]
const HALVES_START = 0xd800
const HALVES_END = 0xe000

/** The kind of every unit, 0 where no pattern matches; `half` for the halves of surrogate pairs. */
export function unitKinds(kinds: CharacterKinds, half: number): Uint8Array {
  const table = new Uint8Array(0x10000)
  let start = 0
  for (const [first, last] of BLOCKS) {
    fillKinds(table, kinds, start, first)
    table.fill(kindOf(kinds, String.fromCharCode(first)), first, last + 1)
    start = last + 1
  }
  fillKinds(table, kinds, start, table.length)
  return table.fill(half, HALVES_START, HALVES_END)
}

/** The kind of one character, 0 when no pattern matches. */
export function kindOf(kinds: CharacterKinds, character: string): number {
  return kinds.findLast(([, run]) => character.search(run) === 0)?.[0] ?? 0
}

function fillKinds(table: Uint8Array, kinds: CharacterKinds, start: number, end: number): void {
  const codes = new Uint16Array(end - start)
  for (let at = 0; at < codes.length; at += 1) codes[at] = start + at
  const units: string = Reflect.apply(String.fromCharCode, null, codes)
  for (const [kind, run] of kinds)
    for (const { 0: found, index } of units.matchAll(run))
      table.fill(kind, start + index, start + index + found.length)
}

// Tilde, macron and their like are extensions of dense scripts as well as of Latin, where they make no word dense.
const CLASSES: CharacterKinds = [
  [SMALL, /[\p{L}\p{M}\p{N}]+/gu],
  [CAPITAL, /\p{Lu}+/gu],
  [DIGIT, /\p{Nd}+/gu],
  [
    DENSE,
    /(?:(?=[\p{L}\p{M}\p{N}])(?!\p{scx=Latin})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])+/gu,
  ],
  [JOINT, /[_\-./@#]+/g],
]
const HALF = 255
const classes: UnitKinds = unitKinds(CLASSES, HALF)

/** Class of the character at `at`; both halves of a surrogate pair have the class of the pair. */
export function classAt(text: string, at: number): number {
  const known = classes[text.charCodeAt(at)] ?? GAP
  return known === HALF ? classOfPair(text, at) : known
}

function classOfPair(text: string, at: number): number {
  const isSecond = text.charCodeAt(at) >= 0xdc00
  const codePoint = text.codePointAt(isSecond ? at - 1 : at) ?? 0
  return codePoint <= 0xffff ? GAP : kindOf(CLASSES, String.fromCodePoint(codePoint))
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
