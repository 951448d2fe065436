import { assert } from '../base/assert.ts'
import { resultOf, widened } from '../base/collections.ts'
import { copySteps, grownTo, isTight, roomyLength } from './growth.ts'

// One posting, 32 bits:
//
//   31             8 7      4 3      0
//   +---------------+--------+--------+
//   | document      | count  | length |    count: occurrences of the term in the document, at most 15
//   +---------------+--------+--------+    length: bucket of the document's length, see LENGTHS
//
// The postings of a term are a chain of chunks, documents ascending:
//
//   +------+------+-----+------+
//   | next | word | ... | word |    2 words in the first chunk, then 4, 8 … 1024, 1024 …
//   +------+------+-----+------+
//
// Where a posting was taken out stands the document of the one before with count 0, which adds nothing to anything.
//
// Capacity follows from the place in the chain, so a reader that knows the first chunk and the number of postings
// needs nothing that changes: words and links are written once, before their number is given away. Readers on another
// thread therefore take no lock while the writer appends.

export const COUNT_MAX = 15
/** Documents are 24-bit numbers. */
export const DOCS_MAX = 1 << 24
/** Smallest length in each bucket, in weighted tokens; the last bucket has no upper end. */
export const LENGTHS = [0, 3, 5, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 4096] as const

export const FIRST_CHUNK_WORDS = 2
export const CHUNK_WORDS_MAX = 1024
/** Words in a full page: 1 MiB. An address is page << PAGE_SHIFT | word. */
export const PAGE_SHIFT = 18
export const PAGE_WORDS = 1 << PAGE_SHIFT
const FIRST_PAGE_WORDS = 256
const TERMS_AT_FIRST = 64
/** Work of one step of `takeOut`: some tenths of a millisecond at most. */
const TAKE_OUT_WORK = 16_384
const NO_WORDS = new Int32Array(0)
// Chunks smaller than the largest hold 2 + 4 + … + 512 words.
const GROWING_WORDS = CHUNK_WORDS_MAX - FIRST_CHUNK_WORDS

export function packPosting(doc: number, count: number, lengthBucket: number): number {
  return (doc << 8) | (Math.min(count, COUNT_MAX) << 4) | lengthBucket
}

export function lengthBucketOf(length: number): number {
  let bucket = LENGTHS.length - 1
  while (bucket > 0 && length < (LENGTHS[bucket] ?? 0)) bucket -= 1
  return bucket
}

/** Whether a posting was taken out here. */
export function isBlank(posting: number): boolean {
  return (posting & 0xf0) === 0
}

/** Pages, of which the last ends where it is used, and arrays by term. */
export interface PostingsImage {
  readonly pages: readonly Int32Array[]
  readonly heads: Int32Array
  readonly tails: Int32Array
  readonly counts: Int32Array
}

/** The postings of all terms, in pages that another thread may read while this one appends. */
export class Postings {
  #pages: Int32Array[]
  #free: number
  // By term.
  #heads: Int32Array
  #tails: Int32Array
  #counts: Int32Array
  /** How many times pages were given out, and by page that number when the page was copied last. */
  #lendings = 0
  readonly #copiedAt: number[] = []

  /** Goes on with the pages of an image, which must be shared memory, and writes into them. */
  constructor(image: PostingsImage | null = null) {
    this.#pages = image?.pages.slice() ?? [sharedWords(FIRST_PAGE_WORDS)]
    this.#free = image?.pages.at(-1)?.length ?? 0
    this.#heads = image?.heads ?? new Int32Array(TERMS_AT_FIRST)
    this.#tails = image?.tails ?? new Int32Array(TERMS_AT_FIRST)
    this.#counts = image?.counts ?? new Int32Array(TERMS_AT_FIRST)
  }

  /** The pages as they are now; a page may be replaced by a larger copy, never emptied. */
  get pages(): readonly Int32Array[] {
    return this.#pages
  }

  get bytes(): number {
    const inPages = this.#pages.reduce((sum, page) => sum + page.byteLength, 0)
    return inPages + this.#heads.byteLength * 3
  }

  /** Address of the first chunk; without meaning while `countOf` is 0. */
  headOf(term: number): number {
    return this.#heads[term] ?? 0
  }

  /** Postings of a term, those of removed documents included. */
  countOf(term: number): number {
    return this.#counts[term] ?? 0
  }

  /** The pages for a reader beside this thread: what they say of the postings of now stays as it is. */
  lend(): readonly Int32Array[] {
    this.#lendings += 1
    return this.#pages.slice()
  }

