import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '../../src/adapters/language/languages.ts'
import { eachPosting } from '../../src/domain/recall/cursor.ts'
import { CLASS_PAGE_DOCS, REMOVED } from '../../src/domain/recall/documents.ts'
import { createIndex, type IndexImage, type RecallIndex } from '../../src/domain/recall/index.ts'
import { isBlank } from '../../src/domain/recall/postings.ts'
import { TouchedTerms } from '../../src/domain/recall/touched-terms.ts'
import { proofsOf } from '../support/prove.ts'

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

function sweepWhole(index: RecallIndex): void {
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
      let index = createIndex(languages)
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
        else if (step.kind === 'reload') index = createIndex(languages, index.image())
        else if (removeAny(step.pick)) {
          index.forgetRemoved()
          sweepWhole(index)
          erased += 1
          expect(traces(index.image())).toEqual([])
        }
      }
    },
    150,
  )
  expect(erased).toBeGreaterThan(100)
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
      const touched = new TouchedTerms()
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
