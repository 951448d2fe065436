import { assert } from '../base/assert.ts'
import { resultOf } from '../base/collections.ts'
import { type IndexedField, PIECE_CHARS, type TermCounts } from './document-reader.ts'
import { Documents, type DocumentsImage } from './documents.ts'
import { DirtyTerms, TermDocs } from './growth.ts'
import {
  eachPosting,
  isBlank,
  lengthBucketOf,
  Postings,
  type PostingsImage,
  packPosting,
} from './postings.ts'
import type { Query } from './query.ts'
import { type RankJob, type RankOptions, rankJob } from './rank-job.ts'
import type { RankResult } from './rank-result.ts'
import { Spellings, type SpellingsImage } from './spellings.ts'
import { TypoTerms } from './typo-terms.ts'
import type { SearchWorkspace } from './workspace.ts'

export interface IndexedDoc {
  readonly fields: readonly IndexedField[]
  /** Number that the caller gave to the document's audience: 0 … 65 534, small ones first. */
  readonly visibilityClass: number
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

/** Over this share of removed documents `compact` pays, never below so many of them. */
const REMOVED_SHARE_MAX = 0.25
const REMOVED_MIN = 64
/** Postings that take as long to be copied as a term. */
const POSTINGS_PER_TERM = 16
/** Postings that a sweep reads at a time, and how many of them take as long as a term and as the copy of a page. */
const SWEEP_STEP_POSTINGS = 65_536
/** Terms of one step of an addition, a removal or a compaction. */
const STEP_TERMS = 4096
const TERM_POSTINGS = 16
const PAGE_COPY_POSTINGS = 32_768

/** Removed documents, and characters of their texts, that may wait for `settle`. */
const UNSETTLED_MAX = 256
const UNSETTLED_CHARS_MAX = 32_768

/**
 * The inverted index of one actor: exact, incremental, always up to date. It is derived from live records: built again
 * from them in the order of their ordinals, or from an image, it gives the same answers.
 */
export class SearchIndex {
  readonly #workspace: SearchWorkspace
  readonly #documents: Documents
  #terms: Spellings
  #typos: TypoTerms
  #postings: Postings
  #docsOfTerm: TermDocs
  #removedUncompacted: number
  /** Terms that removed documents had: a sweep has to read them. */
  readonly #dirty = new DirtyTerms()
  // Removed documents whose words still count.
  #unsettled: IndexedDoc[] = []
  #unsettledChars = 0
  /** The next term of a sweep; null: none is under way. */
  #sweepAt: number | null = null
  /** Between the first and the last step of `forgetRemovedSteps`. */
  #isForgetting = false
  /** The term that a sweep is in the middle of. */
  #taking: { readonly term: number; readonly steps: Generator<number, number> } | null = null

