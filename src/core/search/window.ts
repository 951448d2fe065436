import { type BestDocs, type Candidates, EVERY_PLACE, type Selection, type TopDocs } from './best-docs.ts'
import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED } from './documents.ts'
import { COUNT_MAX, type Cursor, LENGTHS } from './postings.ts'
import type { RankJob } from './rank-job.ts'

// BM25 (Robertson and Zaragoza, 2009), the idf with 1 added inside the logarithm so that it is never negative.
/** Saturation of repeated words. */
export const K1 = 1
/** How much longer memories must say more. */
export const B = 0.5

/** Documents per window: its accumulators (8 bytes of score, 4 of matches) stay in the second-level cache. */
export const WINDOW_SHIFT = 14
export const WINDOW_DOCS = 1 << WINDOW_SHIFT

/** Of the places of a dense window every so manieth tells which score the best have, where there are several times as many. */
const SAMPLED_ONE_IN = 9
const SAMPLED_FROM = 2
/** Places expected above that score, for each that is wanted: if they are too few after all, every place is looked at. */
const EXPECTED_FOR_ONE = 1.5
/** From so many places on for each that is wanted, those above that score are so rare that they are looked for. */
const RARE_FROM = 16
/** What has no match has no score. */
const MATCHING = Number.MIN_VALUE

interface Arrays {
  // What postings add up to, by place, zero between two windows: the score, and a bit for each term that the document has.
  readonly scores: Float64Array
  readonly masks: Uint32Array
  /** What an occurrence pattern (count, length bucket) is worth, before the idf. */
  readonly gains: Float64Array
  /** Places with a score as they were met, where a window is read sparsely. */
  readonly touched: Int32Array
  /** Places with a score that the consumer sees, with room for the one that is looked at. */
  readonly visible: Int32Array
  /** At least the highest score of those. */
  highest: number
}

/**
 * Scores of consecutive documents, at most WINDOW_DOCS of them: terms are added one after the other, then the best are
 * taken out and the window is empty again.
 */
