import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resultOf } from '../../src/core/base/collections.ts'
import { CANDIDATES_MAX, EVERY_PLACE, ROOM, Selection, TopDocs } from '../../src/core/search/best-docs.ts'
import {
  eachPosting,
  LENGTHS,
  lengthBucketOf,
  Postings,
  packPosting,
} from '../../src/core/search/postings.ts'
import { estimateCostNs, RANK_LIMIT_MAX } from '../../src/core/search/rank-job.ts'
import type { SearchIndex } from '../../src/core/search/search-index.ts'
import { Spellings } from '../../src/core/search/spellings.ts'
import { prove } from '../support/prove.ts'
import { createIndex, docsWith, rank, search } from '../support/search.ts'

const fields = (text: string) => [{ text, weight: 1 }]
const add = (index: SearchIndex, text: string, visibilityClass = 0) =>
  index.add({ fields: fields(text), visibilityClass })

describe('memory', () => {
  test('an actor with ten memories costs a few kB', () => {
    const index = createIndex()
    expect(index.bytes).toBeLessThan(8_000)
    for (let at = 0; at < 10; at += 1) {
      add(
        index,
        `Memory ${at}: the upload worker of the billing service retries with backoff, see src/upload/worker${at}.ts`,
      )
    }
    expect(index.bytes).toBeLessThan(12_000)
  })

  test('compaction is due over a quarter of removed documents and gives their memory back', () => {
    const index = createIndex()
    for (let at = 0; at < 1_000; at += 1) add(index, `word${at} other${at} third${at}`)
    const before = index.bytes
    for (let at = 0; at < 900; at += 1) {
      expect(index.isCompactionDue).toBe(at > 250)
      index.remove(at, fields(`word${at} other${at} third${at}`))
    }
    index.compact()
    expect(index.isCompactionDue).toBe(false)
    expect(index.docCount).toBe(100)
    expect(index.bytes).toBeLessThan(before / 3)
    expect(add(index, 'word1')).toBe(1_000)
  })
})

/** So many that a compaction is not due. */
const DOCS = 1_200

test.each([
  ['256 texts', 'alpha beta', 256],
  ['32 768 characters', 'alpha '.repeat(300), 19],
])(
  'of removed texts %s are more than may wait for the next ranking: they are tidied in steps',
  (_, text, most) => {
    const index = createIndex()
    for (let at = 0; at < DOCS; at += 1) add(index, text)
    let removed = 0
    for (; !index.isOverdue; removed += 1) index.remove(removed, [{ weight: 1, text }])
    expect(removed).toBe(most)
    expect(index.isUnsettled).toBe(true)
    expect([...index.tidySteps()].length).toBeGreaterThanOrEqual(most)
    expect(index.isUnsettled).toBe(false)
    expect(docsWith(index, 'alpha')).toBe(DOCS - most)
  },
)

describe('a long text', () => {
  const filler = (at: number) => `filler${at} getUserId${at} 漢字仮名 `
  const long = Array.from({ length: 8_000 }, (_, at) => filler(at)).join('')

  const hitsOf = (index: SearchIndex) =>
    index.rank(index.job(index.query('filler1'), { allowed: null, limit: 5 })).docs.length

  test('is indexed in steps as at once', () => {
    const [atOnce, inSteps] = [createIndex(), createIndex()]
    const doc = { fields: [{ text: long, weight: 1 }], visibilityClass: 0 }
    expect(atOnce.add(doc)).toBe(lastOf(inSteps.addSteps(doc), 20))
    assert.deepStrictEqual(inSteps.image(), atOnce.image())
  })

  test('is found only when its last step is done', () => {
    const index = createIndex()
    const steps = index.addSteps({ fields: [{ text: long, weight: 1 }], visibilityClass: 0 })
    let isDone = false
    while (!isDone) {
      expect(hitsOf(index)).toBe(0)
      isDone = steps.next().done === true
    }
    expect(hitsOf(index)).toBe(1)
  })

  test('is taken out in steps as at once', () => {
    const [atOnce, inSteps] = [createIndex(), createIndex()]
    for (const index of [atOnce, inSteps]) {
      add(index, long)
      add(index, 'filler1 stays')
      index.remove(0, [{ text: long, weight: 1 }])
    }
    atOnce.settle()
    lastOf(inSteps.tidySteps(), 20)
    assert.deepStrictEqual(inSteps.image(), atOnce.image())
    expect(docsWith(inSteps, 'filler1')).toBe(1)
  })
})

/** The result of steps, of which there are so many at least. */
function lastOf<Result>(steps: Generator<number, Result>, least: number): Result {
  for (let taken = 0; ; taken += 1) {
    const step = steps.next()
    if (step.done !== true) continue
    expect(taken).toBeGreaterThanOrEqual(least)
    return step.value
  }
}

