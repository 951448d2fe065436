import { assert } from '../base/assert.ts'
import type { MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import { assertOwned, type CandidateColumns, placeOfSlot } from './candidate-columns.ts'
import type { NearHit, RecallSource } from './entry.ts'
import type { TextHit } from './text-hits.ts'

/** A candidate with what raised it, in units of the text score. To be read before others are scored. */
export interface ScoredCandidate {
  readonly record: MemoryRecord
  /** Null: it has no word of the query; what stands beside it brought it here. */
  readonly hit: TextHit | null
  readonly text: number
  /** Null: not found by embedding. */
  readonly near: NearHit | null
  readonly semantic: number
  readonly neighbours: number
  readonly run: number
  readonly author: number
  readonly task: number
  readonly help: number
  readonly recency: number
  readonly total: number
}

/**
 * Candidates, best first; at the same score the newer one. They are put in order as they are asked for, and only then
 * become objects: of hundreds a guide reads a few dozen. That must be before others are scored, which takes the columns,
 * and one reading after the other, since they share the heap.
 */
export class ScoredCandidates implements Iterable<ScoredCandidate> {
  readonly #owner: object
  readonly #state: ActorState
  readonly size: number
  readonly #columns: CandidateColumns
  readonly #scored: (record: MemoryRecord, place: number) => ScoredCandidate
  #reading = 0

  constructor(
    owner: object,
    state: ActorState,
    columns: CandidateColumns,
    scored: (record: MemoryRecord, place: number) => ScoredCandidate,
  ) {
    this.#owner = owner
    this.#state = state
    this.size = columns.size
    this.#columns = columns
    this.#scored = scored
  }

  has({ slot }: MemoryRecord): boolean {
    return this.#placeOf(slot) >= 0
  }

  of({ slot }: MemoryRecord): ScoredCandidate | undefined {
    const place = this.#placeOf(slot)
    return place < 0 ? undefined : this.#at(place)
  }

  *[Symbol.iterator](): Generator<ScoredCandidate> {
    const { size } = this
    const { heap } = this.#columns
    const reading = (this.#reading += 1)
    for (let place = 0; place < size; place += 1) heap[place] = place
    for (let at = (size >> 1) - 1; at >= 0; at -= 1) sink(this.#columns, heap, at, size, at)
    for (let left = size; left > 0; left -= 1) {
      assertOwned(this.#owner)
      assert(reading === this.#reading, 'candidates are put in order for one reader at a time')
      yield this.#at(heap[0] ?? 0)
      sink(this.#columns, heap, 0, left - 1, heap[left - 1] ?? 0)
    }
  }

  #placeOf(slot: number): number {
    assertOwned(this.#owner)
    const place = placeOfSlot(slot)
    return place < this.size ? place : -1
  }

  #at(place: number): ScoredCandidate {
    const slot = this.#columns.slots[place] ?? 0
    const record = this.#state.records[slot]
    assert(record !== undefined, 'a candidate has a record')
    return this.#scored(record, place)
  }
}

/** Puts a place into the heap of `size` from `from` on, where better ones rise. */
function sink(columns: CandidateColumns, heap: Int32Array, from: number, size: number, place: number): void {
  let at = from
  for (;;) {
    let child = at * 2 + 1
    if (child >= size) break
    if (child + 1 < size && isBetter(columns, heap[child + 1] ?? 0, heap[child] ?? 0)) child += 1
    const better = heap[child] ?? 0
    if (isBetter(columns, place, better)) break
    heap[at] = better
    at = child
  }
  heap[at] = place
}

function isBetter({ total, age }: CandidateColumns, a: number, b: number): boolean {
  const ofA = total[a] ?? 0
  const ofB = total[b] ?? 0
  return ofA > ofB || (ofA === ofB && (age[a] ?? 0) > (age[b] ?? 0))
}

/** Every signal of a candidate with its part of the score, the text first. */
export function sourcesOf(candidate: ScoredCandidate): RecallSource[] {
  const { hit, near } = candidate
  const sources: RecallSource[] = []
  if (hit !== null) {
    const reason = hit.isExact ? 'exact_identifier' : hit.isAboveFloor ? 'text_match' : 'weak_text_match'
    sources.push({ kind: hit.isExact ? 'exact_recovery' : 'lexical', score: rounded(candidate.text), reason })
  }
  const nearness = near?.isAboveFloor === true ? 'semantic_match' : 'weak_semantic_match'
  addSource(sources, 'semantic', candidate.semantic, nearness)
  addSource(sources, 'graph', candidate.neighbours, 'neighbour_of_match')
  addSource(sources, 'execution_native', candidate.run, 'run_of_matches')
  addSource(sources, 'structured', candidate.author, 'author_named')
  addSource(sources, 'structured', candidate.task, 'asked_task')
  addSource(sources, 'structured', candidate.help, 'helped_before')
  addSource(sources, 'recent', candidate.recency, 'recency')
  return sources
}

function addSource(sources: RecallSource[], kind: string, score: number, reason: string): void {
  if (score > 0) sources.push({ kind, score: rounded(score), reason })
}

/** Three decimals are enough to see what counted. */
function rounded(score: number): number {
  return Math.round(score * 1000) / 1000
}
