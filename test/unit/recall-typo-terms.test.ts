import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Spellings } from '../../src/core/search/spellings.ts'
import { TypoTerms } from '../../src/core/search/typo-terms.ts'
import { isOneSlip } from '../support/one-slip.ts'
import { proving } from '../support/prove.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ж'), minLength: 1, maxLength: 9 })
const term = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom('abbab1', 'a.bba', 'ab-ba') },
)

describe('typo terms', () => {
  test('are all words at edit distance 1 and no others, however they came in', () => {
    proving(2_000)(fc.array(fc.tuple(term, fc.boolean())), word, (added, asked) => {
      const spellings = new Spellings()
      const terms = new TypoTerms(spellings)
      for (const [each, isAskedBetween] of added) {
        spellings.add(each, 0, each.length)
        if (isAskedBetween) terms.find(asked)
        // Whoever adds many has them read in steps, of which not all may be taken.
        else if (each.length > 6) terms.enterSteps().next()
      }
      const words = [...new Set(added.map(([each]) => each))].filter((each) => /^[abж]+$/.test(each))
      const expected = asked.length < 5 ? [] : words.filter((each) => isOneSlip(asked, each))
      const found = terms.find(asked).map((number) => spellings.spell(number))
      expect(found.toSorted()).toEqual(expected.toSorted())
    })
  })

  test('a thousand words are found, and identifiers are not', () => {
    const spellings = new Spellings()
    const terms = new TypoTerms(spellings)
    for (let made = 0; made < 3_000; made += 1) {
      const spelling = `word${made.toString(36).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')}`
      spellings.add(spelling, 0, spelling.length)
    }
    for (const spelling of ['retriev', 'retriev2', 'src/retriev']) spellings.add(spelling, 0, spelling.length)
    const near = (asked: string) => terms.find(asked).map((number) => spellings.spell(number))
    expect(near('retreiv')).toEqual(['retriev'])
    expect(near('retriev')).toEqual([])
    expect(near('retrieve')).toEqual(['retriev'])
    expect(near('etriev')).toEqual(['retriev'])
    expect(near('rtriv')).toEqual([])
  })
})