describe('misuse is a broken assumption, not a wrong answer', () => {
  test.each([
    [
      'another text',
      (index: SearchIndex) => {
        index.remove(0, fields('gamma'))
        index.settle()
      },
      /another text/,
    ],
    ['twice', (index: SearchIndex) => [1, 2].map(() => index.remove(0, fields('alpha'))), /not in the index/],
    ['never added', (index: SearchIndex) => index.remove(7, fields('alpha')), /not in the index/],
    ['no class', (index: SearchIndex) => add(index, 'alpha', -1), /class out of range/],
    [
      'no weight',
      (index: SearchIndex) => index.add({ fields: [{ text: 'a', weight: 0 }], visibilityClass: 0 }),
      /weight/,
    ],
  ])('%s', (_, misuse, message) => {
    const index = createIndex()
    add(index, 'alpha')
    add(index, 'alpha beta')
    expect(() => misuse(index)).toThrow(message)
  })
})

test('a job answers what was true when it was made, whatever is written afterwards', () => {
  const index = createIndex()
  for (let at = 0; at < 300; at += 1) add(index, `alpha word${at % 7} text${at}`, at % 3)
  const query = search.query('alpha word3 text9')
  const views = [null, Uint8Array.of(1, 0, 1)]
  const jobs = views.map((allowed) => index.job(query, { allowed, limit: 50 }))
  const before = jobs.map(rank)
  for (let at = 0; at < 100; at += 1) index.remove(at, fields(`alpha word${at % 7} text${at}`))
  expect(jobs.map(rank)).toStrictEqual(before)
  resultOf(index.forgetRemovedSteps())
  while (index.isSweeping) index.sweep()
  expect(jobs.map(rank)).toStrictEqual(before)
  for (let at = 300; at < 3_000; at += 1) add(index, `alpha word${at % 7} text9`, at % 3)
  for (let at = 100; at < 200; at += 1) index.remove(at, fields(`alpha word${at % 7} text${at}`))
  expect(jobs.map(rank)).toStrictEqual(before)
  index.compact()
  for (let at = 0; at < 100; at += 1) add(index, `alpha word${at % 7} text9`)
  expect(jobs.map(rank)).toStrictEqual(before)
  const now = views.map((allowed) => rank(index.job(query, { allowed, limit: 50 })))
  expect(now).not.toStrictEqual(before)
})

test('the cost of a ranking is known before it: five nanoseconds per posting, half as much again when documents are hidden', () => {
  const index = createIndex()
  for (let at = 0; at < 1_000; at += 1) add(index, 'alpha beta', at & 1)
  const cost = (text: string, allowed: Uint8Array | null) =>
    estimateCostNs(index.job(search.query(text), { allowed, limit: 10 }))
  const base = cost('unheard', null)
  expect(cost('alpha', null) - base).toBe(5_000)
  expect(cost('alpha beta', null) - base).toBe(10_000)
  expect(cost('alpha beta', Uint8Array.of(1, 1)) - base).toBe(10_000)
  expect(cost('alpha beta', Uint8Array.of(1, 0)) - base).toBe(15_000)
})

test('no query gets more than the largest limit, and an empty index or query gets nothing', () => {
  const index = createIndex()
  const ask = (text: string) => rank(index.job(search.query(text), { allowed: null, limit: 1_000 })).docs
  expect(ask('alpha')).toHaveLength(0)
  for (let at = 0; at < 500; at += 1) add(index, 'alpha')
  expect(ask('alpha')).toHaveLength(RANK_LIMIT_MAX)
  expect(ask('')).toHaveLength(0)
})

test('postings come back as they were appended, across chunks and pages', () => {
  const postings = new Postings()
  const counts = [0, 1, 2, 3, 1_021, 1_022, 1_023, 2_046, 2_047, 300_000]
  for (let at = 0; at < 300_000; at += 1) {
    counts.forEach((count, term) => {
      if (at < count) postings.append(term, packPosting(at, at % 20, at % 16))
    })
  }
  counts.forEach((count, term) => {
    expect(postings.countOf(term)).toBe(count)
    let next = 0
    let isSame = true
    eachPosting(postings.pages, postings.headOf(term), count, (posting) => {
      isSame &&= posting === packPosting(next, Math.min(15, next % 20), next % 16)
      next += 1
    })
    expect([next, isSame]).toEqual([count, true])
  })
})

test('a document number of 24 bits survives packing', () => {
  expect(packPosting(0xffffff, 99, 15) >>> 8).toBe(0xffffff)
  expect((packPosting(0xffffff, 99, 15) >>> 4) & 15).toBe(15)
})

test('a length is in the last bucket that it reaches', () => {
  for (const [bucket, least] of LENGTHS.entries()) expect(lengthBucketOf(least)).toBe(bucket)
  expect(lengthBucketOf(4)).toBe(1)
  expect(lengthBucketOf(1e6)).toBe(15)
})

