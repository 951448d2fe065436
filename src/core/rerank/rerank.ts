import { assert } from '../base/assert.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { classesSeenBy, isVisibleTo } from '../model/visibility.ts'
import { readPartOf } from '../search/query.ts'
import {
  bestFirst,
  type CandidateColumns,
  columnsFor,
  FIRST,
  markPairs,
  markTold,
  numberByAge,
  OF_TASK,
  PlaceTable,
} from './candidate-columns.ts'
import { CandidateFeatures, NamedSpeakers, RunEvidence } from './candidate-features.ts'
import {
  LENT_AFTER,
  LENT_BEFORE,
  LENT_WITHOUT_RUN,
  NEAR_DEVIATIONS,
  NEAR_SHARE,
  type Weights,
} from './features.ts'
import { MatchGrades } from './match-grades.ts'
import {
  candidateOf,
  type Found,
  HIT_ABOVE_FLOOR,
  HIT_EXACT,
  type NearHit,
  type ScoredCandidate,
} from './signals.ts'

// What stands beside a hit counts too: the memories before and after it, others of its run that match, who wrote it, the
// task it belongs to, and whether it helped before. A score is a weighted sum, so each signal can be told with its share.
//
// Hits and their neighbours are many, and their records lie scattered over the heap. So they are scored as columns of
// numbers, read from columns of the actor, and only those that are asked for become objects.

