import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { AVAILABILITIES, STANDINGS, TRUSTS, VALIDITIES } from '../../src/core/base/closed-sets.ts'
import { ownText, sharedFacets } from '../../src/core/model/memory-parts.ts'
import { Bag } from '../../src/core/search/bag.ts'
import { createIndex, type IndexImage } from '../../src/core/search/index.ts'
import { wordFormsOf } from '../../src/core/search/word-forms.ts'
import { anyFacets, anyText } from '../arbitraries.ts'

const copyOf = <T>(value: T): T => structuredClone(value)

describe('parts that records share', () => {
  test('facets are never changed by being shared', () => {
    fc.assert(
      fc.property(anyFacets, (facets) => {
        expect(JSON.stringify(sharedFacets(copyOf(facets)))).toBe(JSON.stringify(facets))
      }),
    )
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
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, fc.string({ unit: 'binary', maxLength: 200 }))), (texts) => {
        for (const text of texts) {
          expect(ownText(text)).toBe(text)
        }
      }),
    )
  })
})

describe('scratch and caches that indexes share', () => {
  test('a bag counts what a map counts, in order of first occurrence', () => {
    const bag = new Bag()
    const anyTerm = fc.oneof(fc.nat(40), fc.nat(0x7fffffff))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyTerm, fc.integer({ min: 1, max: 15 })), { maxLength: 900 }),
        (added) => {
          const counts = new Map<number, number>()
          bag.clear()
          for (const [term, weight] of added) {
            bag.add(term, weight)
            counts.set(term, (counts.get(term) ?? 0) + weight)
          }
          const places = Array.from({ length: bag.size }, (_, place) => [
            bag.termAt(place),
            bag.countAt(place),
          ])
          expect(places).toEqual([...counts])
          expect(bag.length).toBe(added.reduce((sum, [, weight]) => sum + weight, 0))
        },
      ),
    )
  })

  test('an index is the same whatever words were met before it, and when they are forgotten meanwhile', () => {
    const forms = wordFormsOf(languages)
    const imageOf = (texts: readonly string[], isForgetful: boolean): IndexImage => {
      const index = createIndex(languages)
      for (const text of texts) {
        if (isForgetful) forms.forget()
        index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
      }
      return index.image()
    }
    fc.assert(
      fc.property(fc.array(fc.oneof(anyText, spoken), { maxLength: 12 }), (texts) => {
        const once = imageOf(texts, false)
        imageOf(texts.toReversed(), false)
        expect(imageOf(texts, false)).toEqual(once)
        expect(imageOf(texts, true)).toEqual(once)
      }),
    )
  })
})

/** Words that are met in several languages, with and without accents. */
const spoken = fc.constantFrom(
  'The servers are running on the machines and naïve résumés are not read.',
  'Der Server läuft nicht auf den Maschinen und die Resumes sind naive.',
  'Le serveur est sur les machines et les résumés ne sont pas naïfs.',
  'Сервер не отвечает на запросы и машины не работают.',
)
