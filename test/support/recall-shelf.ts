import { resultOf } from '../../src/core/base/collections.ts'
import type { IndexedField } from '../../src/core/search/document-reader.ts'
import { SearchIndex } from '../../src/core/search/search-index.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { isOneSlip } from './one-slip.ts'
import { rankedDocs } from './ranked-docs.ts'

/** Stems that are the words. */
export const identity = new SearchWorkspace({ stem: (word) => word })

export interface Doc {
  readonly key: number
  readonly text: string
  readonly title: string
  readonly visibilityClass: number
}

function fieldsOf(doc: Doc): IndexedField[] {
  return [
    { text: doc.text, weight: 1 },
    { text: doc.title, weight: 3 },
  ]
}

/** An index with the caller's part: which document a number stands for. */
export class Shelf {
  readonly index: SearchIndex = new SearchIndex(identity)
  readonly docs = new Map<number, Doc>()

  add(doc: Doc): void {
    const number = this.index.add({ fields: fieldsOf(doc), visibilityClass: doc.visibilityClass })
    this.docs.set(number, doc)
  }

  remove(nth: number): void {
    const entry = [...this.docs][nth % Math.max(1, this.docs.size)]
    if (entry === undefined) return
    this.index.remove(entry[0], fieldsOf(entry[1]))
    this.docs.delete(entry[0])
  }

  update(nth: number, text: string): void {
    const doc = [...this.docs.values()][nth % Math.max(1, this.docs.size)]
    if (doc === undefined) return
    this.remove(nth)
    this.add({ ...doc, text })
  }

  /** What is removed is forgotten, as after an erasure. */
  sweep(): void {
    resultOf(this.index.forgetRemovedSteps())
    while (this.index.isSweeping) this.index.sweep()
  }

  ask(text: string, allowed: Uint8Array | null, limit = 200) {
    const hits = rankedDocs(this.index.rank(this.index.job(identity.query(text), { allowed, limit })))
    return hits.map(({ doc, ...rest }) => ({ key: this.docs.get(doc)?.key, ...rest }))
  }

  rebuilt(): Shelf {
    const shelf = new Shelf()
    for (const doc of this.docs.values()) shelf.add(doc)
    return shelf
  }
}

// Written from the formula alone. Length classes and the cap on repetitions are part of the contract, and so is the order
// of a sum: by the place of the word in the query, then by the spelling of the words it may be. So scores are equal to the
// last bit.
const LENGTH_CLASSES = [0, 3, 5, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096]

const gainOf = (count: number, length: number, mean: number) =>
  (count * 2) / (count + (0.5 + (0.5 * length) / mean))

export function naive(docs: readonly Doc[], query: string, limit: number) {
  const bags = docs.map((doc) => {
    const bag = new Map<string, number>()
    const put = (text: string, weight: number) => {
      for (const word of text.split(' ').filter(Boolean)) bag.set(word, (bag.get(word) ?? 0) + weight)
    }
    put(doc.text, 1)
    put(doc.title, 3)
    return bag
  })
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, count) => sum + count, 0))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / docs.length
  const vocabulary = [...new Set(bags.flatMap((bag) => [...bag.keys()]))]
  const idfOf = (holders: number) => Math.log(1 + (docs.length - holders + 0.5) / (holders + 0.5))
  const terms = [...new Set(query.split(' ').filter(Boolean))].map((word) => {
    const isKnown = vocabulary.includes(word)
    const words = isKnown
      ? [word]
      : word.length < 5
        ? []
        : vocabulary.filter((other) => isOneSlip(word, other)).sort()
    const held = words.reduce((sum, one) => sum + bags.filter((bag) => bag.has(one)).length, 0)
    const isMistyped = !isKnown && words.length > 0
    const idf = idfOf(Math.min(held, docs.length)) * (isMistyped ? 0.7 : 1)
    return { words, idf, mass: isMistyped ? idf / 0.7 : isKnown ? idf : 0 }
  })
  const mass = terms.reduce((sum, term) => sum + term.mass, 0)
  return docs
    .map((doc, at) => {
      const length = LENGTH_CLASSES.filter((least) => least <= (lengths[at] ?? 0)).at(-1) ?? 0
      let score = 0
      let matched = 0
      for (const { words, idf } of terms) {
        const counts = words.map((one) => Math.min(15, bags[at]?.get(one) ?? 0)).filter((count) => count > 0)
        if (counts.length > 0) matched += idf
        for (const count of counts) score += idf * gainOf(count, length, mean)
      }
      return { key: doc.key, at, score, coverage: matched / mass }
    })
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, limit)
}

/** Live documents of classes that are allowed; null: of all. */
export function visible(shelf: Shelf, allowed: Uint8Array | null): Doc[] {
  return [...shelf.docs.values()].filter(
    (doc) => allowed === null || (allowed[doc.visibilityClass] ?? 0) !== 0,
  )
}