  /**
   * Takes the postings of documents that are gone out of the chain of a term, by writing over them, in steps between
   * which others may append. The first that stays moves to the front. Pages that were given out are replaced by copies.
   * Each step yields its work: postings that were read, and `pageCost` for each page that was copied.
   */
  *takeOut(term: number, isGone: (doc: number) => boolean, pageCost: number): Generator<number, number> {
    let work = 0
    let last = -1
    let leading: number[] = []
    const put = (address: number, word: number): void => {
      work += this.#own(address >>> PAGE_SHIFT) * pageCost
      this.#write(address, word)
    }
    const take = (address: number, word: number): void => {
      const doc = word >>> 8
      if (isBlank(word) || isGone(doc)) {
        if (last < 0) leading.push(address)
        else if (word !== last << 8) put(address, last << 8)
        return
      }
      last = doc
      const [front, ...others] = leading
      if (front === undefined) return
      put(front, word)
      for (const other of others) put(other, doc << 8)
      put(address, doc << 8)
      leading = []
    }
    let chunk = this.headOf(term)
    let capacity = FIRST_CHUNK_WORDS
    for (let done = 0; done < this.countOf(term); ) {
      if (work >= TAKE_OUT_WORK) {
        yield work
        work = 0
      }
      if (done > 0) {
        chunk = this.#read(chunk)
        capacity = Math.min(capacity * 2, CHUNK_WORDS_MAX)
      }
      const size = Math.min(capacity, this.countOf(term) - done)
      for (let at = 1; at <= size; at += 1) take(chunk + at, this.#read(chunk + at))
      work += size
      done += size
    }
    if (last >= 0) return work
    for (const address of leading) put(address, 0)
    this.#counts[term] = 0
    return work
  }

  append(term: number, posting: number): void {
    while (term >= this.#counts.length) this.#growTerms()
    const count = this.#counts[term] ?? 0
    const capacity = lastCapacity(count)
    const used = usedOf(count, capacity)
    if (used === 0) this.#link(term, count, capacity)
    const address = (this.#tails[term] ?? 0) + 1 + used
    this.#write(address, posting)
    this.#counts[term] = count + 1
  }

  /**
   * The postings of the first `terms` terms as they are now. What is appended later may show in the pages, but only
   * where a reader that knows these counts does not look and where appending writes again.
   */
  image(terms: number): PostingsImage {
    return resultOf(this.imageSteps(terms))
  }

  /** As `image`, in steps that say how many characters of text they are worth. Nothing may be changed before the last one. */
  *imageSteps(terms: number): Generator<number, PostingsImage> {
    const size = Math.min(terms, this.#counts.length)
    // A copy is the kind of list that the pages are; of two kinds a ranking is compiled anew when it meets the other.
    const pages = this.#pages.slice()
    const last = pages.length - 1
    pages[last] = pages[last]?.subarray(0, this.#free) ?? NO_WORDS
    this.#lendings += 1
    return {
      pages,
      heads: yield* copySteps(this.#heads.subarray(0, size), new Int32Array(size)),
      tails: yield* copySteps(this.#tails.subarray(0, size), new Int32Array(size)),
      counts: yield* copySteps(this.#counts.subarray(0, size), new Int32Array(size)),
    }
  }

  /** Whether the arrays by term may be full before the next document is; `terms`: how many there are. */
  isTight(terms: number): boolean {
    return isTight(this.#counts.length, terms)
  }

  /** Makes room for the next document, in steps as those of `imageSteps`. */
  *roomSteps(terms: number): Generator<number, void> {
    if (!this.isTight(terms)) return
    const room = roomyLength(this.#counts.length, terms)
    const heads = yield* copySteps(this.#heads, new Int32Array(room))
    const tails = yield* copySteps(this.#tails, new Int32Array(room))
    const counts = yield* copySteps(this.#counts, new Int32Array(room))
    this.#heads = heads
    this.#tails = tails
    this.#counts = counts
  }

  #link(term: number, count: number, capacity: number): void {
    const chunk = this.#allocate(capacity + 1)
    if (count === 0) this.#heads[term] = chunk
    else this.#write(this.#tails[term] ?? 0, chunk)
    this.#tails[term] = chunk
  }

  #read(address: number): number {
    return this.#pages[address >>> PAGE_SHIFT]?.[address & (PAGE_WORDS - 1)] ?? 0
  }

  /** A page that nobody else reads, in the place of one that was given out: 1 when it had to be copied. */
  #own(number: number): number {
    const page = this.#pages[number]
    if (page === undefined || (this.#copiedAt[number] ?? 0) === this.#lendings) return 0
    const copy = sharedWords(page.length)
    copy.set(page)
    this.#pages[number] = copy
    this.#copiedAt[number] = this.#lendings
    return 1
  }

  #write(address: number, word: number): void {
    const page = this.#pages[address >>> PAGE_SHIFT]
    assert(page !== undefined, 'a posting outside the pages')
    page[address & (PAGE_WORDS - 1)] = word
  }

  /** Room for one chunk, never across two pages. */
  #allocate(words: number): number {
    const last = this.#pages.length - 1
    const page = this.#pages[last]
    const room = page === undefined ? 0 : page.length
    if (this.#free + words <= room) {
      const address = (last << PAGE_SHIFT) | this.#free
      this.#free += words
      return address
    }
    if (page !== undefined && room < PAGE_WORDS) {
      const wider = sharedWords(Math.min(PAGE_WORDS, Math.max(FIRST_PAGE_WORDS, room * 2)))
      wider.set(page)
      this.#pages[last] = wider
      return this.#allocate(words)
    }
    this.#pages.push(sharedWords(PAGE_WORDS))
    this.#free = 0
    return this.#allocate(words)
  }

  #growTerms(): void {
    const size = grownTo(this.#counts.length, TERMS_AT_FIRST)
    this.#heads = widened(this.#heads, size)
    this.#tails = widened(this.#tails, size)
    this.#counts = widened(this.#counts, size)
  }
}

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
    const offset = this.#next & (PAGE_WORDS - 1)
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

/** Capacity of the chunk that takes posting number `count`. */
function lastCapacity(count: number): number {
  return count >= GROWING_WORDS ? CHUNK_WORDS_MAX : 1 << (31 - Math.clz32(count + FIRST_CHUNK_WORDS))
}

/** Words used in that chunk; 0: it is a new one. */
function usedOf(count: number, capacity: number): number {
  if (count >= GROWING_WORDS) return (count - GROWING_WORDS) % CHUNK_WORDS_MAX
  // Before the chunk of capacity c come 2 + 4 + … + c/2 = c - 2 words.
  return count + FIRST_CHUNK_WORDS - capacity
}

function sharedWords(words: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(words * 4))
}
