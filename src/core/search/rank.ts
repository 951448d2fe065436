import { Cursor } from './cursor.ts'
import { COUNT_VISIBLE, EXACT, MISTYPED, RANK_LIMIT_MAX, type RankJob, TERM_STRIDE } from './rank-job.ts'
import {
  type Chain,
  describeHits,
  maskOf,
  type RankResult,
  type ScannedTerm,
  withFurther,
} from './rank-result.ts'
import type { BestDocs } from './top-docs.ts'
import { listedCursor, seeAllowed, visibleIn } from './visible-postings.ts'
import {
  best,
  exact,
  fillGains,
  offerWindow,
  scanDense,
  scanSparse,
  selectWindow,
  WINDOW_DOCS,
  WINDOW_SHIFT,
} from './window.ts'

/** What a word counts that is one slip away from the one that was asked for. */
export const MISTYPED_SHARE = 0.7

/** From so many postings on, in documents for each, a window is read place by place. */
const DENSE_WHEN_ONE_IN = 4

/** Terms that are scanned at most, one bit each: the exact identifiers, then the rarest. */
export const SCANNED_TERMS_MAX = 32
/** Hits with an exact identifier that are admitted whatever their rank. */
export const EXACT_HITS_MAX = 64
const HITS_MAX = RANK_LIMIT_MAX + EXACT_HITS_MAX

/** Ranks the documents of a job. Pure: the same job gives the same result, on any thread. */
export function rank(job: RankJob): RankResult {
  if (job.allowed !== null) seeAllowed(job, job.allowed)
  const largestIdf = idfOf(0, job.docs)
  const known = knownTerms(job)
  const asked = (job.terms[job.terms.length - 1] ?? -1) + 1
  const unknown = asked - known.length
  // In what was asked a mistyped word weighs as what it is taken for.
  const mass = known.reduce(
    (sum, term) => sum + (term.isMistyped ? term.idf / MISTYPED_SHARE : term.idf),
    unknown * largestIdf,
  )
  const terms = chosen(known)
  const exactMask = maskOf(terms, (term) => term.isExact)
  best.clear(job.limit)
  exact.clear(exactMask === 0 ? 0 : EXACT_HITS_MAX)
  const found = scan(job, terms, exactMask)
  const all = exactMask === 0 ? found : withFurther(hits, found, exact, exactMask)
  return describeHits(terms, mass, largestIdf, exactMask, hits, all)
}

function idfOf(docsWithTerm: number, docs: number): number {
  return Math.log(1 + (docs - docsWithTerm + 0.5) / (docsWithTerm + 0.5))
}

/** The terms that a visible document holds, with the idf that the consumer's view gives them. */
function knownTerms(job: RankJob): ScannedTerm[] {
  const known: ScannedTerm[] = []
  for (let at = 0; at < job.terms.length; ) {
    const number = job.terms[at + 4] ?? 0
    const isExact = job.terms[at + 3] === EXACT
    const chains: Chain[] = []
    let docs = 0
    let isMistyped = false
    for (; at < job.terms.length && job.terms[at + 4] === number; at += TERM_STRIDE) {
      const head = job.terms[at] ?? 0
      const postings = job.terms[at + 1] ?? 0
      const stated = job.terms[at + 2] ?? 0
      const here =
        stated === COUNT_VISIBLE
          ? visibleIn(job, head, postings)
          : { docs: stated, chain: { head, postings, isListed: false } }
      if (here.docs > 0) {
        chains.push(here.chain)
        isMistyped = job.terms[at + 3] === MISTYPED
      }
      docs += here.docs
    }
    // A document may hold several spellings, so their sum may be too high.
    if (docs === 0) continue
    const idf = idfOf(Math.min(docs, job.docs), job.docs) * (isMistyped ? MISTYPED_SHARE : 1)
    known.push({ chains, idf, isExact, isMistyped })
  }
  return known
}

/** At most one term per bit, in the order of the query, so that sums are formed in one order everywhere. */
function chosen(known: readonly ScannedTerm[]): readonly ScannedTerm[] {
  if (known.length <= SCANNED_TERMS_MAX) return known
  const places = known.map((_, place) => place)
  places.sort((a, b) => rarity(known[b]) - rarity(known[a]) || a - b)
  const kept = new Set(places.slice(0, SCANNED_TERMS_MAX))
  return known.filter((_, place) => kept.has(place))
}

function rarity(term: ScannedTerm | undefined): number {
  if (term === undefined) return 0
  return term.isExact ? Number.MAX_VALUE : term.idf
}

// Scratch of the thread: ranking never yields, so one is enough.
const hits: BestDocs = {
  docs: new Int32Array(HITS_MAX),
  scores: new Float64Array(HITS_MAX),
  masks: new Uint32Array(HITS_MAX),
}

/** Puts the best into `hits` and answers how many they are. */
function scan(job: RankJob, terms: readonly ScannedTerm[], exactMask: number): number {
  fillGains(job.meanLength)
  const cursors: Cursor[] = []
  const places: number[] = []
  let postings = 0
  for (let place = 0; place < terms.length; place += 1) {
    for (const chain of terms[place]?.chains ?? []) {
      cursors.push(chain.isListed ? listedCursor(chain) : new Cursor(job.pages, chain.head, chain.postings))
      places.push(place)
      postings += chain.postings
    }
  }
  let numbered = 0
  for (const page of job.classes) numbered += page.length
  const isDense = postings * DENSE_WHEN_ONE_IN > numbered
  const scanInto = isDense ? scanDense : scanSparse
  let found = 0
  for (;;) {
    const window = firstWindow(cursors)
    if (window < 0) break
    const base = window << WINDOW_SHIFT
    let size = 0
    for (let at = 0; at < cursors.length; at += 1) {
      const cursor = cursors[at]
      const bit = places[at] ?? 0
      const term = terms[bit]
      if (cursor === undefined || term === undefined) continue
      size = scanInto(cursor, base, term.idf, 1 << bit, size)
    }
    if (numbered <= WINDOW_DOCS) found = selectWindow(job, size, isDense, exactMask, hits)
    else offerWindow(job, base, size, isDense, exactMask)
  }
  if (numbered <= WINDOW_DOCS) return found
  best.settle(hits, 0)
  return best.count
}

function firstWindow(cursors: readonly Cursor[]): number {
  let first = -1
  for (const cursor of cursors) {
    if (cursor.at === cursor.end) continue
    const window = (cursor.words[cursor.at] ?? 0) >>> (8 + WINDOW_SHIFT)
    if (first < 0 || window < first) first = window
  }
  return first
}
