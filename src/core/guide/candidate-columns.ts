import { assert } from '../base/assert.ts'
import type { ActorState } from '../model/state.ts'
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
  /** Which of the runs that have hits, 0, 1, 2 …; -1: none. Not set before neighbours are added. */
  readonly runAt: Int32Array
  /** 1, 2, 3 …, the oldest candidate first. */
  readonly age: Int32Array
  readonly total: Float64Array
  /** Places as whoever puts them in order needs them. */
  readonly heap: Int32Array
}

// Scratch of the thread: a guide scores some thousand numbers and needs none of them once it is compiled. Memory that
// is used again and again stays in the cache of the processor.
let scratch = columnsFor(0)
let owner: object | null = null
const placesOfSlots = new SlotPlaces()

/** Empty columns for so many candidates. Whoever took them before must not read on; see `assertOwned`. */
export function takeColumns(by: object, { records }: ActorState, room: number): CandidateColumns {
  if (room > scratch.slots.length) scratch = columnsFor(room)
  owner = by
  scratch.size = 0
  placesOfSlots.begin(records.length, room)
  return scratch
}

/** Whoever reads candidates that were scored before others is our own mistake. */
export function assertOwned(by: object): void {
  assert(owner === by, 'candidates are read before the next ones are scored')
}

function columnsFor(room: number): CandidateColumns {
  return {
    size: 0,
    slots: new Int32Array(room),
    hits: new Int32Array(room),
    nears: new Int32Array(room),
    found: new Float64Array(room),
    neighbours: new Float64Array(room),
    run: new Float64Array(room),
    runAt: new Int32Array(room),
    age: new Int32Array(room),
    total: new Float64Array(room),
    heap: new Int32Array(room),
  }
}

/** The place of a memory, which is a candidate from now on. */
export function addCandidate(columns: CandidateColumns, slot: number): number {
  const known = placesOfSlots.of(slot)
  if (known >= 0) return known
  const place = columns.size
  columns.size = place + 1
  columns.slots[place] = slot
  columns.hits[place] = 0
  columns.nears[place] = 0
  columns.found[place] = 0
  columns.neighbours[place] = 0
  columns.run[place] = 0
  placesOfSlots.set(slot, place)
  return place
}

/** The place of a memory, -1 when it is no candidate. */
export function placeOfSlot(slot: number): number {
  return placesOfSlots.of(slot)
}
