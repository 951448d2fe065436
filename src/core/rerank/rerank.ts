import { assert } from '../base/assert.ts'
import type { Consumer, MemoryRecord } from '../model/record.ts'
import { placeOf } from '../model/run-lines.ts'
import { type ActorState, liveRecord } from '../model/state.ts'
import { isVisibleTo } from '../model/visibility.ts'
import { GRADES } from '../search/grade.ts'
import { namesAsked } from '../search/names.ts'
import { bestFirst } from './best-first.ts'
import { type CandidateColumns, columnsFor } from './candidate-columns.ts'
import { PlaceTable } from './place-table.ts'
import {
  HIT_ABOVE_FLOOR,
  HIT_EXACT,
  type NearHit,
  type ScoredCandidate,
  type TextHits,
  type Weights,
} from './signals.ts'

// What stands beside a hit counts too: the memory before it in its run, others of the run that match, who wrote it,
// the task it belongs to, and whether it helped before. All parts are added up in units of the text score, so each
// signal can be told with its share. How the weights were found: docs/recall.md, Second stage.
//
// Hits and their neighbours are many, and their records lie scattered over the heap. So they are scored as columns of
// numbers, read from columns of the actor, and only those that are asked for become objects.

/** So many of the best memories of a run say whether the run is what is asked about; `keepBest` has a place for each. */
const RUN_BEST = 3
/** Terms, its author's name among them, with which a memory of a named author is a strong match. */
const AUTHOR_TERMS_MIN = 2
/** The nearest memories count (1 + this) / (1 + this + place): their order, since cosines and text scores are unlike. */
const NEAR_DAMPING = 10

/** What a guide asks, as far as the ranking goes by it. */
export interface Asked {
  readonly queryText: string
  readonly consumer: Consumer
  readonly taskSignature: string | null
}

/** What recall found. */
export interface Found {
  readonly hits: TextHits
  /** By embedding. */
  readonly near: readonly NearHit[]
}

