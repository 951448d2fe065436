import {
  CLASS_PAGE_DOCS,
  CLASS_PAGE_SHIFT,
  type Documents,
  REMOVED,
  VISIBILITY_CLASSES_MAX,
} from './documents.ts'
import { CHUNK_WORDS_MAX, Cursor, type Postings, somePosting } from './postings.ts'
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
 * Kinds of a row: a word, an exact identifier, a word at edit distance 1 from one that nobody wrote, a part of a compound
 * or an identifier, two neighbouring characters, a compound of prose, a word of a related meaning.
 */
const PLAIN = 0
export const EXACT = 1
export const TYPO = 2
export const PART = 3
export const PAIR = 4
export const COMPOUND = 5
export const RELATED = 6
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
interface IndexParts {
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
    for (const spelling of term.related) {
      const id = index.terms.find(spelling, 0, spelling.length)
      if (id >= 0 && (index.docsOfTerm[id] ?? 0) > 0) addRow(id, RELATED)
    }
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
  const { isExact, isWord, isPair, isPart } = term
  if (isExact) return EXACT
  if (isWord) return PLAIN | everydayOf(term)
  if (isPair) return PAIR
  return isPart ? PART : COMPOUND
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
function typoTerms(index: IndexParts, word: QueryTerm): readonly number[] {
  const found: number[] = []
  for (const spelling of word.spellings) {
    for (const term of index.typos.find(spelling)) {
      if ((index.docsOfTerm[term] ?? 0) > 0 && !found.includes(term)) found.push(term)
    }
  }
  return found
}

/** Expected time of `rank`, in nanoseconds of one undisturbed thread; known before anything is scanned. */
export function estimateCostNs(job: RankJob): number {
  let postings = 0
  for (let at = 1; at < job.terms.length; at += TERM_STRIDE) postings += job.terms[at] ?? 0
  return RANKING_NS + postings * POSTING_NS * (job.allowed === null ? 1 : HIDING_FACTOR)
}

/** Postings that are listed at most, 4 MiB: those of a further chain are counted, and read again with the hidden ones. */
export const LISTED_MAX = 1 << 20
const NO_MARKS: Uint16Array = new Uint16Array(0)

/** Postings to scan. */
export interface Chain {
  /** Address of the first chunk, or where they begin in the list of visible postings. */
  readonly head: number
  readonly postings: number
  /** They are those that the consumer sees, in that list. */
  readonly isListed: boolean
}

/** Counts and lists what the consumer of a job sees of each chain, where documents are hidden. */
export class VisiblePostings {
  /** By mark of a document, 1 when the consumer sees it; zeros from `marks` on. */
  readonly #sees = new Uint8Array(VISIBILITY_CLASSES_MAX + 1)
  #marks = 0
  #listed = new Int32Array(CHUNK_WORDS_MAX)
  #size = 0

  /** Begins with a job. Chains of an earlier one mean nothing any more. */
  begin(job: RankJob, allowed: Uint8Array): void {
    const sees = this.#sees.fill(0, 0, this.#marks)
    this.#marks = allowed.length + 1
    for (let mark = 1; mark < this.#marks; mark += 1) sees[mark] = allowed[mark - 1] === 0 ? 0 : 1
    let postings = 0
    for (let at = 0; at < job.terms.length; at += TERM_STRIDE) {
      if (job.terms[at + 2] === COUNT_VISIBLE) postings += job.terms[at + 1] ?? 0
    }
    const wanted = Math.min(postings, LISTED_MAX) + CHUNK_WORDS_MAX
    if (this.#listed.length < wanted) this.#listed = new Int32Array(wanted)
    this.#size = 0
  }

  /** Counts the documents of a chain that the consumer sees, and lists their postings where there is room. */
  see(job: RankJob, head: number, postings: number): { docs: number; chain: Chain } {
    const isListed = this.#size + postings <= LISTED_MAX
    const cursor = new Cursor(job.pages, head, postings)
    let docs = 0
    do {
      docs += this.#listRun(cursor, job.classes, isListed ? this.#size + docs : this.#size)
    } while (cursor.advance())
    if (!isListed) return { docs, chain: { head, postings, isListed } }
    const chain: Chain = { head: this.#size, postings: docs, isListed }
    this.#size += docs
    return { docs, chain }
  }

  /** Walks a chain that `see` gave for the same job. */
  cursor(job: RankJob, { head, postings, isListed }: Chain): Cursor {
    if (!isListed) return new Cursor(job.pages, head, postings)
    const cursor = new Cursor([], 0, 0)
    cursor.words = this.#listed
    cursor.at = head
    cursor.end = head + postings
    return cursor
  }

  /** Writes the visible postings of a run to `to` and answers how many. Without a branch: none can be guessed. */
  #listRun({ words, at: from, end }: Cursor, classes: readonly Uint16Array[], to: number): number {
    const listed = this.#listed
    const sees = this.#sees
    let page = -1
    let marks = NO_MARKS
    let next = to
    for (let at = from; at < end; at += 1) {
      const posting = words[at] ?? 0
      if (posting >>> (8 + CLASS_PAGE_SHIFT) !== page) {
        page = posting >>> (8 + CLASS_PAGE_SHIFT)
        marks = classes[page] ?? NO_MARKS
      }
      const mark = marks[(posting >>> 8) & (CLASS_PAGE_DOCS - 1)] ?? REMOVED
      listed[next] = posting
      next += (sees[mark] ?? 0) & oneUnlessBlank(posting)
    }
    return next - to
  }
}

/** Odd, or 0 for a posting that was taken out. */
function oneUnlessBlank(posting: number): number {
  return ((posting & 0xf0) + 0xf0) >>> 8
}
