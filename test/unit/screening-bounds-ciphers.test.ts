import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodedIn } from '../../src/core/screening/decode.ts'
import type { Decoded } from '../../src/core/screening/folding.ts'
import {
  ASSIGN,
  addCiphers,
  BRACKET,
  byteAt,
  ESCAPE,
  markerMask,
  PICTURE,
  surveyOf,
  UNUSUAL,
} from '../../src/core/screening/survey.ts'
import { ENGLISH, entriesOf } from '../../src/core/screening/vocabulary.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from '../../src/core/screening/word-class.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('screening ciphers')
const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const LETTERS = SMALL + SMALL.toUpperCase()
const ROTATED = 'nopqrstuvwxyzabcdefghijklm'
const MIRRORED = 'zyxwvutsrqponmlkjihgfedcba'

/** Letter for letter by a table that stands beside the alphabet. */
const byTable = (text: string, table: string): string =>
  Array.from(text, (letter) => (table + table.toUpperCase())[LETTERS.indexOf(letter)] ?? letter).join('')
const CIPHERS = {
  rot13: (text: string) => byTable(text, ROTATED),
  atbash: (text: string) => byTable(text, MIRRORED),
  reversed: (text: string) => Array.from(text).reverse().join(''),
}
const MASKS = { rot13: 1, atbash: 2, reversed: 4 }

const read = (
  text: string,
  markers: readonly number[],
  outer: Decoded['encoding'] | null = null,
): Decoded[] => {
  const found: Decoded[] = []
  addCiphers(found, text, markers, outer)
  return found
}

describe('a whole text is read through a cipher', () => {
  const everyUnit = Array.from({ length: 0x180 }, (_, unit) => String.fromCharCode(unit)).join('')

  test('unit by unit, letters only, in their case', () => {
    for (const text of [everyUnit, `${everyUnit}🙂é\u{1f467}\u{10401}x`, '', 'a', 'Zz']) {
      expect(read(text, [7, 7]).map(({ text: inner, encoding }) => [encoding, inner])).toEqual(
        Object.entries(CIPHERS).map(([encoding, apply]) => [encoding, apply(text)]),
      )
    }
  })

  test('of any units, pairs of surrogates kept and halves alone too', () => {
    const unit = fc.constantFrom(
      'a',
      'Z',
      ' ',
      '\ud83d',
      '\ude42',
      '🙂',
      '\ud800',
      '\udbff',
      '\udfff',
      '\udc00',
      'é',
    )
    prove(
      fc.array(unit, { maxLength: 8 }).map((units) => units.join('')),
      (text) => {
        expect(read(text, [7, 7]).map((one) => one.text)).toEqual(
          Object.values(CIPHERS).map((apply) => apply(text)),
        )
      },
      300,
    )
  })

  test('of more units than a call takes', () => {
    const text = 'Ab1🙂 '.repeat(2500)
    expect(read(text, [7, 7]).map((one) => one.text)).toEqual(
      Object.values(CIPHERS).map((apply) => apply(text)),
    )
  })

  test('a place in it is that place of the text, from the other end where it is reversed', () => {
    const spans = read('0123456789', [7, 7]).map(({ spanOf }) => spanOf(2, 5))
    expect(spans).toEqual([
      [2, 5],
      [2, 5],
      [5, 8],
    ])
  })

  test('where two markers or more are of that cipher, and not the one around it', () => {
    const names = (markers: readonly number[], outer: Decoded['encoding'] | null = null) =>
      read('text', markers, outer).map(({ encoding }) => encoding)
    expect(names([])).toEqual([])
    expect(names([1])).toEqual([])
    expect(names([1, 2, 4])).toEqual([])
    expect(names([1, 2, 4, 1])).toEqual(['rot13'])
    expect(names([2, 2])).toEqual(['atbash'])
    expect(names([4, 6, 3])).toEqual(['atbash', 'reversed'])
    expect(names([7, 7], 'atbash')).toEqual(['rot13', 'reversed'])
    expect(names([7, 7], 'base64')).toEqual(['rot13', 'atbash', 'reversed'])
  })
})

describe('a word of orders is known in each cipher', () => {
  const OF_ORDERS = DISREGARD | ORDERS | LIMITS | PRIOR | REVEAL | SENSITIVE
  const short = 'please this that with your from have will would should the and you all'.split(' ')
  const listed = entriesOf(ENGLISH).map(([mask, word]) => ({ mask, word }))
  const isMarker = (asked: string): boolean =>
    short.includes(asked) ||
    (/^[a-z]{5,}$/.test(asked) && listed.some(({ mask, word }) => word === asked && (mask & OF_ORDERS) !== 0))

  test('and no other word is, nor is any word in plain letters', () => {
    for (const { word } of [...listed, ...short.map((each) => ({ word: each }))]) {
      for (const [cipher, apply] of Object.entries(CIPHERS)) {
        const text = `.${apply(word)}.`
        const expected = isMarker(word) ? MASKS[cipher as keyof typeof MASKS] : 0
        expect([text, markerMask(text, 1, text.length - 1)]).toEqual([text, expected])
      }
      expect([word, markerMask(word, 0, word.length)]).toEqual([word, 0])
    }
  })

  test('a survey has the mark of each of them, in any case and beside digits', () => {
    const markersIn = (text: string) => surveyOf(text).markers
    expect(markersIn('vtaber')).toEqual([1])
    expect(markersIn('VTABER rtmliv erongi')).toEqual([1, 2, 4])
    expect(markersIn('1vtaber2rtmliv_erongi-')).toEqual([1, 2, 4])
    expect(markersIn('vtaber/vtaber')).toEqual([1, 1])
    expect(markersIn('xvtaber vtaberx')).toEqual([])
    expect(markersIn('gur naq')).toEqual([1, 1])
    expect(markersIn('123 456')).toEqual([])
    // More letters than a word has are read in pieces of twenty-four.
    const piece = 'x'.repeat(24)
    expect(markersIn(`${piece}vtaber`)).toEqual([1])
    expect(markersIn(`${piece}${piece}gur`)).toEqual([1])
    expect(markersIn(`${piece}xvtaber`)).toEqual([])
    expect(markersIn(`${piece}gu`)).toEqual([])
  })
})

