import { Cursor } from './cursor.ts'
import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED } from './documents.ts'
import { COUNT_MAX, LENGTHS } from './postings.ts'
import { COUNT_VISIBLE, EXACT, MISTYPED, type RankJob, TERM_STRIDE } from './rank-job.ts'
import { type Chain, describeHits, maskOf, type RankResult, type ScannedTerm } from './rank-result.ts'
import { TopDocs } from './top-docs.ts'
import { listedCursor, seeAllowed, visibleIn } from './visible-postings.ts'

// BM25 (Robertson and Zaragoza, 2009), the idf with 1 added inside the logarithm so that it is never negative.
/** Saturation of repeated words. */
export const K1 = 0.6
/** How much longer memories must say more; low, because memories are short and say one thing. */
export const B = 0.15

/** What a word counts that is one slip away from the one that was asked for. */
export const MISTYPED_SHARE = 0.7

/** From so many postings on, in documents for each, a window is read place by place. */
const DENSE_WHEN_ONE_IN = 4

/** Documents per window: its accumulators (8 bytes of score, 4 of matches) stay in the second-level cache. */
const WINDOW_SHIFT = 14
const WINDOW_DOCS = 1 << WINDOW_SHIFT

/** Terms that are scanned at most, one bit each: the exact identifiers, then the rarest. */
export const SCANNED_TERMS_MAX = 32
/** Hits with an exact identifier that are admitted whatever their rank. */
export const EXACT_HITS_MAX = 64

const NO_CLASSES = new Uint16Array(0)

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
  scan(job, terms, exactMask)
  return describeHits(terms, mass, largestIdf, exactMask, best, exact)
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

function isAllowed(mark: number, allowed: Uint8Array | null): boolean {
  return mark !== REMOVED && (allowed === null || (allowed[mark - 1] ?? 0) !== 0)
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

// Scratch of the thread: ranking never yields, so one is enough. Scores and masks are zero between two windows. The
// scans name them once more: a name of the module is read anew for each posting, which makes them a fifth slower.
const scores = new Float64Array(WINDOW_DOCS)
const masks = new Uint32Array(WINDOW_DOCS)
const touched = new Int32Array(WINDOW_DOCS)
const gains = new Float64Array(256)
let gainsMeanLength = -1
const best = new TopDocs(0)
const exact = new TopDocs(0)

function scan(job: RankJob, terms: readonly ScannedTerm[], exactMask: number): void {
  fillGains(job.meanLength)
  const cursors: Cursor[] = []
  const places: number[] = []
  let postings = 0
  for (const [place, term] of terms.entries()) {
    for (const chain of term.chains) {
      cursors.push(chain.isListed ? listedCursor(chain) : new Cursor(job.pages, chain.head, chain.postings))
      places.push(place)
      postings += chain.postings
    }
  }
  const numbered = job.classes.reduce((sum, page) => sum + page.length, 0)
  const isDense = postings * DENSE_WHEN_ONE_IN > numbered
  for (;;) {
    const window = firstWindow(cursors)
    if (window < 0) return
    const base = window << WINDOW_SHIFT
    let count = 0
    for (let at = 0; at < cursors.length; at += 1) {
      const cursor = cursors[at]
      const bit = places[at] ?? 0
      const term = terms[bit]
      if (cursor === undefined || term === undefined) continue
      const scanInto = isDense ? scanDense : scanSparse
      count = scanInto(cursor, base, term.idf, 1 << bit, count)
    }
    if (isDense) count = listMatches(count)
    offerTouched(job, base, count, exactMask)
  }
}

/** Lists the places with a match and answers how many they are. Without a branch: no processor guesses which match. */
function listMatches(size: number): number {
  let count = 0
  for (let place = 0; place < size; place += 1) {
    const mask = masks[place] ?? 0
    touched[count] = place
    count += (mask | -mask) >>> 31
  }
  return count
}

/** Offers the touched places of a window to the best, and empties them. */
function offerTouched(job: RankJob, base: number, count: number, exactMask: number): void {
  // A window lies in one page.
  const classes = job.classes[base >>> CLASS_PAGE_SHIFT] ?? NO_CLASSES
  const first = base & (CLASS_PAGE_DOCS - 1)
  const { allowed } = job
  for (let at = 0; at < count; at += 1) {
    const place = touched[at] ?? 0
    const mask = masks[place] ?? 0
    const score = scores[place] ?? 0
    scores[place] = 0
    masks[place] = 0
    const doc = base + place
    const isWanted = best.admits(doc, score)
    const isExact = (mask & exactMask) !== 0 && exact.admits(doc, score)
    if (!(isWanted || isExact)) continue
    if (!isAllowed(classes[first + place] ?? REMOVED, allowed)) continue
    if (isWanted) best.add(doc, score, mask)
    if (isExact) exact.add(doc, score, mask)
  }
}

/** What one occurrence pattern (count, length bucket) is worth, before the idf. */
function fillGains(meanLength: number): void {
  if (meanLength === gainsMeanLength) return
  gainsMeanLength = meanLength
  for (let pattern = 0; pattern < 256; pattern += 1) {
    const count = Math.min(pattern >> 4, COUNT_MAX)
    const length = LENGTHS[pattern & 15] ?? 0
    const norm = meanLength === 0 ? 1 : 1 - B + (B * length) / meanLength
    gains[pattern] = (count * (K1 + 1)) / (count + K1 * norm)
  }
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

/**
 * Adds one term's postings in the window that begins at `base`, without asking which places are new. Answers how many
 * places of the window may be touched now.
 */
function scanDense(cursor: Cursor, base: number, idf: number, bit: number, sizeBefore: number): number {
  const sums = scores
  const matches = masks
  const worths = gains
  let last = sizeBefore - 1
  do {
    const words = cursor.words
    const end = cursor.end
    let at = cursor.at
    let here = -1
    for (; at < end; at += 1) {
      const posting = words[at] ?? 0
      const place = (posting >>> 8) - base
      if (place >= WINDOW_DOCS) break
      sums[place] = (sums[place] ?? 0) + idf * (worths[posting & 255] ?? 0)
      matches[place] = (matches[place] ?? 0) | bit
      here = place
    }
    cursor.at = at
    if (here > last) last = here
    if (at < end) break
  } while (cursor.advance())
  return last + 1
}

/** The same, place by place: lists those that are touched now and answers how many they are. */
function scanSparse(cursor: Cursor, base: number, idf: number, bit: number, touchedBefore: number): number {
  const sums = scores
  const matches = masks
  const worths = gains
  const list = touched
  let count = touchedBefore
  do {
    const words = cursor.words
    const end = cursor.end
    let at = cursor.at
    for (; at < end; at += 1) {
      const posting = words[at] ?? 0
      const place = (posting >>> 8) - base
      if (place >= WINDOW_DOCS) break
      const mask = matches[place] ?? 0
      if (mask === 0) {
        list[count] = place
        count += 1
      }
      matches[place] = mask | bit
      sums[place] = (sums[place] ?? 0) + idf * (worths[posting & 255] ?? 0)
    }
    cursor.at = at
    if (at < end) break
  } while (cursor.advance())
  return count
}
