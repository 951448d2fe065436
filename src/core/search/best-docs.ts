import { assert } from '../base/assert.ts'

/** Candidates at most: the documents of a window. */
export const CANDIDATES_MAX = 1 << 14
const BUCKETS = 512
/** Candidates that are put in order though they are too many. */
const SPARE = 512
/** Documents held between two cuts, several times what is usually kept: a cut takes a few nanoseconds for each. */
export const ROOM = 2_048
/** Most that can be kept. */
const BEST_MAX = ROOM / 2

/** 0, 1, 2 … */
export const EVERY_PLACE: Int32Array = Int32Array.from({ length: CANDIDATES_MAX }, (_, place) => place)

/**
 * Documents to select from: those at the first `count` of `places`. Made with all fields in this order, never by `...`: to the
 * engine that would be another kind of object, and the loops over them would be compiled anew for both, and run slower.
 */
export interface Candidates {
  readonly places: Int32Array
  readonly count: number
  /** By place. */
  readonly scores: Float64Array
  /** By place: the document, or what is in the same order. */
  readonly docs: Int32Array
  /** No score is below the one or above the other. */
  readonly lowest: number
  readonly highest: number
}

/** The last one of a selection. */
export interface Worst {
  readonly score: number
  readonly doc: number
}

/** The best documents in order. Parallel lists. */
export interface BestDocs {
  readonly docs: Int32Array
  readonly scores: Float64Array
  /** Which terms each holds, a bit for each term; 0: it holds related words only. */
  readonly masks: Uint32Array
}

/** Finds the best of many by counting their scores, which is several times faster than a heap. */
export class Selection {
  readonly #counts = new Int32Array(BUCKETS)
  readonly #chosen: Int32Array
  readonly #order: Int32Array
  readonly #keys: Float64Array
  readonly #remaining: Int32Array
  // Buckets of the scores: (score - low) * scale.
  #low = 0
  #scale = 0

  constructor(candidatesMax: number) {
    this.#chosen = new Int32Array(candidatesMax)
    this.#order = new Int32Array(candidatesMax)
    this.#keys = new Float64Array(candidatesMax)
    this.#remaining = new Int32Array(candidatesMax)
  }

