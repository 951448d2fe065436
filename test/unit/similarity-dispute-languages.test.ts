import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disputeBetween, readForDispute } from '../../src/core/similarity/dispute.ts'
import { CONCEPT_ROWS } from '../../src/core/similarity/dispute-concepts.ts'
import { inCommonWords } from '../../src/core/similarity/dispute-translated.ts'
import { disputesAmong } from '../../src/core/similarity/disputes-among.ts'
import { scaled } from '../harness/scale.ts'
import { DISPUTING_IN_TWO_LANGUAGES, HARMONIOUS_IN_TWO_LANGUAGES } from '../support/language-pairs.ts'

const numRuns = scaled(100)

/** The words by which a text is compared with one of another language. */
const wordsOf = (text: string) =>
  inCommonWords(readForDispute(text)).clauses.flatMap(({ tokens }) => tokens.map((token) => token.text))

describe('statements of two languages', () => {
  test.each(DISPUTING_IN_TWO_LANGUAGES)('cannot both hold: %s | %s', (earlier, later) => {
    expect(disputeBetween(earlier, later)).not.toBeNull()
  })

  test.each(HARMONIOUS_IN_TWO_LANGUAGES)('hold beside each other: %s | %s', (earlier, later) => {
    expect(disputeBetween(earlier, later)).toBeNull()
    expect(disputeBetween(later, earlier)).toBeNull()
  })

  test('dispute each other in a list, beside those of one language', () => {
    const texts = [
      'The server room is in the attic.',
      'Der Serverraum ist im Keller.',
      'Anna likes tea.',
      'Der Serverraum ist im Erdgeschoss.',
    ]
    const found = disputesAmong(texts)
    expect(found.map(({ first, second }) => [first, second])).toEqual([
      [0, 1],
      [0, 3],
      [1, 3],
    ])
    expect(found[0]).toMatchObject({
      firstStatement: 'The server room is in the attic',
      secondStatement: 'Der Serverraum ist im Keller',
    })
  })

  test('name what they dispute in the words that were said', () => {
    expect(
      disputeBetween('The gate of the barn is locked.', 'Hallo. Der Serverraum ist im Keller.'),
    ).toBeNull()
    expect(
      disputeBetween('The server room is in the attic.', 'Gut. Der Serverraum ist im Keller.'),
    ).toMatchObject({
      earlierStatement: 'The server room is in the attic',
      laterStatement: 'Der Serverraum ist im Keller',
    })
  })
})

test('an hour and a price are the same in every language, and another one is not', () => {
  const anyHour = fc.integer({ min: 13, max: 23 })
  fc.assert(
    fc.property(anyHour, anyHour, (one, other) => {
      const english = `The meeting starts at ${one - 12} pm.`
      const others = [
        `Die Besprechung beginnt um ${other} Uhr.`,
        `La réunion commence à ${other}h00.`,
        `La reunión empieza a las ${other}:00.`,
        `Совещание начинается в ${other}:00.`,
      ]
      for (const text of others) expect(disputeBetween(english, text) === null, text).toBe(one === other)
    }),
    { numRuns },
  )
  const anyPrice = fc.integer({ min: 1, max: 99 })
  fc.assert(
    fc.property(anyPrice, anyPrice, (one, other) => {
      const english = `The price of the machine is ${one},500 euros.`
      const others = [
        `Der Preis der Maschine ist ${other}.500 €.`,
        `Le prix de la machine est ${other} 500 euros.`,
        `El precio de la máquina es ${other}.500 EUR.`,
      ]
      for (const text of others) expect(disputeBetween(english, text) === null, text).toBe(one === other)
    }),
    { numRuns },
  )
})

describe('common words', () => {
  test.each([
    ['Die Kundenrechnung ist im Besprechungsraum.', 'customer invoice'],
    ['Die Kundenrechnung ist im Besprechungsraum.', 'meeting room'],
    ['Het servicecontract van de vergaderzaal is nieuw.', 'service contract'],
    ['Die Inventur findet am Montag statt.', 'happens'],
    ['Le mot de passe du serveur est nouveau.', 'password'],
    ['服务器的端口是8080。', 'server port'],
    ['サーバーのポートは8080です。', 'server port'],
    ['Пароль сервера новый.', 'password server'],
  ])('%s: %s', (text, words) => {
    expect(wordsOf(text).join(' ')).toContain(words)
  })

  test('a compound of which a part is not known stays as it is', () => {
    expect(wordsOf('Der Kundenkobold ist im Büro.')).toContain('kundenkobold')
  })

  test('an English text without other words for the same is what it was', () => {
    const reading = readForDispute('The server room is in the basement.')
    expect(inCommonWords(reading)).toBe(reading)
  })
})

describe('the table of concepts', () => {
  test('has a word once in a language, and no more columns than languages', () => {
    const seen = new Map<string, string>()
    for (const cells of CONCEPT_ROWS) {
      expect(cells.length).toBeLessThanOrEqual(10)
      const [head = ''] = cells[0] ?? []
      for (const [column, words] of cells.entries())
        for (const word of new Set(words)) {
          expect(seen.get(`${column} ${word}`), `${word}: ${head}`).toBeUndefined()
          seen.set(`${column} ${word}`, head)
        }
    }
  })
})
