import { assert } from '../base/assert.ts'
import { eachPosting, somePosting } from './cursor.ts'
import { Dictionary, UNKNOWN } from './dictionary.ts'
import { Documents, type DocumentsImage, type Totals } from './documents.ts'
import { forgetText, gatherTerms, type IndexedField } from './gather.ts'
import { isBlank, lengthBucketOf, Postings, type PostingsImage, packPosting } from './postings.ts'
import type { SpellingsImage } from './spellings.ts'
import { TouchedTerms } from './touched-terms.ts'
import { type Stemmer, type WordForms, wordFormsOf } from './word-forms.ts'

export type { IndexedField }

export interface IndexedDoc {
  readonly fields: readonly IndexedField[]
  /** Number that the caller gave to the document's audience: 0 … 65 534, small ones first. */
  readonly visibilityClass: number
}

/** What a query needs to know of one term. */
export interface TermFacts {
  /** Address of its first chunk. */
  readonly head: number
  /** Postings to read, removed documents included. */
  readonly postings: number
  /** Live documents that hold the term. */
  readonly docs: number
}

/** A consistent view that stays as it is while the index goes on; its buffers may be shared with a thread. */
export interface IndexView {
  readonly pages: readonly Int32Array[]
  readonly classes: readonly Uint16Array[]
}

/**
 * Everything an index knows, as arrays that later changes leave as they are. Pages may show what is added meanwhile where
 * nothing else in the image leads to.
 */
export interface IndexImage {
  readonly terms: SpellingsImage
  readonly postings: PostingsImage
  readonly documents: DocumentsImage
  /** By term: live documents that hold it. */
  readonly docsOfTerm: Int32Array
  /** Documents removed since the last `compact`. */
  readonly removed: number
}

/** Over this share of removed documents `compact` pays. */
const REMOVED_SHARE_MAX = 0.25
/** Postings that a sweep reads at a time, and how many of them take as long as a term and as the copy of a page. */
const SWEEP_STEP_POSTINGS = 65_536
const TERM_POSTINGS = 16
const PAGE_COPY_POSTINGS = 32_768
/** Below this many removed documents it never does. */
const REMOVED_MIN = 64

/** Removed documents, and characters of their texts, that wait for `settle` at most. */
const UNSETTLED_MAX = 256
const UNSETTLED_CHARS_MAX = 65_536

interface Removal {
  readonly visibilityClass: number
  readonly fields: readonly IndexedField[]
}

/** An empty index, or one that goes on with the arrays of an image. Pages of an image must be shared memory. */
export function createIndex(stemmer: Stemmer, image: IndexImage | null = null): RecallIndex {
  return new RecallIndex(stemmer, image)
}

/**
 * The inverted index of one actor: exact, incremental, always up to date. It is derived from live records: built again
 * from them in the order of their ordinals, or from an image, it gives the same answers.
 */
export class RecallIndex {
  readonly #words: WordForms
  readonly #documents: Documents
  #dictionary: Dictionary
  #postings: Postings
  // By term: live documents that hold it.
  #docsOfTerm: Int32Array
  #removedUncompacted: number
  /** Those that a sweep has to read. */
  readonly #touched = new TouchedTerms()
  // Removed documents whose words still count.
  #unsettled: Removal[] = []
  #unsettledChars = 0
  /** The next term of a sweep; null: none is under way. */
  #sweepAt: number | null = null
  /** The term that a sweep is in the middle of. */
  #taking: { readonly term: number; readonly steps: Generator<number, number> } | null = null

