import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNearDuplicate, sharesFacts } from '../../src/core/similarity/near-duplicate.ts'
import { canonicalText, foldCase, minHash, normaliseText } from '../../src/core/similarity/text-signature.ts'
import { scaled } from '../harness/scale.ts'
import { proving } from '../support/prove.ts'
import {
  anyText,
  disguise,
  disguised,
  estimateOf,
  plainWord,
  plainWords,
  similarityOf,
} from '../support/similar-texts.ts'

const numRuns = scaled(1_000)
const prove = proving(1_000)
const short = { numRuns: Math.ceil(numRuns / 4) }

describe('normalised text', () => {
  test('normalising twice changes nothing more', () => {
    proving(5_000)(anyText, (text) => {
      const once = normaliseText(text)
      expect(normaliseText(once)).toBe(once)
      expect(canonicalText(canonicalText(text))).toBe(canonicalText(text))
      const folded = foldCase(canonicalText(text))
      expect(foldCase(folded)).toBe(folded)
    })
  })

  test('capitals, white space, hidden characters and punctuation at the end make no difference', () => {
    prove(plainWords(1, 12), disguise, (words, look) => {
      const spelled = disguised(words, { ...look, mark: '' })
      expect(normaliseText(spelled)).toBe(normaliseText(words.join(' ')))
    })
  })
})

describe('prints', () => {
  test('all spellings that normalise to the same have the same print', () => {
    prove(anyText, (text) => {
      expect(minHash(normaliseText(text))).toEqual(minHash(text))
    })
  })

  test('the estimate stays within four standard deviations of the similarity, and is symmetric', () => {
    proving(1_000, { seed: 17 })(plainWords(8, 80), plainWords(0, 8), fc.nat(80), (words, others, at) => {
      const a = words.join(' ')
      const b = words.toSpliced(at % words.length, others.length, ...others).join(' ')
      const left = minHash(a).bins
      const right = minHash(b).bins
      if (left === null || right === null) throw new Error('a text of words has a signature')
      expect(Math.abs(estimateOf(left, right) - similarityOf(a, b))).toBeLessThan(0.3)
      expect(estimateOf(left, right)).toBe(estimateOf(right, left))
      expect(estimateOf(left, left)).toBe(1)
    })
  })
})

describe('near duplicates', () => {
  test('similarity, shared facts and near duplicates are symmetric and hold for a text and itself', () => {
    prove(anyText, anyText, (a, b) => {
      expect(similarityOf(a, b)).toBe(similarityOf(b, a))
      expect(sharesFacts(a, b)).toBe(sharesFacts(b, a))
      expect(isNearDuplicate(a, b)).toBe(isNearDuplicate(b, a))
      expect([similarityOf(a, a), sharesFacts(a, a), isNearDuplicate(a, a)]).toEqual([1, true, true])
      expect(isNearDuplicate(a, normaliseText(a))).toBe(true)
      expect(similarityOf(a, b)).toBe(similarityOf(normaliseText(a), normaliseText(b)))
    })
  })

  test('other capitals, white space and punctuation make a near duplicate', () => {
    prove(plainWords(1, 40), disguise, disguise, (words, look, otherLook) => {
      expect(isNearDuplicate(disguised(words, look), disguised(words, otherLook))).toBe(true)
    })
  })

  test('a word that says nothing makes no difference, wherever it stands', () => {
    const anyEmpty = fc.constantFrom('the', 'a', 'of', 'also', 'die', 'les', 'muy', 'это')
    fc.assert(
      fc.property(plainWords(1, 60), anyEmpty, fc.nat(), (words, word, at) => {
        const longer = words.toSpliced(at % (words.length + 1), 0, word)
        expect(isNearDuplicate(words.join(' '), longer.join(' '))).toBe(true)
      }),
      short,
    )
  })

  test('one more, one less or one other word that says something makes another text, however long both are', () => {
    const anyOther = fc.constantFrom(
      'postgres',
      'some',
      'before',
      'only',
      'must',
      'with',
      'jede',
      'toujours',
      'и',
    )
    fc.assert(
      fc.property(plainWords(2, 120), anyOther, fc.nat(), fc.nat(1), (words, word, at, taken) => {
        const other = words.toSpliced(at % words.length, taken, word).join(' ')
        expect(isNearDuplicate(words.join(' '), other)).toBe(false)
        expect(isNearDuplicate(words.join(' '), words.toSpliced(at % words.length, 1).join(' '))).toBe(false)
      }),
      short,
    )
  })

  test('three slips of the hand leave a text near, a fourth makes another one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(plainWord, { minLength: 8, maxLength: 60 }), fc.nat(4), (words, count) => {
        const slipped = words.map((word, at) => (at < count ? `${word}s` : word))
        expect(isNearDuplicate(words.join(' '), slipped.join(' '))).toBe(count <= 3)
      }),
      short,
    )
  })

  const fact = fc.oneof(
    fc
      .tuple(fc.nat(99_999), fc.constantFrom('', 's', '%', ' minutes', ' GB', '.5'))
      .map(([n, unit]) => n + unit),
    fc.tuple(fc.nat(12), fc.nat(28)).map(([month, day]) => `2024-${month + 10}-${day + 10}`),
    fc.tuple(fc.nat(9), fc.nat(9)).map(([major, minor]) => `v${major}.${minor}.0`),
    fc.tuple(plainWord, plainWord).map(([folder, file]) => `${folder}/${file}.ts`),
    fc.tuple(plainWord, plainWord).map(([user, host]) => `${user}@${host}.org`),
    fc.constantFrom(
      'failed',
      'passed',
      'blocked',
      'not',
      'jamais',
      'nicht',
      'не',
      'enabled',
      'disabled',
      'before',
      'after',
    ),
  )

  test('a changed number, date, version, path, address, negation or outcome breaks a near duplicate', () => {
    fc.assert(
      fc.property(plainWords(40, 80), fact, fact, fc.nat(), (words, one, other, at) => {
        const sides = ['enabled', 'disabled', 'before', 'after', 'failed', 'passed', 'blocked']
        const negations = ['not', 'jamais', 'nicht', 'не']
        fc.pre(one !== other && !(negations.includes(one) && negations.includes(other)))
        fc.pre(sides.includes(one) || !sameValue(one, other))
        const text = (word: string) => words.toSpliced(at % words.length, 0, word).join(' ')
        expect(isNearDuplicate(text(one), text(other))).toBe(false)
        expect(isNearDuplicate(text(one), words.join(' '))).toBe(false)
      }),
      short,
    )
  })
})

/** `60s` and `1 minutes`, `0.5` and `0.5`: other letters, the same quantity. */
function sameValue(a: string, b: string): boolean {
  const seconds = (text: string) => {
    const unit = /(?: minutes|s)$/.exec(text)?.[0]
    return unit === undefined ? null : Number.parseInt(text, 10) * (unit === 's' ? 1 : 60)
  }
  const left = seconds(a)
  return left !== null && left === seconds(b)
}
