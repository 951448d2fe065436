import type { TopDocs } from './top-docs.ts'

/** Hits, best first: by score, at the same score the newer document. Parallel lists. */
export interface RankResult {
  readonly docs: Int32Array
  readonly scores: Float64Array
  /** Terms of the query in the document. */
  readonly matchedTerms: Uint8Array
  /** Share of the query's information (idf) that the document has, 0 … 1; words nobody wrote count as the rarest. */
  readonly coverage: Float32Array
  /** The same information as a number of words: 1 is what a word says that no visible document has. */
  readonly information: Float32Array
  /** FLAG_EXACT, FLAG_INFORMATIVE. */
  readonly flags: Uint8Array
}

/** The document holds an exact identifier that the query names. */
export const FLAG_EXACT = 1
/** A matched term has at least half of the largest idf: it is in no more than about √docs documents. */
export const FLAG_INFORMATIVE = 2

/** A term of the query that a visible document holds. */
export interface ScannedTerm {
  /** One for each of its spellings. */
  readonly chains: readonly { readonly head: number; readonly postings: number }[]
  readonly idf: number
  readonly isExact: boolean
  /** Nobody wrote it: its chains are those of words one slip away. */
  readonly isMistyped: boolean
}

/** The bits of the terms for which something holds; the bit of a term is its place. */
export function maskOf(terms: readonly ScannedTerm[], holds: (term: ScannedTerm) => boolean): number {
  return terms.reduce((mask, term, bit) => (holds(term) ? mask | (1 << bit) : mask), 0) >>> 0
}

/** Both heaps as one list, best first. What is only in `exact` was not admitted to `best`: it comes behind it. */
export function describeHits(
  terms: readonly ScannedTerm[],
  mass: number,
  largestIdf: number,
  exactMask: number,
  best: TopDocs,
  exact: TopDocs,
): RankResult {
  const bestSize = best.size
  const found = emptyResult(bestSize + exact.size)
  const idfs = Float64Array.from(terms, (term) => term.idf)
  const informativeMask = maskOf(terms, (term) => term.idf * 2 >= largestIdf)
  const describeAt = (place: number, doc: number, score: number, mask: number) => {
    let matched = 0
    let information = 0
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      matched += 1
      information += idfs[31 - Math.clz32(rest & -rest)] ?? 0
    }
    found.docs[place] = doc
    found.scores[place] = score
    found.matchedTerms[place] = matched
    found.coverage[place] = information / mass
    found.information[place] = information / largestIdf
    found.flags[place] =
      ((mask & exactMask) === 0 ? 0 : FLAG_EXACT) | ((mask & informativeMask) === 0 ? 0 : FLAG_INFORMATIVE)
  }
  const inBest = new Set<number>()
  let place = bestSize
  best.drain((doc, score, mask) => {
    if ((mask & exactMask) !== 0) inBest.add(doc)
    place -= 1
    describeAt(place, doc, score, mask)
  })
  const further: [number, number, number][] = []
  exact.drain((doc, score, mask) => {
    if (!inBest.has(doc)) further.push([doc, score, mask])
  })
  for (const [behind, [doc, score, mask]] of further.reverse().entries()) {
    describeAt(bestSize + behind, doc, score, mask)
  }
  return cut(found, bestSize + further.length)
}

function emptyResult(hits: number): RankResult {
  return {
    docs: new Int32Array(hits),
    scores: new Float64Array(hits),
    matchedTerms: new Uint8Array(hits),
    coverage: new Float32Array(hits),
    information: new Float32Array(hits),
    flags: new Uint8Array(hits),
  }
}

function cut(result: RankResult, hits: number): RankResult {
  if (hits === result.docs.length) return result
  return {
    docs: result.docs.slice(0, hits),
    scores: result.scores.slice(0, hits),
    matchedTerms: result.matchedTerms.slice(0, hits),
    coverage: result.coverage.slice(0, hits),
    information: result.information.slice(0, hits),
    flags: result.flags.slice(0, hits),
  }
}
