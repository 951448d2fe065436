import { CHUNK_WORDS_MAX, FIRST_CHUNK_WORDS, PAGE_SHIFT } from './postings.ts'

const PAGE_MASK = (1 << PAGE_SHIFT) - 1
const NO_WORDS = new Int32Array(0)

/**
 * Walks the first `count` postings of a chain, one contiguous run after the other: words[at] … words[end - 1] are
 * next. The owner moves `at`; `advance` goes on when `at` has reached `end`.
 */
export class Cursor {
  words: Int32Array = NO_WORDS
  at = 0
  end = 0
  readonly #pages: readonly Int32Array[]
  #next: number
  #left: number
  #capacity = FIRST_CHUNK_WORDS

  constructor(pages: readonly Int32Array[], head: number, count: number) {
    this.#pages = pages
    this.#next = head
    this.#left = count
    this.advance()
  }

  /** False when there is no further run. */
  advance(): boolean {
    if (this.#left === 0) return false
    const offset = this.#next & PAGE_MASK
    this.words = this.#pages[this.#next >>> PAGE_SHIFT] ?? NO_WORDS
    const size = Math.min(this.#capacity, this.#left)
    this.at = offset + 1
    this.end = offset + 1 + size
    this.#left -= size
    // The link of the last chunk may still change: it is read only when more postings are known to follow.
    if (this.#left > 0) this.#next = this.words[offset] ?? 0
    this.#capacity = Math.min(this.#capacity * 2, CHUNK_WORDS_MAX)
    return true
  }
}

/** Calls `visit` with every posting of a chain. */
export function eachPosting(
  pages: readonly Int32Array[],
  head: number,
  count: number,
  visit: (posting: number) => void,
): void {
  const cursor = new Cursor(pages, head, count)
  do {
    for (let at = cursor.at; at < cursor.end; at += 1) visit(cursor.words[at] ?? 0)
  } while (cursor.advance())
}

/** Whether a posting of a chain passes; reads no further than the first that does. */
export function somePosting(
  pages: readonly Int32Array[],
  head: number,
  count: number,
  passes: (posting: number) => boolean,
): boolean {
  const cursor = new Cursor(pages, head, count)
  do {
    for (let at = cursor.at; at < cursor.end; at += 1) if (passes(cursor.words[at] ?? 0)) return true
  } while (cursor.advance())
  return false
}
