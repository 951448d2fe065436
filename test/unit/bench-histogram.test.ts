import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Histogram, histogramOf } from '../../bench/histogram.ts'
import { prove } from '../support/prove.ts'

const values = fc.array(fc.double({ min: 0.01, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 300 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
/** Of three figures, and of the rounding to thousandths. */
const NEAR = 0.002

describe('histogram', () => {
  test('a quantile is a recorded value, and at least its share of the values is not above it', () => {
    prove(values, share, (own, at) => {
      const found = histogramOf(own).quantile(at)
      expect(own.some((value) => Math.abs(value - found) <= NEAR * value + NEAR)).toBe(true)
      const below = own.filter((value) => value <= found * (1 + NEAR) + NEAR).length
      expect(below).toBeGreaterThanOrEqual(Math.floor(own.length * at))
    })
  })

  test('two histograms added are the histogram of all their values', () => {
    prove(values, values, share, (one, other, at) => {
      const sum = histogramOf(one)
      sum.add(histogramOf(other))
      const whole = histogramOf([...one, ...other])
      expect([sum.count, sum.quantile(at)]).toEqual([whole.count, whole.quantile(at)])
    })
  })

  test('values below the least one count as that, and an empty histogram has no quantile', () => {
    expect(histogramOf([0, -1]).percentiles()).toEqual({ p50: 0.001, p95: 0.001, p99: 0.001, p999: 0.001 })
    expect(new Histogram().quantile(0.5)).toBeNaN()
  })
})