  /**
   * The places of the best, the best first: by score, at the same score the newer document. `wanted` is at most the number
   * of candidates. The list holds more behind them, and until the next call.
   */
  best(from: Candidates, wanted: number): Int32Array {
    if (wanted === 0) return this.#order
    this.#countScores(from)
    const counts = this.#counts
    let size = 0
    let bucket = BUCKETS
    while (size < wanted) {
      bucket -= 1
      const here = counts[bucket] ?? 0
      counts[bucket] = size
      size += here
    }
    if (size > wanted + SPARE) {
      const count = keepBest(from, this.worst(from, wanted), this.#remaining)
      const { scores, docs, lowest, highest } = from
      return this.best({ places: this.#remaining, count, scores, docs, lowest, highest }, wanted)
    }
    this.#placeFrom(bucket, from)
    this.#putInOrder(size, from.docs)
    return this.#order
  }

  /** How many candidates each bucket of scores has. */
  #countScores({ scores, places, count, lowest, highest }: Candidates): void {
    const steps = (BUCKETS - 1) / (highest - lowest)
    // Zero where all scores are the same, or as good as that.
    const factor = Number.isFinite(steps) ? steps : 0
    const counts = this.#counts.fill(0)
    for (let at = 0; at < count; at += 1) {
      const bucket = (((scores[places[at] ?? 0] ?? 0) - lowest) * factor) | 0
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    this.#low = lowest
    this.#scale = factor
  }

  /** Candidates of the buckets from `least` on by bucket, the best first, in a bucket the last one first. */
  #placeFrom(least: number, { scores, places, count }: Candidates): void {
    const lowest = this.#low
    const factor = this.#scale
    const counts = this.#counts
    const chosen = this.#chosen
    const order = this.#order
    const keys = this.#keys
    let size = 0
    // Without a branch: no processor guesses which of them are among the best.
    for (let at = 0; at < count; at += 1) {
      const place = places[at] ?? 0
      const bucket = (((scores[place] ?? 0) - lowest) * factor) | 0
      chosen[size] = place
      size += (least - 1 - bucket) >>> 31
    }
    for (let at = size - 1; at >= 0; at -= 1) {
      const place = chosen[at] ?? 0
      const score = scores[place] ?? 0
      const bucket = ((score - lowest) * factor) | 0
      const number = counts[bucket] ?? 0
      order[number] = place
      keys[number] = score
      counts[bucket] = number + 1
    }
  }

  /** Moves each before those that are worse; they are in the same bucket, so it does not go far. */
  #putInOrder(size: number, docs: Int32Array): void {
    const order = this.#order
    const keys = this.#keys
    for (let number = 1; number < size; number += 1) {
      const score = keys[number] ?? 0
      let at = number
      if (score < (keys[at - 1] ?? 0)) continue
      const place = order[number] ?? 0
      const doc = docs[place] ?? 0
      for (; at > 0; at -= 1) {
        const other = order[at - 1] ?? 0
        const otherScore = keys[at - 1] ?? 0
        if (score < otherScore || (score === otherScore && doc < (docs[other] ?? 0))) break
        order[at] = other
        keys[at] = otherScore
      }
      order[at] = place
      keys[at] = score
    }
  }

  /** A score that so many of the candidates have or exceed; 0 where they are fewer. Close to the highest such score. */
  scoreReached(from: Candidates, wanted: number): number {
    this.#countScores(from)
    let reached = 0
    for (let bucket = BUCKETS - 1; bucket > 0; bucket -= 1) {
      reached += this.#counts[bucket] ?? 0
      // One bucket lower, since it is rounded.
      if (reached >= wanted) return this.#low + (bucket - 1) / this.#scale
    }
    return 0
  }

  /** Number `wanted` of the best: its bucket by counting, then by order inside of that. */
  worst(from: Candidates, wanted: number): Worst {
    const { scores, places, count } = from
    this.#countScores(from)
    let rest = wanted
    let bucket = BUCKETS - 1
    while (rest > (this.#counts[bucket] ?? 0)) {
      rest -= this.#counts[bucket] ?? 0
      bucket -= 1
    }
    let among = 0
    for (let at = 0; at < count; at += 1) {
      const score = scores[places[at] ?? 0] ?? 0
      if ((((score - this.#low) * this.#scale) | 0) !== bucket) continue
      this.#keys[among] = score
      among += 1
    }
    const sorted = this.#keys.subarray(0, among).sort()
    const score = sorted[among - rest] ?? 0
    for (let at = among - 1; at >= 0 && (sorted[at] ?? 0) > score; at -= 1) rest -= 1
    return { score, doc: this.#newest(from, score, rest) }
  }

  /** Number `wanted` of the documents with this score, the newest first. */
  #newest({ scores, places, count, docs }: Candidates, score: number, wanted: number): number {
    let same = 0
    for (let at = 0; at < count; at += 1) {
      const place = places[at] ?? 0
      if (scores[place] !== score) continue
      this.#order[same] = docs[place] ?? 0
      same += 1
    }
    return this.#order.subarray(0, same).sort()[same - wanted] ?? 0
  }
}

/** Writes the places of those that are no worse to `into`, in the order of the list, and answers how many they are. */
export function keepBest(
  { scores, places, count, docs }: Candidates,
  worst: Worst,
  into: Int32Array,
): number {
  let kept = 0
  for (let at = 0; at < count; at += 1) {
    const place = places[at] ?? 0
    const score = scores[place] ?? 0
    if (score < worst.score || (score === worst.score && (docs[place] ?? 0) < worst.doc)) continue
    into[kept] = place
    kept += 1
  }
  return kept
}

/**
 * The best documents of many: by score, at the same score the newer one. It takes whatever comes until it is full, and
 * then finds the worst that stays by counting, which is faster than keeping an order all the time.
 */
export class TopDocs {
  #limit = 0
  readonly #selection: Selection
  readonly #kept = new Int32Array(ROOM)
  readonly #docs = new Int32Array(ROOM)
  readonly #scores = new Float64Array(ROOM)
  readonly #masks = new Uint32Array(ROOM)
  #size = 0
  // The worst that stayed at the last cut: nothing below it can be among the best.
  #worstScore = 0
  #worstDoc = -1

  constructor(limit: number, selection: Selection) {
    this.#selection = selection
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
    const best = this.#selection.best(this.#candidates(), count)
    for (let number = 0; number < count; number += 1) {
      const at = best[number] ?? 0
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
    const worst = this.#selection.worst(candidates, this.#limit)
    const size = keepBest(candidates, worst, this.#kept)
    for (let number = 0; number < size; number += 1) {
      const at = this.#kept[number] ?? 0
      this.#docs[number] = this.#docs[at] ?? 0
      this.#scores[number] = this.#scores[at] ?? 0
      this.#masks[number] = this.#masks[at] ?? 0
    }
    this.#size = size
    this.#worstScore = worst.score
    this.#worstDoc = worst.doc
  }
}
