import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitModel, predicted } from '../../bench/capacity-model.ts'

const TERMS = ['fixed', 'memories', 'actors'] as const
const coefficient = fc.integer({ min: -10_000, max: 10_000 })
const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 3, maxLength: 8 })

describe('capacity model', () => {
  test('exact measurements give back the coefficients they were made of', () => {
    fc.assert(
      fc.property(coefficient, coefficient, coefficient, sizes, (fixed, memories, actors, own) => {
        const made = { fixed, memories, actors }
        const observations = own.flatMap((size) =>
          [1, 50].map((count) => {
            const terms = { fixed: 1, memories: size, actors: count }
            return { terms, cost: predicted(made, terms) }
          }),
        )
        const fit = fitModel(TERMS, observations)
        for (const term of TERMS) expect(fit.coefficients[term]).toBeCloseTo(made[term], 2)
      }),
    )
  })

  test('no other coefficients come nearer to noisy measurements', () => {
    const noise = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 6, maxLength: 6 })
    const shift = fc.double({ min: -5, max: 5, noNaN: true })
    fc.assert(
      fc.property(noise, shift, shift, (own, up, steeper) => {
        const observations = own.map((value, at) => ({
          terms: { fixed: 1, size: at },
          cost: 40 + 7 * at + value,
        }))
        const { coefficients } = fitModel(['fixed', 'size'], observations)
        const squares = (fixed: number, size: number) =>
          observations.reduce(
            (sum, { terms, cost }) => sum + (cost - predicted({ fixed, size }, terms)) ** 2,
            0,
          )
        const best = squares(coefficients.fixed, coefficients.size)
        expect(best).toBeLessThanOrEqual(squares(coefficients.fixed + up, coefficients.size + steeper) + 1e-6)
      }),
    )
  })

  test('the error is the mean distance as a share of the mean cost', () => {
    const observations = [90, 110].map((cost) => ({ terms: { fixed: 1 }, cost }))
    const { coefficients, error, explained } = fitModel(['fixed'], observations)
    expect(coefficients.fixed).toBeCloseTo(100)
    expect(error).toBeCloseTo(0.1)
    expect(explained).toBeCloseTo(0)
  })

  test('fewer measurements than terms, and terms that depend on each other, are refused', () => {
    const one = { terms: { fixed: 1, size: 5 }, cost: 3 }
    expect(() => fitModel(['fixed', 'size'], [one])).toThrow(RangeError)
    expect(() => fitModel(['fixed', 'size'], [one, one, one])).toThrow('depend on each other')
  })
})
