import { textOf } from './bytes.ts'

// Letters of Cyrillic, Greek, Armenian and Cherokee that look like Latin ones, after folding to lower case, and the
// digits and signs that stand for letters. Source of the letters: Unicode Technical Standard 39, confusables.txt,
// the part that is confusable with a to z.

const PAIRS =
  'аa вb еe ёe ғf һh іi їi јj кk ӏl мm нh оo рp ԛq гr ѕs тt цu уy ѵv ԝw хx ԁd ɡg ɑa ɩi ı i ο o α a ν v ρ p τ t υ u ι i κ k χ x γ y η n ε e ω w ϲ c ϳ j ս u օ o հ h ո n ց g զ q յ j с c ɢg ʏy ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz'
const LOOK_ALIKE = lettersByLikeness(PAIRS)
const SIGNS_AS_LETTERS = lettersByLikeness('0o 1i 3e 4a 5s 7t @a $s')

const LATIN = /\p{Script=Latin}/u
const LETTERS = /\p{L}/gu

function lettersByLikeness(pairs: string): ReadonlyMap<string, string> {
  const letters = new Map<string, string>()
  const all = Array.from(pairs.replaceAll(' ', ''))
  for (let at = 0; at + 1 < all.length; at += 2) letters.set(all[at] ?? '', all[at + 1] ?? '')
  return letters
}

/** The word as it looks in Latin letters; `withDigits` also reads digits and signs as letters. */
export function skeletonOf(word: string, withDigits: boolean): string {
  let out = ''
  for (const character of word) {
    const latin = LOOK_ALIKE.get(character) ?? (withDigits ? SIGNS_AS_LETTERS.get(character) : undefined)
    out += latin ?? character
  }
  return out
}

/**
 * Whether a folded word mixes Latin letters with look-alikes of another script: three letters or more, and every
 * letter that is not Latin has a Latin look-alike. A unit or a formula (`kΩ`, `μs`) is not.
 */
export function isMixedScript(word: string): boolean {
  const letters = word.match(LETTERS) ?? []
  const others = letters.filter((letter) => !LATIN.test(letter))
  const isMixed = letters.length >= 3 && others.length > 0 && others.length < letters.length
  return isMixed && others.every((letter) => LOOK_ALIKE.has(letter))
}

// The form in which words are looked up. Most units fold alone, whatever stands beside them: three tables hold what
// they fold to, so that a word can be looked up where it stands, without a copy of it.

/** Beyond printable ASCII. */
const BEYOND_ASCII = /[\u007f-\uffff]/
const SKIPPED = /[\p{Mn}\p{Cf}\u00ad\u3164\uffa0\p{Cc}]+/gu
/** What the unit folds to depends on its neighbours, or is not one unit. */
export const UNCLEAR = 0
/** The unit folds to nothing. */
export const DROPPED = 1

/** By unit: the unit that it folds to, UNCLEAR or DROPPED. Read it with `unitOf`. */
export type UnitTable = { readonly [unit: number]: number }

/**
 * Scripts in which folding a text is folding its units: no letter of them composes with another after its marks are
 * gone. Not in them: Hangul letters (which join to syllables), the Greek final sigma, vowel signs of two parts.
 */
const BY_UNIT: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x3a2],
  [0x3a4, 0x3f8],
  [0x3fa, 0x3ff],
  [0x400, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x65f],
  [0x900, 0x97f],
  [0xe01, 0xe5b],
  [0x200b, 0x200f],
  [0x2019, 0x2019],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xff01, 0xff5e],
]

/** Syllables of Korean fold alone as well, each to itself. */
const SYLLABLES_START = 0xac00
const SYLLABLES_END = 0xd7a4
/** Behind each unit of a row that is folded as a whole: it folds to itself and joins with nothing. */
const APART = '\ue000'

/**
 * Three foldings: `PLAIN` folds only, `LIKE` reads look-alike letters as the Latin ones too, `LEET` also digits and signs.
 */
export const { PLAIN, LIKE, LEET } = unitTables()

/** The form in which words are looked up: lower case, compatibility forms and accents folded, hidden marks gone. */
export function foldWord(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word.toLowerCase()
  const units: number[] = []
  for (let at = 0; at < word.length; at++) {
    const unit = unitOf(PLAIN, word.charCodeAt(at))
    if (unit === UNCLEAR) return foldWhole(word)
    if (unit !== DROPPED) units.push(unit)
  }
  return textOf(units)
}

/** What a table has for a unit: what it folds to alone, UNCLEAR or DROPPED. */
export function unitOf(table: UnitTable, unit: number): number {
  return table[unit] ?? UNCLEAR
}

function unitTables(): Readonly<Record<'PLAIN' | 'LIKE' | 'LEET', UnitTable>> {
  const tables = {
    PLAIN: new Uint16Array(0x10000),
    LIKE: new Uint16Array(0x10000),
    LEET: new Uint16Array(0x10000),
  }
  for (const [first, last] of BY_UNIT) {
    let units = ''
    for (let unit = first; unit <= last; unit++) units += String.fromCharCode(unit) + APART
    const folded = foldWhole(units)
    fillRow(tables.PLAIN, first, folded)
    fillRow(tables.LIKE, first, skeletonOf(folded, false))
    fillRow(tables.LEET, first, skeletonOf(folded, true))
  }
  const { PLAIN, LIKE, LEET } = tables
  for (let unit = SYLLABLES_START; unit < SYLLABLES_END; unit++) PLAIN[unit] = unit
  for (const table of [LIKE, LEET]) table.set(PLAIN.subarray(SYLLABLES_START, SYLLABLES_END), SYLLABLES_START)
  return tables
}

function fillRow(table: Uint16Array, first: number, folded: string): void {
  let unit = first
  for (let at = 0; at < folded.length; unit++) {
    const end = folded.indexOf(APART, at)
    const isOne = end === at + 1
    table[unit] = end === at ? DROPPED : isOne ? folded.charCodeAt(at) : UNCLEAR
    at = end + 1
  }
}

function foldWhole(word: string): string {
  return word.normalize('NFKD').replace(SKIPPED, '').normalize('NFC').replaceAll('\u2019', "'").toLowerCase()
}
