import { assert } from '../base/assert.ts'
import { CLASS_PAGE_SHIFT, Documents, REMOVED } from './documents.ts'

const PAGE_VECTORS = 256
const FIRST_PAGE_VECTORS = 8
const CLASS_PAGE_MASK = (1 << CLASS_PAGE_SHIFT) - 1

/** What a scan reads, plain and cheap to hand to a thread: the large parts are shared, not copied. */
export interface VectorJob {
  readonly pages: readonly Float32Array[]
  readonly classes: readonly Uint16Array[]
  /** Documents of that moment, removed ones included. */
  readonly size: number
  readonly dimensions: number
  /** By visibility class, 1 for visible. */
  readonly allowed: Uint8Array
  /** How many of them are visible. */
  readonly visible: number
  /** Of length 1. */
  readonly query: Float32Array
  readonly limit: number
}

/**
 * Vectors in shared pages, numbered in order of insertion. All have length 1 and the same number of dimensions. A
 * removed one is overwritten with zeros; its number is not given again.
 */
export class Vectors {
  readonly dimensions: number
  readonly #documents = new Documents()
  #pages: Float32Array[] = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
  }

  /** Numbers given so far. */
  get size(): number {
    return this.#documents.size
  }

  get live(): number {
    return this.#documents.live
  }

  get bytes(): number {
    return this.#documents.bytes + this.#pages.reduce((sum, page) => sum + page.byteLength, 0)
  }

  add(vector: Float32Array, visibilityClass: number): number {
    assert(vector.length === this.dimensions, 'vectors of one index have one length')
    const doc = this.#documents.size
    this.#pageFor(doc).set(vector, (doc % PAGE_VECTORS) * this.dimensions)
    // The vector is whole before the document counts.
    return this.#documents.add(visibilityClass, 0)
  }

  remove(doc: number): void {
    this.#documents.remove(doc)
    this.of(doc).fill(0)
  }

  /** The numbers themselves, not a copy. */
  of(doc: number): Float32Array {
    const page = this.#pages[Math.floor(doc / PAGE_VECTORS)]
    assert(page !== undefined, 'a vector outside the pages')
    const at = (doc % PAGE_VECTORS) * this.dimensions
    return page.subarray(at, at + this.dimensions)
  }

  visible(allowed: Uint8Array): number {
    return this.#documents.totals(allowed).docs
  }

  job(query: Float32Array, allowed: Uint8Array, limit: number): VectorJob {
    assert(query.length === this.dimensions, 'a query has the length of the vectors')
    return {
      pages: this.#pages.slice(),
      classes: this.#documents.lend(),
      size: this.#documents.size,
      dimensions: this.dimensions,
      allowed,
      visible: this.visible(allowed),
      query,
      limit,
    }
  }

  #pageFor(doc: number): Float32Array {
    const number = Math.floor(doc / PAGE_VECTORS)
    const used = doc % PAGE_VECTORS
    const page = this.#pages[number]
    const room = page === undefined ? 0 : page.length / this.dimensions
    if (page !== undefined && used < room) return page
    const vectors = number > 0 ? PAGE_VECTORS : Math.max(FIRST_PAGE_VECTORS, room * 2)
    const grown = new Float32Array(new SharedArrayBuffer(vectors * this.dimensions * 4))
    if (page !== undefined) grown.set(page)
    this.#pages[number] = grown
    return grown
  }
}

/** Calls back with every visible document and its cosine to the query, in the order of numbers. */
export function scan(job: VectorJob, visit: (doc: number, cosine: number) => void): void {
  const { pages, classes, size, dimensions, allowed, query } = job
  for (let doc = 0; doc < size; doc += 1) {
    const mark = classes[doc >>> CLASS_PAGE_SHIFT]?.[doc & CLASS_PAGE_MASK] ?? REMOVED
    if (mark === REMOVED || (allowed[mark - 1] ?? 0) === 0) continue
    const page = pages[Math.floor(doc / PAGE_VECTORS)]
    if (page !== undefined) visit(doc, product(page, (doc % PAGE_VECTORS) * dimensions, query))
  }
}

/** Four sums side by side, so that one addition need not wait for the last. */
function product(page: Float32Array, from: number, query: Float32Array): number {
  const { length } = query
  let [a, b, c, d] = [0, 0, 0, 0]
  let at = 0
  for (; at + 3 < length; at += 4) {
    a += (page[from + at] ?? 0) * (query[at] ?? 0)
    b += (page[from + at + 1] ?? 0) * (query[at + 1] ?? 0)
    c += (page[from + at + 2] ?? 0) * (query[at + 2] ?? 0)
    d += (page[from + at + 3] ?? 0) * (query[at + 3] ?? 0)
  }
  for (; at < length; at += 1) a += (page[from + at] ?? 0) * (query[at] ?? 0)
  return a + b + c + d
}
