import { textOf } from './bytes.ts'
import { skeletonOf } from './confusables.ts'

// The form in which words are looked up. Most units fold alone, whatever stands beside them: three tables hold what
// they fold to, so that a word can be looked up where it stands, without a copy of it.

/** Beyond printable ASCII. */
const BEYOND_ASCII = /[\u007f-\uffff]/
const SKIPPED = /[\p{Mn}\p{Cf}\u00ad\u3164\uffa0\p{Cc}]+/gu
/** The unit folds to nothing. */
const DROPPED = 1
/** What the unit folds to depends on its neighbours, or is not one unit. */
export const UNCLEAR = 2

/** A unit for each unit, 0 for those that were not seen yet. Read it with `unitOf`. */
export type UnitTable = Uint16Array

/** Folded. */
export const PLAIN: UnitTable = new Uint16Array(0x10000)
/** Folded, look-alike letters read as the Latin ones. */
export const LIKE: UnitTable = new Uint16Array(0x10000)
/** Folded, look-alikes, digits and signs read as Latin letters. */
export const LEET: UnitTable = new Uint16Array(0x10000)

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
  [0xac00, 0xd7a3],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xff01, 0xff5e],
]

// So that ASCII can be read from the tables at once.
for (let unit = 0; unit < 0x80; unit++) seeUnit(unit)

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

/** What a table has for a unit: what it folds to alone, or UNCLEAR, or less when it folds to nothing. */
export function unitOf(table: UnitTable, unit: number): number {
  const known = table[unit] ?? 0
  if (known !== 0) return known
  seeUnit(unit)
  return table[unit] ?? 0
}

/** Fills the tables for a unit. */
function seeUnit(unit: number): void {
  const isAlone = BY_UNIT.some(([first, last]) => unit >= first && unit <= last)
  const folded = isAlone ? foldWhole(String.fromCharCode(unit)) : null
  if (folded?.length === 1) {
    PLAIN[unit] = folded.charCodeAt(0)
    LIKE[unit] = skeletonOf(folded, false).charCodeAt(0)
    LEET[unit] = skeletonOf(folded, true).charCodeAt(0)
  } else for (const table of [PLAIN, LIKE, LEET]) table[unit] = folded === '' ? DROPPED : UNCLEAR
}

function foldWhole(word: string): string {
  return word.normalize('NFKD').replace(SKIPPED, '').normalize('NFC').replaceAll('\u2019', "'").toLowerCase()
}