export class Window {
  readonly #selection: Selection
  readonly #arrays: Arrays = {
    scores: new Float64Array(WINDOW_DOCS),
    masks: new Uint32Array(WINDOW_DOCS),
    gains: new Float64Array(256),
    touched: new Int32Array(WINDOW_DOCS),
    visible: new Int32Array(WINDOW_DOCS + 1),
    highest: 0,
  }
  readonly #addDense = denseAdder(this.#arrays)
  readonly #addSparse = sparseAdder(this.#arrays)
  readonly #addUnless = onceAdder(this.#arrays)
  readonly #list = lister(this.#arrays)
  readonly #next = finder(this.#arrays)
  /** Whether loops read all places, or those that are touched. */
  #isDense = false
  /** Of a dense window: places from here on have no score. Of a sparse one: how many are touched. */
  #size = 0
  #meanLength = -1
  #limit = 0
  #classes: readonly Uint16Array[] = []
  #allowed: Uint8Array | null = null
  /** The first document of the window at hand, and where its mark stands: a window lies in one page. */
  #base = 0
  readonly #noMarks = new Uint16Array(0)
  #marks: Uint16Array = this.#noMarks
  #firstMark = 0

  constructor(selection: Selection) {
    this.#selection = selection
  }

  begin(job: RankJob, isDense: boolean): void {
    this.#limit = job.limit
    this.#classes = job.classes
    this.#allowed = job.allowed
    this.#isDense = isDense
    if (job.meanLength === this.#meanLength) return
    this.#meanLength = job.meanLength
    for (let pattern = 0; pattern < 256; pattern += 1) {
      const count = Math.min(pattern >> 4, COUNT_MAX)
      const length = LENGTHS[pattern & 15] ?? 0
      const norm = job.meanLength === 0 ? 1 : 1 - B + (B * length) / job.meanLength
      this.#arrays.gains[pattern] = (count * (K1 + 1)) / (count + K1 * norm)
    }
  }

  /** Says which document is the first one of what is added next. */
  moveTo(base: number): void {
    this.#base = base
    this.#marks = this.#classes[base >>> CLASS_PAGE_SHIFT] ?? this.#noMarks
    this.#firstMark = base & (CLASS_PAGE_DOCS - 1)
  }

  /** Adds the postings of one term up to the end of the window. */
  add(cursor: Cursor, idf: number, bit: number): void {
    this.#size = this.#isDense
      ? this.#addDense(cursor, this.#base, idf, bit, this.#size)
      : this.#addSparse(cursor, this.#base, idf, bit, this.#size)
  }

  /** The same to documents that have no bit of `unless`. */
  addUnless(cursor: Cursor, idf: number, bit: number, unless: number): void {
    this.#size = this.#addUnless(cursor, this.#base, idf, bit, unless, this.#isDense, this.#size)
  }

  /** Writes the best to `into` and answers how many they are, for an index of one window. Empties the window. */
  select(exact: TopDocs, exactMask: number, into: BestDocs): number {
    const { scores, masks } = this.#arrays
    const limit = this.#limit
    const candidates = (exactMask === 0 ? this.#bestCandidates(limit) : null) ?? this.#candidates(MATCHING)
    const wanted = Math.min(candidates.count, limit)
    const selected = this.#selection.best(candidates, wanted)
    for (let number = 0; number < wanted; number += 1) {
      const place = selected[number] ?? 0
      into.docs[number] = place
      into.scores[number] = scores[place] ?? 0
      into.masks[number] = masks[place] ?? 0
    }
    if (exactMask !== 0) this.#offerExact(candidates, exact, exactMask)
    this.#clear()
    return wanted
  }

  /** Offers all to the best of several windows, which come in order. Empties the window. */
  offer(best: TopDocs, exact: TopDocs, exactMask: number): void {
    if (best.isEmpty || exactMask !== 0) {
      const candidates = this.#candidates(MATCHING)
      if (best.isEmpty) best.raise(this.#selection.scoreReached(candidates, this.#limit))
      if (exactMask !== 0) this.#offerExact(candidates, exact, exactMask)
    }
    const size = this.#size
    const { scores, touched } = this.#arrays
    if (this.#isDense) {
      // Of documents with the same score the later one is better.
      const least = (): number => Math.max(best.worstScore, MATCHING)
      for (let place = this.#next(0, size, least()); place < size; ) {
        this.#offerPlace(place, best)
        place = this.#next(place + 1, size, least())
      }
    } else {
      for (let at = 0; at < size; at += 1) {
        const place = touched[at] ?? 0
        if ((scores[place] ?? 0) >= best.worstScore) this.#offerPlace(place, best)
      }
    }
    this.#clear()
  }

  #offerPlace(place: number, best: TopDocs): void {
    if (!this.#isVisible(place)) return
    best.add(this.#base + place, this.#arrays.scores[place] ?? 0, this.#arrays.masks[place] ?? 0)
  }

  /** Offers what has an exact identifier of those that the consumer sees. */
  #offerExact({ places, count, scores }: Candidates, exact: TopDocs, exactMask: number): void {
    for (let at = 0; at < count; at += 1) {
      const place = places[at] ?? 0
      const doc = this.#base + place
      const mask = this.#arrays.masks[place] ?? 0
      const score = scores[place] ?? 0
      if ((mask & exactMask) !== 0 && exact.admits(doc, score)) exact.add(doc, score, mask)
    }
  }

  #isVisible(place: number): boolean {
    const mark = this.#marks[this.#firstMark + place] ?? REMOVED
    return mark !== REMOVED && (this.#allowed === null || (this.#allowed[mark - 1] ?? 0) !== 0)
  }

  /** What the consumer sees, of a dense window what has this score at least. */
  #candidates(lowest: number): Candidates {
    const { scores, visible: places } = this.#arrays
    const count = this.#listVisible(lowest)
    return { places, count, scores, docs: EVERY_PLACE, lowest, highest: this.#arrays.highest }
  }

  /** At least so many of what the consumer sees, the best among them; null: they were not found without looking at all. */
  #bestCandidates(wanted: number): Candidates | null {
    const size = this.#size
    if (!this.#isDense || size < SAMPLED_FROM * wanted) return null
    const { scores, visible: places } = this.#arrays
    let sampled = 0
    let highest = 0
    for (let place = 0; place < size; place += SAMPLED_ONE_IN) {
      if (!this.#isVisible(place)) continue
      places[sampled] = place
      sampled += 1
      highest = Math.max(highest, scores[place] ?? 0)
    }
    const sample = { places, count: sampled, scores, docs: EVERY_PLACE, lowest: 0, highest }
    const expected = Math.ceil((EXPECTED_FOR_ONE * wanted) / SAMPLED_ONE_IN)
    const least = this.#selection.scoreReached(sample, expected)
    if (least <= 0) return null
    const found = size < RARE_FROM * wanted ? this.#candidates(least) : this.#rareCandidates(least)
    return found.count < wanted ? null : found
  }

  /** The same; quicker where only few places have this score. */
  #rareCandidates(lowest: number): Candidates {
    const { scores, visible: places } = this.#arrays
    const size = this.#size
    let count = 0
    let highest = 0
    for (let place = this.#next(0, size, lowest); place < size; place = this.#next(place + 1, size, lowest)) {
      if (!this.#isVisible(place)) continue
      places[count] = place
      count += 1
      highest = Math.max(highest, scores[place] ?? 0)
    }
    return { places, count, scores, docs: EVERY_PLACE, lowest, highest }
  }

  /** Lists what the consumer sees, of a dense window what has this score at least, and answers how many there are. */
  #listVisible(least: number): number {
    const { scores, touched, visible } = this.#arrays
    const listed = this.#isDense ? this.#list(this.#size, least, this.#marks, this.#firstMark) : this.#size
    if (this.#isDense && this.#allowed === null) return listed
    const places = this.#isDense ? visible : touched
    let count = 0
    let highest = 0
    for (let at = 0; at < listed; at += 1) {
      const place = places[at] ?? 0
      const score = scores[place] ?? 0
      if (!this.#isVisible(place)) continue
      visible[count] = place
      count += 1
      if (score > highest) highest = score
    }
    this.#arrays.highest = highest
    return count
  }

  #clear(): void {
    const { scores, masks, touched } = this.#arrays
    const size = this.#size
    this.#size = 0
    if (this.#isDense) {
      scores.fill(0, 0, size)
      masks.fill(0, 0, size)
      return
    }
    for (let at = 0; at < size; at += 1) {
      const place = touched[at] ?? 0
      scores[place] = 0
      masks[place] = 0
    }
  }
}

// The loops over everything are functions that are made for their arrays and name them once more: of an array that the
// only function of its kind has closed over the engine knows place and length. With fields of the class a ranking takes a
// third more. A term is added in two ways, because asking which places are new takes a third of the time that adding takes.

/** Adds postings up to the end of the window; places from the answer on have no score. */
function denseAdder(arrays: Arrays) {
  const { scores, masks, gains } = arrays
  return (cursor: Cursor, base: number, idf: number, bit: number, sizeBefore: number): number => {
    const sums = scores
    const matches = masks
    const worth = gains
    let size = sizeBefore
    do {
      const { words, end } = cursor
      let { at } = cursor
      let reached = 0
      for (; at < end; at += 1) {
        const posting = words[at] ?? 0
        const place = (posting >>> 8) - base
        if (place >= WINDOW_DOCS) break
        sums[place] = (sums[place] ?? 0) + idf * (worth[posting & 255] ?? 0)
        matches[place] = (matches[place] ?? 0) | bit
        reached = place + 1
      }
      cursor.at = at
      if (reached > size) size = reached
      if (at < end) break
    } while (cursor.advance())
    return size
  }
}

/** The same; lists the places that are touched and answers how many they are. */
function sparseAdder(arrays: Arrays) {
  const { scores, masks, gains, touched } = arrays
  return (cursor: Cursor, base: number, idf: number, bit: number, sizeBefore: number): number => {
    const sums = scores
    const matches = masks
    const worth = gains
    const list = touched
    let size = sizeBefore
    do {
      const { words, end } = cursor
      let { at } = cursor
      for (; at < end; at += 1) {
        const posting = words[at] ?? 0
        const place = (posting >>> 8) - base
        if (place >= WINDOW_DOCS) break
        const mask = matches[place] ?? 0
        if (mask === 0) {
          list[size] = place
          size += 1
        }
        sums[place] = (sums[place] ?? 0) + idf * (worth[posting & 255] ?? 0)
        matches[place] = mask | bit
      }
      cursor.at = at
      if (at < end) break
    } while (cursor.advance())
    return size
  }
}

/** Both of these, for places that have no bit of `unless`. */
function onceAdder(arrays: Arrays) {
  const { scores, masks, gains, touched } = arrays
  return (
    cursor: Cursor,
    base: number,
    idf: number,
    bit: number,
    unless: number,
    isDense: boolean,
    sizeBefore: number,
  ): number => {
    const sums = scores
    const matches = masks
    const worth = gains
    const list = touched
    let size = sizeBefore
    do {
      const { words, end } = cursor
      let { at } = cursor
      for (; at < end; at += 1) {
        const posting = words[at] ?? 0
        const place = (posting >>> 8) - base
        if (place >= WINDOW_DOCS) break
        const mask = matches[place] ?? 0
        if ((mask & unless) !== 0) continue
        // Counted only where it is new.
        list[size] = place
        if (isDense) size = Math.max(size, place + 1)
        else if (mask === 0) size += 1
        sums[place] = (sums[place] ?? 0) + idf * (worth[posting & 255] ?? 0)
        matches[place] = mask | bit
      }
      cursor.at = at
      if (at < end) break
    } while (cursor.advance())
    return size
  }
}

/** Lists the places below `end` with this score at least that are not removed, in order, and answers how many there are. */
function lister(arrays: Arrays) {
  const { scores, visible } = arrays
  return (end: number, least: number, marks: Uint16Array, firstMark: number): number => {
    const sums = scores
    const list = visible
    let count = 0
    let highest = 0
    for (let place = 0; place < end; place += 1) {
      const score = sums[place] ?? 0
      list[count] = place
      // Without a branch: no processor guesses which places have it.
      count += Number(score >= least) & (-(marks[firstMark + place] ?? REMOVED) >>> 31)
      if (score > highest) highest = score
    }
    arrays.highest = highest
    return count
  }
}

/** Finds the first place of a range that has at least this score; its end: there is none. */
function finder(arrays: Arrays) {
  const { scores } = arrays
  return (from: number, end: number, least: number): number => {
    const sums = scores
    let place = from
    // Four in one step, as long as none of them has it.
    while (
      place + 3 < end &&
      (sums[place] ?? 0) < least &&
      (sums[place + 1] ?? 0) < least &&
      (sums[place + 2] ?? 0) < least &&
      (sums[place + 3] ?? 0) < least
    ) {
      place += 4
    }
    while (place < end && (sums[place] ?? 0) < least) place += 1
    return place
  }
}
