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

/** Postings to scan. */
export interface Chain {
  /** Address of the first chunk, or where they begin in the list of the thread. */
  readonly head: number
  readonly postings: number
  /** They are those that the consumer sees, in the list of the thread. */
  readonly isListed: boolean
}

/** A term of the query that a visible document holds. */
export interface ScannedTerm {
  /** One for each of its spellings. */
  readonly chains: readonly Chain[]
  readonly idf: number
  readonly isExact: boolean
  /** Nobody wrote it: its chains are those of words one slip away. */
  readonly isMistyped: boolean
}

/** The bits of the terms for which something holds; the bit of a term is its place. */
export function maskOf(terms: readonly ScannedTerm[], holds: (term: ScannedTerm) => boolean): number {
  return terms.reduce((mask, term, bit) => (holds(term) ? mask | (1 << bit) : mask), 0) >>> 0
}

/** Both as one list, best first. What is only in `exact` was not admitted to `best`: it comes behind it. */
export function describeHits(
  terms: readonly ScannedTerm[],
  mass: number,
  largestIdf: number,
  exactMask: number,
  best: TopDocs,
  exact: TopDocs,
): RankResult {
  const bestSize = best.settle()
  const further = furtherOf(exact, best, bestSize, exactMask)
  const found = emptyResult(bestSize + further.length)
  const asked: Asked = {
    idfs: Float64Array.from(terms, (term) => term.idf),
    mass,
    largestIdf,
    exactMask,
    informativeMask: maskOf(terms, (term) => term.idf * 2 >= largestIdf),
  }
  for (let place = 0; place < bestSize; place += 1) describe(found, place, best, place, asked)
  for (const [behind, number] of further.entries()) describe(found, bestSize + behind, exact, number, asked)
  return found
}

interface Asked {
  readonly idfs: Float64Array
  readonly mass: number
  readonly largestIdf: number
  readonly exactMask: number
  readonly informativeMask: number
}

function describe(found: RankResult, place: number, top: TopDocs, number: number, asked: Asked): void {
  const mask = top.maskAt(number)
  let matched = 0
  let information = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    matched += 1
    information += asked.idfs[31 - Math.clz32(rest & -rest)] ?? 0
  }
  found.docs[place] = top.docAt(number)
  found.scores[place] = top.scoreAt(number)
  found.matchedTerms[place] = matched
  found.coverage[place] = information / asked.mass
  found.information[place] = information / asked.largestIdf
  found.flags[place] =
    ((mask & asked.exactMask) === 0 ? 0 : FLAG_EXACT) |
    ((mask & asked.informativeMask) === 0 ? 0 : FLAG_INFORMATIVE)
}

/** Numbers of those in `exact` that are not in `best`. */
function furtherOf(exact: TopDocs, best: TopDocs, bestSize: number, exactMask: number): readonly number[] {
  const further: number[] = []
  const exactSize = exact.settle()
  if (exactSize === 0) return further
  const inBest = new Set<number>()
  for (let place = 0; place < bestSize; place += 1) {
    if ((best.maskAt(place) & exactMask) !== 0) inBest.add(best.docAt(place))
  }
  for (let number = 0; number < exactSize; number += 1) {
    if (!inBest.has(exact.docAt(number))) further.push(number)
  }
  return further
}

/** Lists in one buffer: it is made, and handed to another thread, faster than six. */
function emptyResult(hits: number): RankResult {
  const buffer = new ArrayBuffer(hits * 22)
  return {
    docs: new Int32Array(buffer, hits * 8, hits),
    scores: new Float64Array(buffer, 0, hits),
    matchedTerms: new Uint8Array(buffer, hits * 20, hits),
    coverage: new Float32Array(buffer, hits * 12, hits),
    information: new Float32Array(buffer, hits * 16, hits),
    flags: new Uint8Array(buffer, hits * 21, hits),
  }
}
