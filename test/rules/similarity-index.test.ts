import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ESTIMATE_SLACK, type NearHit, NearIndex } from '../../src/core/similarity/near-index.ts'
import { minHash, type TextSignature } from '../../src/core/similarity/text-signature.ts'
import { scaled } from '../harness/scale.ts'
import { proving } from '../support/prove.ts'
import { estimateOf, plainWord, plainWords, similarityOf } from '../support/similar-texts.ts'

const prove = proving(300)

interface Step {
  readonly id: number
  readonly isRemoval: boolean
  readonly text: string
}

/** Few ids and texts out of few phrases, so that equal, near and far texts all occur. */
const phrase = fc.constantFrom(
  '',
  'one',
  'the upload worker retries with backoff until the queue is empty again',
  'the upload worker retries with backoff until the line is empty again',
  'and then it reports to the operator how long that took in all',
  'a deploy goes through staging first and waits for the night',
)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    id: fc.nat(40),
    isRemoval: fc.boolean(),
    text: fc.array(phrase, { maxLength: 4 }).map((parts) => parts.join(' ')),
  }),
  { maxLength: 120 },
)

function runSteps(all: readonly Step[]): { index: NearIndex; live: Map<number, TextSignature> } {
  const index = new NearIndex()
  const live = new Map<number, TextSignature>()
  for (const { id, isRemoval, text } of all) {
    if (isRemoval || live.has(id)) {
      expect(index.remove(id)).toBe(live.delete(id))
      continue
    }
    index.add(id, minHash(text))
    live.set(id, minHash(text))
  }
  return { index, live }
}

/** The definition, without chains: every live print is looked at. */
function nearByBruteForce(
  live: ReadonlyMap<number, TextSignature>,
  print: TextSignature,
  minimum: number,
): NearHit[] {
  const hits: NearHit[] = []
  for (const [id, { bins }] of live) {
    const wanted = print.bins
    if (bins === null || wanted === null) continue
    if (!bins.some((word, band) => word === wanted[band])) continue
    const similarity = estimateOf(bins, wanted)
    if (similarity >= minimum - ESTIMATE_SLACK) hits.push({ id, similarity })
  }
  return hits.sort((a, b) => b.similarity - a.similarity || b.id - a.id)
}

describe('the index of prints', () => {
  test('answers what looking at every print answers, after any additions and removals', () => {
    prove(steps, fc.array(phrase, { maxLength: 4 }), fc.constantFrom(0.5, 0.8, 1), (all, parts, minimum) => {
      const { index, live } = runSteps(all)
      const print = minHash(parts.join(' '))
      const { high, low } = print.digest
      const isEqual = ({ digest }: TextSignature) => digest.high === high && digest.low === low
      const equal = [...live].filter(([, other]) => isEqual(other)).map(([id]) => id)
      expect(index.exact(print)).toEqual(equal.sort((a, b) => b - a))
      expect(index.near(print, minimum)).toEqual(nearByBruteForce(live, print, minimum))
      expect(index.size).toBe(live.size)
    })
  })

  test('what was removed is as if it had never been added', () => {
    prove(steps, (all) => {
      const { index, live } = runSteps(all)
      const fresh = new NearIndex()
      for (const [id, print] of live) fresh.add(id, print)
      for (const { id, text } of all) {
        const print = minHash(text)
        expect(index.has(id)).toBe(live.has(id))
        expect(index.exact(print)).toEqual(fresh.exact(print))
        expect(index.near(print, 0.5)).toEqual(fresh.near(print, 0.5))
      }
    })
  })

  test('at least 99 % of the texts with a similarity of 0.8 or more are found', () => {
    const samples = fc.sample(
      fc.record({ words: plainWords(12, 120), change: plainWords(0, 3), cut: fc.nat(3), at: fc.nat() }),
      { numRuns: scaled(6_000), seed: 5 },
    )
    let pairs = 0
    let found = 0
    for (const { words, change, cut, at } of samples) {
      const text = words.join(' ')
      const other = words.toSpliced(at % words.length, cut, ...change).join(' ')
      if (other === text || similarityOf(text, other) < 0.8) continue
      pairs += 1
      const index = new NearIndex()
      index.add(1, minHash(text))
      if (index.near(minHash(other), 0.8).length > 0) found += 1
    }
    expect(pairs).toBeGreaterThan(samples.length / 6)
    expect(found / pairs).toBeGreaterThanOrEqual(0.99)
  })

  test('texts without words in common are not found', () => {
    prove(fc.uniqueArray(plainWord, { minLength: 16, maxLength: 60 }), (words) => {
      const half = words.length >> 1
      const index = new NearIndex()
      index.add(7, minHash(words.slice(0, half).join(' ')))
      expect(index.near(minHash(words.slice(half).join(' ')), 0.8)).toEqual([])
    })
  })

  test('an empty index costs less than a kB, and removals give their memory back', () => {
    const index = new NearIndex()
    expect(index.bytes).toBeLessThan(1_024)
    for (let id = 0; id < 5_000; id += 1) index.add(id, minHash(`memory ${id} of the upload worker`))
    const full = index.bytes
    expect(full / 5_000).toBeLessThan(400)
    for (let id = 0; id < 5_000; id += 1) index.remove(id)
    expect(index.bytes).toBeLessThan(1_024)
    expect(index.size).toBe(0)
  })

  test('an id that is twice in the index or out of range is a broken assumption', () => {
    const index = new NearIndex()
    index.add(3, minHash('a'))
    expect(() => index.add(3, minHash('b'))).toThrow(/twice/)
    for (const id of [-1, 1.5, 2 ** 31, Number.NaN])
      expect(() => index.add(id, minHash('b'))).toThrow(/out of range/)
    expect(index.remove(4)).toBe(false)
  })
})
