import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TermCounts } from '../../src/core/search/document-reader.ts'
import type { IndexImage } from '../../src/core/search/search-index.ts'
import { anyText } from '../arbitraries.ts'
import { prove } from '../support/prove.ts'
import { createIndex, search } from '../support/search.ts'

describe('what the indexes of a workspace share', () => {
  test('term counts are those of a map, in order of first occurrence', () => {
    const counted = new TermCounts()
    const anyTerm = fc.oneof(fc.nat(40), fc.nat(0x7fffffff))
    prove(fc.array(fc.tuple(anyTerm, fc.integer({ min: 1, max: 15 })), { maxLength: 900 }), (added) => {
      const counts = new Map<number, number>()
      counted.clear()
      for (const [term, weight] of added) {
        counted.add(term, weight)
        counts.set(term, (counts.get(term) ?? 0) + weight)
      }
      const places = Array.from({ length: counted.size }, (_, place) => [
        counted.termAt(place),
        counted.countAt(place),
      ])
      expect(places).toEqual([...counts])
      expect(counted.length).toBe(added.reduce((sum, [, weight]) => sum + weight, 0))
    })
  })

  test('an index is the same whatever words were met before it, and when they are forgotten meanwhile', () => {
    const imageOf = (texts: readonly string[], isForgetful: boolean): IndexImage => {
      const index = createIndex()
      for (const text of texts) {
        if (isForgetful) search.forgetWords()
        index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })
      }
      return index.image()
    }
    prove(fc.array(fc.oneof(anyText, spoken), { maxLength: 12 }), (texts) => {
      const once = imageOf(texts, false)
      imageOf(texts.toReversed(), false)
      expect(imageOf(texts, false)).toEqual(once)
      expect(imageOf(texts, true)).toEqual(once)
    })
  })

  test('a document that is added while words are forgotten is found by a word that was just forgotten', () => {
    const words = Array.from({ length: 9_000 }, (_, at) => `gone${'abcdefghij'.charAt(at % 10)}${at}`)
    const fields = [{ text: words.join(' '), weight: 1 }]
    const index = createIndex()
    index.remove(index.add({ fields, visibilityClass: 0 }), fields)
    const steps = index.forgetRemovedSteps()
    expect(steps.next().done).toBe(false)
    const [first = ''] = words
    const added = index.add({ fields: [{ text: first, weight: 1 }], visibilityClass: 0 })
    while (steps.next().done !== true);
    const job = index.job(index.query(first), { allowed: null, limit: 10 })
    expect([...index.rank(job).docs]).toEqual([added])
  })
})

/** Words that are met in several languages, with and without accents. */
const spoken = fc.constantFrom(
  'The servers are running on the machines and naïve résumés are not read.',
  'Der Server läuft nicht auf den Maschinen und die Resumes sind naive.',
  'Le serveur est sur les machines et les résumés ne sont pas naïfs.',
  'Сервер не отвечает на запросы и машины не работают.',
)