describe('a survey', () => {
  test('has the signs of every unit and no others', () => {
    const signs: Readonly<Record<string, number>> = {
      '!': PICTURE,
      '<': BRACKET | PICTURE,
      '[': BRACKET,
      '%': ESCAPE,
      '&': ESCAPE,
      '\\': ESCAPE,
      '=': ESCAPE | ASSIGN,
      ':': ASSIGN,
    }
    for (let unit = 0; unit < 0x200; unit++) {
      const text = String.fromCharCode(unit)
      const isUsual = /^[\t-\r -~]$/.test(text)
      const expected = signs[text] ?? (isUsual ? 0 : UNUSUAL)
      for (const around of [text, `a${text}`, `${text}a`, ` ${text} `]) {
        expect([unit, surveyOf(around).signs]).toEqual([unit, expected])
      }
    }
    expect(surveyOf('').signs).toBe(0)
    expect(surveyOf('a%b<c\n').signs).toBe(ESCAPE | BRACKET | PICTURE)
  })

  test('has runs of letters, digits and four signs, of eight units and more', () => {
    for (let unit = 0; unit < 0x200; unit++) {
      const text = `abc${String.fromCharCode(unit)}efgh`
      const isRun = /^[A-Za-z0-9+/_-]$/.test(String.fromCharCode(unit))
      expect([unit, surveyOf(text).longRuns]).toEqual([unit, isRun ? [0, 8] : []])
    }
    expect(surveyOf('abcdefg').longRuns).toEqual([])
    expect(surveyOf(' abcdefgh').longRuns).toEqual([1, 9])
    expect(surveyOf('abcdefgh.abcdefghi').longRuns).toEqual([0, 8, 9, 18])
  })

  test('has bytes of two digits, also after 0x, and of eight bits', () => {
    for (const [text, byte] of [
      ['00', 0],
      ['69', 0x69],
      ['fF', 0xff],
      ['0x69', 0x69],
      ['0X69', -1],
      ['1x69', -1],
      ['g9', -1],
      ['9g', -1],
      ['a', -1],
      ['abc', -1],
      ['abcd', -1],
      ['01101001', 0x69],
      ['11111111', 0xff],
      ['00000000', 0],
      ['01101002', -1],
      ['/1101001', -1],
      ['0110100', -1],
      ['011010011', -1],
    ] as const) {
      expect([text, byteAt(`.${text}.`, 1, 1 + text.length)]).toEqual([text, byte])
      expect([text, surveyOf(`.${text}.`).byteRuns]).toEqual([text, byte === -1 ? [] : [1, 1 + text.length]])
    }
  })
})

describe('what a text holds encoded', () => {
  const inner = (text: string) =>
    decodedIn(text, surveyOf(text), null).map(({ text: found, encoding, spanOf }) => [
      encoding,
      found,
      spanOf(0, 1),
    ])

  test('is told with its encoding, its text and its place', () => {
    expect(inner('see SGVsbG8gd29ybGQgb2YgYnl0ZXM= end')).toEqual([
      ['base64', 'Hello world of bytes', [4, 32]],
    ])
    expect(inner('see 48656c6c6f20776f726c64 end')).toEqual([['hex', 'Hello world', [4, 26]]])
    expect(inner('JBSWY3DPEB3W64TMMQQHI2DFOJSQ')).toEqual([['base32', 'Hello world there', [0, 28]]])
    expect(inner('48 65 6c 6c 6f 20 77 6f')).toEqual([['hex', 'Hello wo', [0, 23]]])
    expect(inner('01001000 01100101 01101100 01101100 01101111 00100000 01110111 01101111')).toEqual([
      ['binary', 'Hello wo', [0, 71]],
    ])
    expect(inner('a%41%42')).toEqual([['escapes', 'aAB', [0, 1]]])
    expect(inner('vtaber gur rest')).toEqual([['rot13', 'ignore the erfg', [0, 1]]])
    expect(inner('a plain text')).toEqual([])
  })

  test('lines of a run are one run, and no line of it is read again', () => {
    const line = 'SGVsbG8gd29ybGQgb2YgYnl0ZXMgYW5k'
    expect(line).toHaveLength(32)
    const text = 'Hello world of bytes and'
    expect(inner(`${line}\n${line}`)).toEqual([['base64', text + text, [0, 65]]])
    expect(inner(`${line}\r\n${line}\n${line} ${line}`)).toEqual([
      ['base64', text + text + text, [0, 99]],
      ['base64', text, [100, 132]],
    ])
    expect(inner(`${line.slice(0, 28)}\n${line}`)).toEqual([
      ['base64', text.slice(0, 21), [0, 28]],
      ['base64', text, [29, 61]],
    ])
  })
})
