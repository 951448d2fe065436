import type { MemoryColumns } from '../model/columns.ts'
import { TermSums } from '../search/rank-result.ts'
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

/** So many candidates are read at once: their features stay in the processor's cache. */
const BLOCK = 128

const FOUND = columnOf('found')
const SCORE = columnOf('score')
const COVERAGE = columnOf('coverage')
const EXACT = columnOf('exact')
const SPEAKER = columnOf('speaker')
const QUESTION = columnOf('question')
const ASKING = columnOf('asking')
const ANSWERED = columnOf('answered')
const DATE = columnOf('date')
const NUMBER = columnOf('number')
const NAME = columnOf('name')
const BESIDE = columnOf('beside')
const FIRST_OF_RUN = columnOf('first')
const RECENCY = columnOf('recency')
const RUN_BEST = columnOf('runBest')
const RUN_MEAN = columnOf('runMean')
const RUN_LONG = columnOf('runLong')
const TASK = columnOf('task')
const HELP = columnOf('help')
const ORDER = columnOf('order')

/** Reads the features of a block of candidates column by column: of hundreds of candidates a guide reads every one. */
export class CandidateFeatures {
  readonly #sources: FeatureSources
  /** BLOCK numbers for each of FEATURES, in their order. Those of features that no candidate can have stay 0. */
  readonly #block = new Float64Array(FEATURES.length * BLOCK)

  readonly #termSums: TermSums
  readonly #row = new Float64Array(FEATURES.length)
  readonly #one = new Int32Array(1)

  constructor(sources: FeatureSources) {
    this.#sources = sources
    this.#termSums = new TermSums(sources.hits.termShares)
  }

  /** Those of the candidate in a place, in the order of FEATURES. The next call writes into the same array. */
  at(place: number): Float64Array {
    this.#one[0] = place
    this.#read(this.#one, 0, 1)
    const row = this.#row
    for (let at = 0; at < row.length; at += 1) row[at] = this.#block[at * BLOCK] ?? 0
    return row
  }

  /** Makes the total of each of the places the sum of its features by their weights, added in the order of FEATURES. */
  sumInto(total: Float64Array, weights: Weights, places: Int32Array): void {
    for (let from = 0; from < places.length; from += BLOCK) {
      const end = Math.min(places.length, from + BLOCK)
      this.#read(places, from, end)
      this.#sumBlock(total, weights, places, from, end)
    }
  }

