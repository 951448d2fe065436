import { assert } from '../base/assert.ts'
import { ROOM, Selection, TopDocs } from './best-docs.ts'
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
function scan(job: VectorJob, visit: (doc: number, cosine: number) => void): void {
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

/** The documents nearest to a query, and how all visible ones lie. */
export interface KnnResult {
  /** The nearest first; at the same cosine the newer one. */
  readonly docs: Int32Array
  readonly cosines: Float64Array
  /** Visible documents. */
  readonly visible: number
  /** Median of the cosines of all visible documents. */
  readonly median: number
  /** From the median down to where the lowest sixth begins: one deviation of what has nothing to do with the query. */
  readonly deviation: number
}

/** Share of a normal distribution that lies below one deviation under its mean. */
const LOWER_SHARE = 0.1587

/** Nanoseconds for each number read and for each scan besides; docs/internals/recall.md, Embeddings. */
const NUMBER_NS = 1.5
const SCAN_NS = 40_000

/** Expected time of `knn`, in nanoseconds of one undisturbed thread. */
export function estimateKnnNs({ visible, dimensions }: VectorJob): number {
  return SCAN_NS + visible * dimensions * NUMBER_NS
}

/** Exact: every visible vector is compared. What is not visible has no part in anything that comes out. */
export function knn(job: VectorJob): KnnResult {
  const top = new TopDocs(job.limit, new Selection(ROOM))
  const all = new Float32Array(job.visible)
  let visible = 0
  scan(job, (doc, cosine) => {
    all[visible] = cosine
    visible += 1
    if (top.admits(doc, cosine)) top.add(doc, cosine, 0)
  })
  const size = top.count
  const docs = new Int32Array(size)
  const cosines = new Float64Array(size)
  top.settle({ docs, scores: cosines, masks: new Uint32Array(size) }, 0)
  const sorted = all.subarray(0, visible).sort()
  const median = sorted[Math.floor(visible / 2)] ?? 0
  const deviation = median - (sorted[Math.floor(visible * LOWER_SHARE)] ?? median)
  return { docs, cosines, visible, median, deviation }
}

/** One memory near the query. */
export interface NearDoc {
  readonly doc: number
  /** How far its cosine stands above the median of the scope, in deviations. */
  readonly deviations: number
  readonly isRelevant: boolean
}

// Why these numbers: docs/internals/recall.md, Embeddings.

/** With fewer visible vectors nothing can be said about what is usual among them. */
export const VECTORS_MIN = 16
/** Deviations beyond what the nearest of so many unrelated memories is expected to reach. */
export const DEVIATIONS_BEYOND = 1
/** Cosine above the median that is asked for however alike the memories of a scope are. */
export const COSINE_ABOVE_MEDIAN = 0.1
export const COSINE_MIN = 0.2
/** Deviations above the median from which on a memory is at least a weak match. */
export const FILLER_DEVIATIONS = 2
const FILLER_ABOVE_MEDIAN = 0.05

/**
 * What of a result is near at all, the nearest first. Cosines of one model say little beside those of another, so they
 * are judged by those of the whole scope: of n unrelated memories the nearest is expected at √(2 ln n) deviations.
 */
export function nearDocs({ docs, cosines, visible, median, deviation }: KnnResult): readonly NearDoc[] {
  if (visible < VECTORS_MIN) return []
  const expected = Math.sqrt(2 * Math.log(visible))
  const minCosine = Math.max(
    COSINE_MIN,
    median + COSINE_ABOVE_MEDIAN,
    median + (expected + DEVIATIONS_BEYOND) * deviation,
  )
  const minFiller = median + Math.max(FILLER_ABOVE_MEDIAN, FILLER_DEVIATIONS * deviation)
  const near: NearDoc[] = []
  for (const [place, doc] of docs.entries()) {
    const cosine = cosines[place] ?? 0
    if (cosine < minFiller) break
    const deviations = deviation === 0 ? Number.POSITIVE_INFINITY : (cosine - median) / deviation
    near.push({ doc, deviations, isRelevant: cosine >= minCosine })
  }
  return near
}
