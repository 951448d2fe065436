import type { RecallIndex, TermFacts } from './index.ts'
import type { Query, QueryTerm } from './query.ts'

/**
 * Numbers per row in `RankJob.terms`: head, postings, documents (COUNT_VISIBLE: to be counted), kind, number of the
 * term. A term has one row for each of its spellings that the index holds, or one empty row.
 */
export const TERM_STRIDE = 5
export const COUNT_VISIBLE = -1
/** Kinds of a row: a word, an exact identifier, a word that is one slip away from one which nobody wrote. */
export const PLAIN = 0
export const EXACT = 1
export const MISTYPED = 2
/** Words of a query that are taken for mistyped at most. */
const MISTYPED_MAX = 16

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

/** A view of the index as it is now; later writes do not change what it answers. */
export function rankJob(index: RecallIndex, query: Query, options: RankOptions): RankJob {
  const totals = index.totals(options.allowed)
  const allowed = totals.isWhole ? null : options.allowed
  const rows: number[] = []
  let mistyped = 0
  for (const [number, term] of query.terms.entries()) {
    const before = rows.length
    let isKnown = false
    const addRow = (facts: TermFacts, kind: number): void => {
      rows.push(facts.head, facts.postings, allowed === null ? facts.docs : COUNT_VISIBLE, kind, number)
    }
    for (const spelling of term.spellings) {
      const facts = index.termFacts(spelling)
      if (facts === null || facts.docs === 0) continue
      addRow(facts, term.isExact ? EXACT : PLAIN)
      isKnown ||= allowed === null || index.holdsAllowed(facts, allowed)
    }
    // What only others can see is as unknown as what nobody wrote, so that it changes nothing.
    if (!isKnown && term.isWord && mistyped < MISTYPED_MAX) {
      mistyped += 1
      for (const facts of nearFacts(index, term)) addRow(facts, MISTYPED)
    }
    if (rows.length === before) rows.push(0, 0, 0, term.isExact ? EXACT : PLAIN, number)
  }
  const view = index.view()
  return {
    pages: view.pages,
    classes: view.classes,
    allowed,
    docs: totals.docs,
    meanLength: totals.docs === 0 ? 0 : totals.length / totals.docs,
    terms: rows,
    limit: Math.min(options.limit, RANK_LIMIT_MAX),
  }
}

/** Each once, though several spellings of the term may lead to it; in one order, whatever else the index holds. */
function nearFacts(index: RecallIndex, term: QueryTerm): readonly TermFacts[] {
  const [only = ''] = term.spellings
  if (term.spellings.length === 1) return index.nearFacts(only).filter((facts) => facts.docs > 0)
  const found = new Map<number, TermFacts>()
  for (const spelling of term.spellings) {
    for (const facts of index.nearFacts(spelling)) if (facts.docs > 0) found.set(facts.head, facts)
  }
  return [...found.values()]
}

/** Expected time of `rank`, in nanoseconds of one undisturbed thread; known before anything is scanned. */
export function estimateCostNs(job: RankJob): number {
  let postings = 0
  for (let at = 1; at < job.terms.length; at += TERM_STRIDE) postings += job.terms[at] ?? 0
  return RANKING_NS + postings * POSTING_NS * (job.allowed === null ? 1 : HIDING_FACTOR)
}