  #sumBlock(total: Float64Array, weights: Weights, places: Int32Array, from: number, end: number): void {
    const { found, score, coverage, exact, speaker, question, asking, answered, order } = weights
    const { date, number, name, beside, first, recency, runBest, runMean, runLong, task, help } = weights
    const block = this.#block
    for (let at = 0; at < end - from; at += 1)
      total[places[from + at] ?? 0] =
        found * (block[FOUND + at] ?? 0) +
        score * (block[SCORE + at] ?? 0) +
        coverage * (block[COVERAGE + at] ?? 0) +
        exact * (block[EXACT + at] ?? 0) +
        speaker * (block[SPEAKER + at] ?? 0) +
        question * (block[QUESTION + at] ?? 0) +
        asking * (block[ASKING + at] ?? 0) +
        answered * (block[ANSWERED + at] ?? 0) +
        date * (block[DATE + at] ?? 0) +
        number * (block[NUMBER + at] ?? 0) +
        name * (block[NAME + at] ?? 0) +
        beside * (block[BESIDE + at] ?? 0) +
        first * (block[FIRST_OF_RUN + at] ?? 0) +
        recency * (block[RECENCY + at] ?? 0) +
        runBest * (block[RUN_BEST + at] ?? 0) +
        runMean * (block[RUN_MEAN + at] ?? 0) +
        runLong * (block[RUN_LONG + at] ?? 0) +
        task * (block[TASK + at] ?? 0) +
        help * (block[HELP + at] ?? 0) +
        order * (block[ORDER + at] ?? 0)
  }

  #read(places: Int32Array, from: number, end: number): void {
    const { speakers, evidence } = this.#sources
    this.#readScores(places, from, end)
    this.#readHits(places, from, end)
    this.#readMemories(places, from, end)
    this.#readMarks(places, from, end)
    if (speakers.areNamed) this.#readSpeakers(places, from, end)
    if (evidence.runs > 0) this.#readRuns(places, from, end)
  }

  #readScores(places: Int32Array, from: number, end: number): void {
    const { scale, size } = this.#sources
    const { found, neighbours, answered, age } = this.#sources.candidates
    const block = this.#block
    for (let at = 0; at < end - from; at += 1) {
      const place = places[from + at] ?? 0
      const score = (found[place] ?? 0) / scale
      block[FOUND + at] = logOfShare(score + (neighbours[place] ?? 0) / scale)
      block[SCORE + at] = score
      block[ANSWERED + at] = (answered[place] ?? 0) / scale
      block[RECENCY + at] = (age[place] ?? 0) / size
    }
  }

  #readHits(places: Int32Array, from: number, end: number): void {
    const { evidence } = this.#sources
    const { coverage, flags, masks } = this.#sources.hits
    const { hits, beside, runAt } = this.#sources.candidates
    const block = this.#block
    for (let at = 0; at < end - from; at += 1) {
      const place = places[from + at] ?? 0
      const hit = (hits[place] ?? 0) - 1
      block[COVERAGE + at] = hit < 0 ? 0 : (coverage[hit] ?? 0)
      const own = hit < 0 ? 0 : (masks[hit] ?? 0)
      const near = (beside[place] ?? 0) & ~own
      const run = runAt[place] ?? -1
      const elsewhere = run < 0 ? 0 : evidence.wordsOf(run) & ~(own | near)
      block[BESIDE + at] =
        this.#termSums.of(near) +
        (elsewhere === 0 ? 0 : evidence.wordShare(run) * this.#termSums.of(elsewhere))
      block[EXACT + at] = hit >= 0 && ((flags[hit] ?? 0) & HIT_EXACT) !== 0 ? 1 : 0
    }
  }

  #readMemories(places: Int32Array, from: number, end: number): void {
    const { memory } = this.#sources
    const { slots } = this.#sources.candidates
    const block = this.#block
    for (let at = 0; at < end - from; at += 1) {
      const place = places[from + at] ?? 0
      const slot = slots[place] ?? 0
      const help = memory.helpOf(slot)
      const asking = memory.questionShare(slot)
      block[QUESTION + at] = asking > 0 ? 1 : 0
      block[ASKING + at] = asking
      block[HELP + at] = help > 0 ? help / (help + 1) : 0
    }
  }

  #readMarks(places: Int32Array, from: number, end: number): void {
    const { marks } = this.#sources.candidates
    const block = this.#block
    for (let at = 0; at < end - from; at += 1) {
      const place = places[from + at] ?? 0
      const mark = marks[place] ?? 0
      block[DATE + at] = (mark & TOLD_MARKS.time) === 0 ? 0 : 1
      block[NUMBER + at] = (mark & TOLD_MARKS.number) === 0 ? 0 : 1
      block[NAME + at] = (mark & TOLD_MARKS.name) === 0 ? 0 : 1
      block[FIRST_OF_RUN + at] = (mark & FIRST) === 0 ? 0 : 1
      block[TASK + at] = (mark & OF_TASK) === 0 ? 0 : 1
      block[ORDER + at] = (mark >> PAIRS_SHIFT) / PAIRS_ENOUGH
    }
  }

  #readSpeakers(places: Int32Array, from: number, end: number): void {
    const { slots } = this.#sources.candidates
    const { speakers } = this.#sources
    for (let at = 0; at < end - from; at += 1)
      this.#block[SPEAKER + at] = speakers.of(slots[places[from + at] ?? 0] ?? 0)
  }

  #readRuns(places: Int32Array, from: number, end: number): void {
    const { evidence } = this.#sources
    const { runAt } = this.#sources.candidates
    const block = this.#block
    for (let at = 0; at < end - from; at += 1) {
      const place = places[from + at] ?? 0
      const run = runAt[place] ?? -1
      const score = block[SCORE + at] ?? 0
      block[RUN_BEST + at] = run < 0 ? 0 : evidence.bestBeside(run, score)
      block[RUN_MEAN + at] = run < 0 ? 0 : evidence.meanBeside(run, score)
      block[RUN_LONG + at] = run < 0 ? 0 : evidence.longness(run)
    }
  }
}

function columnOf(feature: Feature): number {
  return FEATURES.indexOf(feature) * BLOCK
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
