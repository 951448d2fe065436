import { type BestDocs, type Candidates, EVERY_PLACE, type Selection, type TopDocs } from './best-docs.ts'
import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED } from './documents.ts'
import { COUNT_MAX, type Cursor, LENGTHS } from './postings.ts'
import type { RankJob } from './rank-job.ts'

// BM25 (Robertson and Zaragoza, 2009), the idf with 1 added inside the logarithm so that it is never negative.
/** Saturation of repeated words. */
export const K1 = 0.6
/** How much longer memories must say more; low, because memories are short and say one thing. */
export const B = 0.15

/** Documents per window: its accumulators (8 bytes of score, 4 of matches) stay in the second-level cache. */
export const WINDOW_SHIFT = 14
export const WINDOW_DOCS = 1 << WINDOW_SHIFT

const NO_CLASSES = new Uint16Array(0)

/**
 * Scores of consecutive documents, at most WINDOW_DOCS of them: terms are added one after the other, then the best are
 * taken out and the window is empty again. Loops name the arrays once more: a field would be read for each posting.
 */
export class Window {
  readonly #selection: Selection
  // By place, zero between two windows: the score, and a bit for each term that the document has.
  readonly #scores = new Float64Array(WINDOW_DOCS)
  readonly #masks = new Int32Array(WINDOW_DOCS)
  /** Places with a score, and room for the one that is looked at. */
  readonly #touched = new Int32Array(WINDOW_DOCS + 1)
  #touchedCount = 0
  /** Those of them that the consumer sees, and the highest of their scores. */
  readonly #visible = new Int32Array(WINDOW_DOCS)
  #visibleCount = 0
  #highest = 0
  readonly #selected = new Int32Array(WINDOW_DOCS)
  /** What an occurrence pattern (count, length bucket) is worth, before the idf, at this mean length. */
  readonly #gains = new Float64Array(256)
  #meanLength = -1
  #job: RankJob | null = null
  #base = 0

  constructor(selection: Selection) {
    this.#selection = selection
  }

  begin(job: RankJob): void {
    this.#job = job
    if (job.meanLength === this.#meanLength) return
    this.#meanLength = job.meanLength
    for (let pattern = 0; pattern < 256; pattern += 1) {
      const count = Math.min(pattern >> 4, COUNT_MAX)
      const length = LENGTHS[pattern & 15] ?? 0
      const norm = job.meanLength === 0 ? 1 : 1 - B + (B * length) / job.meanLength
      this.#gains[pattern] = (count * (K1 + 1)) / (count + K1 * norm)
    }
  }

  /** The first document of the postings that are added next. */
  moveTo(base: number): void {
    this.#base = base
  }

  /** Adds the postings of one term up to the end of the window. */
  add(cursor: Cursor, idf: number, bit: number): void {
    const base = this.#base
    const scores = this.#scores
    const masks = this.#masks
    const gains = this.#gains
    const touched = this.#touched
    let count = this.#touchedCount
    do {
      const words = cursor.words
      const end = cursor.end
      let at = cursor.at
      for (; at < end; at += 1) {
        const posting = words[at] ?? 0
        const place = (posting >>> 8) - base
        if (place >= WINDOW_DOCS) break
        const mask = masks[place] ?? 0
        scores[place] = (scores[place] ?? 0) + idf * (gains[posting & 255] ?? 0)
        masks[place] = mask | bit
        // Without a branch: no processor guesses which places are new.
        touched[count] = place
        count += 1 - ((mask | -mask) >>> 31)
      }
      cursor.at = at
      if (at < end) break
    } while (cursor.advance())
    this.#touchedCount = count
  }

  /** Writes the best to `into` and answers how many they are, for an index of one window. Empties the window. */
  select(exact: TopDocs, exactMask: number, into: BestDocs): number {
    this.#listVisible()
    const wanted = Math.min(this.#visibleCount, this.#job?.limit ?? 0)
    const selected = this.#selected
    this.#selection.best(this.#candidates(), wanted, selected)
    for (let number = 0; number < wanted; number += 1) {
      const place = selected[number] ?? 0
      into.docs[number] = place
      into.scores[number] = this.#scores[place] ?? 0
      into.masks[number] = this.#masks[place] ?? 0
    }
    if (exactMask !== 0) this.#offerExact(exact, exactMask)
    this.#clear()
    return wanted
  }

  /** Offers all to the best of several windows, which come in order. Empties the window. */
  offer(best: TopDocs, exact: TopDocs, exactMask: number): void {
    if (best.isEmpty || exactMask !== 0) {
      this.#listVisible()
      if (best.isEmpty) best.raise(this.#selection.scoreReached(this.#candidates(), this.#job?.limit ?? 0))
      if (exactMask !== 0) this.#offerExact(exact, exactMask)
    }
    const touched = this.#touched
    const scores = this.#scores
    const count = this.#touchedCount
    let { worstScore } = best
    for (let at = 0; at < count; at += 1) {
      const place = touched[at] ?? 0
      const score = scores[place] ?? 0
      // Of documents with the same score the later one is better, so what is as good as the worst goes on.
      if (score < worstScore || !this.#isVisible(place)) continue
      best.add(this.#base + place, score, this.#masks[place] ?? 0)
      worstScore = best.worstScore
    }
    this.#clear()
  }

  /** Offers what has an exact identifier of those that the consumer sees. */
  #offerExact(exact: TopDocs, exactMask: number): void {
    for (let at = 0; at < this.#visibleCount; at += 1) {
      const place = this.#visible[at] ?? 0
      const doc = this.#base + place
      const mask = this.#masks[place] ?? 0
      const score = this.#scores[place] ?? 0
      if ((mask & exactMask) !== 0 && exact.admits(doc, score)) exact.add(doc, score, mask)
    }
  }

  #isVisible(place: number): boolean {
    const mark = this.#marks()[this.#firstMark() + place] ?? REMOVED
    const allowed = this.#job?.allowed ?? null
    return mark !== REMOVED && (allowed === null || (allowed[mark - 1] ?? 0) !== 0)
  }

  #listVisible(): void {
    const touched = this.#touched
    const visible = this.#visible
    const scores = this.#scores
    const marks = this.#marks()
    const from = this.#firstMark()
    const allowed = this.#job?.allowed ?? null
    let count = 0
    let highest = 0
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const place = touched[at] ?? 0
      const score = scores[place] ?? 0
      const mark = marks[from + place] ?? REMOVED
      if (mark === REMOVED || (allowed !== null && (allowed[mark - 1] ?? 0) === 0)) continue
      visible[count] = place
      count += 1
      if (score > highest) highest = score
    }
    this.#visibleCount = count
    this.#highest = highest
  }

  #candidates(): Candidates {
    return {
      places: this.#visible,
      count: this.#visibleCount,
      scores: this.#scores,
      docs: EVERY_PLACE,
      lowest: 0,
      highest: this.#highest,
    }
  }

  /** A window lies in one page. */
  #marks(): Uint16Array {
    return this.#job?.classes[this.#base >>> CLASS_PAGE_SHIFT] ?? NO_CLASSES
  }

  #firstMark(): number {
    return this.#base & (CLASS_PAGE_DOCS - 1)
  }

  #clear(): void {
    const touched = this.#touched
    const scores = this.#scores
    const masks = this.#masks
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const place = touched[at] ?? 0
      scores[place] = 0
      masks[place] = 0
    }
    this.#touchedCount = 0
  }
}
