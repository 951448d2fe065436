import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resultOf } from '../../src/core/base/collections.ts'
import { CLASS_PAGE_DOCS, REMOVED } from '../../src/core/search/documents.ts'
import { DirtyTerms } from '../../src/core/search/growth.ts'
import { eachPosting, isBlank } from '../../src/core/search/postings.ts'
import type { IndexImage, SearchIndex } from '../../src/core/search/search-index.ts'
import { enough } from '../harness/scale.ts'
import { proofsOf } from '../support/prove.ts'
import { createIndex } from '../support/search.ts'

const prove = proofsOf('recall sweep')
const WORDS = Array.from({ length: 40 }, (_, at) => `word${at}`)

const anyStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      words: fc.array(fc.nat({ max: 39 }), { minLength: 1, maxLength: 12 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('erase' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const) }) },
)

function sweepWhole(index: SearchIndex): void {
  while (index.isSweeping) index.sweep()
}

/** Terms and postings that tell of documents which are gone. */
function traces({ terms, postings, documents, docsOfTerm }: IndexImage): readonly string[] {
  const isLive = (doc: number): boolean =>
    (documents.pages[Math.floor(doc / CLASS_PAGE_DOCS)]?.[doc % CLASS_PAGE_DOCS] ?? REMOVED) !== REMOVED
  const found: string[] = []
  for (let term = 0; term < terms.hashes.length; term += 1) {
    const isSpelled = (terms.chars[terms.starts[term] ?? 0] ?? 0) !== 0
    if (isSpelled && docsOfTerm[term] === 0) found.push(`term ${term}`)
    eachPosting(postings.pages, postings.heads[term] ?? 0, postings.counts[term] ?? 0, (posting) => {
      if (!isBlank(posting) && !isLive(posting >>> 8)) found.push(`document ${posting >>> 8} in term ${term}`)
    })
  }
  return found
}

test('after a sweep nothing tells of a removed document, whatever came, went and was stored before', () => {
  let erased = 0
  prove(
    fc.array(anyStep, { minLength: 5, maxLength: 60, size: 'max' }),
    (steps) => {
      let index = createIndex()
      const texts = new Map<number, string>()
      const removeAny = (pick: number): boolean => {
        const [doc, text] = [...texts][pick % Math.max(1, texts.size)] ?? []
        if (doc === undefined || text === undefined) return false
        index.remove(doc, [{ text, weight: 1 }])
        return texts.delete(doc)
      }
      for (const step of steps) {
        if (step.kind === 'add') {
          const text = step.words.map((at) => WORDS[at] ?? '').join(' ')
          texts.set(index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 }), text)
        } else if (step.kind === 'remove') removeAny(step.pick)
        else if (step.kind === 'reload') index = createIndex(index.image())
        else if (removeAny(step.pick)) {
          resultOf(index.forgetRemovedSteps())
          sweepWhole(index)
          erased += 1
          expect(traces(index.image())).toEqual([])
        }
      }
    },
    150,
  )
  expect(erased).toBeGreaterThan(enough(100))
})

test('a word of very many documents is swept in steps, between which documents come and go', () => {
  const DOCS = 150_000
  const common = [{ text: 'common', weight: 1 }]
  const index = createIndex()
  const add = (): number => index.add({ fields: common, visibilityClass: 0 })
  const gone = new Set<number>()
  const remove = (doc: number): void => {
    if (gone.has(doc)) return
    index.remove(doc, common)
    gone.add(doc)
  }
  for (let doc = 0; doc < DOCS; doc += 1) add()
  for (let doc = 0; doc < 5_000; doc += 1) remove(doc)
  for (let doc = 5_000; doc < DOCS; doc += 1_000) remove(doc)
  resultOf(index.forgetRemovedSteps())
  const before = new Set([...gone].map((doc) => `document ${doc} in term 0`))
  let steps = 0
  for (; index.isSweeping; steps += 1) {
    index.sweep()
    add()
    remove(DOCS - 1 - steps * 40_000)
    remove(6_001 + steps)
  }
  expect(steps).toBeGreaterThan(2)
  expect(traces(index.image()).filter((trace) => before.has(trace))).toEqual([])
  resultOf(index.forgetRemovedSteps())
  index.sweep()
  // Begins again: what the first step has passed over is not forgotten.
  resultOf(index.forgetRemovedSteps())
  sweepWhole(index)
  expect(traces(index.image())).toEqual([])
  const image = index.image()
  const live = new Set<number>()
  eachPosting(
    image.postings.pages,
    image.postings.heads[0] ?? 0,
    image.postings.counts[0] ?? 0,
    (posting) => {
      if (!isBlank(posting)) live.add(posting >>> 8)
    },
  )
  const expected = Array.from({ length: DOCS + steps }, (_, doc) => doc).filter((doc) => !gone.has(doc))
  expect([...live].toSorted((a, b) => a - b)).toEqual(expected)
})

test('a sweep that goes on while words are forgotten takes none of them from the list', () => {
  const WORDS_OF_ONE = 12_000
  const index = createIndex()
  const own = (letter: string) => [
    { text: Array.from({ length: WORDS_OF_ONE }, (_, at) => `${letter}${at}`).join(' '), weight: 1 },
  ]
  const common = [{ text: 'common '.repeat(5), weight: 1 }]
  const docs = ['a', 'b', 'c'].map((letter) =>
    index.add({ fields: [...common, ...own(letter)], visibilityClass: 0 }),
  )
  index.remove(docs[0] ?? 0, [...common, ...own('a')])
  resultOf(index.forgetRemovedSteps())
  index.sweep()
  index.remove(docs[1] ?? 0, [...common, ...own('b')])
  let rests = 0
  for (const _ of index.forgetRemovedSteps()) {
    for (let swept = 0; swept < 20; swept += 1) index.sweep()
    rests += 1
  }
  expect(rests).toBeGreaterThan(2)
  sweepWhole(index)
  expect(traces(index.image())).toEqual([])
})

test('touched terms are a set that gives its numbers in order', () => {
  const anyTerm = fc.nat({ max: 5_000 })
  const anyChange = fc.record({
    term: anyTerm,
    how: fc.constantFrom('add', 'add', 'delete', 'addAll', 'clear' as const),
  })
  prove(
    fc.array(anyChange, { maxLength: 60, size: 'max' }),
    (changes) => {
      const touched = new DirtyTerms()
      const naive = new Set<number>()
      for (const { term, how } of changes) {
        if (how === 'clear') {
          touched.clear()
          naive.clear()
        } else if (how === 'addAll') {
          touched.addAll(term)
          for (let each = 0; each < term; each += 1) naive.add(each)
        } else {
          touched[how](term)
          naive[how](term)
        }
      }
      const found: number[] = []
      for (let term = touched.next(0); term >= 0; term = touched.next(term + 1)) found.push(term)
      expect(found).toEqual([...naive].toSorted((a, b) => a - b))
    },
    200,
  )
})
