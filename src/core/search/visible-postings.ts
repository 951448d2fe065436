import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED, VISIBILITY_CLASSES_MAX } from './documents.ts'
import { CHUNK_WORDS_MAX, Cursor } from './postings.ts'
import { COUNT_VISIBLE, type RankJob, TERM_STRIDE } from './rank-job.ts'

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
