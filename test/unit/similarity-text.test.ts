import { describe, expect, test } from 'vitest'
import { NEAR_SEARCH_MIN } from '../../src/core/similarity/near-duplicate.ts'
import { NearIndex } from '../../src/core/similarity/near-index.ts'
import {
  BANDS,
  distinct,
  minHash,
  normaliseText,
  shinglesOf,
} from '../../src/core/similarity/text-signature.ts'
import { similarityOf } from '../support/similar-texts.ts'

describe('normalised text', () => {
  test.each([
    ['  Deploy\tto \n STAGING. ', 'deploy to staging'],
    ['“Don’t”', "don't"],
    ['a — b – c', 'a - b - c'],
    ['ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
    ['zero\u200bwidth\u0007', 'zerowidth'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['- item', 'item'],
    ['> **quoted**', '**quoted**'],
    ['(all of it)', 'all of it'],
    ['call foo()', 'call foo()'],
    ['-5', '-5'],
    ['--force', '--force'],
    ['.env', '.env'],
    ['#12', '#12'],
    ['Is it on?', 'is it on?'],
    ['...', ''],
    ['', ''],
  ])('%j is %j', (text, normalised) => {
    expect(normaliseText(text)).toBe(normalised)
  })
})

describe('prints', () => {
  test('a print is 8 bytes of digest and 48 of signature, for one word and for 200 000 characters', () => {
    for (const text of ['deploy', '部署', '+++', 'x', 'many words '.repeat(18_000)]) {
      const print = minHash(text)
      for (const half of [print.digest.high, print.digest.low]) expect(half).toBe(half >>> 0)
      expect(print.bins?.length).toBe(BANDS)
      expect(print.bins?.byteLength).toBe(48)
    }
    expect(minHash(' \u200b ').bins).toBeNull()
  })

  test('the same text has the same print on every machine', () => {
    const { digest, bins } = minHash('The upload worker retries with backoff until the queue is empty.')
    expect({ digest, words: [...(bins ?? [])].map((word) => word.toString(16)) }).toMatchInlineSnapshot(`
      {
        "digest": {
          "high": 3437662229,
          "low": 483761663,
        },
        "words": [
          "ac0a3ce8",
          "930939e9",
          "c1ba45c",
          "37d79e6b",
          "1a3ad529",
          "f064e24c",
          "64cf280e",
          "d56f4317",
          "d3678df",
          "da9a894",
          "11cdc1d7",
          "637d9c79",
        ],
      }
    `)
  })
})

describe('windows', () => {
  test('short texts are compared by characters, so a typo leaves them similar', () => {
    expect(similarityOf('use tabs for indentation', 'use tab for indentation')).toBeGreaterThan(0.8)
    expect(similarityOf('use tabs', 'no way')).toBeLessThan(0.1)
  })

  test('one replaced word of a sentence makes another sentence, below 29 words', () => {
    const words = Array.from({ length: 28 }, (_, at) => `word${String.fromCharCode(97 + at)}`)
    expect(similarityOf(words.join(' '), words.with(14, 'other').join(' '))).toBeLessThan(0.8)
    const longer = [...words, 'last']
    expect(similarityOf(longer.join(' '), longer.with(14, 'other').join(' '))).toBeGreaterThanOrEqual(0.8)
  })

  test('characters of scripts without spaces count as words', () => {
    const text = '部署之前必须运行全部测试并等待审批结果'.repeat(2)
    expect(shinglesOf(text).length).toBe(text.length - 2)
    expect(similarityOf(text, `${text}，谢谢`)).toBeGreaterThan(0.8)
    expect(similarityOf(text, '用户喜欢在早上喝咖啡而不是喝茶水'.repeat(2))).toBeLessThan(0.1)
  })

  test('of texts of up to 24 words, each with three slips of the hand, the index meets nearly all', () => {
    const words =
      'harbour lantern orchard kettle railway pepper window basket thunder velvet saddle copper'.split(' ')
    for (const size of [5, 8, 12, 16, 20, 23]) {
      const texts = Array.from({ length: 100 }, (_, from) =>
        Array.from(
          { length: size },
          (_, at) => words[(from * 7 + at * (1 + (from % 5))) % words.length] ?? '',
        ),
      ).map((text, from) => [`${from}th`, ...text])
      const index = new NearIndex()
      for (const [id, text] of texts.entries()) index.add(id, minHash(text.join(' ')))
      const met = texts.filter((text, id) => {
        const slipped = text.map((word, at) =>
          at % Math.ceil(size / 3) === 1 ? `${word.slice(0, 3)}${word.slice(4)}` : word,
        )
        return index.near(minHash(slipped.join(' ')), NEAR_SEARCH_MIN).some((hit) => hit.id === id)
      })
      expect(met.length, `${size} words`).toBeGreaterThanOrEqual(95)
    }
  })

  test('thousands of one form meet none of the others: other numbers make another text', () => {
    const form = (number: number) => `The order ${number} was shipped to the depot on time.`
    const index = new NearIndex()
    for (let number = 1; number <= 3_000; number += 1) index.add(number, minHash(form(number)))
    const met = index.near(minHash(form(1_500).replace('shipped', 'shiped')), NEAR_SEARCH_MIN)
    expect(met.some(({ id }) => id === 1_500)).toBe(true)
    expect(met.length).toBeLessThan(10)
  })

  test('punctuation parts words and counts for nothing else', () => {
    const plain = 'run the tests then build the image and push it to the registry'
    expect(similarityOf(plain, 'Run the tests; then build the image, and push it to the registry!')).toBe(1)
  })

  test('windows are compared each once', () => {
    expect(distinct(Uint32Array.of(3, 1, 3, 2))).toEqual(Uint32Array.of(1, 2, 3))
  })
})
