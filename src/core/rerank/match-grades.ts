import { listAt } from '../base/collections.ts'
import { GRADES } from '../search/rank-result.ts'
import { type CandidateColumns, OF_TASK, STRONG } from './candidate-columns.ts'
import type { NamedSpeakers } from './candidate-features.ts'
import { type Found, HIT_ABOVE_FLOOR, HIT_DOUBTED } from './signals.ts'

/** Terms, its author's name among them, with which a memory of a named author is a strong match. */
const AUTHOR_TERMS_MIN = 2

/** Which candidates are weak: by themselves and beside the best one. The others are marked as STRONG. */
export class MatchGrades {
  readonly #found: Found
  readonly #columns: CandidateColumns
  readonly #speakers: NamedSpeakers
  /** The best text score of a strong match; infinite: there is none, so everything is weak. */
  readonly #strongest: number
  /** What is lent as much from its run is as strong. */
  readonly #lentAtLeast: number
  /** The places of those that are not weak. */
  readonly #strong: Int32Array

  /**
   * `columns`: with scores of the first `size` candidates. `sum` makes the totals of places known; `formOf` answers the text
   * of a place without its numbers.
   */
  constructor(
    found: Found,
    columns: CandidateColumns,
    speakers: NamedSpeakers,
    size: number,
    sum: (places: Int32Array) => void,
    formOf: (place: number) => string,
  ) {
    this.#found = found
    this.#columns = columns
    this.#speakers = speakers
    const best = this.#bestStrong(size)
    const score = best < 0 ? 0 : (columns.found[best] ?? 0)
    this.#strongest = score === 0 ? Number.POSITIVE_INFINITY : score
    const isDoubted = (this.#flagsOf(best) & HIT_DOUBTED) !== 0
    this.#lentAtLeast = isDoubted ? Number.POSITIVE_INFINITY : this.#strongest * GRADES.lentBesideBest
    const matches = this.#nearMatches(size)
    sum(matches)
    // What has less of all signals together is weak beside the best strong one. Memory of the asked task is shown in any case,
    // and takes the place of none.
    const others = matches.filter((place) => ((columns.marks[place] ?? 0) & OF_TASK) === 0)
    const leastTotal = leastOf(highest(columns.total, others, GRADES.first))
    const strong = matches.filter((place) => (columns.total[place] ?? 0) >= leastTotal)
    const more = this.#moreOfOneForm(strong, formOf)
    this.#strong = more.size === 0 ? strong : strong.filter((place) => !more.has(place))
    for (const place of this.#strong) columns.marks[place] = (columns.marks[place] ?? 0) | STRONG
  }

  isWeak(place: number): boolean {
    return ((this.#columns.marks[place] ?? 0) & STRONG) === 0
  }

  /** The slots of those that are not weak, in no order. */
  strongSlots(): Int32Array {
    return this.#strong.map((place) => this.#columns.slots[place] ?? -1)
  }

  /** How many are not weak and in no slot of `besides`, counted up to `most`. */
  strongUpTo(most: number, besides: ReadonlySet<number>): number {
    const { slots } = this.#columns
    let count = 0
    for (let at = 0; at < this.#strong.length && count < most; at += 1) {
      if (!besides.has(slots[this.#strong[at] ?? 0] ?? 0)) count += 1
    }
    return count
  }

  /** The place of the strong match with the best text score; -1: there is none. */
  #bestStrong(size: number): number {
    const { found } = this.#columns
    let best = -1
    let highestScore = 0
    for (let place = 0; place < size; place += 1) {
      const score = found[place] ?? 0
      if (score <= highestScore || !this.#isStrong(place)) continue
      best = place
      highestScore = score
    }
    return best
  }

  #flagsOf(place: number): number {
    return this.#found.hits.flags[(this.#columns.hits[place] ?? 0) - 1] ?? 0
  }

  /** The strong matches that are not weak beside the best one, and what stands beside such a match in its run. */
  #nearMatches(size: number): Int32Array {
    const { found, neighbours } = this.#columns
    const lentAtLeast = this.#lentAtLeast
    const foundAtLeast = this.#strongest * GRADES.besideBest
    const places = new Int32Array(size)
    let count = 0
    for (let place = 0; place < size; place += 1) {
      const isLent = (neighbours[place] ?? 0) >= lentAtLeast
      if (!isLent && ((found[place] ?? 0) < foundAtLeast || !this.#isStrong(place))) continue
      places[count] = place
      count += 1
    }
    return places.subarray(0, count)
  }

  /**
   * Of records that differ by their numbers only, and that the question tells from each other by none of them, all but the
   * newest few.
   */
  #moreOfOneForm(strong: Int32Array, formOf: (place: number) => string): ReadonlySet<number> {
    const { found, slots, marks } = this.#columns
    const byScore = new Map<number, number[]>()
    for (const place of strong)
      if (((marks[place] ?? 0) & OF_TASK) === 0) listAt(byScore, found[place] ?? 0).push(place)
    const more = new Set<number>()
    for (const [score, places] of byScore) {
      if (score === 0 || places.length <= GRADES.ofOneForm) continue
      const kept = new Map<string, number>()
      for (const place of places.sort((a, b) => (slots[b] ?? 0) - (slots[a] ?? 0))) {
        const form = formOf(place)
        const count = (kept.get(form) ?? 0) + 1
        kept.set(form, count)
        if (count > GRADES.ofOneForm) more.add(place)
      }
    }
    return more
  }

  #isStrong(place: number): boolean {
    const { hits, near } = this.#found
    const number = this.#columns.nears[place] ?? 0
    if (number > 0 && near[number - 1]?.isAboveFloor === true) return true
    const at = (this.#columns.hits[place] ?? 0) - 1
    if (at < 0) return false
    if (((hits.flags[at] ?? 0) & HIT_ABOVE_FLOOR) !== 0) return true
    const isSeconded = (hits.matchedTerms[at] ?? 0) >= AUTHOR_TERMS_MIN
    return isSeconded && this.#speakers.of(this.#columns.slots[place] ?? 0) === 1
  }
}

/** What a match must have beside the best ones, of which these are the totals in falling order. */
function leastOf(totals: readonly number[]): number {
  const best = totals[0] ?? Number.NEGATIVE_INFINITY
  const last = totals.at(-1) ?? best
  return Math.min(Math.max(best - GRADES.oddsOfFirst, last), best - GRADES.oddsOfRest)
}

/** The highest totals of some places, at most `count`, in falling order. */
function highest(total: Float64Array, places: Int32Array, count: number): readonly number[] {
  const found: number[] = []
  for (const place of places) {
    const value = total[place] ?? 0
    if (found.length === count && value <= (found[count - 1] ?? 0)) continue
    let at = found.length < count ? found.push(value) - 1 : count - 1
    for (; at > 0 && (found[at - 1] ?? 0) < value; at -= 1) found[at] = found[at - 1] ?? 0
    found[at] = value
  }
  return found
}
