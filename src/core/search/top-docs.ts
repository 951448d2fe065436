import { assert } from '../base/assert.ts'
import { type Candidates, EVERY_PLACE, keepBest, selectBest, worstOf } from './selection.ts'

/** Documents held between two cuts, several times what is usually kept: a cut takes a few nanoseconds for each. */
const ROOM = 2_048
/** Most that can be kept. */
const BEST_MAX = ROOM / 2

// Scratch of the thread.
const kept = new Int32Array(ROOM)

/** The best documents in order. Parallel lists. */
export interface BestDocs {
  readonly docs: Int32Array
  readonly scores: Float64Array
  readonly masks: Uint32Array
}

/**
 * The best documents of many: by score, at the same score the newer one. It takes whatever comes until it is full, and
 * then finds the worst that stays by counting, which is faster than keeping an order all the time.
 */
export class TopDocs {
  #limit = 0
  readonly #docs = new Int32Array(ROOM)
  readonly #scores = new Float64Array(ROOM)
  readonly #masks = new Uint32Array(ROOM)
  #size = 0
  // The worst that stayed at the last cut: nothing below it can be among the best.
  #worstScore = 0
  #worstDoc = -1

  constructor(limit: number) {
    this.clear(limit)
  }

  /** Forgets all documents, to be used again. */
  clear(limit: number): void {
    assert(limit <= BEST_MAX, 'more of the best are wanted than can be kept')
    this.#limit = limit
    this.#size = 0
    this.#worstScore = limit === 0 ? Infinity : -Infinity
    this.#worstDoc = -1
  }

  /** How many are the best. */
  get count(): number {
    return Math.min(this.#size, this.#limit)
  }

  /** Below it no document is among the best. */
  get worstScore(): number {
    return this.#worstScore
  }

  /** Nothing was added. */
  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Says that of the documents to come at least as many as are wanted have this score, or a higher one. */
  raise(score: number): void {
    if (score > this.#worstScore) this.#worstScore = score
  }

  /** False: the document is not among the best. */
  admits(doc: number, score: number): boolean {
    return score > this.#worstScore || (score === this.#worstScore && doc > this.#worstDoc)
  }

  /** Takes a document that `admits` has admitted. */
  add(doc: number, score: number, mask: number): void {
    if (this.#size === ROOM) this.#cut()
    const at = this.#size
    this.#docs[at] = doc
    this.#scores[at] = score
    this.#masks[at] = mask
    this.#size = at + 1
  }

  /** Writes the best in order to the lists from number `to` on, as many as `count` says. */
  settle({ docs, scores, masks }: BestDocs, to: number): void {
    const { count } = this
    selectBest(this.#candidates(), count, kept)
    for (let number = 0; number < count; number += 1) {
      const at = kept[number] ?? 0
      docs[to + number] = this.#docs[at] ?? 0
      scores[to + number] = this.#scores[at] ?? 0
      masks[to + number] = this.#masks[at] ?? 0
    }
  }

  #candidates(): Candidates {
    const scores = this.#scores
    const count = this.#size
    let lowest = Infinity
    let highest = -Infinity
    for (let at = 0; at < count; at += 1) {
      const score = scores[at] ?? 0
      if (score < lowest) lowest = score
      if (score > highest) highest = score
    }
    return { places: EVERY_PLACE, count, scores, docs: this.#docs, lowest, highest }
  }

  /** Drops all but the best `limit`. */
  #cut(): void {
    const candidates = this.#candidates()
    const worst = worstOf(candidates, this.#limit)
    const size = keepBest(candidates, worst, kept)
    for (let number = 0; number < size; number += 1) {
      const at = kept[number] ?? 0
      this.#docs[number] = this.#docs[at] ?? 0
      this.#scores[number] = this.#scores[at] ?? 0
      this.#masks[number] = this.#masks[at] ?? 0
    }
    this.#size = size
    this.#worstScore = worst.score
    this.#worstDoc = worst.doc
  }
}
