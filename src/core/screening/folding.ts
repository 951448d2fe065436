import { textOf } from './bytes.ts'
import { skeletonOf } from './confusables.ts'

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