test('spellings have one number each, and it spells them back', () => {
  prove(fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 300 }), (words) => {
    const spellings = new Spellings()
    const known = new Map<string, number>()
    for (const word of words) {
      const expected = known.get(word) ?? known.size
      expect(spellings.find(`<${word}>`, 1, word.length + 1)).toBe(known.get(word) ?? -1)
      expect(spellings.add(`<${word}>`, 1, word.length + 1)).toBe(expected)
      known.set(word, expected)
    }
    for (const [word, number] of known) expect(spellings.spell(number)).toBe(word)
  })
})

test('a blank spelling is gone without a trace, the others are found, and met again it gets a new number', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  const step = fc.oneof(word, fc.nat(200))
  prove(fc.array(step, { maxLength: 300 }), (steps) => {
    const spellings = new Spellings()
    const numbers = new Map<string, number>()
    for (const each of steps) {
      if (typeof each === 'string') {
        const known = numbers.get(each)
        const number = spellings.add(each, 0, each.length)
        if (known === undefined) expect([...numbers.values()]).not.toContain(number)
        else expect(number).toBe(known)
        numbers.set(each, number)
        continue
      }
      const [gone, number = 0] = [...numbers][each % Math.max(1, numbers.size)] ?? []
      if (gone === undefined) continue
      spellings.blank(number)
      spellings.blank(number)
      numbers.delete(gone)
    }
    const { slots, hashes, starts, chars } = spellings.image()
    for (const [each, number] of numbers) expect(spellings.find(each, 0, each.length)).toBe(number)
    for (let number = 0; number < spellings.size; number += 1) {
      if ([...numbers.values()].includes(number)) continue
      expect([hashes[number], slots.includes(number + 1)]).toEqual([0, false])
      expect(chars.subarray(starts[number], starts[number + 1]).every((code) => code === 0)).toBe(true)
    }
  })
})

/** What is settled, from the second place of the lists on. */
function settled(top: TopDocs): { docs: number[]; scores: number[]; masks: number[] } {
  const size = top.count + 1
  const into = { docs: new Int32Array(size), scores: new Float64Array(size), masks: new Uint32Array(size) }
  top.settle(into, 1)
  return {
    docs: [...into.docs.subarray(1)],
    scores: [...into.scores.subarray(1)],
    masks: [...into.masks.subarray(1)],
  }
}

test('the best are kept in order, at the same score the newest first', () => {
  const score = fc.oneof(fc.nat({ max: 9 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 }))
  const one = fc.record({ doc: fc.nat(), score })
  prove(
    fc.uniqueArray(one, { maxLength: 80, selector: ({ doc }) => doc }),
    fc.nat({ max: 12 }),
    (all, limit) => {
      const top = new TopDocs(limit, new Selection(ROOM))
      for (const { doc, score } of all) if (top.admits(doc, score)) top.add(doc, score, doc)
      const expected = all.toSorted((a, b) => b.score - a.score || b.doc - a.doc).slice(0, limit)
      const { docs, scores, masks } = settled(top)
      expect(docs).toEqual(expected.map(({ doc }) => doc))
      expect(scores).toEqual(expected.map(({ score }) => score))
      expect(masks).toEqual(docs)
    },
  )
})

test.each([
  ['all different', (at: number) => Math.imul(at, 0x9e3779b1) >>> 0],
  ['rising', (at: number) => at],
  ['falling', (at: number) => -at],
  ['all the same', () => 1],
  ['few different', (at: number) => (Math.imul(at, 0x9e3779b1) >>> 29) / 3],
  ['one far above the others', (at: number) => (at === 7 ? 1e9 : (Math.imul(at, 0x9e3779b1) >>> 28) * 1e-9)],
  ['closer than can be told apart', (at: number) => 1 + (at % 3) * Number.EPSILON],
])('of more than are held at once the best are kept too: %s', (_, scoreOf) => {
  const top = new TopDocs(3, new Selection(ROOM))
  for (const limit of [1, 200, 400]) {
    top.clear(limit)
    const docs = Array.from({ length: 20_000 }, (_, at) => (at % 7 === 0 ? 40_000 - at : at))
    const all = docs.map((doc, at) => ({ doc, score: scoreOf(at) }))
    for (const { doc, score } of all) if (top.admits(doc, score)) top.add(doc, score, 1)
    const expected = all.toSorted((a, b) => b.score - a.score || b.doc - a.doc).slice(0, limit)
    expect(settled(top).docs).toEqual(expected.map(({ doc }) => doc))
    // Places in the order of their documents, listed in another one.
    const places = Int32Array.from({ length: 16_000 }, (_, at) => (at * 7) % 16_001)
    const scores = Float64Array.from({ length: 16_001 }, (_, at) => scoreOf(at))
    const wanted = [...places].toSorted((a, b) => scoreOf(b) - scoreOf(a) || b - a).slice(0, limit)
    const [lowest, highest] = [Math.min(...scores), Math.max(...scores)]
    const best = new Selection(CANDIDATES_MAX).best(
      { places, count: places.length, scores, docs: EVERY_PLACE, lowest, highest },
      limit,
    )
    expect([...best.subarray(0, limit)]).toEqual(wanted)
  }
})
