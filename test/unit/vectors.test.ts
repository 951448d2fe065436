import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knn, nearDocs, VECTORS_MIN, Vectors } from '../../src/core/search/knn.ts'
import { prove } from '../support/prove.ts'

const number = fc.double({ min: -1, max: 1, noNaN: true })
const vector = fc.array(number, { minLength: 5, maxLength: 5 }).map((numbers) => unit(numbers))
const row = fc.record({ vector, visibilityClass: fc.nat({ max: 3 }), isRemoved: fc.boolean() })
const rows = fc.array(row, { maxLength: 60 })
const allowedSet = fc.uint8Array({ minLength: 4, maxLength: 4, max: 1 })

function unit(numbers: readonly number[]): Float32Array {
  const size = Math.hypot(...numbers)
  return Float32Array.from(numbers, (each) => (size < 1e-6 ? Math.sqrt(1 / numbers.length) : each / size))
}

function built(given: readonly { vector: Float32Array; visibilityClass: number; isRemoved?: boolean }[]) {
  const vectors = new Vectors(given[0]?.vector.length ?? 5)
  for (const each of given) vectors.add(each.vector, each.visibilityClass)
  for (const [doc, each] of given.entries()) if (each.isRemoved === true) vectors.remove(doc)
  return vectors
}

describe('the nearest vectors', () => {
  test('are those with the greatest cosines of all that are visible, each with its own', () => {
    prove(rows, vector, allowedSet, fc.nat({ max: 20 }), (given, query, allowed, limit) => {
      const result = knn(built(given).job(query, allowed, limit))
      const cosines = given
        .map(({ vector: each }, doc) => ({
          doc,
          cosine: each.reduce((s, n, at) => s + n * (query[at] ?? 0), 0),
        }))
        .filter(
          ({ doc }) => given[doc]?.isRemoved !== true && allowed[given[doc]?.visibilityClass ?? 0] === 1,
        )
      const sorted = cosines.map(({ cosine }) => cosine).sort((a, b) => b - a)
      expect(result.visible).toBe(cosines.length)
      expect(result.docs).toHaveLength(Math.min(limit, cosines.length))
      for (const [place, doc] of result.docs.entries()) {
        expect(result.cosines[place]).toBeCloseTo(sorted[place] ?? 9, 5)
        expect(result.cosines[place]).toBeCloseTo(cosines.find((each) => each.doc === doc)?.cosine ?? 9, 5)
      }
    })
  })

  test('what is not visible changes nothing: not which, not in what order, not what counts as near', () => {
    const hidden = row.map((each) => ({ ...each, visibilityClass: 9, isRemoved: false }))
    const mixed = fc.array(fc.oneof(row, hidden), { maxLength: 80 })
    prove(mixed, vector, (given, query) => {
      const allowed = Uint8Array.of(1, 1, 1, 1)
      const seen = given.filter(({ visibilityClass }) => visibilityClass < 4)
      const all = knn(built(given).job(query, allowed, 30))
      const alone = knn(built(seen).job(query, allowed, 30))
      const asSeen = (doc: number) => seen.findIndex((each) => each === given[doc])
      expect(Array.from(all.docs, asSeen)).toEqual([...alone.docs])
      expect({ ...all, docs: [] }).toEqual({ ...alone, docs: [] })
      expect(nearDocs(all).map(({ deviations, isRelevant }) => [deviations, isRelevant])).toEqual(
        nearDocs(alone).map(({ deviations, isRelevant }) => [deviations, isRelevant]),
      )
    })
  })

  test('a question is answered as things were when it was asked', () => {
    const given = Array.from({ length: 600 }, (_, at) => ({
      vector: unit([at + 1, 1, 0, 0, 0]),
      visibilityClass: 0,
    }))
    const vectors = built(given)
    const job = vectors.job(unit([1, 0, 0, 0, 0]), Uint8Array.of(1), 5)
    for (let at = 0; at < 300; at += 1) vectors.add(unit([1, 0, 0, 0, 0]), 0)
    expect([...knn(job).docs]).toEqual([599, 598, 597, 596, 595])
    expect(vectors.size).toBe(900)
  })

  test('a removed vector is overwritten, also in pages that somebody holds', () => {
    const vectors = built([{ vector: unit([1, 2, 3, 4, 5]), visibilityClass: 0 }])
    const { pages } = vectors.job(unit([1, 0, 0, 0, 0]), Uint8Array.of(1), 5)
    vectors.remove(0)
    expect([...(pages[0] ?? [])].every((each) => each === 0)).toBe(true)
    expect(vectors.live).toBe(0)
  })
})

describe('what counts as near', () => {
  const crowd = (size: number, seed: number) => {
    let at = seed
    const random = () => {
      at = (Math.imul(at, 1103515245) + 12345) | 0
      return (at >>> 8) / 2 ** 24 - 0.5
    }
    return Array.from({ length: size }, () => ({
      vector: unit(Array.from({ length: 96 }, random)),
      visibilityClass: 0,
    }))
  }
  const query = (seed: number) => crowd(1, seed)[0]?.vector ?? new Float32Array()
  const among = (given: ReturnType<typeof crowd>, seed: number) =>
    nearDocs(knn(built(given).job(query(seed), Uint8Array.of(1), 200)))

  test('of unrelated memories hardly any query finds one relevant, however many they are', () => {
    let relevant = 0
    for (const size of [20, 200, 2000]) {
      for (let seed = 1; seed <= (size > 1000 ? 10 : 40); seed += 1) {
        relevant += among(crowd(size, seed * 7919), seed + 1e6).some(({ isRelevant }) => isRelevant) ? 1 : 0
      }
    }
    expect(relevant).toBeLessThanOrEqual(3)
  })

  test('memories that lie with the query are relevant, one or a tenth of all of them', () => {
    for (const related of [1, 5, 20]) {
      const own = Array.from(query(5), (each) => each * 3)
      const near = crowd(related, 99).map(({ vector: noise }) => ({
        vector: unit(own.map((each, at) => each + (noise[at] ?? 0) * 1.5)),
        visibilityClass: 0,
      }))
      const found = among([...crowd(200, 3), ...near], 5)
      const relevant = found.filter(({ isRelevant }) => isRelevant).map(({ doc }) => doc)
      expect(relevant.sort((a, b) => a - b)).toEqual(near.map((_, at) => 200 + at))
    }
  })

  test('among few vectors nothing is near, since nobody can say what is usual', () => {
    const own = { vector: query(5), visibilityClass: 0 }
    expect(among([...crowd(VECTORS_MIN - 2, 3), own], 5)).toEqual([])
    expect(among([...crowd(VECTORS_MIN, 3), own], 5)[0]).toMatchObject({
      doc: VECTORS_MIN,
      isRelevant: true,
    })
  })
})
