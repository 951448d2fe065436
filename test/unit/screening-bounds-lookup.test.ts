import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LEET, LIKE, PLAIN } from '../../src/core/screening/folding.ts'
import { createSpanIndex, NOT_BY_UNIT, NOT_LISTED } from '../../src/core/screening/lexicon.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('screening lookup')
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** All words of one and two letters, and one of every length up to seventy. */
const WORDS = [
  ...Array.from(LETTERS),
  ...Array.from(LETTERS).flatMap((first) => Array.from(LETTERS, (second) => first + second)),
  ...Array.from({ length: 68 }, (_, at) => `${LETTERS.repeat(3).slice(0, at + 2)}z`),
]

describe('every word of a list', () => {
  const index = createSpanIndex(WORDS)

  test('is found where it stands, in any case, by both ways', () => {
    const text = `.${WORDS.join('.')}.`
    for (const written of [text, text.toUpperCase()]) {
      let start = 1
      for (const [number, word] of WORDS.entries()) {
        const end = start + word.length
        expect([word, index.numberOf(written, start, end, PLAIN)]).toEqual([word, number])
        expect([word, index.numberOfAscii(written, start, end)]).toEqual([word, number])
        start = end + 1
      }
    }
  })

  test('is not found in a span that is one unit longer or shorter, unless that is a word too', () => {
    const text = `${WORDS.join('.')}..`
    let start = 0
    for (const word of WORDS) {
      for (const end of [start + word.length - 1, start + word.length + 1]) {
        const expected = WORDS.indexOf(text.slice(start, end))
        expect(index.numberOf(text, start, end, PLAIN)).toBe(expected)
        expect(index.numberOfAscii(text, start, end)).toBe(expected)
      }
      start += word.length + 1
    }
  })
})

test('a list of any words finds these and nothing else', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'o', "'"), minLength: 1, maxLength: 3 })
  prove(
    fc.tuple(
      fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      fc.array(word, { minLength: 1, maxLength: 20 }),
    ),
    ([list, asked]) => {
      const index = createSpanIndex(list)
      for (const one of asked) {
        const text = `c${one.toUpperCase()}a`
        const expected = list.indexOf(one)
        expect(index.numberOf(text, 1, 1 + one.length, PLAIN)).toBe(expected)
        expect(index.numberOfAscii(text, 1, 1 + one.length)).toBe(expected)
      }
    },
    600,
  )
})

test('words with the same ends are told apart by their letters', () => {
  const list = Array.from('bcdfghjklnoprstvwxz', (letter) => `a${letter}b`)
  const index = createSpanIndex(list)
  for (const [number, word] of list.entries()) expect(index.numberOfAscii(word, 0, 3)).toBe(number)
  for (const word of ['a-b', 'a5b', "a'b"]) expect(index.numberOfAscii(word, 0, 3)).toBe(NOT_LISTED)
})

test('words with the same ends may be of several lengths', () => {
  const list = ['aaaab', 'ab', 'aaab', 'aab']
  const index = createSpanIndex(list)
  for (const [number, word] of list.entries()) expect(index.numberOfAscii(word, 0, word.length)).toBe(number)
  expect(index.numberOfAscii('aaaaab', 0, 6)).toBe(NOT_LISTED)
})

test('a list of one word is a list', () => {
  const one = createSpanIndex(['a'])
  for (const letter of LETTERS) {
    expect(one.numberOf(`a${letter}`, 0, 2, PLAIN)).toBe(NOT_LISTED)
    expect(one.numberOf(`a${letter}`, 0, 1, PLAIN)).toBe(0)
  }
  const index = createSpanIndex(['ab'])
  expect(index.numberOf('ab', 0, 2, PLAIN)).toBe(0)
  for (const letter of LETTERS) expect(index.numberOf(letter, 0, 1, PLAIN)).toBe(NOT_LISTED)
})

test('the units of a span are those of the table', () => {
  const index = createSpanIndex(['soap', 'éa', 'ка'])
  const forms = [
    ['soap', PLAIN, 0],
    ['5oap', PLAIN, NOT_LISTED],
    ['5oap', LIKE, NOT_LISTED],
    ['5oap', LEET, 0],
    ['sоаp', PLAIN, NOT_LISTED],
    ['sоаp', LIKE, 0],
    ['sоаp', LEET, 0],
    ['5о@p', LEET, 0],
    ['ＳＯＡＰ', PLAIN, 0],
    ['КА', PLAIN, 2],
    ['КА', LIKE, NOT_LISTED],
    ['so\u0301ap', PLAIN, NOT_BY_UNIT],
    ['so\u1112p', LEET, NOT_BY_UNIT],
  ] as const
  for (const [text, table, expected] of forms) {
    expect([text, index.numberOf(text, 0, text.length, table)]).toEqual([text, expected])
  }
})
