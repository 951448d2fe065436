import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareResults, compareText } from '../../bench/compare.ts'
import { figureOf, parseSuiteResult } from '../../bench/result.ts'
import { MACHINE, suite, suiteOf } from '../support/bench-results.ts'

const slow = [20, 21, 22, 20, 21]
const fast = [10, 11, 10, 11, 10]

describe('comparison of two results', () => {
  test('a result compared with itself has no change', () => {
    fc.assert(
      fc.property(suite, (own) => {
        const { figures, onlyBefore, onlyAfter, cautions } = compareResults(own, own)
        expect([onlyBefore, onlyAfter, cautions]).toEqual([[], [], []])
        for (const { ratio, worsening, change } of figures) {
          expect([ratio, worsening, change]).toEqual([1, 1, 'unclear'])
        }
      }),
    )
  })

  test('what got worse comes first, whichever way a figure is better', () => {
    const before = suiteOf([
      figureOf('steady', 'µs', fast),
      figureOf('rate', '1/s', slow, { better: 'higher' }),
      figureOf('sooner', 'µs', slow),
      figureOf('later', 'µs', [1, 1, 1]),
    ])
    const after = suiteOf([
      figureOf('steady', 'µs', fast),
      figureOf('rate', '1/s', fast, { better: 'higher' }),
      figureOf('sooner', 'µs', fast),
      figureOf('later', 'µs', [5, 5, 5]),
    ])
    const { figures } = compareResults(before, after)
    expect(figures.map(({ name, change }) => [name, change])).toEqual([
      ['later', 'worse'],
      ['rate', 'worse'],
      ['steady', 'unclear'],
      ['sooner', 'better'],
    ])
  })

  test('the interval holds the ratio of the medians, and swapping the results turns worse into better', () => {
    const rounds = fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 2, maxLength: 9 })
    const opposite = { worse: 'better', better: 'worse', unclear: 'unclear' }
    fc.assert(
      fc.property(rounds, rounds, (one, other) => {
        const [a, b] = [suiteOf([figureOf('time', 'µs', one)]), suiteOf([figureOf('time', 'µs', other)])]
        const [forward] = compareResults(a, b).figures
        const [low = Number.NaN, high = Number.NaN] = forward?.interval ?? []
        expect(forward?.ratio).toBeGreaterThanOrEqual(low)
        expect(forward?.ratio).toBeLessThanOrEqual(high)
        if (high < 0.9 || low > 1.1) {
          expect(compareResults(b, a).figures[0]?.change).toBe(opposite[forward?.change ?? 'unclear'])
        }
      }),
      { numRuns: 25 },
    )
  })

  test('one round gives a ratio without an interval and no verdict', () => {
    const comparison = compareResults(
      suiteOf([figureOf('once', 'µs', [10])]),
      suiteOf([figureOf('once', 'µs', [30])]),
    )
    expect(comparison.figures[0]).toMatchObject({ ratio: 3, interval: null, change: 'unclear' })
    expect(compareText(comparison)).toContain('one round')
  })

  test('figures of one side and other surroundings are named', () => {
    const before = suiteOf([figureOf('old', 'µs', fast)])
    const after = suiteOf([figureOf('new', 'µs', fast)], {
      isQuick: true,
      machine: { ...MACHINE, cores: 64 },
    })
    const text = compareText(compareResults(before, after))
    for (const said of ['only before: loop: old', 'only after: loop: new', '64 cores', 'quick after']) {
      expect(text).toContain(said)
    }
  })

  test('a result survives the way through JSON, and another text is refused', () => {
    fc.assert(
      fc.property(suite, (own) => {
        expect(parseSuiteResult(JSON.stringify(own))).toEqual(own)
      }),
    )
    expect(() => parseSuiteResult('{"format":"memgov-bench-0"}')).toThrow()
  })

  test('a figure without rounds, or with a round that is no number, is refused by its name', () => {
    expect(() => figureOf('empty', 'µs', [])).toThrow('empty: no rounds')
    expect(() => figureOf('broken', 'µs', [1, Number.NaN])).toThrow('broken: a round without a number')
  })
})
