import type { ActorState } from '../memory/state.ts'
import type { NearHit, TextHit } from './entry.ts'
import { SlotPlaces } from './slot-places.ts'

/** Hits and what stands beside them, by place: in order of first appearance. Scores are in units of the text score. */
export interface CandidateColumns {
  size: number
  readonly slots: Int32Array
  /** Places among the hits by text and by embedding, each plus one; 0: found otherwise. */
  readonly hits: Int32Array
  readonly nears: Int32Array
  /** By text and embedding together, before anything beside it counts. */
  readonly found: Float64Array
  readonly neighbours: Float64Array
  readonly run: Float64Array
  /** 1, 2, 3 …, the oldest candidate first. */
  readonly age: Int32Array
  readonly total: Float64Array
}

// Scratch of the thread: scoring never yields, so one is enough.
const placesOfSlots = new SlotPlaces()

/** Columns with room for hits, each with so many neighbours. Making new ones ends the use of `addCandidate` on others. */
export function candidateColumns(
  state: ActorState,
  hits: readonly TextHit[],
  near: readonly NearHit[],
  neighbours: number,
): CandidateColumns {
  const room = (hits.length + near.length) * (1 + neighbours)
  placesOfSlots.begin(state.memoryIds.length, room)
  return {
    size: 0,
    slots: new Int32Array(room),
    hits: new Int32Array(room),
    nears: new Int32Array(room),
    found: new Float64Array(room),
    neighbours: new Float64Array(room),
    run: new Float64Array(room),
    age: new Int32Array(room),
    total: new Float64Array(room),
  }
}

/** The place of a memory, which is a candidate from now on. */
export function addCandidate(columns: CandidateColumns, slot: number): number {
  const known = placesOfSlots.of(slot)
  if (known >= 0) return known
  const place = columns.size
  columns.size = place + 1
  columns.slots[place] = slot
  placesOfSlots.set(slot, place)
  return place
}

/** The place of a memory, -1 when it is no candidate. */
export function placeOfSlot(slot: number): number {
  return placesOfSlots.of(slot)
}

const DIGIT_BITS = 8
const DIGITS = 1 << DIGIT_BITS
const counts = new Int32Array(DIGITS + 1)

/** Numbers candidates by age. A radix sort: of some hundred it is many times faster than one that compares. */
export function numberByAge({ columns }: ActorState, candidates: CandidateColumns): void {
  const { size, slots, age } = candidates
  const ordinals = new Float64Array(size)
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let place = 0; place < size; place += 1) {
    const ordinal = columns.ordinalOf(slots[place] ?? 0)
    ordinals[place] = ordinal
    if (ordinal < least) least = ordinal
    if (ordinal > most) most = ordinal
  }
  let order = new Int32Array(size)
  for (let place = 0; place < size; place += 1) order[place] = place
  let spare = new Int32Array(size)
  for (let unit = 1; unit <= most - least; unit *= DIGITS) {
    counts.fill(0)
    const digitOf = (place: number): number => (((ordinals[place] ?? 0) - least) / unit) & (DIGITS - 1)
    for (let place = 0; place < size; place += 1) add(counts, digitOf(place) + 1, 1)
    for (let digit = 1; digit < DIGITS; digit += 1) add(counts, digit, counts[digit - 1] ?? 0)
    for (let at = 0; at < size; at += 1) {
      const place = order[at] ?? 0
      const digit = digitOf(place)
      spare[counts[digit] ?? 0] = place
      add(counts, digit, 1)
    }
    const sorted = spare
    spare = order
    order = sorted
  }
  for (let at = 0; at < size; at += 1) age[order[at] ?? 0] = at + 1
}

function add(to: Int32Array, at: number, number: number): void {
  to[at] = (to[at] ?? 0) + number
}
