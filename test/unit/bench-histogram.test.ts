import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Histogram, histogramOf, RELATIVE_ERROR } from '../../bench/histogram.ts'
import { quantile } from '../../bench/measure.ts'

const values = fc.array(fc.double({ min: 0.01, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 300 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

describe('histogram', () => {
  test('a quantile is that of the sorted values, within the error that it promises', () => {
    fc.assert(
      fc.property(values, share, (own, at) => {
        const exact = quantile(own, at)
        expect(Math.abs(histogramOf(own).quantile(at) - exact)).toBeLessThanOrEqual(RELATIVE_ERROR * exact)
      }),
    )
  })

  test('two histograms added are the histogram of all their values', () => {
    fc.assert(
      fc.property(values, values, share, (one, other, at) => {
        const sum = histogramOf(one)
        sum.add(histogramOf(other))
        const whole = histogramOf([...one, ...other])
        expect([sum.count, sum.max, sum.quantile(at)]).toEqual([whole.count, whole.max, whole.quantile(at)])
      }),
    )
  })

  test('no quantile is above the greatest value, and none falls where the share grows', () => {
    fc.assert(
      fc.property(values, (own) => {
        const points = histogramOf(own).cdf()
        for (const [at, [value]] of points.entries()) {
          expect(value).toBeLessThanOrEqual(Math.max(...own))
          expect(value).toBeGreaterThanOrEqual(points[at - 1]?.[0] ?? 0)
        }
        expect(points.at(-1)?.[1]).toBe(1)
      }),
    )
  })

  test('values outside of the range count as its bounds', () => {
    const histogram = histogramOf([0, -1, 1e300])
    expect(histogram.count).toBe(3)
    expect(histogram.quantile(0)).toBeLessThan(0.001)
    expect(histogram.quantile(1)).toBeGreaterThan(1e12)
  })

  test('an empty histogram has no quantile and no points', () => {
    expect(new Histogram().quantile(0.5)).toBeNaN()
    expect(new Histogram().cdf()).toEqual([])
  })
})
