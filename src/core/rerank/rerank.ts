import { assert } from '../base/assert.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { placeOf } from '../model/run-lines.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { classesSeenBy, isVisibleTo } from '../model/visibility.ts'
import { asksWhen, tellsWhen } from '../text/dates.ts'
import { numberByAge } from './ages.ts'
import { bestFirst } from './best-first.ts'
import { type CandidateColumns, columnsFor, DATED, FIRST, OF_TASK } from './candidate-columns.ts'
import { featureReader } from './feature-reader.ts'
import {
  FEATURES,
  LENT_AFTER,
  LENT_BEFORE,
  LENT_WITHOUT_RUN,
  logOfShare,
  NEAR_DEVIATIONS,
  NEAR_SHARE,
  type Weights,
} from './features.ts'
import { MatchGrades } from './match-grades.ts'
import { NamedSpeakers } from './named-speakers.ts'
import { PlaceTable } from './place-table.ts'
import { RunEvidence } from './run-evidence.ts'
import { type Found, HIT_ABOVE_FLOOR, HIT_EXACT, type NearHit, type ScoredCandidate } from './signals.ts'

// What stands beside a hit counts too: the memories before and after it, others of its run that match, who wrote it, the
// task it belongs to, and whether it helped before. A score is a weighted sum, so each signal can be told with its share.
//
// Hits and their neighbours are many, and their records lie scattered over the heap. So they are scored as columns of
// numbers, read from columns of the actor, and only those that are asked for become objects.

/** Of the best hits so many are looked at for a time when the query asks for one: their texts lie scattered. */
const DATED_MAX = 100

/** What a guide asks, as far as the ranking goes by it. */
export interface Asked {
  readonly queryText: string
  readonly consumer: Consumer
  readonly taskSignature: string | null
}

/**
 * The hits by text and by embedding and their neighbours, best first; at the same score the newer one. Only visible
 * memories take part, so an invisible one changes nothing.
 */
export class Reranking implements Iterable<ScoredCandidate> {
  readonly #state: ActorState
  readonly #asked: Asked
  readonly #found: Found
  readonly #weights: Weights
  /** By number of an audience class, 1: the consumer sees it. */
  readonly #isSeen: Uint8Array
  readonly #places: PlaceTable
  readonly #columns: CandidateColumns
  readonly #speakers: NamedSpeakers
  /** The best text score: what all scores are shares of. */
  readonly #scale: number
  readonly #grades: MatchGrades
  /** The runs that have hits, by `runAt`. */
  readonly #evidence: RunEvidence
  readonly #featuresAt: (place: number) => Float64Array
  #size = 0

