import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AVAILABILITIES, STANDINGS, TRUSTS, VALIDITIES } from '../../src/core/base/closed-sets.ts'
import { ownText, sharedFacets } from '../../src/core/model/memory-fields.ts'
import { anyFacets, anyText } from '../arbitraries.ts'
import { prove } from '../support/prove.ts'

const copyOf = <T>(value: T): T => structuredClone(value)

describe('parts that records share', () => {
  test('facets are never changed by being shared', () => {
    prove(anyFacets, (facets) => {
      expect(JSON.stringify(sharedFacets(copyOf(facets)))).toBe(JSON.stringify(facets))
    })
  })

  test('facets without an end and a suppression are one object for each combination', () => {
    const all = TRUSTS.flatMap((trust) =>
      STANDINGS.flatMap((standing) =>
        VALIDITIES.flatMap((validity) =>
          AVAILABILITIES.map((availability) => ({
            trust,
            standing,
            validity,
            validUntilMs: null,
            availability,
            suppression: null,
          })),
        ),
      ),
    )
    for (const facets of all) {
      expect(sharedFacets(facets)).toEqual(facets)
      expect(sharedFacets(facets)).toBe(sharedFacets(copyOf(facets)))
    }
    expect(new Set(all.map(sharedFacets)).size).toBe(all.length)
  })

  test('a text comes back unchanged, whatever came before', () => {
    prove(fc.array(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 200 }))), (texts) => {
      for (const text of texts) {
        expect(ownText(text)).toBe(text)
      }
    })
  })
})
