import type { BestDocs, TopDocs } from './top-docs.ts'

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

// By the terms in the low bits of a mask, the sum of their idf.
const LOW_BITS = 8
const lowSums = new Float64Array(1 << LOW_BITS)
const idfs = new Float64Array(32)

/** Describes the first `size` of the hits. */
export function describeHits(
  terms: readonly ScannedTerm[],
  mass: number,
  largestIdf: number,
  exactMask: number,
  hits: BestDocs,
  size: number,
): RankResult {
  fillSums(terms)
  const found = emptyResult(size)
  const informativeMask = maskOf(terms, (term) => term.idf * 2 >= largestIdf)
  for (let place = 0; place < size; place += 1) {
    const mask = hits.masks[place] ?? 0
    const information = informationOf(mask)
    found.docs[place] = hits.docs[place] ?? 0
    found.scores[place] = hits.scores[place] ?? 0
    found.matchedTerms[place] = bitsOf(mask)
    found.coverage[place] = information / mass
    found.information[place] = information / largestIdf
    found.flags[place] =
      ((mask & exactMask) === 0 ? 0 : FLAG_EXACT) | ((mask & informativeMask) === 0 ? 0 : FLAG_INFORMATIVE)
  }
  return found
}

function fillSums(terms: readonly ScannedTerm[]): void {
  for (let bit = 0; bit < terms.length; bit += 1) {
    const idf = terms[bit]?.idf ?? 0
    idfs[bit] = idf
    if (bit >= LOW_BITS) continue
    // With the new highest bit: sums are formed from the lowest bit on.
    const half = 1 << bit
    for (let mask = 0; mask < half; mask += 1) lowSums[half + mask] = (lowSums[mask] ?? 0) + idf
  }
}

/** Sum of the idf of the terms of a mask, formed from the lowest bit on. */
function informationOf(mask: number): number {
  let sum = lowSums[mask & ((1 << LOW_BITS) - 1)] ?? 0
  for (let rest = mask >>> LOW_BITS; rest !== 0; rest &= rest - 1) {
    sum += idfs[LOW_BITS + 31 - Math.clz32(rest & -rest)] ?? 0
  }
  return sum
}

function bitsOf(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/**
 * Puts those of `exact` behind the best that are not among them: they were not admitted there. Answers how many there are
 * now.
 */
export function withFurther(hits: BestDocs, best: number, exact: TopDocs, exactMask: number): number {
  const inBest = new Set<number>()
  for (let place = 0; place < best; place += 1) {
    if (((hits.masks[place] ?? 0) & exactMask) !== 0) inBest.add(hits.docs[place] ?? 0)
  }
  exact.settle(hits, best)
  const end = best + exact.count
  let next = best
  for (let place = best; place < end; place += 1) {
    const doc = hits.docs[place] ?? 0
    if (inBest.has(doc)) continue
    hits.docs[next] = doc
    hits.scores[next] = hits.scores[place] ?? 0
    hits.masks[next] = hits.masks[place] ?? 0
    next += 1
  }
  return next
}

const HIT_BYTES = 22
/** Results that share a buffer: to make one takes longer than to rank some hundred documents. */
const BUFFER_BYTES = 64 * 1_024
let buffer = new ArrayBuffer(0)
let used = 0

function emptyResult(hits: number): RankResult {
  if (used + hits * HIT_BYTES > buffer.byteLength) {
    buffer = new ArrayBuffer(Math.max(BUFFER_BYTES, hits * HIT_BYTES))
    used = 0
  }
  const from = used
  used = (from + hits * HIT_BYTES + 7) & ~7
  return resultIn(buffer, from, hits)
}

function resultIn(within: ArrayBuffer, from: number, hits: number): RankResult {
  return {
    docs: new Int32Array(within, from + hits * 8, hits),
    scores: new Float64Array(within, from, hits),
    matchedTerms: new Uint8Array(within, from + hits * 20, hits),
    coverage: new Float32Array(within, from + hits * 12, hits),
    information: new Float32Array(within, from + hits * 16, hits),
    flags: new Uint8Array(within, from + hits * 21, hits),
  }
}

/** The same in a buffer that holds nothing else: another thread is given the buffer whole. */
export function ownResult({ scores }: RankResult): RankResult {
  const { buffer: shared, byteOffset, length } = scores
  return resultIn(shared.slice(byteOffset, byteOffset + length * HIT_BYTES) as ArrayBuffer, 0, length)
}
