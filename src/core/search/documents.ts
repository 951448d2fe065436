import { assert } from '../base/assert.ts'
import { DOCS_MAX } from './postings.ts'

/** Documents in a full page of classes: 64 KiB. */
export const CLASS_PAGE_SHIFT = 15
export const CLASS_PAGE_DOCS = 1 << CLASS_PAGE_SHIFT
const FIRST_PAGE_DOCS = 64
/** Documents that have a slot before there must be more room. */
const SLOTS_AT_FIRST = 64

/** Mark of a removed document; a live one has its visibility class + 1. */
export const REMOVED = 0
export const VISIBILITY_CLASSES_MAX = 0xffff

/** What a consumer's view adds up to. */
export interface Totals {
  readonly docs: number
  /** Sum of the lengths, in weighted tokens. */
  readonly length: number
  /** Every class that has a live document is in the view. */
  readonly isWhole: boolean
}

/** Pages of marks, of which the last ends where it is used; for each class its live documents and their length. */
export interface DocumentsImage {
  readonly pages: readonly Uint16Array[]
  readonly totals: Float64Array
}

/**
 * Visibility class and life of each document, and exact totals by class.
 *
 * Pages given out by `lend` are never changed in what they say about documents that existed then: before the first
 * removal on such a page the page is replaced by a copy.
 */
export class Documents {
  readonly #pages: Uint16Array[]
  readonly #isLent: boolean[]
  #size: number
  // By class: live documents and the sum of their lengths.
  readonly #docs: number[] = []
  readonly #lengths: number[] = []
  #live = 0

  /** Goes on with the pages of an image, which must be shared memory, and writes into them. */
  constructor(image: DocumentsImage | null = null) {
    this.#pages = image?.pages.slice() ?? []
    this.#isLent = this.#pages.map(() => false)
    this.#size = this.#pages.reduce((sum, page) => sum + page.length, 0)
    const totals = image?.totals ?? []
    for (let at = 0; at < totals.length; at += 2) this.#count(at / 2, totals[at] ?? 0, totals[at + 1] ?? 0)
  }

  /** Numbers given so far, removed documents included. */
  get size(): number {
    return this.#size
  }

  get live(): number {
    return this.#live
  }

  get bytes(): number {
    return this.#pages.reduce((sum, page) => sum + page.byteLength, 0) + this.#docs.length * 16
  }

  add(visibilityClass: number, length: number): number {
    assert(this.#size < DOCS_MAX, 'document numbers are used up: the index must be built again')
    assert(
      Number.isInteger(visibilityClass) && visibilityClass >= 0 && visibilityClass < VISIBILITY_CLASSES_MAX,
      'a visibility class out of range',
    )
    const doc = this.#size
    this.#pageForNext()[doc & (CLASS_PAGE_DOCS - 1)] = visibilityClass + 1
    this.#size = doc + 1
    this.#count(visibilityClass, 1, length)
    return doc
  }

  /** Answers the class of the document. Its length counts in the totals until `shorten`. */
  remove(doc: number): number {
    const mark = this.#markOf(doc)
    assert(mark !== REMOVED, 'a document that is not in the index was removed')
    this.#pageToChange(doc >>> CLASS_PAGE_SHIFT)[doc & (CLASS_PAGE_DOCS - 1)] = REMOVED
    this.#count(mark - 1, -1, 0)
    return mark - 1
  }

  /** Takes the length of a removed document of the class out of the totals. */
  shorten(visibilityClass: number, length: number): void {
    this.#count(visibilityClass, 0, -length)
  }

  isLive(doc: number): boolean {
    return this.#markOf(doc) !== REMOVED
  }

  /** Whether a document is live and of an allowed class. */
  isAllowed(doc: number, allowed: Uint8Array): boolean {
    const mark = this.#markOf(doc)
    return mark !== REMOVED && (allowed[mark - 1] ?? 0) !== 0
  }

  /** Totals over the documents whose class is allowed; null: over all. */
  totals(allowed: Uint8Array | null): Totals {
    let docs = 0
    let length = 0
    for (let each = 0; each < this.#docs.length; each += 1) {
      if (allowed !== null && (allowed[each] ?? 0) === 0) continue
      docs += this.#docs[each] ?? 0
      length += this.#lengths[each] ?? 0
    }
    return { docs, length, isWhole: docs === this.#live }
  }

  /** The documents as they are now; later changes leave it as it is. */
  image(): DocumentsImage {
    const used = (number: number): number => this.#size - number * CLASS_PAGE_DOCS
    return {
      pages: this.lend().map((page, number) => page.subarray(0, used(number))),
      totals: Float64Array.from(this.#docs.flatMap((docs, each) => [docs, this.#lengths[each] ?? 0])),
    }
  }

  lend(): readonly Uint16Array[] {
    this.#isLent.fill(true)
    return this.#pages.slice()
  }

  #markOf(doc: number): number {
    return this.#pages[doc >>> CLASS_PAGE_SHIFT]?.[doc & (CLASS_PAGE_DOCS - 1)] ?? REMOVED
  }

  #count(visibilityClass: number, docs: number, length: number): void {
    while (this.#docs.length <= visibilityClass) {
      this.#docs.push(0)
      this.#lengths.push(0)
    }
    this.#docs[visibilityClass] = (this.#docs[visibilityClass] ?? 0) + docs
    this.#lengths[visibilityClass] = (this.#lengths[visibilityClass] ?? 0) + length
    this.#live += docs
    assert((this.#lengths[visibilityClass] ?? 0) >= 0, 'more text was removed than was added')
  }

  #pageForNext(): Uint16Array {
    const last = this.#pages.length - 1
    const page = this.#pages[last]
    const used = this.#size - last * CLASS_PAGE_DOCS
    if (page === undefined || used === CLASS_PAGE_DOCS) {
      return this.#put(last + 1, sharedMarks(last < 0 ? FIRST_PAGE_DOCS : CLASS_PAGE_DOCS))
    }
    if (used < page.length) return page
    return this.#put(
      last,
      copyOf(page, Math.min(CLASS_PAGE_DOCS, Math.max(FIRST_PAGE_DOCS, page.length * 2))),
    )
  }

  #pageToChange(number: number): Uint16Array {
    const page = this.#pages[number]
    assert(page !== undefined, 'a document outside the pages')
    return this.#isLent[number] === true ? this.#put(number, copyOf(page, page.length)) : page
  }