/**
 * The hits by text and by embedding and their neighbours, best first; at the same score the newer one. Only visible memories
 * take part, so an invisible one changes nothing.
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
  /** Names of authors that the query names. */
  readonly #named: ReadonlySet<string>
  /** Whether a number of authors stands for one of the names, as far as it was asked. */
  readonly #isNamed = new Map<number, boolean>()
  /** The score that the nearest memory by embedding is measured in. */
  readonly #nearScale: number
  /** What is found with less is weak beside the best. */
  readonly #leastBeside: number
  #size = 0

  constructor(state: ActorState, asked: Asked, found: Found, weights: Weights) {
    this.#state = state
    this.#asked = asked
    this.#found = found
    this.#weights = weights
    this.#isSeen = classesSeenBy(state, asked.consumer)
    const beside = weights.after.length + weights.before.length
    const room = (found.hits.slots.length + found.near.length) * (1 + beside)
    this.#places = new PlaceTable(room)
    this.#columns = columnsFor(room)
    this.#addHits()
    this.#nearScale = this.#addNear()
    this.#named = weights.author === 0 ? new Set() : this.#namedAuthors()
    this.#leastBeside = this.#strongest() * GRADES.besideBest
    const runs = this.#numberRuns()
    this.#addNeighbours(runs)
    this.#addRuns(runs.length)
    this.#numberByAge()
    this.#markTask()
    this.#addTotals()
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

  #addHits(): void {
    const { columns } = this.#state
    const { slots } = this.#found.hits
    for (let at = 0; at < slots.length; at += 1) {
      const slot = slots[at] ?? -1
      // A class of -1, of an erased memory or of no slot, is nobody's.
      if (this.#isSeen[columns.classOf(slot)] !== 1) continue
      const place = this.#add(slot)
      this.#columns.hits[place] = at + 1
      this.#columns.found[place] = this.#textScore(at)
    }
  }

  /** Fuses both rankings by reciprocal rank, on the scale of the text scores, which is answered. */
  #addNear(): number {
    const { near } = this.#found
    const { found, hits, nears } = this.#columns
    if (near.length === 0) return 1
    let best = 0
    for (let place = 0; place < this.#size; place += 1) best = Math.max(best, found[place] ?? 0)
    const scale = best === 0 ? 1 : best
    for (const [at, hit] of near.entries()) {
      const record = liveRecord(this.#state, hit.memoryId)
      if (record === undefined || !isVisibleTo(record.audience, this.#asked.consumer)) continue
      const place = this.#add(record.slot)
      nears[place] = at + 1
      found[place] = this.#textScore((hits[place] ?? 0) - 1) + this.#nearScore(hit, scale)
    }
    return scale
  }

  /** 0 for a place of -1: there is no hit. */
  #textScore(at: number): number {
    const { scores, coverage } = this.#found.hits
    return at < 0 ? 0 : (scores[at] ?? 0) * (1 + this.#weights.coverage * (coverage[at] ?? 0))
  }

  #nearScore(hit: NearHit, scale: number): number {
    return this.#weights.semantic * ((1 + NEAR_DAMPING) / (1 + NEAR_DAMPING + hit.place)) * scale
  }

  /** Whom the query names; nobody when all hits are by the same author, which then tells nothing. */
  #namedAuthors(): ReadonlySet<string> {
    const { columns } = this.#state
    const numbers = new Set<number>()
    let last = -1
    for (let place = 0; place < this.#size; place += 1) {
      const authors = columns.authorsOf(this.#columns.slots[place] ?? 0)
      if (authors !== last) numbers.add(authors)
      last = authors
    }
    const names = new Set<string>()
    for (const number of numbers) for (const name of columns.authorNames(number)) names.add(name)
    return names.size < 2 ? new Set() : namesAsked(this.#asked.queryText, names)
  }

  #isByNamed(slot: number): boolean {
    if (this.#named.size === 0) return false
    const { columns } = this.#state
    const authors = columns.authorsOf(slot)
    let isNamed = this.#isNamed.get(authors)
    if (isNamed === undefined) {
      isNamed = columns.authorNames(authors).some((name) => this.#named.has(name))
      this.#isNamed.set(authors, isNamed)
    }
    return isNamed
  }

  /** The best score of a strong match; infinite: there is none, so everything is weak. */
  #strongest(): number {
    const { found } = this.#columns
    let best = 0
    for (let place = 0; place < this.#size; place += 1) {
      const score = found[place] ?? 0
      if (score > best && this.#isStrongAt(place)) best = score
    }
    return best === 0 ? Number.POSITIVE_INFINITY : best
  }

  #isWeakAt(place: number): boolean {
    const { found, neighbours } = this.#columns
    if ((neighbours[place] ?? 0) >= this.#leastBeside) return false
    return (found[place] ?? 0) < this.#leastBeside || !this.#isStrongAt(place)
  }

  #isStrongAt(place: number): boolean {
    const { hits, near } = this.#found
    const number = this.#columns.nears[place] ?? 0
    if (number > 0 && near[number - 1]?.isAboveFloor === true) return true
    const at = (this.#columns.hits[place] ?? 0) - 1
    if (at < 0) return false
    if (((hits.flags[at] ?? 0) & HIT_ABOVE_FLOOR) !== 0) return true
    const isSeconded = (hits.matchedTerms[at] ?? 0) >= AUTHOR_TERMS_MIN
    return isSeconded && this.#isByNamed(this.#columns.slots[place] ?? 0)
  }

  /** Each hit lends to what stands beside it in its run, also to memories that are no hits themselves. */
  #addNeighbours(runs: readonly (readonly number[])[]): void {
    const { after, before } = this.#weights
    const { found, slots, runAt } = this.#columns
    const hits = this.#size
    for (let place = 0; place < hits; place += 1) {
      const run = runAt[place] ?? -1
      const line = runs[run]
      if (run < 0 || line === undefined) continue
      const score = found[place] ?? 0
      const at = placeOf(line, slots[place] ?? 0)
      const next = Math.min(after.length, line.length - 1 - at)
      for (let step = 0; step < next; step += 1)
        this.#lend(line[at + 1 + step] ?? 0, run, (after[step] ?? 0) * score)
      const last = Math.min(before.length, at)
      for (let step = 0; step < last; step += 1)
        this.#lend(line[at - 1 - step] ?? 0, run, (before[step] ?? 0) * score)
    }
  }

  #lend(slot: number, run: number, lent: number): void {
    const { neighbours, runAt } = this.#columns
    const place = this.#add(slot)
    runAt[place] = run
    neighbours[place] = (neighbours[place] ?? 0) + lent
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

  /** A run with several matches raises all of its memories by the mean of its best three. */
  #addRuns(runs: number): void {
    const size = this.#size
    const { found, neighbours, run, runAt } = this.#columns
    const members = new Int32Array(runs)
    const best = new Float64Array(runs * RUN_BEST)
    for (let place = 0; place < size; place += 1) {
      const at = runAt[place] ?? -1
      if (at < 0) continue
      members[at] = (members[at] ?? 0) + 1
      keepBest(best, at * RUN_BEST, (found[place] ?? 0) + (neighbours[place] ?? 0))
    }
    for (let place = 0; place < size; place += 1) {
      const at = runAt[place] ?? -1
      // A run of one match says nothing beyond that match.
      if (at < 0 || (members[at] ?? 0) < 2) continue
      const first = at * RUN_BEST
      const mean = ((best[first] ?? 0) + (best[first + 1] ?? 0) + (best[first + 2] ?? 0)) / RUN_BEST
      run[place] = this.#weights.run * mean
    }
  }

  /** No two memories have the same ordinal. The low bits of a key are the place; short numbers sort fastest, where they do. */
  #numberByAge(): void {
    const size = this.#size
    const { slots, age } = this.#columns
    const { columns, nextOrdinal } = this.#state
    const span = 2 ** (32 - Math.clz32(size))
    const keys = nextOrdinal * span <= 2 ** 32 ? new Uint32Array(size) : new Float64Array(size)
    for (let place = 0; place < size; place += 1)
      keys[place] = columns.ordinalOf(slots[place] ?? 0) * span + place
    keys.sort()
    for (let rank = 0; rank < size; rank += 1) age[(keys[rank] ?? 0) & (span - 1)] = rank + 1
  }

  #addTotals(): void {
    const { total } = this.#columns
    for (let place = 0; place < this.#size; place += 1) {
      const score = this.#scoreAt(place)
      const author = this.#authorShare(place) * score
      const task = this.#taskShare(place) * score
      total[place] =
        score + author + task + this.#helpShare(place) * score + this.#recencyShare(place) * score
    }
  }

  /** Before it is raised for its author, task, help and age. */
  #scoreAt(place: number): number {
    const { found, neighbours, run } = this.#columns
    return (found[place] ?? 0) + (neighbours[place] ?? 0) + (run[place] ?? 0)
  }

  #authorShare(place: number): number {
    return this.#isByNamed(this.#columns.slots[place] ?? 0) ? this.#weights.author : 0
  }

  #taskShare(place: number): number {
    return this.#columns.ofTask[place] === 1 ? this.#weights.task : 0
  }

  #helpShare(place: number): number {
    const balance = this.#state.columns.helpOf(this.#columns.slots[place] ?? 0)
    return balance > 0 ? this.#weights.help * (balance / (balance + 1)) : 0
  }

  #recencyShare(place: number): number {
    return this.#weights.recency * ((this.#columns.age[place] ?? 0) / this.#size)
  }

  /** Marks what belongs to the asked task. Looks through the task or through the candidates, whichever are fewer. */
  #markTask(): void {
    const { taskSignature } = this.#asked
    const { bySignature, memories, records } = this.#state
    const { slots, ofTask } = this.#columns
    const ids = taskSignature === null ? undefined : bySignature.get(taskSignature)
    if (ids === undefined) return
    const look = (record: MemoryRecord | undefined, place: number): void => {
      if (place >= 0 && record?.taskSignature === taskSignature) ofTask[place] = 1
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
    const score = this.#scoreAt(place)
    return {
      record,
      hit:
        hitPlace < 0
          ? null
          : { isExact: (flags & HIT_EXACT) !== 0, isAboveFloor: (flags & HIT_ABOVE_FLOOR) !== 0 },
      text: this.#textScore(hitPlace),
      near,
      semantic: near === null ? 0 : this.#nearScore(near, this.#nearScale),
      neighbours: columns.neighbours[place] ?? 0,
      run: columns.run[place] ?? 0,
      author: this.#authorShare(place) * score,
      task: this.#taskShare(place) * score,
      help: this.#helpShare(place) * score,
      recency: this.#recencyShare(place) * score,
      total: columns.total[place] ?? 0,
      isWeak: this.#isWeakAt(place),
    }
  }
}

function classesSeenBy({ audiences }: ActorState, consumer: Consumer): Uint8Array {
  const isSeen = new Uint8Array(audiences.size)
  for (const { audience, number } of audiences.values())
    isSeen[number] = isVisibleTo(audience, consumer) ? 1 : 0
  return isSeen
}

/** The best few of a run from `first` on, in falling order. */
function keepBest(best: Float64Array, first: number, score: number): void {
  if (score <= (best[first + RUN_BEST - 1] ?? 0)) return
  let at = first + RUN_BEST - 1
  for (; at > first && (best[at - 1] ?? 0) < score; at -= 1) best[at] = best[at - 1] ?? 0
  best[at] = score
}
