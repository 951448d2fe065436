import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figureOf } from '../../bench/result.ts'
import { joinResults } from '../../bench/suite/join.ts'
import { suite, suiteOf } from '../support/bench-results.ts'

describe('joined results', () => {
  test('a result joined with itself is itself', () => {
    fc.assert(
      fc.property(suite, (own) => {
        // A question that broke and was answered in the same run is no result that a run writes.
        const apart = {
          ...own,
          failures: own.failures.filter(({ bench }) => bench !== own.results[0]?.bench),
        }
        expect(joinResults([apart, apart])).toEqual(apart)
      }),
    )
  })

  test('the last answer to a question counts, and what was made good has not failed', () => {
    const [early, late] = [suiteOf([figureOf('guide', 'µs', [9])]), suiteOf([figureOf('guide', 'µs', [7])])]
    const broken = suiteOf([], {
      results: [],
      failures: [
        { bench: 'loop', message: 'the disk was full' },
        { bench: 'load', message: 'the port was taken' },
      ],
    })
    const joined = joinResults([broken, early, late])
    expect(joined.results).toEqual(late.results)
    expect(joined.failures.map(({ bench }) => bench)).toEqual(['load'])
  })

  test('results of different builds or machines are refused by name', () => {
    const own = suiteOf([])
    for (const change of [{ commit: 'other' }, { node: 'v22.0.0' }, { isQuick: true }]) {
      const [what = ''] = Object.keys(change)
      expect(() => joinResults([own, { ...own, ...change }])).toThrow(`another ${what}`)
    }
    expect(() => joinResults([])).toThrow(RangeError)
  })
})
