import type { Documents } from './documents.ts'
import { type Postings, somePosting } from './postings.ts'
import type { Query, QueryTerm } from './query.ts'
import type { Spellings } from './spellings.ts'
import type { TypoTerms } from './typo-terms.ts'

/**
 * Numbers per row in `RankJob.terms`: head, postings, documents (COUNT_VISIBLE: to be counted), kind, number of the
 * term. A term has one row for each of its spellings that the index holds, or one empty row.
 */
export const TERM_STRIDE = 5
export const COUNT_VISIBLE = -1
/**
 * Kinds of a row: a word, an exact identifier, a word at edit distance 1 from one that nobody wrote, a compound of prose
 * or a part of an identifier, two neighbouring characters.
 */
export const PLAIN = 0
export const EXACT = 1
export const TYPO = 2
export const PART = 3
export const PAIR = 4
/** Added to the kind of a word that any text may hold. */
export const EVERYDAY = 8
/** Words of a query for which typos are looked for at most. */
const TYPO_WORDS_MAX = 16

/** Everything a ranking reads, plain and cheap to hand to a thread: the large parts are shared, not copied. */
export interface RankJob {
  readonly pages: readonly Int32Array[]
  readonly classes: readonly Uint16Array[]
  /** By visibility class, 1 for visible; null: everything that is not removed. */
  readonly allowed: Uint8Array | null
  /** Visible documents and the mean of their lengths. */
  readonly docs: number
  readonly meanLength: number
  readonly terms: readonly number[]
  /** Most hits wanted; those with an exact identifier may come on top. */
  readonly limit: number
}

export interface RankOptions {
  /** By visibility class, non-zero for visible; classes beyond its end are invisible. Null: all. */
  readonly allowed: Uint8Array | null
  readonly limit: number
}

/** Hits that a ranking answers at most, exact identifiers aside. */
export const RANK_LIMIT_MAX = 400
/** Twice what is to be shown is enough for the second stage; fewer than this would spoil short lists. */
const RANK_LIMIT_MIN = 200

/** How many hits to rank for a guide that shows at most `shown` memories. */
export function rankLimitFor(shown: number): number {
  return Math.min(RANK_LIMIT_MAX, Math.max(RANK_LIMIT_MIN, 2 * shown))
}

/** Nanoseconds per posting read, how many times that when it is listed first, and what every ranking takes besides. */
const POSTING_NS = 5
const HIDING_FACTOR = 1.5
const RANKING_NS = 40_000

/** What an index consists of. */
export interface IndexParts {
  readonly terms: Spellings
  readonly typos: TypoTerms
  readonly postings: Postings
  readonly documents: Documents
  /** By term: live documents that hold it. */
  readonly docsOfTerm: Int32Array
}

/** A view of the index as it is now; later writes do not change what it answers. */
export function rankJob(index: IndexParts, query: Query, options: RankOptions): RankJob {
  const totals = index.documents.totals(options.allowed)
  const allowed = totals.isWhole ? null : options.allowed
  const rows: number[] = []
  let typos = 0
  for (const [number, term] of query.terms.entries()) {
    const before = rows.length
    let isKnown = false
    const addRow = (id: number, kind: number): void => {
      const docs = allowed === null ? (index.docsOfTerm[id] ?? 0) : COUNT_VISIBLE
      rows.push(index.postings.headOf(id), index.postings.countOf(id), docs, kind, number)
    }
    const addSpelling = (spelling: string): void => {
      const id = index.terms.find(spelling, 0, spelling.length)
      if (id < 0 || (index.docsOfTerm[id] ?? 0) === 0) return
      addRow(id, kindOf(term))
      isKnown ||= allowed === null || holdsAllowed(index, id, allowed)
    }
    term.spellings.forEach(addSpelling)
    term.otherForms.forEach(addSpelling)
    // What only others can see is as unknown as what nobody wrote, so that it changes nothing.
    if (!isKnown && term.isWord && typos < TYPO_WORDS_MAX) {
      typos += 1
      for (const id of typoTerms(index, term)) addRow(id, TYPO | everydayOf(term))
    }
    if (rows.length === before) rows.push(0, 0, 0, kindOf(term), number)
  }
  return {
    pages: index.postings.lend(),
    classes: index.documents.lend(),
    allowed,
    docs: totals.docs,
    meanLength: totals.docs === 0 ? 0 : totals.length / totals.docs,
    terms: rows,
    limit: Math.min(options.limit, RANK_LIMIT_MAX),
  }
}

function kindOf(term: QueryTerm): number {
  const { isExact, isWord, isPair } = term
  if (isExact) return EXACT
  if (isWord) return PLAIN | everydayOf(term)
  return isPair ? PAIR : PART
}

function everydayOf({ isEveryday }: QueryTerm): number {
  return isEveryday ? EVERYDAY : 0
}

/** Whether a live document of an allowed class holds the term. */
function holdsAllowed({ postings, documents }: IndexParts, term: number, allowed: Uint8Array): boolean {
  return somePosting(postings.pages, postings.headOf(term), postings.countOf(term), (posting) =>
    documents.isAllowed(posting >>> 8, allowed),
  )
}

/** Each once, though several spellings of the word may lead to it; in one order, whatever else the index holds. */
function typoTerms(index: IndexParts, word: QueryTerm): ReadonlySet<number> {
  const found = new Set<number>()
  for (const spelling of word.spellings) {
    for (const term of index.typos.find(spelling)) if ((index.docsOfTerm[term] ?? 0) > 0) found.add(term)
  }
  return found
}

/** Expected time of `rank`, in nanoseconds of one undisturbed thread; known before anything is scanned. */
export function estimateCostNs(job: RankJob): number {
  let postings = 0
  for (let at = 1; at < job.terms.length; at += TERM_STRIDE) postings += job.terms[at] ?? 0
  return RANKING_NS + postings * POSTING_NS * (job.allowed === null ? 1 : HIDING_FACTOR)
}
