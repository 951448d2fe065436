import { Cursor } from './cursor.ts'
import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED, VISIBILITY_CLASSES_MAX } from './documents.ts'
import { CHUNK_WORDS_MAX } from './postings.ts'
import { COUNT_VISIBLE, type RankJob, TERM_STRIDE } from './rank-job.ts'
import type { Chain } from './rank-result.ts'

/** Postings that are listed at most, 4 MiB: those of a further chain are counted, and read again with the hidden ones. */
export const LISTED_MAX = 1 << 20
const NO_MARKS: Uint16Array = new Uint16Array(0)

// Scratch of the thread. By mark of a document, 1 when the consumer sees it; zeros from `marks` on.
const seen = new Uint8Array(VISIBILITY_CLASSES_MAX + 1)
let marks = 0
let listed = new Int32Array(CHUNK_WORDS_MAX)
let size = 0

/** Begins with a job in which documents are hidden. Chains of an earlier job mean nothing any more. */
export function seeAllowed(job: RankJob, allowed: Uint8Array): void {
  seen.fill(0, 0, marks)
  marks = allowed.length + 1
  for (let mark = 1; mark < marks; mark += 1) seen[mark] = allowed[mark - 1] === 0 ? 0 : 1
  let postings = 0
  for (let at = 0; at < job.terms.length; at += TERM_STRIDE) {
    if (job.terms[at + 2] === COUNT_VISIBLE) postings += job.terms[at + 1] ?? 0
  }
  const wanted = Math.min(postings, LISTED_MAX) + CHUNK_WORDS_MAX
  if (listed.length < wanted) listed = new Int32Array(wanted)
  size = 0
}

/** Counts the documents of a chain that the consumer sees, and lists their postings where there is room. */
export function visibleIn(job: RankJob, head: number, postings: number): { docs: number; chain: Chain } {
  const isListed = size + postings <= LISTED_MAX
  const cursor = new Cursor(job.pages, head, postings)
  let docs = 0
  do {
    docs += listRun(cursor.words, cursor.at, cursor.end, job.classes, isListed ? size + docs : size)
  } while (cursor.advance())
  if (!isListed) return { docs, chain: { head, postings, isListed } }
  const chain: Chain = { head: size, postings: docs, isListed }
  size += docs
  return { docs, chain }
}

/** Walks a chain that `visibleIn` gave for the same job. */
export function listedCursor({ head, postings }: Chain): Cursor {
  const cursor = new Cursor([], 0, 0)
  cursor.words = listed
  cursor.at = head
  cursor.end = head + postings
  return cursor
}

/** Writes the visible postings of words[from, end) to `to` and answers how many. Without a branch: none can be guessed. */
function listRun(
  words: Int32Array,
  from: number,
  end: number,
  classes: readonly Uint16Array[],
  to: number,
): number {
  const list = listed
  const sees = seen
  let page = -1
  let ofPage = NO_MARKS
  let next = to
  for (let at = from; at < end; at += 1) {
    const posting = words[at] ?? 0
    if (posting >>> (8 + CLASS_PAGE_SHIFT) !== page) {
      page = posting >>> (8 + CLASS_PAGE_SHIFT)
      ofPage = classes[page] ?? NO_MARKS
    }
    const mark = ofPage[(posting >>> 8) & (CLASS_PAGE_DOCS - 1)] ?? REMOVED
    list[next] = posting
    next += (sees[mark] ?? 0) & oneUnlessBlank(posting)
  }
  return next - to
}

/** Odd, or 0 for a posting that was taken out. */
function oneUnlessBlank(posting: number): number {
  return ((posting & 0xf0) + 0xf0) >>> 8
}
