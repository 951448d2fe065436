import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldWord, LEET, LIKE, PLAIN, UNCLEAR, unitOf } from '../../src/core/screening/folding.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('screening folding')

const IGNORED = /^[\p{Mn}\p{Cf}\p{Cc}\u3164\uffa0]$/u

/** Letter by letter, by the forms of the Unicode Standard. */
function folded(word: string): string {
  const seen = Array.from(word.normalize('NFKD')).filter((character) => !IGNORED.test(character))
  return seen.join('').normalize('NFC').split('\u2019').join("'").toLowerCase()
}

/** First and last of the rows whose units fold alone. */
const ROWS: readonly (readonly [number, number])[] = [
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

const DIGITS = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }))

/** What a unit folds to alone; null where that is not one unit or depends on others; empty where it is nothing. */
function alone(unit: number): string | null {
  if (!ROWS.some(([first, last]) => first <= unit && unit <= last)) return null
  const text = folded(String.fromCharCode(unit))
  return text.length > 1 ? null : text
}

/** As if no text had been read before. */
function forget(unit: number): void {
  for (const table of [PLAIN, LIKE, LEET]) table[unit] = 0
}

test('each unit of each script folds alone or is unclear, whichever table is asked first', () => {
  const wrong: string[] = []
  for (const first of [PLAIN, LIKE, LEET]) {
    for (let unit = 0; unit < 0x10000; unit++) {
      forget(unit)
      const asked = unitOf(first, unit)
      const expected = alone(unit)
      const plain = unitOf(PLAIN, unit)
      const isRight =
        expected === null
          ? plain === UNCLEAR && unitOf(LIKE, unit) === UNCLEAR && unitOf(LEET, unit) === UNCLEAR
          : expected === ''
            ? plain < UNCLEAR && plain > 0 && unitOf(LIKE, unit) === plain && unitOf(LEET, unit) === plain
            : plain === expected.charCodeAt(0)
      if (!isRight || asked !== unitOf(first, unit)) wrong.push(unit.toString(16))
    }
  }
  expect(wrong).toEqual([])
})

test('the tables differ by look-alikes, and by digits and signs', () => {
  for (let unit = 0x20; unit < 0x7f; unit++) {
    forget(unit)
    const letter = folded(String.fromCharCode(unit))
    expect(String.fromCharCode(unitOf(LIKE, unit))).toBe(letter)
    expect(String.fromCharCode(unitOf(LEET, unit))).toBe(DIGITS.get(letter) ?? letter)
  }
  const alike = {
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ο: 'o',
    ν: 'v',
    О: 'o',
    ｓ: 's',
  }
  for (const [letter, latin] of Object.entries(alike)) {
    forget(letter.charCodeAt(0))
    expect([letter, unitOf(PLAIN, letter.charCodeAt(0))]).toEqual([letter, folded(letter).charCodeAt(0)])
    expect([letter, String.fromCharCode(unitOf(LIKE, letter.charCodeAt(0)))]).toEqual([letter, latin])
    expect([letter, String.fromCharCode(unitOf(LEET, letter.charCodeAt(0)))]).toEqual([letter, latin])
  }
  forget(0xff11)
  expect(String.fromCharCode(unitOf(LIKE, 0xff11), unitOf(LEET, 0xff11))).toBe('1i')
})

describe('a word is folded', () => {
  test.each([
    ['Ignore', 'ignore'],
    ['ÉCOLE', 'ecole'],
    ['Straße', 'straße'],
    ['ﬁlter', 'filter'],
    ['ΣΑΣ', 'σας'],
    ['you’re', "you're"],
    ['i\u200bg\u00adno\ufeffre', 'ignore'],
    ['ig\u007fnore', 'ignore'],
    ['e\u0301\u0301', 'e'],
    ['\u1112\u1161\u11ab', '한'],
    ['ｉｇｎ', 'ign'],
    ['\u200b', ''],
  ])('%j to %j', (word, expected) => {
    expect(foldWord(word)).toBe(expected)
    expect(folded(word)).toBe(expected)
  })

  test('unit by unit to what it folds to as a whole', () => {
    const unit = fc.oneof(
      ...ROWS.map(([min, max]) => fc.integer({ min, max })),
      fc.integer({ min: 0x7f, max: 0xffff }),
    )
    prove(
      fc.array(unit, { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
      (word) => {
        expect(foldWord(word)).toBe(folded(word))
      },
      400,
    )
  })
})
