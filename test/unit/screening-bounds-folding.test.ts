import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DROPPED, foldWord, LEET, LIKE, PLAIN, UNCLEAR, unitOf } from '../../src/core/screening/folding.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('screening folding')

const IGNORED = /^[\p{Mn}\p{Cf}\p{Cc}\u3164\uffa0]$/u

/** Letter by letter, by the forms of the Unicode Standard. */
function folded(word: string): string {
  const seen = Array.from(word.normalize('NFKD')).filter((character) => !IGNORED.test(character))
  return seen.join('').normalize('NFC').split('\u2019').join("'").toLowerCase()
}

const DIGITS = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }))

test('each unit of UTF-16 folds alone to what it folds to as a text, or is unclear in every table', () => {
  const wrong: string[] = []
  for (let unit = 0; unit < 0x10000; unit++) {
    const plain = unitOf(PLAIN, unit)
    const others = [unitOf(LIKE, unit), unitOf(LEET, unit)]
    const form = folded(String.fromCharCode(unit))
    const isRight =
      plain === UNCLEAR || plain === DROPPED
        ? others.every((other) => other === plain) && (plain === UNCLEAR || form === '')
        : form === String.fromCharCode(plain)
    if (!isRight) wrong.push(unit.toString(16))
  }
  expect(wrong).toEqual([])
})

test('the letters of common scripts are never unclear', () => {
  const letters = 'azAZ09@$éßÀſƀɏαωΩϿаяЯѐԯאתؠىािह\u093eกฮ가힣ａＺ’'
  for (const letter of letters)
    expect([letter, unitOf(PLAIN, letter.charCodeAt(0))]).not.toEqual([letter, UNCLEAR])
  const dropped = '\u0300\u036f\u064b\u200b\u200f\u202e\u2064\ufe0f\ufeff'
  for (const mark of dropped) expect(unitOf(PLAIN, mark.charCodeAt(0))).toBe(DROPPED)
})

test('the tables differ by look-alikes, and by digits and signs', () => {
  for (let unit = 0x20; unit < 0x7f; unit++) {
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
    expect([letter, unitOf(PLAIN, letter.charCodeAt(0))]).toEqual([letter, folded(letter).charCodeAt(0)])
    expect([letter, String.fromCharCode(unitOf(LIKE, letter.charCodeAt(0)))]).toEqual([letter, latin])
    expect([letter, String.fromCharCode(unitOf(LEET, letter.charCodeAt(0)))]).toEqual([letter, latin])
  }
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
      fc.integer({ min: 0x20, max: 0x3ff }),
      fc.integer({ min: 0x400, max: 0xe5b }),
      fc.integer({ min: 0x1100, max: 0x11ff }),
      fc.integer({ min: 0x2000, max: 0x2070 }),
      fc.integer({ min: 0xac00, max: 0xd7a3 }),
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
