import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { condense } from '../../src/core/text/condense.ts'
import { hostileText } from '../support/guide-samples.ts'
import { proving } from '../support/prove.ts'

const prove = proving(1000)

const PLAIN = [
  'service',
  'answers',
  'slowly',
  'because',
  'people',
  'deploy',
  'the',
  'of',
  'a',
  'while',
  'running',
  'every',
]
const TELLING = [
  'src/app.ts',
  'port=5432',
  'getUserById',
  '--dry-run',
  '17:00',
  'MAX_RETRIES',
  'failed',
  'v2.1.0',
  '42',
]
const NEGATIONS = ['not', 'never', 'without', "don't", 'unless']
const plainWord = fc.constantFrom(...PLAIN)
const sentenceOf = (word: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => `${words.join(' ')}.`)
const prose = fc
  .array(
    sentenceOf(
      fc.oneof(
        { weight: 6, arbitrary: plainWord },
        { weight: 1, arbitrary: fc.constantFrom(...TELLING) },
        { weight: 1, arbitrary: fc.constantFrom(...NEGATIONS) },
      ),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((sentences) => sentences.join(' '))
const room = fc.integer({ min: 1, max: 400 })

/** Words of a text without marks and closing punctuation. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll('…', ' ')
    .split(/\s+/u)
    .map((word) => word.replace(/\.$/u, ''))
    .filter((word) => word !== '')

describe('condense', () => {
  test('returns a text that fits, unchanged', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(condense(text, text.length)).toBe(text)
      }),
    )
  })

  test('is never longer than asked and marks every cut', () => {
    prove(fc.oneof(prose, hostileText), room, (text, maxChars) => {
      const cut = condense(text, maxChars)
      expect(cut.length).toBeLessThanOrEqual(maxChars)
      if (text.trim().length > maxChars) expect(cut).toContain('…')
      expect(condense(text, maxChars)).toBe(cut)
    })
  })

  test('is extractive: its words are words of the text, in their order', () => {
    prove(prose, fc.integer({ min: 20, max: 400 }), (text, maxChars) => {
      const words = wordsOf(text)
      let at = 0
      for (const word of wordsOf(condense(text, maxChars))) {
        const found = words.indexOf(word, at)
        expect(found).toBeGreaterThanOrEqual(at)
        at = found + 1
      }
    })
  })

  test('keeps a sentence with all of its negations or not at all', () => {
    const numbered = fc
      .array(fc.array(fc.constantFrom(...PLAIN, ...NEGATIONS), { minLength: 1, maxLength: 12 }), {
        minLength: 1,
        maxLength: 8,
      })
      // Every word carries the number of its sentence in its spelling, which no negation needs.
      .map((sentences) =>
        sentences.map((words, n) =>
          words.map((word) => (NEGATIONS.includes(word) ? word : `${word}${'abcdefgh'.charAt(n).repeat(3)}`)),
        ),
      )
    prove(numbered, fc.integer({ min: 10, max: 200 }), (sentences, maxChars) => {
      const text = sentences.map((words) => `${words.join(' ')}.`).join(' ')
      if (text.length <= maxChars) return
      const kept = condense(text, maxChars)
      if (kept === `${text.slice(0, kept.length - 1)}…`) return
      const shown = sentences.filter((words) =>
        words.some((word) => !NEGATIONS.includes(word) && kept.includes(word)),
      )
      const needed = shown.flat().filter((word) => NEGATIONS.includes(word)).length
      expect(wordsOf(kept).filter((word) => NEGATIONS.includes(word)).length).toBeGreaterThanOrEqual(needed)
    })
  })

  test('keeps identifiers, numbers, negations and outcome words as long as they fit', () => {
    const one = fc.tuple(
      fc.constantFrom(...TELLING, ...NEGATIONS),
      fc.array(plainWord, { minLength: 8, maxLength: 12 }),
    )
    proving(500)(fc.array(one, { minLength: 1, maxLength: 5 }), (sentences) => {
      const text = sentences
        .map(([telling, words]) => `${[...words, telling, ...words].join(' ')}.`)
        .join(' ')
      const needed = sentences.map(([telling]) => telling)
      // Each with its full stop, a separator and a mark on both sides, and the word that a negation takes along.
      const cut = condense(text, Math.max(needed.join('').length + needed.length * 14, text.length / 3 + 1))
      for (const telling of needed) expect(wordsOf(cut)).toContain(telling)
    })
  })

  test('prefers what tells over what fills', () => {
    const text =
      'We had a nice meeting about the general situation and everybody was happy with it in the end. ' +
      'Do not run migrate.sh on db-1:5432 while the export is running.'
    const cut = condense(text, 80)
    for (const word of ['not', 'migrate.sh', 'db-1:5432']) expect(cut).toContain(word)
    expect(cut).not.toContain('happy')
  })

  test('leaves no negation behind when its sentence does not fit', () => {
    const text = `never never never never ${'x1y '.repeat(3)}never. Port 5432 is open.`
    expect(condense(text, 26)).toBe('… Port 5432 is open.')
  })

  test('shortens a script without spaces at its clauses', () => {
    const text =
      '我们在会议上谈了很多事情，大家都很高兴。不要在生产环境运行脚本migrate.sh。端口是5432。'.repeat(4)
    const cut = condense(text, 60)
    expect(cut.length).toBeLessThanOrEqual(60)
    expect(cut).toContain('不要')
  })

  test('keeps of a sentence with hundreds of words its beginning, what tells, and what stands beside that', () => {
    const words = ['the', 'service', 'of', 'people', 'a', 'slowly']
    const fill = Array.from({ length: 400 }, (_, at) => words[at % words.length]).join(' ')
    const text = `${fill} never deploy of the people ${fill} migrate.sh and the next service Berlin ${fill}`
    const told = 'people never deploy of the people… people migrate.sh and the next… Berlin…'
    expect(condense(text, 120)).toBe(`service of people slowly service people… ${told}`)
    expect(condense(text, 400)).toBe(
      `service of people a slowly the service people a slowly${' service people slowly'.repeat(10)} service people… ${told}`,
    )
  })

  test('reads a text of megabytes once', () => {
    expect(condense('the database answers on port 5432. '.repeat(100_000), 4000).length).toBeLessThanOrEqual(
      4000,
    )
  })
})