  /** An empty index, or one that goes on with the arrays of an image, whose pages must be shared memory. */
  constructor(workspace: SearchWorkspace, image: IndexImage | null = null) {
    this.#workspace = workspace
    this.#documents = new Documents(image?.documents)
    this.#terms = new Spellings(image?.terms)
    this.#typos = new TypoTerms(this.#terms)
    this.#postings = new Postings(image?.postings)
    this.#docsOfTerm = new TermDocs(image?.docsOfTerm)
    this.#removedUncompacted = image?.removed ?? 0
    // Which terms the documents had that were removed before the image, nobody knows any more.
    if (this.#removedUncompacted > 0) this.#dirty.addAll(this.#terms.size)
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
    const terms = this.#terms.bytes + this.#typos.bytes + this.#docsOfTerm.bytes + this.#dirty.bytes
    return this.#documents.bytes + terms + this.#postings.bytes
  }

  /**
   * Adds a document and answers its number: 0, 1, 2 … in order of insertion, never reused. An update is a removal
   * and an addition.
   */
  add(doc: IndexedDoc): number {
    const counts = this.#workspace.reader.read(doc.fields, this.#terms)
    const length = counts.length
    const number = this.#documents.add(doc.visibilityClass, length)
    const bucket = lengthBucketOf(length)
    for (let place = 0; place < counts.size; place += 1) {
      const term = counts.termAt(place)
      this.#postings.append(term, packPosting(number, counts.countAt(place), bucket))
      this.#docsOfTerm.change(term, 1)
    }
    return number
  }

  /**
   * As `add`, in steps that say how many characters of text they are worth, a few milliseconds each. Nothing else may be
   * added or removed before the last one.
   */
  *addSteps(doc: IndexedDoc): Generator<number, number> {
    const counts = yield* this.#workspace.ownReader().readSteps(doc.fields, this.#terms)
    yield* this.roomSteps()
    const number = this.#documents.size
    const bucket = lengthBucketOf(counts.length)
    for (let place = 0; place < counts.size; place += 1) {
      const term = counts.termAt(place)
      this.#postings.append(term, packPosting(number, counts.countAt(place), bucket))
      this.#docsOfTerm.change(term, 1)
      if (place % STEP_TERMS === STEP_TERMS - 1) yield PIECE_CHARS
    }
    return this.#documents.add(doc.visibilityClass, counts.length)
  }

  /**
   * Removes a document. `fields` must be what it was added with. From now on every answer is that of an index which
   * never held it; its words stay in memory until `compact` or a sweep. Their counts are taken out later: by `settle`, or
   * before anything is answered.
   */
  remove(docNumber: number, fields: readonly IndexedField[]): void {
    this.#unsettled.push({ visibilityClass: this.#documents.remove(docNumber), fields })
    this.#removedUncompacted += 1
    this.#unsettledChars += charsOf(fields)
  }

  /** Reads new words for typos, which the next question would have to wait for, in steps as those of `addSteps`. */
  *knowTyposSteps(): Generator<number, void> {
    for (const _ of this.#typos.enterSteps()) yield PIECE_CHARS
  }

  /** Whether the first question or the first addition behind a load would wait long: call `readySteps`. */
  get isReady(): boolean {
    return !this.isTight && !this.#typos.hasManyNew
  }

  /** Does what they would wait for, in steps as those of `addSteps`. */
  *readySteps(): Generator<number, void> {
    yield* this.roomSteps()
    yield* this.knowTyposSteps()
  }

  /** Whether arrays that take long to be copied may be full before the next document is. */
  get isTight(): boolean {
    const terms = this.#terms.size
    return this.#terms.isTight || this.#postings.isTight(terms) || this.#docsOfTerm.isTight(terms)
  }

  /** Makes room for the next document, in steps as those of `addSteps`. */
  roomSteps(): Generator<number, void> {
    return roomSteps(this.#terms, this.#postings, this.#docsOfTerm)
  }

  /** Whether words of removed documents still count. */
  get isUnsettled(): boolean {
    return this.#unsettled.length > 0
  }

  /** Takes the words of removed documents out of all counts: well under a millisecond, unless `isOverdue`. */
  settle(): void {
    if (this.#unsettled.length === 0) return
    resultOf(this.#settleSteps())
  }

  /** Whether there is more to be done, for removed documents or the next one, than a turn has time for: call `tidySteps`. */
  get isOverdue(): boolean {
    const isMuch = this.#unsettled.length >= UNSETTLED_MAX || this.#unsettledChars > UNSETTLED_CHARS_MAX
    return isMuch || this.isCompactionDue || this.isTight
  }

  /** Settles, compacts where it is due and makes room for the next document, in steps as those of `addSteps`. */
  *tidySteps(): Generator<number, void> {
    yield* this.#settleSteps()
    if (this.isCompactionDue) yield* this.#compactSteps()
    yield* this.roomSteps()
  }

  *#settleSteps(): Generator<number, void> {
    for (let removal = this.#unsettled.pop(); removal !== undefined; removal = this.#unsettled.pop()) {
      const { visibilityClass, fields } = removal
      const chars = charsOf(fields)
      this.#unsettledChars -= chars
      if (chars <= PIECE_CHARS) {
        this.#discount(visibilityClass, this.#workspace.reader.read(fields, this.#terms))
        yield chars
        continue
      }
      const counts = yield* this.#workspace.ownReader().readSteps(fields, this.#terms)
      this.#discount(visibilityClass, counts)
    }
  }

  #discount(visibilityClass: number, counts: TermCounts): void {
    this.#documents.shorten(visibilityClass, counts.length)
    for (let place = 0; place < counts.size; place += 1) {
      this.#docsOfTerm.change(counts.termAt(place), -1)
      this.#dirty.add(counts.termAt(place))
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
    resultOf(this.#compactSteps())
  }

  *#compactSteps(): Generator<number, void> {
    this.#workspace.forgetWords()
    const terms = new Spellings()
    const postings = new Postings()
    const docsOfTerm = new TermDocs()
    let work = 0
    for (let term = 0; term < this.#terms.size; term += 1) {
      work += 1 + this.#postings.countOf(term) / POSTINGS_PER_TERM
      if (work >= STEP_TERMS) {
        yield PIECE_CHARS
        yield* roomSteps(terms, postings, docsOfTerm)
        work = 0
      }
      const docs = this.#docsOfTerm.of(term)
      if (docs === 0) continue
      const spelling = this.#terms.spell(term)
      const kept = terms.add(spelling, 0, spelling.length)
      docsOfTerm.change(kept, docs)
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
    this.#terms = terms
    this.#typos = new TypoTerms(terms)
    this.#postings = postings
    this.#docsOfTerm = docsOfTerm
    this.#removedUncompacted = 0
    this.#dirty.clear()
    this.#taking = null
    this.#sweepAt = null
  }

  /**
   * Forgets every word that only removed documents had, in steps as those of `addSteps`, and begins to sweep: `sweep` takes
   * from what is left that they had words which others have too.
   */
  *forgetRemovedSteps(): Generator<number, void> {
    this.settle()
    // Documents that are added between two steps must not go by terms that were met before and are blank by then.
    this.#workspace.forgetWords()
    const dirty = this.#dirty
    // What an earlier sweep takes from the list would not be read here.
    this.#isForgetting = true
    let work = 0
    for (let term = dirty.next(0); term >= 0; term = dirty.next(term + 1)) {
      if (this.#docsOfTerm.of(term) === 0) this.#terms.blank(term)
      work += 1
      if (work % STEP_TERMS === 0) yield PIECE_CHARS
    }
    this.#isForgetting = false
    this.#typos = new TypoTerms(this.#terms)
    this.#workspace.forgetWords()
    if (this.#taking !== null) dirty.add(this.#taking.term)
    this.#taking = null
    this.#sweepAt = 0
  }

  /** Whether postings may tell of documents that were removed before `forgetRemovedSteps`. */
  get isSweeping(): boolean {
    return this.#sweepAt !== null
  }

  /** Goes on with a sweep for about a millisecond, unless words are being forgotten. Answers stay. */
  sweep(): void {
    let work = 0
    while (!this.#isForgetting && this.#sweepAt !== null && work < SWEEP_STEP_POSTINGS) {
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
    const term = this.#dirty.next(from)
    if (term < 0) return null
    this.#sweepAt = term + 1
    // Before it is begun: what is removed while it is under way is for the next sweep.
    this.#dirty.delete(term)
    const documents = this.#documents
    const isGone = (doc: number): boolean => !documents.isLive(doc)
    return { term, steps: this.#postings.takeOut(term, isGone, PAGE_COPY_POSTINGS) }
  }

  /** What a text asks for; it may be asked of any index of the workspace. */
  query(text: string): Query {
    return this.#workspace.query(text)
  }

  /** A ranking of the index as it is now, which any thread can do; later writes do not change what it answers. */
  job(query: Query, options: RankOptions): RankJob {
    this.settle()
    const parts = {
      terms: this.#terms,
      typos: this.#typos,
      postings: this.#postings,
      documents: this.#documents,
      docsOfTerm: this.#docsOfTerm.numbers,
    }
    return rankJob(parts, query, options)
  }

  /** Ranks at once. */
  rank(job: RankJob): RankResult {
    return this.#workspace.ranker.rank(job)
  }

  /** Takes well under a millisecond for 100 000 documents. */
  image(): IndexImage {
    return resultOf(this.imageSteps())
  }

  /** As `image`, in steps as those of `addSteps`. Nothing may be added or removed before the last one. */
  *imageSteps(): Generator<number, IndexImage> {
    yield* this.#settleSteps()
    const terms = this.#terms.size
    return {
      terms: yield* this.#terms.imageSteps(),
      postings: yield* this.#postings.imageSteps(terms),
      documents: this.#documents.image(),
      docsOfTerm: yield* this.#docsOfTerm.imageSteps(terms),
      removed: this.#removedUncompacted,
    }
  }
}

function* roomSteps(terms: Spellings, postings: Postings, docsOfTerm: TermDocs): Generator<number, void> {
  const { size } = terms
  yield* terms.roomSteps()
  yield* postings.roomSteps(size)
  yield* docsOfTerm.roomSteps(size)
}

function charsOf(fields: readonly IndexedField[]): number {
  return fields.reduce((chars, { text }) => chars + text.length, 0)
}