  constructor(stemmer: Stemmer, image: IndexImage | null = null) {
    this.#words = wordFormsOf(stemmer)
    this.#documents = new Documents(image?.documents)
    this.#dictionary = new Dictionary(this.#words, image?.terms)
    this.#postings = new Postings(image?.postings)
    this.#docsOfTerm = image?.docsOfTerm ?? new Int32Array(64)
    this.#removedUncompacted = image?.removed ?? 0
    // Which terms the documents had that were removed before the image, nobody knows any more.
    if (this.#removedUncompacted > 0) this.#touched.addAll(this.#dictionary.size)
  }

  /** Numbers given so far, removed documents included. */
  get numbered(): number {
    return this.#documents.size
  }

  /** Live documents. */
  get docCount(): number {
    return this.#documents.live
  }

  /** Memory held, in bytes, without the objects around the buffers. */
  get bytes(): number {
    const terms = this.#dictionary.bytes + this.#docsOfTerm.byteLength + this.#touched.bytes
    return this.#documents.bytes + terms + this.#postings.bytes
  }

  /**
   * Adds a document and answers its number: 0, 1, 2 … in order of insertion, never reused. An update is a removal
   * and an addition.
   */
  add(doc: IndexedDoc): number {
    const bag = gatherTerms(doc.fields, this.#words, this.#dictionary)
    const length = bag.length
    const number = this.#documents.add(doc.visibilityClass, length)
    const bucket = lengthBucketOf(length)
    for (let place = 0; place < bag.size; place += 1) {
      const term = bag.termAt(place)
      this.#postings.append(term, packPosting(number, bag.countAt(place), bucket))
      this.#changeDocsOfTerm(term, 1)
    }
    return number
  }

  /**
   * Removes a document. `fields` must be what it was added with. From now on every answer is that of an index which
   * never held it; its words stay in memory until `compact` or a sweep. Their counts are taken out later: by `settle`, or
   * before anything is answered.
   */
  remove(docNumber: number, fields: readonly IndexedField[]): void {
    this.#unsettled.push({ visibilityClass: this.#documents.remove(docNumber), fields })
    this.#removedUncompacted += 1
    for (let at = 0; at < fields.length; at += 1) this.#unsettledChars += fields[at]?.text.length ?? 0
    if (this.#unsettled.length === UNSETTLED_MAX || this.#unsettledChars > UNSETTLED_CHARS_MAX) this.settle()
  }

  /** Whether words of removed documents still count. */
  get isUnsettled(): boolean {
    return this.#unsettled.length > 0
  }

  /** Takes the words of removed documents out of all counts: well under a millisecond. */
  settle(): void {
    if (this.#unsettled.length === 0) return
    const unsettled = this.#unsettled
    this.#unsettled = []
    this.#unsettledChars = 0
    for (const { visibilityClass, fields } of unsettled) this.#discount(visibilityClass, fields)
  }

  #discount(visibilityClass: number, fields: readonly IndexedField[]): void {
    const bag = gatherTerms(fields, this.#words, this.#dictionary)
    this.#documents.shorten(visibilityClass, bag.length)
    for (let place = 0; place < bag.size; place += 1) {
      this.#changeDocsOfTerm(bag.termAt(place), -1)
      this.#touched.add(bag.termAt(place))
    }
  }

  /** Whether so much is removed that `compact` is worth its time. */
  get isCompactionDue(): boolean {
    const removed = this.#removedUncompacted
    return removed >= REMOVED_MIN && removed > (removed + this.docCount) * REMOVED_SHARE_MAX
  }

  /**
   * Forgets every word of removed documents for good. Numbers and answers stay. Takes about 10 ns per posting; views
   * that were taken before stay valid.
   */
  compact(): void {
    this.settle()
    this.#words.forget()
    const dictionary = new Dictionary(this.#words)
    const postings = new Postings()
    const docsOfTerm = new Int32Array(this.#docsOfTerm.length)
    for (let term = 0; term < this.#dictionary.size; term += 1) {
      const docs = this.#docsOfTerm[term] ?? 0
      if (docs === 0) continue
      const kept = dictionary.addTerm(this.#dictionary.spell(term))
      docsOfTerm[kept] = docs
      eachPosting(
        this.#postings.pages,
        this.#postings.headOf(term),
        this.#postings.countOf(term),
        (posting) => {
          if (!isBlank(posting) && this.#documents.isLive(posting >>> 8)) postings.append(kept, posting)
        },
      )
      assert(postings.countOf(kept) === docs, 'document frequency and live postings differ')
    }
    this.#dictionary = dictionary
    this.#postings = postings
    this.#docsOfTerm = docsOfTerm
    this.#removedUncompacted = 0
    this.#touched.clear()
    this.#taking = null
    this.#sweepAt = null
  }

  /**
   * Forgets every word that only removed documents had, and begins to sweep: `sweep` takes from what is left that they
   * had words which others have too.
   */
  forgetRemoved(): void {
    this.settle()
    const touched = this.#touched
    for (let term = touched.next(0); term >= 0; term = touched.next(term + 1)) {
      if ((this.#docsOfTerm[term] ?? 0) === 0) this.#dictionary.forget(term)
    }
    this.#dictionary.forgetMet()
    forgetText()
    if (this.#taking !== null) touched.add(this.#taking.term)
    this.#taking = null
    this.#sweepAt = 0
  }

  /** Whether postings may tell of documents that were removed before `forgetRemoved`. */
  get isSweeping(): boolean {
    return this.#sweepAt !== null
  }

  /** Goes on with a sweep for about a millisecond. Answers stay. */
  sweep(): void {
    let work = 0
    while (this.#sweepAt !== null && work < SWEEP_STEP_POSTINGS) {
      this.#taking ??= this.#takingNext(this.#sweepAt)
      if (this.#taking === null) {
        this.#sweepAt = null
        return
      }
      const { value, done } = this.#taking.steps.next()
      work += TERM_POSTINGS + value
      if (done === true) this.#taking = null
    }
  }

  /** Begins with the next term that removed documents had; null: there is none. */
  #takingNext(from: number): { readonly term: number; readonly steps: Generator<number, number> } | null {
    const term = this.#touched.next(from)
    if (term < 0) return null
    this.#sweepAt = term + 1
    // Before it is begun: what is removed while it is under way is for the next sweep.
    this.#touched.delete(term)
    const documents = this.#documents
    const isGone = (doc: number): boolean => !documents.isLive(doc)
    return { term, steps: this.#postings.takeOut(term, isGone, PAGE_COPY_POSTINGS) }
  }

  /** Null: no memory ever held the term. */
  termFacts(spelling: string): TermFacts | null {
    const term = this.#dictionary.findTerm(spelling)
    return term === UNKNOWN ? null : this.#factsOf(term)
  }

  /** Of every word that is one slip away from this one. */
  nearFacts(word: string): readonly TermFacts[] {
    return this.#dictionary.nearTerms(word).map((term) => this.#factsOf(term))
  }

  /** Whether a live document of an allowed class holds the term. */
  holdsAllowed({ head, postings }: TermFacts, allowed: Uint8Array): boolean {
    const documents = this.#documents
    return somePosting(this.#postings.pages, head, postings, (posting) => {
      return documents.isAllowed(posting >>> 8, allowed)
    })
  }

  #factsOf(term: number): TermFacts {
    this.settle()
    return {
      head: this.#postings.headOf(term),
      postings: this.#postings.countOf(term),
      docs: this.#docsOfTerm[term] ?? 0,
    }
  }

  /** Totals over the documents whose class is allowed (non-zero); null: all. */
  totals(allowed: Uint8Array | null): Totals {
    this.settle()
    return this.#documents.totals(allowed)
  }

  view(): IndexView {
    return { pages: this.#postings.lend(), classes: this.#documents.lend() }
  }

  /** Takes well under a millisecond for 100 000 documents. */
  image(): IndexImage {
    this.settle()
    const terms = this.#dictionary.size
    return {
      terms: this.#dictionary.image(),
      postings: this.#postings.image(terms),
      documents: this.#documents.image(),
      docsOfTerm: this.#docsOfTerm.slice(0, terms),
      removed: this.#removedUncompacted,
    }
  }

  #changeDocsOfTerm(term: number, by: number): void {
    if (term >= this.#docsOfTerm.length) {
      const wider = new Int32Array(Math.max(term + 1, this.#docsOfTerm.length * 2))
      wider.set(this.#docsOfTerm)
      this.#docsOfTerm = wider
    }
    const docs = (this.#docsOfTerm[term] ?? 0) + by
    assert(docs >= 0, 'a document is removed with another text than it was added with')
    this.#docsOfTerm[term] = docs
  }
}