  #put(number: number, page: Uint16Array): Uint16Array {
    this.#pages[number] = page
    this.#isLent[number] = false
    return page
  }
}

function sharedMarks(docs: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(docs * 2))
}

function copyOf(page: Uint16Array, docs: number): Uint16Array {
  const copy = sharedMarks(docs)
  copy.set(page)
  return copy
}

/**
 * Which memory a document stands for, and which document stands for a memory. Both are dense numbers: documents in order
 * of insertion, memories by their slots.
 */
export class DocSlots {
  // Each number + 1, 0: none.
  #slotOfDoc: Int32Array
  /** Null until a memory is taken out: a load that only asks needs none of it. */
  #docOfSlot: Int32Array | null = null
  #docs: number

  /** Goes on with what `image` gave, and writes into it. */
  constructor(image: Int32Array | null = null) {
    this.#slotOfDoc = image ?? new Int32Array(SLOTS_AT_FIRST)
    this.#docs = image?.length ?? 0
  }

  /** With what it holds once a memory was taken out. */
  get bytes(): number {
    return this.#slotOfDoc.byteLength + (this.#docOfSlot ?? this.#slotOfDoc).byteLength
  }

  /** The next document stands for a memory from now on. */
  add(doc: number, slot: number): void {
    assert(doc === this.#docs, 'documents are numbered in order of insertion')
    if (doc >= this.#slotOfDoc.length) this.#slotOfDoc = widened(this.#slotOfDoc, doc + 1)
    this.#slotOfDoc[doc] = slot + 1
    this.#docs = doc + 1
    if (this.#docOfSlot !== null) this.#docOfSlot = placed(this.#docOfSlot, slot, doc)
  }

  /** The document of a memory, which from now on stands for none. */
  remove(slot: number): number {
    const docOfSlot = this.#bySlot()
    const doc = (docOfSlot[slot] ?? 0) - 1
    assert(doc >= 0, `the memory in slot ${slot} is not indexed`)
    this.#slotOfDoc[doc] = 0
    docOfSlot[slot] = 0
    return doc
  }

  /** -1: it stands for no memory any more. */
  slotOf(doc: number): number {
    return (this.#slotOfDoc[doc] ?? 0) - 1
  }

  /** The same of many. */
  slotsOf(docs: Int32Array): Int32Array {
    const slots = new Int32Array(docs.length)
    for (let at = 0; at < docs.length; at += 1) slots[at] = this.slotOf(docs[at] ?? 0)
    return slots
  }

  /** By document, its memory's slot + 1, 0 for none: a copy. */
  image(): Int32Array {
    return this.#slotOfDoc.slice(0, this.#docs)
  }

  #bySlot(): Int32Array {
    if (this.#docOfSlot !== null) return this.#docOfSlot
    const slotOfDoc = this.#slotOfDoc
    // Two plain loops: a million documents take a few milliseconds.
    let room = Math.max(SLOTS_AT_FIRST, this.#docs)
    for (let doc = 0; doc < this.#docs; doc += 1) room = Math.max(room, slotOfDoc[doc] ?? 0)
    const bySlot = new Int32Array(room)
    for (let doc = 0; doc < this.#docs; doc += 1) {
      const slot = (slotOfDoc[doc] ?? 0) - 1
      if (slot >= 0) bySlot[slot] = doc + 1
    }
    this.#docOfSlot = bySlot
    return bySlot
  }
}

/** `bySlot` with the document of one more slot: wider where it has to be. */
function placed(bySlot: Int32Array, slot: number, doc: number): Int32Array {
  const roomy = slot < bySlot.length ? bySlot : widened(bySlot, slot + 1)
  roomy[slot] = doc + 1
  return roomy
}

function widened(from: Int32Array, least: number): Int32Array {
  const to = new Int32Array(Math.max(SLOTS_AT_FIRST, from.length * 2, least))
  to.set(from)
  return to
}
