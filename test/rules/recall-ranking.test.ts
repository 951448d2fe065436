import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachPosting } from '../../src/core/search/postings.ts'
import { LISTED_MAX, TERM_STRIDE } from '../../src/core/search/rank-job.ts'
import type { SearchIndex } from '../../src/core/search/search-index.ts'
import { scaled } from '../harness/scale.ts'
import { proving } from '../support/prove.ts'
import { rankedDocs } from '../support/ranked-docs.ts'
import { type Doc, identity, naive, Shelf, visible } from '../support/recall-shelf.ts'
import { createIndex, rank, search, spelledIn } from '../support/search.ts'

const numRuns = scaled(1_000)
const prove = proving(1_000)

const plainWord = fc
  .integer({ min: 0, max: 400 })
  .map((n) => `w${String.fromCharCode(97 + (Math.floor(Math.sqrt(n)) % 20))}x`)
/** Words of which many are one slip from each other. */
const longWord = fc
  .array(fc.constantFrom('k', 'p'), { minLength: 4, maxLength: 6 })
  .map((parts) => parts.join(''))
const word = fc.oneof(plainWord, longWord)
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(' '))
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      text: fc.oneof({ weight: 5, arbitrary: text(12) }, { weight: 1, arbitrary: text(90) }),
      title: text(2),
      visibilityClass: fc.nat({ max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), nth: fc.nat({ max: 50 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('update' as const), nth: fc.nat({ max: 50 }), text: text(12) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('compact' as const, 'sweep' as const, 'settle' as const) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const steps: fc.Arbitrary<readonly Step[]> = fc.array(step, { maxLength: 60 })
const allowedClasses = fc.option(
  fc.uint8Array({ minLength: 1, maxLength: 4, max: 1 }).map((bytes) => Uint8Array.from(bytes)),
  { nil: null },
)

/** Two memories whose scores differ in the last bit only, because their sums have other parts: the older one is better. */
const NEARLY_EQUAL: readonly Step[] = [
  { kind: 'add', text: 'kkkk wax kkkk wax kkkp pkppk wax kkkk', title: '', visibilityClass: 0 },
  { kind: 'add', text: 'pkkp pkpkk wax kkkk wix kkkk', title: 'wax', visibilityClass: 0 },
]

function play(script: readonly Step[]): Shelf {
  const shelf = new Shelf()
  script.forEach((each, key) => {
    if (each.kind === 'add') shelf.add({ key, ...each })
    else if (each.kind === 'remove') shelf.remove(each.nth)
    else if (each.kind === 'update') shelf.update(each.nth, each.text)
    else if (each.kind === 'compact') shelf.index.compact()
    else if (each.kind === 'settle') shelf.index.settle()
    else shelf.sweep()
  })
  return shelf
}

describe('ranking is exact', () => {
  test('answers are those of BM25 over the visible live memories, in score order, ties by the newer', () => {
    fc.assert(
      fc.property(
        steps,
        text(6),
        allowedClasses,
        fc.constantFrom(3, 200),
        (script, query, allowed, limit) => {
          const shelf = play(script)
          const hits = shelf.ask(query, allowed, limit)
          const expected = naive(visible(shelf, allowed), query, limit)
          expect(hits.map((hit) => hit.key)).toEqual(expected.map((hit) => hit.key))
          hits.forEach((hit, at) => {
            const want = expected[at]
            expect(hit.score).toBe(want?.score)
            expect(hit.coverage).toBeCloseTo(want?.coverage ?? 0, 5)
          })
        },
      ),
      { numRuns, examples: [[NEARLY_EQUAL, 'kpkkp wix pkpkpk pkppk', null, 3]] },
    )
  })

  test('an index rebuilt from the live memories gives identical answers', () => {
    prove(steps, text(6), allowedClasses, (script, query, allowed) => {
      const shelf = play(script)
      expect(shelf.rebuilt().ask(query, allowed)).toStrictEqual(shelf.ask(query, allowed))
    })
  })

  test('compaction changes no answer and leaves no removed word behind', () => {
    prove(steps, text(6), (script, query) => {
      const shelf = play(script)
      const before = shelf.ask(query, null)
      shelf.index.compact()
      expect(shelf.ask(query, null)).toStrictEqual(before)
      const live = new Set([...shelf.docs.values()].flatMap((doc) => `${doc.text} ${doc.title}`.split(' ')))
      expect(spelledIn(shelf.index.image()).filter((term) => !live.has(term))).toEqual([])
    })
  })

  test('a sweep changes no answer, and leaves neither a removed word nor a posting of what is removed', () => {
    prove(steps, text(6), allowedClasses, (script, query, allowed) => {
      const shelf = play(script)
      const before = shelf.ask(query, allowed)
      const earlier = shelf.index.job(identity.query(query), { allowed, limit: 200 })
      const earlierAnswer = rank(earlier)
      shelf.sweep()
      expect(shelf.ask(query, allowed)).toStrictEqual(before)
      expect(rank(earlier)).toStrictEqual(earlierAnswer)
      const { terms, postings, docsOfTerm } = shelf.index.image()
      const live = new Set([...shelf.docs.values()].flatMap((doc) => `${doc.text} ${doc.title}`.split(' ')))
      for (let term = 0; term < terms.hashes.length; term += 1) {
        const spelled = String.fromCharCode(
          ...terms.chars.subarray(terms.starts[term], terms.starts[term + 1]),
        )
        const isLive = (docsOfTerm[term] ?? 0) > 0
        expect(isLive ? live.has(spelled) : /^\0+$/.test(spelled)).toBe(true)
        expect(isLive || (terms.hashes[term] === 0 && !terms.slots.includes(term + 1))).toBe(true)
        eachPosting(postings.pages, postings.heads[term] ?? 0, postings.counts[term] ?? 0, (posting) => {
          expect(shelf.docs.has(posting >>> 8)).toBe(true)
        })
      }
    })
  })
})

describe('what a consumer may not see leaves no trace', () => {
  test('adding, changing and removing invisible memories changes no answer at all', () => {
    const mixed = fc.array(fc.tuple(step, fc.boolean()), { maxLength: 60 })
    prove(mixed, text(6), (script, query) => {
      const allowed = Uint8Array.of(1, 1, 1, 1, 0)
      const without = new Shelf()
      const withHidden = new Shelf()
      script.forEach(([each, isHidden], key) => {
        if (each.kind !== 'add') return
        const doc = { key, ...each, visibilityClass: isHidden ? 4 : each.visibilityClass }
        withHidden.add(doc)
        if (!isHidden) without.add(doc)
        else if (key % 3 === 0) withHidden.remove(withHidden.docs.size - 1)
      })
      expect(withHidden.ask(query, allowed)).toStrictEqual(without.ask(query, allowed))
    })
  })

  test('a class beyond the end of the allowed list is invisible', () => {
    const shelf = new Shelf()
    shelf.add({ key: 1, text: 'alpha', title: '', visibilityClass: 9 })
    expect(shelf.ask('alpha', Uint8Array.of(1))).toEqual([])
    expect(shelf.ask('alpha', null)).toHaveLength(1)
  })
})

describe('large indexes', () => {
  test('windows, pages and long chains give the same answers as the formula', () => {
    const shelf = new Shelf()
    const docs: Doc[] = []
    for (let key = 0; key < 40_000; key += 1) {
      const parts = [3, 7, 11, 101, 997, 9_973].filter((divisor) => key % divisor === 0).map((d) => `d${d}d`)
      const doc = {
        key,
        text: ['common', ...parts, `u${key % 20_000}u`].join(' '),
        title: '',
        visibilityClass: key & 1,
      }
      docs.push(doc)
      shelf.add(doc)
    }
    // Many postings are scanned in one way, few in another.
    for (const query of ['common d7d d101d d997d u19998u absent', 'd101d d997d u19998u absent']) {
      for (const allowed of [null, Uint8Array.of(1, 0)]) {
        const seen = docs.filter((doc) => allowed === null || doc.visibilityClass === 0)
        expect(shelf.ask(query, allowed).map((hit) => hit.key)).toEqual(
          naive(seen, query, 200).map((hit) => hit.key),
        )
      }
    }
  })
})

describe('the first window of several', () => {
  // Its best are what says which documents of all windows may be among the best.
  test('however good its documents are, what is removed or hidden is in no answer, and all others may be', () => {
    const shelf = new Shelf()
    for (let key = 0; key < 36_000; key += 1) {
      // The best stand in the first window, of which many go; those behind it have one word less.
      const isBest = key < 16_000 && key % 40 === 0
      const parts = [isBest ? 'finest' : '', key % 41 === 0 ? 'fine' : '', `c${'abcd'.charAt(key % 4)}c`]
      shelf.add({ key, text: parts.filter(Boolean).join(' '), title: '', visibilityClass: (key / 80) & 1 })
    }
    const best = [...shelf.docs.values()].filter((doc) => doc.text.includes('finest'))
    expect(best).toHaveLength(400)
    const gone = best.filter((_, at) => at % 5 !== 0).map((doc) => doc.key)
    for (const key of gone.toReversed()) shelf.remove(key)
    // Many postings are scanned in one way, few in another.
    for (const query of ['finest fine cac cbc', 'finest fine']) {
      for (const allowed of [null, Uint8Array.of(1, 0)]) {
        for (const limit of [50, 200, 400]) {
          expect(shelf.ask(query, allowed, limit).map((hit) => hit.key)).toEqual(
            naive(visible(shelf, allowed), query, limit).map((hit) => hit.key),
          )
        }
      }
    }
  })
})

describe('small indexes', () => {
  test('however they are read, what is removed or hidden is in no answer', () => {
    const shelf = new Shelf()
    for (let key = 0; key < 600; key += 1) {
      const words = [7, 11, 13, 101].filter((each) => key % each === 0).map((each) => `d${each}d`)
      shelf.add({ key, text: ['common', ...words].join(' '), title: '', visibilityClass: key & 1 })
    }
    for (let nth = 0; nth < 200; nth += 1) shelf.remove(nth * 2)
    expect(shelf.docs.size).toBe(400)
    // Many postings are scanned in one way, few in another; every thirteenth is looked at first, and may be better than most.
    for (const query of ['common d7d d101d', 'common d13d', 'd101d d11d']) {
      for (const allowed of [null, Uint8Array.of(1, 0)]) {
        for (const limit of [5, 40, 400]) {
          expect(shelf.ask(query, allowed, limit).map((hit) => hit.key)).toEqual(
            naive(visible(shelf, allowed), query, limit).map((hit) => hit.key),
          )
        }
      }
    }
  })
})

describe('many postings', () => {
  test('more than are listed when documents are hidden give the same answers as the formula', () => {
    const shelf = new Shelf()
    const words = Array.from(
      { length: 30 },
      (_, at) => `common${'abc'.charAt(at / 10)}${'abcdefghij'.charAt(at % 10)}`,
    )
    const docs = Array.from({ length: 40_000 }, (_, key): Doc => {
      const text = [...words.slice(key % 3), `d${key % 97}d`, `u${key % 20_000}u`].join(' ')
      return { key, text, title: '', visibilityClass: key % 5 === 0 ? 1 : 0 }
    })
    for (const doc of docs) shelf.add(doc)
    const query = [...words, 'd7d', 'u19999u'].join(' ')
    const job = shelf.index.job(identity.query(query), { allowed: Uint8Array.of(1), limit: 200 })
    expect(
      job.terms.filter((_, at) => at % TERM_STRIDE === 1).reduce((sum, postings) => sum + postings, 0),
    ).toBeGreaterThan(LISTED_MAX)
    expect(shelf.ask(query, Uint8Array.of(1)).map((hit) => hit.key)).toEqual(
      naive(
        docs.filter((doc) => doc.visibilityClass === 0),
        query,
        200,
      ).map((hit) => hit.key),
    )
  })
})

describe('identifiers', () => {
  const ask = (index: SearchIndex, text: string, limit: number) =>
    rankedDocs(rank(index.job(search.query(text), { allowed: null, limit })))
  const add = (index: SearchIndex, text: string) =>
    index.add({ fields: [{ text, weight: 1 }], visibilityClass: 0 })

  test('a memory with an identifier that the query names is admitted below the limit, behind the better ones', () => {
    const index = createIndex()
    const exact = add(index, `TS2345 ${'filler '.repeat(400)}`)
    for (let copy = 0; copy < 20; copy += 1) add(index, 'login session timeout during refresh of tokens')
    for (let copy = 0; copy < 200; copy += 1) add(index, 'something else')
    const hits = ask(index, 'TS2345: login session timeout, tokens refresh', 5)
    expect(hits).toHaveLength(6)
    expect(hits.at(-1)).toMatchObject({ doc: exact, isExact: true })
    expect(hits.slice(0, 5).every((hit) => !hit.isExact)).toBe(true)
  })

  test('at most 64 are admitted so, the best', () => {
    const index = createIndex()
    for (let copy = 0; copy < 100; copy += 1) add(index, `E_CONN_RESET ${'pad '.repeat(copy)}`)
    const hits = ask(index, 'E_CONN_RESET', 5)
    expect(hits).toHaveLength(64)
    expect(new Set(hits.map((hit) => hit.doc)).size).toBe(64)
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((a, b) => b - a))
  })

  test('of many terms the identifiers and the rarest are scanned, and all count for coverage', () => {
    const index = createIndex()
    const words = Array.from({ length: 60 }, (_, at) => `q${String.fromCharCode(97 + (at % 26))}${at}z`)
    const last = add(index, `${words[59]} getUserId`)
    for (const each of words) add(index, each)
    for (let copy = 0; copy < 5; copy += 1) add(index, words.slice(0, 40).join(' '))
    const [first] = ask(index, `${words.join(' ')} getUserId`, 10).filter((hit) => hit.doc === last)
    expect(first).toMatchObject({ isExact: true })
    expect(first?.coverage).toBeLessThan(0.2)
  })
})