/** Numbers, and what is counted in them as far as it is written together. */
const NUMBERS = /\p{N}+/gu

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
  /** What is read of the question. */
  readonly #queryText: string
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
  readonly #features: CandidateFeatures
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
    this.#queryText = readPartOf(asked.queryText)
    this.#speakers = new NamedSpeakers(state.columns, this.#queryText, this.#columns.slots, this.#size)
    this.#evidence = new RunEvidence(this.#numberRuns())
    markTold(state, this.#queryText, this.#columns, this.#size)
    markPairs(state, this.#queryText, this.#columns, this.#size)
    this.#addNeighbours()
    numberByAge(state, this.#columns, this.#size)
    this.#markTask()
    this.#features = new CandidateFeatures({
      memory: state.columns,
      candidates: this.#columns,
      hits: found.hits,
      evidence: this.#evidence,
      speakers: this.#speakers,
      scale: this.#scale,
      size: this.#size,
    })
    this.#grades = new MatchGrades(
      found,
      this.#columns,
      this.#speakers,
      this.#size,
      (places) => this.#sum(places),
      (place) => (state.records[this.#columns.slots[place] ?? 0]?.content.text ?? '').replace(NUMBERS, '0'),
    )
  }

  get size(): number {
    return this.#size
  }

  has({ slot }: MemoryRecord): boolean {
    return this.#placeOf(slot) >= 0
  }

  of({ slot }: MemoryRecord): ScoredCandidate | undefined {
    const place = this.#placeOf(slot)
    if (place < 0) return undefined
    this.#sum(Int32Array.of(place))
    return this.#candidateAt(place)
  }

  /** How many are strong and in no slot of `besides`, counted so far. */
  strongUpTo(most: number, besides: ReadonlySet<number>): number {
    return this.#grades.strongUpTo(most, besides)
  }

  /** The slots of the strong ones, in no order. */
  strongSlots(): Int32Array {
    return this.#grades.strongSlots()
  }

  [Symbol.iterator](): Generator<ScoredCandidate> {
    const places = new Int32Array(this.#size)
    for (let place = 0; place < places.length; place += 1) places[place] = place
    return this.#inOrder(places)
  }

  /**
   * The same in two parts, each best first: what keeps its place, and the weak ones behind. A weak one in a slot of
   * `keeping` keeps its place. What a guide does not read is not even summed up.
   */
  parted(keeping: ReadonlySet<number>): Record<'placed' | 'behind', Iterable<ScoredCandidate>> {
    const { slots } = this.#columns
    const places = new Int32Array(this.#size)
    let placed = 0
    let behind = this.#size
    for (let place = 0; place < this.#size; place += 1) {
      const isPlaced = !this.#grades.isWeak(place) || (keeping.size > 0 && keeping.has(slots[place] ?? 0))
      if (isPlaced) {
        places[placed] = place
        placed += 1
      } else {
        behind -= 1
        places[behind] = place
      }
    }
    return {
      placed: this.#inOrder(places.subarray(0, placed)),
      behind: this.#inOrder(places.subarray(placed)),
    }
  }

  /** Puts them in order as they are asked for: of hundreds a guide reads a few dozen. */
  *#inOrder(places: Int32Array): Generator<ScoredCandidate> {
    const { total, age } = this.#columns
    this.#sum(places)
    const isBetter = (a: number, b: number): boolean => {
      const ofA = total[a] ?? 0
      const ofB = total[b] ?? 0
      return ofA > ofB || (ofA === ofB && (age[a] ?? 0) > (age[b] ?? 0))
    }
    for (const place of bestFirst(places, isBetter)) yield this.#candidateAt(place)
  }

  /** Makes the totals of places known. */
  #sum(places: Int32Array): void {
    this.#features.sumInto(this.#columns.total, this.#weights, places)
  }

  #placeOf(slot: number): number {
    const place = this.#places.of(slot)
    return place < this.#size ? place : -1
  }

  /** The place of a memory, which is a candidate from now on. */
  #add(slot: number): number {
    const place = this.#places.add(slot, this.#size)
    if (place === this.#size) {
      this.#columns.slots[place] = slot
      this.#size = place + 1
    }
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
  #addNeighbours(): void {
    const { found, runAt } = this.#columns
    const hits = this.#size
    for (let place = 0; place < hits; place += 1) {
      const run = runAt[place] ?? -1
      if (run < 0) {
        this.#lendInOrder(place, 1, LENT_AFTER)
        this.#lendInOrder(place, -1, LENT_BEFORE)
        continue
      }
      this.#evidence.add(run, (found[place] ?? 0) / this.#scale, this.#maskOf(place))
      this.#lendInRun(place)
    }
  }

  #maskOf(place: number): number {
    const hit = (this.#columns.hits[place] ?? 0) - 1
    return hit < 0 ? 0 : (this.#found.hits.masks[hit] ?? 0)
  }

  #lendInRun(place: number): void {
    const slot = this.slotAt(place)
    let after = this.#seenBeside(slot, 1)
    for (let step = 0; step < LENT_AFTER.length && after >= 0; step += 1) {
      const next = this.#lend(place, after, LENT_AFTER[step] ?? 0)
      if (step === 0) this.#markAnswer(next, place)
      after = this.#seenBeside(after, 1)
    }
    let first = place
    let before = this.#seenBeside(slot, -1)
    for (let step = 0; step < LENT_BEFORE.length && before >= 0; step += 1) {
      first = this.#lend(place, before, LENT_BEFORE[step] ?? 0)
      before = this.#seenBeside(before, -1)
    }
    const { marks } = this.#columns
    if (before < 0) marks[first] = (marks[first] ?? 0) | FIRST
  }

  /** The memory of its run that is next to it, 1 behind and -1 before it, of those that are seen; -1: there is none. */
  #seenBeside(slot: number, direction: 1 | -1): number {
    const { columns, runLines } = this.#state
    let at = slot
    do at = direction === 1 ? runLines.after(at) : runLines.before(at)
    while (at >= 0 && this.#isSeen[columns.classOf(at)] !== 1)
    return at
  }

  /**
   * To hits without a run that were written next, as far as they are seen; a memory of a run ends the row. What only stands
   * beside one, and shares no word, may be about anything.
   */
  #lendInOrder(lender: number, direction: 1 | -1, shares: readonly number[]): void {
    const { columns, records, runLines } = this.#state
    let at = this.slotAt(lender)
    for (let step = 0; step < shares.length; step += 1) {
      do at += direction
      while (at >= 0 && at < records.length && this.#isSeen[columns.classOf(at)] !== 1)
      if (at < 0 || at >= records.length || runLines.runOf(at) >= 0) return
      if (this.#placeOf(at) < 0) continue
      const place = this.#lend(lender, at, LENT_WITHOUT_RUN * (shares[step] ?? 0))
      if (step === 0 && direction === 1) this.#markAnswer(place, lender)
    }
  }

  /** What the hit in the place `lender` lends to a memory beside it. Answers the place of that. */
  #lend(lender: number, slot: number, share: number): number {
    const { found, neighbours, runAt, beside } = this.#columns
    const place = this.#add(slot)
    runAt[place] = runAt[lender] ?? -1
    neighbours[place] = (neighbours[place] ?? 0) + share * (found[lender] ?? 0)
    beside[place] = (beside[place] ?? 0) | this.#maskOf(lender)
    return place
  }

  /** What comes after a question that matches often answers it, in other words. */
  #markAnswer(place: number, before: number): void {
    const { answered, found } = this.#columns
    if (this.#state.columns.awaitsAnswer(this.slotAt(before))) answered[place] = found[before] ?? 0
  }

  /** Numbers the runs of the hits, to which what stands beside a hit belongs too. Answers how many memories of each are seen. */
  #numberRuns(): readonly number[] {
    const { runLines } = this.#state
    const { slots, runAt } = this.#columns
    const numbers = new PlaceTable(this.#size)
    const lengths: number[] = []
    for (let place = 0; place < this.#size; place += 1) {
      const run = runLines.runOf(slots[place] ?? 0)
      const at = run < 0 ? -1 : numbers.add(run, lengths.length)
      runAt[place] = at
      if (at === lengths.length) lengths.push(runLines.countSeen(run, this.#isSeen))
    }
    return lengths
  }

  /** Slots in order of first appearance, below `size`. */
  slotAt(place: number): number {
    return this.#columns.slots[place] ?? -1
  }

  /** In the order of FEATURES. The next call writes into the same array. */
  featuresAt(place: number): Float64Array {
    return this.#features.at(place)
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

  /** Its total is known. */
  #candidateAt(place: number): ScoredCandidate {
    const columns = this.#columns
    const record = this.#state.records[columns.slots[place] ?? 0]
    assert(record !== undefined, 'a candidate has a record')
    const hitPlace = (columns.hits[place] ?? 0) - 1
    const flags = hitPlace < 0 ? 0 : (this.#found.hits.flags[hitPlace] ?? 0)
    const nearNumber = columns.nears[place] ?? 0
    const near = nearNumber === 0 ? null : (this.#found.near[nearNumber - 1] ?? null)
    const isHit = hitPlace >= 0
    return candidateOf(
      {
        record,
        hit: isHit
          ? { isExact: (flags & HIT_EXACT) !== 0, isAboveFloor: (flags & HIT_ABOVE_FLOOR) !== 0 }
          : null,
        near,
        total: columns.total[place] ?? 0,
        isWeak: this.#grades.isWeak(place),
      },
      this.#features.at(place),
      this.#weights,
      this.#textScore(hitPlace) / this.#scale,
      (columns.found[place] ?? 0) / this.#scale,
    )
  }
}
