import type { MemoryColumns } from '../model/columns.ts'
import { classAt, fold, isWordClass } from '../text/unicode.ts'
import { type CandidateColumns, FIRST, OF_TASK, PAIRS_SHIFT, TOLD_MARKS } from './candidate-columns.ts'
import { FEATURES, type Feature, LENT_IN_RUN, LENT_IN_RUN_OF, logOfShare, type Weights } from './features.ts'
import { HIT_EXACT, type TextHits } from './signals.ts'
import { PAIRS_ENOUGH } from './word-order.ts'

/** What the features of candidates are read from. */
interface FeatureSources {
  readonly memory: MemoryColumns
  readonly candidates: CandidateColumns
  readonly hits: TextHits
  readonly evidence: RunEvidence
  readonly speakers: NamedSpeakers
  /** The best text score. */
  readonly scale: number
  /** Candidates. */
  readonly size: number
}

const FOUND = placeOf('found')
const SCORE = placeOf('score')
const COVERAGE = placeOf('coverage')
const EXACT = placeOf('exact')
const SPEAKER = placeOf('speaker')
const QUESTION = placeOf('question')
const ASKING = placeOf('asking')
const ANSWERED = placeOf('answered')
const DATE = placeOf('date')
const NUMBER = placeOf('number')
const NAME = placeOf('name')
const BESIDE = placeOf('beside')
const FIRST_OF_RUN = placeOf('first')
const RECENCY = placeOf('recency')
const RUN_BEST = placeOf('runBest')
const RUN_MEAN = placeOf('runMean')
const RUN_LONG = placeOf('runLong')
const TASK = placeOf('task')
const HELP = placeOf('help')
const ORDER = placeOf('order')

/** Terms of which all sums are formed beforehand. */
const LOW_BITS = 8

/** Sums of the shares of the terms in a mask, formed from the lowest bit on. */
class TermSums {
  readonly #shares: ArrayLike<number>
  /** By the terms in the low bits. */
  readonly #low: Float64Array

  constructor(shares: ArrayLike<number>) {
    this.#shares = shares
    const bits = Math.min(shares.length, LOW_BITS)
    const low = new Float64Array(1 << bits)
    for (let bit = 0; bit < bits; bit += 1) {
      // With the new highest bit.
      const half = 1 << bit
      for (let mask = 0; mask < half; mask += 1) low[half + mask] = (low[mask] ?? 0) + (shares[bit] ?? 0)
    }
    this.#low = low
  }

  of(mask: number): number {
    const low = this.#low
    let sum = low[mask & (low.length - 1)] ?? 0
    for (let rest = mask >>> LOW_BITS; rest !== 0; rest &= rest - 1) {
      sum += this.#shares[LOW_BITS + 31 - Math.clz32(rest & -rest)] ?? 0
    }
    return sum
  }
}

/** Reads the features of candidates: of hundreds of them a guide reads every one. */
export class CandidateFeatures {
  readonly #sources: FeatureSources
  readonly #termSums: TermSums
  readonly #row = new Float64Array(FEATURES.length)

  constructor(sources: FeatureSources) {
    this.#sources = sources
    this.#termSums = new TermSums(sources.hits.termShares)
  }