  constructor(state: ActorState, asked: Asked, found: Found, weights: Weights) {
    this.#state = state
    this.#asked = asked
    this.#found = found
    this.#weights = weights
    this.#isSeen = classesSeenBy(state.audiences, asked.consumer)
    const beside = LENT_AFTER.length + LENT_BEFORE.length
    const room = (found.hits.slots.length + found.near.length) * (1 + beside)
    this.#places = new PlaceTable(room)
    this.#columns = columnsFor(room)
    this.#scale = this.#addHits()
    this.#addNear()
    this.#speakers = new NamedSpeakers(state.columns, asked.queryText, this.#columns.slots, this.#size)
    const runs = this.#numberRuns()
    this.#evidence = new RunEvidence(Int32Array.from(runs, (line) => line.length))
    this.#markDates()
    this.#addNeighbours(runs)
    numberByAge(state, this.#columns, this.#size)
    this.#markTask()
    this.#featuresAt = featureReader({
      memory: state.columns,
      candidates: this.#columns,
      hits: found.hits,
      evidence: this.#evidence,
      speakers: this.#speakers,
      scale: this.#scale,
      size: this.#size,
    })
    this.#addTotals()
    this.#grades = new MatchGrades(found, this.#columns, this.#speakers, this.#size)
  }

  get size(): number {
    return this.#size
  }

  has({ slot }: MemoryRecord): boolean {
    return this.#placeOf(slot) >= 0
  }

  of({ slot }: MemoryRecord): ScoredCandidate | undefined {
    const place = this.#placeOf(slot)
    return place < 0 ? undefined : this.#candidateAt(place)
  }

  /** Puts them in order as they are asked for: of hundreds a guide reads a few dozen. */
  *[Symbol.iterator](): Generator<ScoredCandidate> {
    const { total, age } = this.#columns
    const isBetter = (a: number, b: number): boolean => {
      const ofA = total[a] ?? 0
      const ofB = total[b] ?? 0
      return ofA > ofB || (ofA === ofB && (age[a] ?? 0) > (age[b] ?? 0))
    }
    for (const place of bestFirst(this.#size, isBetter)) yield this.#candidateAt(place)
  }

  #placeOf(slot: number): number {
    const place = this.#places.of(slot)
    return place < this.#size ? place : -1
  }

  /** The place of a memory, which is a candidate from now on. */
  #add(slot: number): number {
    const known = this.#places.of(slot)
    if (known >= 0) return known
    const place = this.#size
    this.#size = place + 1
    this.#columns.slots[place] = slot
    this.#places.set(slot, place)
    return place
  }

  /** Answers the best text score; 1: there is none. */
  #addHits(): number {
    const { columns } = this.#state
    const { slots } = this.#found.hits
    let best = 0
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? -1
      // A class of -1, of an erased memory or of no slot, is nobody's.
      if (this.#isSeen[columns.classOf(slot)] !== 1) continue
      const place = this.#add(slot)
      const score = this.#textScore(at)
      this.#columns.hits[place] = at + 1
      this.#columns.found[place] = score
      if (score > best) best = score
    }
    return best === 0 ? 1 : best
  }

  #addNear(): void {
    const { near } = this.#found
    const { found, hits, nears } = this.#columns
    for (const [at, hit] of near.entries()) {
      const record = liveRecord(this.#state, hit.memoryId)
      if (record === undefined || !isVisibleTo(record.audience, this.#asked.consumer)) continue
      const place = this.#add(record.slot)
      nears[place] = at + 1
      found[place] = this.#textScore((hits[place] ?? 0) - 1) + this.#nearScore(hit)
    }
  }

  /** What covers more of the query counts up to twice. 0 for a place of -1: there is no hit. */
  #textScore(at: number): number {
    const { scores, coverage } = this.#found.hits
    return at < 0 ? 0 : (scores[at] ?? 0) * (1 + (coverage[at] ?? 0))
  }

  /** By how far it stands out, not by its place: of memories that are all as far from the query one is the nearest, too. */
  #nearScore({ deviations }: NearHit): number {
    const standsOut = Math.min(1, Math.max(0, deviations / NEAR_DEVIATIONS))
    return NEAR_SHARE * standsOut * this.#scale
  }

  /** Each hit lends to what stands beside it, also to memories that are no hits themselves. */
  #addNeighbours(runs: readonly (readonly number[])[]): void {
    const { found, slots, runAt, marks } = this.#columns
    const hits = this.#size
    for (let place = 0; place < hits; place += 1) {
      const run = runAt[place] ?? -1
      const line = runs[run]
      const score = found[place] ?? 0
      const slot = slots[place] ?? 0
      if (line === undefined) {
        this.#lendInOrder(slot, 1, LENT_AFTER, score)
        this.#lendInOrder(slot, -1, LENT_BEFORE, score)
        continue
      }
      this.#evidence.add(run, score / this.#scale)
      const at = placeOf(line, slot)
      if (at === 0) marks[place] = (marks[place] ?? 0) | FIRST
      for (let step = 1; step <= LENT_AFTER.length && at + step < line.length; step += 1) {
        const next = this.#lend(line[at + step] ?? 0, run, (LENT_AFTER[step - 1] ?? 0) * score)
        if (step === 1) this.#markAnswer(next, slot, score)
      }
      for (let step = 1; step <= LENT_BEFORE.length && at - step >= 0; step += 1) {
        const last = this.#lend(line[at - step] ?? 0, run, (LENT_BEFORE[step - 1] ?? 0) * score)
        if (at - step === 0) marks[last] = (marks[last] ?? 0) | FIRST
      }
    }
  }

  /**
   * To hits without a run that were written next, as far as they are seen; a memory of a run ends the row. What only stands
   * beside one, and shares no word, may be about anything.
   */
  #lendInOrder(slot: number, direction: 1 | -1, shares: readonly number[], score: number): void {
    const { columns, records, runLines } = this.#state
    let at = slot
    for (let step = 0; step < shares.length; step += 1) {
      do at += direction
      while (at >= 0 && at < records.length && this.#isSeen[columns.classOf(at)] !== 1)
      if (at < 0 || at >= records.length || runLines.runOf(at) >= 0) return
      if (this.#placeOf(at) < 0) continue
      const place = this.#lend(at, -1, LENT_WITHOUT_RUN * (shares[step] ?? 0) * score)
      if (step === 0 && direction === 1) this.#markAnswer(place, slot, score)
    }
  }

  #lend(slot: number, run: number, lent: number): number {
    const { neighbours, runAt } = this.#columns
    const place = this.#add(slot)
    runAt[place] = run
    neighbours[place] = (neighbours[place] ?? 0) + lent
    return place
  }

  /** What comes after a question that matches often answers it, in other words. */
  #markAnswer(place: number, slotBefore: number, scoreBefore: number): void {
    if (this.#state.columns.asks(slotBefore)) this.#columns.answered[place] = scoreBefore
  }

  #markDates(): void {
    const { slots, marks } = this.#columns
    if (this.#size === 0 || !asksWhen(this.#asked.queryText)) return
    const end = Math.min(this.#size, DATED_MAX)
    for (let place = 0; place < end; place += 1) {
      const text = this.#state.records[slots[place] ?? 0]?.content.text ?? ''
      if (tellsWhen(text)) marks[place] = (marks[place] ?? 0) | DATED
    }
  }

  /** Numbers the runs of the hits, to which what stands beside a hit belongs too. Answers their memories that are seen. */
  #numberRuns(): readonly (readonly number[])[] {
    const { runLines } = this.#state
    const { slots, runAt } = this.#columns
    const numbers = new PlaceTable(this.#size)
    const runs: (readonly number[])[] = []
    for (let place = 0; place < this.#size; place += 1) {
      const run = runLines.runOf(slots[place] ?? 0)
      runAt[place] = run < 0 ? -1 : numbers.of(run)
      if (run < 0 || runAt[place] !== -1) continue
      runAt[place] = runs.length
      numbers.set(run, runs.length)
      runs.push(runLines.seenIn(run, this.#isSeen))
    }
    return runs
  }

  #addTotals(): void {
    const { total } = this.#columns
    const weights = Float64Array.from(FEATURES, (feature) => this.#weights[feature])
    const read = this.#featuresAt
    for (let place = 0; place < this.#size; place += 1) {
      const features = read(place)
      let sum = 0
      for (let at = 0; at < weights.length; at += 1) sum += (weights[at] ?? 0) * (features[at] ?? 0)
      total[place] = sum
    }
  }

  /** Slots in order of first appearance, below `size`. */
  slotAt(place: number): number {
    return this.#columns.slots[place] ?? -1
  }

  /** In the order of FEATURES. The next call writes into the same array. */
  featuresAt(place: number): Float64Array {
    return this.#featuresAt(place)
  }

  #foundShare(place: number): number {
    return (this.#columns.found[place] ?? 0) / this.#scale
  }

  /** Marks what belongs to the asked task. Looks through the task or through the candidates, whichever are fewer. */
  #markTask(): void {
    const { taskSignature } = this.#asked
    const { bySignature, memories, records } = this.#state
    const { slots, marks } = this.#columns
    const ids = taskSignature === null ? undefined : bySignature.get(taskSignature)
    if (ids === undefined) return
    const look = (record: MemoryRecord | undefined, place: number): void => {
      if (place >= 0 && record?.taskSignature === taskSignature) marks[place] = (marks[place] ?? 0) | OF_TASK
    }
    if (ids.size > this.#size) {
      for (let place = 0; place < this.#size; place += 1) look(records[slots[place] ?? 0], place)
      return
    }
    for (const id of ids) {
      const record = memories.get(id)
      if (record !== undefined) look(record, this.#placeOf(record.slot))
    }
  }

  #candidateAt(place: number): ScoredCandidate {
    const columns = this.#columns
    const record = this.#state.records[columns.slots[place] ?? 0]
    assert(record !== undefined, 'a candidate has a record')
    const hitPlace = (columns.hits[place] ?? 0) - 1
    const flags = hitPlace < 0 ? 0 : (this.#found.hits.flags[hitPlace] ?? 0)
    const nearNumber = columns.nears[place] ?? 0
    const near = nearNumber === 0 ? null : (this.#found.near[nearNumber - 1] ?? null)
    return {
      record,
      hit:
        hitPlace < 0
          ? null
          : { isExact: (flags & HIT_EXACT) !== 0, isAboveFloor: (flags & HIT_ABOVE_FLOOR) !== 0 },
      near,
      ...this.#sharesAt(place, this.#textScore(hitPlace) / this.#scale),
      total: columns.total[place] ?? 0,
      isWeak: this.#grades.isWeak(place),
    }
  }

  /** What each signal adds to the score. `text`: the share of the best text score that its words alone have. */
  #sharesAt(
    place: number,
    text: number,
  ): Omit<ScoredCandidate, 'record' | 'hit' | 'near' | 'total' | 'isWeak'> {
    const weights = this.#weights
    const features = this.#featuresAt(place)
    const part = (at: number, weight: number): number => (features[at] ?? 0) * weight
    const logOfText = logOfShare(text)
    const logOfFound = logOfShare(this.#foundShare(place))
    return {
      text:
        weights.found * logOfText + weights.score * text + part(2, weights.coverage) + part(3, weights.exact),
      semantic: weights.found * (logOfFound - logOfText) + weights.score * (this.#foundShare(place) - text),
      neighbours: weights.found * ((features[0] ?? 0) - logOfFound),
      author: part(4, weights.speaker),
      question: part(5, weights.question),
      answer: part(6, weights.answered),
      date: part(7, weights.date),
      recency: part(9, weights.recency),
      run:
        part(8, weights.first) +
        part(10, weights.runBest) +
        part(11, weights.runMean) +
        part(12, weights.runLong),
      task: part(13, weights.task),
      help: part(14, weights.help),
    }
  }
}