  /** Those of the candidate in a place, in the order of FEATURES. The next call writes into the same array. */
  at(place: number): Float64Array {
    const { memory, scale, size, evidence, speakers, hits } = this.#sources
    const { slots, found, neighbours, answered, age, runAt, marks } = this.#sources.candidates
    const slot = slots[place] ?? 0
    const score = (found[place] ?? 0) / scale
    const hit = (this.#sources.candidates.hits[place] ?? 0) - 1
    const run = runAt[place] ?? -1
    const mark = marks[place] ?? 0
    const asking = memory.questionShare(slot)
    const row = this.#row
    row[FOUND] = logOfShare(score + (neighbours[place] ?? 0) / scale)
    row[SCORE] = score
    row[COVERAGE] = hit < 0 ? 0 : (hits.coverage[hit] ?? 0)
    row[EXACT] = hit >= 0 && ((hits.flags[hit] ?? 0) & HIT_EXACT) !== 0 ? 1 : 0
    row[SPEAKER] = speakers.of(slot)
    row[QUESTION] = asking > 0 ? 1 : 0
    row[ASKING] = asking
    row[ANSWERED] = (answered[place] ?? 0) / scale
    row[DATE] = (mark & TOLD_MARKS.time) === 0 ? 0 : 1
    row[NUMBER] = (mark & TOLD_MARKS.number) === 0 ? 0 : 1
    row[NAME] = (mark & TOLD_MARKS.name) === 0 ? 0 : 1
    row[BESIDE] = this.#besideOf(place, hit, run)
    row[FIRST_OF_RUN] = (mark & FIRST) === 0 ? 0 : 1
    row[RECENCY] = (age[place] ?? 0) / size
    row[RUN_BEST] = run < 0 ? 0 : evidence.bestBeside(run, score)
    row[RUN_MEAN] = run < 0 ? 0 : evidence.meanBeside(run, score)
    row[RUN_LONG] = run < 0 ? 0 : evidence.longness(run)
    row[TASK] = (mark & OF_TASK) === 0 ? 0 : 1
    row[HELP] = helpIn(memory.helpOf(slot))
    row[ORDER] = (mark >> PAIRS_SHIFT) / PAIRS_ENOUGH
    return row
  }

  /**
   * Makes the total of each of the places the sum of its features by their weights, added in the order of FEATURES. Most of them
   * are 0 and are passed over, and no list of them is made: that takes a quarter less.
   */
  sumInto(total: Float64Array, weights: Weights, places: Int32Array): void {
    const { memory, scale, size, evidence, speakers, hits } = this.#sources
    const { slots, found, neighbours, answered, age, runAt, marks } = this.#sources.candidates
    const hitAt = this.#sources.candidates.hits
    const { coverage, flags } = hits
    const { areNamed } = speakers
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0
      const slot = slots[place] ?? 0
      const score = (found[place] ?? 0) / scale
      const hit = (hitAt[place] ?? 0) - 1
      const run = runAt[place] ?? -1
      const mark = marks[place] ?? 0
      let sum = weights.found * logOfShare(score + (neighbours[place] ?? 0) / scale) + weights.score * score
      if (hit >= 0) {
        sum += weights.coverage * (coverage[hit] ?? 0)
        if (((flags[hit] ?? 0) & HIT_EXACT) !== 0) sum += weights.exact
      }
      if (areNamed) sum += weights.speaker * speakers.of(slot)
      const asking = memory.questionShare(slot)
      if (asking > 0) sum = sum + weights.question + weights.asking * asking
      sum += weights.answered * ((answered[place] ?? 0) / scale)
      if ((mark & TOLD_MARKS.time) !== 0) sum += weights.date
      if ((mark & TOLD_MARKS.number) !== 0) sum += weights.number
      if ((mark & TOLD_MARKS.name) !== 0) sum += weights.name
      sum += weights.beside * this.#besideOf(place, hit, run)
      if ((mark & FIRST) !== 0) sum += weights.first
      sum += weights.recency * ((age[place] ?? 0) / size)
      if (run >= 0) {
        sum += weights.runBest * evidence.bestBeside(run, score)
        sum += weights.runMean * evidence.meanBeside(run, score)
        sum += weights.runLong * evidence.longness(run)
      }
      if ((mark & OF_TASK) !== 0) sum += weights.task
      sum += weights.help * helpIn(memory.helpOf(slot))
      total[place] = sum + weights.order * ((mark >> PAIRS_SHIFT) / PAIRS_ENOUGH)
    }
  }

  /** The weight of the words that stand beside it in its run and that it has not. */
  #besideOf(place: number, hit: number, run: number): number {
    const { evidence, hits, candidates } = this.#sources
    const own = hit < 0 ? 0 : (hits.masks[hit] ?? 0)
    const near = (candidates.beside[place] ?? 0) & ~own
    const elsewhere = run < 0 ? 0 : evidence.wordsOf(run) & ~(own | near)
    if (elsewhere === 0) return this.#termSums.of(near)
    return this.#termSums.of(near) + evidence.wordShare(run) * this.#termSums.of(elsewhere)
  }
}

function placeOf(feature: Feature): number {
  return FEATURES.indexOf(feature)
}

/** Of what helped as often as so many times, between 0 and 1. */
function helpIn(help: number): number {
  return help > 0 ? help / (help + 1) : 0
}

/** Which candidates are by somebody whom the query names. */
export class NamedSpeakers {
  readonly #columns: MemoryColumns
  readonly #named: ReadonlySet<string>
  /** By number of authors, as far as it was asked. */
  readonly #known: (-1 | 0 | 1 | undefined)[] = []

  /** `slots`: the candidates, the first `size` of them. When all are by the same author, that tells nothing. */
  constructor(columns: MemoryColumns, queryText: string, slots: Int32Array, size: number) {
    this.#columns = columns
    const numbers = new Set<number>()
    let last = -1
    for (let place = 0; place < size; place += 1) {
      const authors = columns.authorsOf(slots[place] ?? 0)
      if (authors !== last) numbers.add(authors)
      last = authors
    }
    const names = new Set<string>()
    for (const number of numbers) for (const name of columns.authorNames(number)) names.add(name)
    this.#named = names.size < 2 ? new Set() : namesAsked(queryText, names)
  }

  /** Whether the query names anybody. */
  get areNamed(): boolean {
    return this.#named.size > 0
  }

  /** 1: by whom the query names; -1: by somebody else; 0: it names nobody, or it is not known who wrote it. */
  of(slot: number): -1 | 0 | 1 {
    if (this.#named.size === 0) return 0
    const authors = this.#columns.authorsOf(slot)
    let speaker = this.#known[authors]
    if (speaker === undefined) {
      const names = this.#columns.authorNames(authors)
      speaker = names.length === 0 ? 0 : names.some((name) => this.#named.has(name)) ? 1 : -1
      this.#known[authors] = speaker
    }
    return speaker
  }
}

/** So many of the best other memories of a run say whether the run is what is asked about. */
const OTHERS = 3
const KEPT = OTHERS + 1

/** What the other memories of a run say for one of them. Nothing of it grows with the length of the run alone. */
export class RunEvidence {
  /** All memories of each run that are seen. */
  readonly #lengths: Int32Array
  readonly #sums: Float64Array
  /** The best few scores of each run, in falling order. */
  readonly #best: Float64Array
  /** The terms of the query, a bit each, that any of a run holds. */
  readonly #words: Int32Array

  /** `lengths`: of each run, how many of its memories are seen. */
  constructor(lengths: readonly number[]) {
    this.#lengths = new Int32Array(lengths)
    this.#sums = new Float64Array(lengths.length)
    this.#best = new Float64Array(lengths.length * KEPT)
    this.#words = new Int32Array(lengths.length)
  }

  get runs(): number {
    return this.#lengths.length
  }

  /** Each memory once; those that are not added have no score. */
  add(run: number, score: number, words: number): void {
    this.#sums[run] = (this.#sums[run] ?? 0) + score
    this.#words[run] = (this.#words[run] ?? 0) | words
    const best = this.#best
    const first = run * KEPT
    let at = first + OTHERS
    if (score <= (best[at] ?? 0)) return
    for (; at > first && (best[at - 1] ?? 0) < score; at -= 1) best[at] = best[at - 1] ?? 0
    best[at] = score
  }

  /** The mean of the best three but for one with this score, which is of the run. */
  bestBeside(run: number, score: number): number {
    const best = this.#best
    const first = run * KEPT
    const last = first + OTHERS
    const sum = (best[first] ?? 0) + (best[first + 1] ?? 0) + (best[first + 2] ?? 0) + (best[last] ?? 0)
    // Beside one that is among the best, the other three; beside another one the first three.
    return (sum - Math.max(score, best[last] ?? 0)) / OTHERS
  }

  /** The mean of all but for one with this score. */
  meanBeside(run: number, score: number): number {
    const others = (this.#lengths[run] ?? 0) - 1
    return others < 1 ? 0 : ((this.#sums[run] ?? 0) - score) / others
  }

  wordsOf(run: number): number {
    return this.#words[run] ?? 0
  }

  /** What one of these words counts for a memory that has it not beside itself either. */
  wordShare(run: number): number {
    return LENT_IN_RUN * Math.min(1, LENT_IN_RUN_OF / (this.#lengths[run] ?? 1))
  }

  /** The share of the others: 0 for a memory alone, nearly 1 in a long run. */
  longness(run: number): number {
    const length = this.#lengths[run] ?? 1
    return 1 - 1 / length
  }
}

/** Shorter names stand in too many words. */
const NAME_CHARS_MIN = 2

/** Those of the names that stand in the text as whole words, whatever their case and accents. */
function namesAsked(text: string, names: Iterable<string>): ReadonlySet<string> {
  const folded = fold(text).toLowerCase()
  const found = new Set<string>()
  for (const name of names) {
    const wanted = fold(name).toLowerCase().trim()
    if (wanted.length >= NAME_CHARS_MIN && standsIn(folded, wanted)) found.add(name)
  }
  return found
}

function standsIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    const isOpenBefore = at === 0 || !isWordClass(classAt(text, at - 1))
    const isOpenAfter = end === text.length || !isWordClass(classAt(text, end))
    if (isOpenBefore && isOpenAfter) return true
  }
  return false
}
