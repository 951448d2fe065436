import { assert } from '../assert.ts'
import type { ActorState } from '../memory/state.ts'
import type { CandidateColumns } from './candidate-columns.ts'

const DIGIT_BITS = 8
const DIGITS = 1 << DIGIT_BITS
const ORDINAL_BITS = 32

// Scratch of the thread, as the columns.
const counts = new Int32Array(DIGITS)
let ordinals = new Uint32Array(0)
let order = new Int32Array(0)
let spare = new Int32Array(0)

/** Numbers candidates by age. A radix sort: of some hundred it is many times faster than one that compares. */
export function numberByAge({ columns }: ActorState, { size, slots, age }: CandidateColumns): void {
  if (size > ordinals.length) {
    ordinals = new Uint32Array(slots.length)
    order = new Int32Array(slots.length)
    spare = new Int32Array(slots.length)
  }
  let most = 0
  for (let place = 0; place < size; place += 1) {
    const ordinal = columns.ordinalOf(slots[place] ?? 0)
    ordinals[place] = ordinal
    order[place] = place
    if (ordinal > most) most = ordinal
  }
  assert(most < 2 ** ORDINAL_BITS, 'an actor takes fewer writes than that')
  for (let shift = 0; shift < ORDINAL_BITS && most >>> shift > 0; shift += DIGIT_BITS)
    sortByDigit(size, shift)
  for (let at = 0; at < size; at += 1) age[order[at] ?? 0] = at + 1
}

/** Leaves those of the same digit in their order. */
function sortByDigit(size: number, shift: number): void {
  counts.fill(0)
  for (let place = 0; place < size; place += 1) {
    const digit = ((ordinals[place] ?? 0) >>> shift) & (DIGITS - 1)
    counts[digit] = (counts[digit] ?? 0) + 1
  }
  let before = 0
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const count = counts[digit] ?? 0
    counts[digit] = before
    before += count
  }
  for (let at = 0; at < size; at += 1) {
    const place = order[at] ?? 0
    const digit = ((ordinals[place] ?? 0) >>> shift) & (DIGITS - 1)
    const to = counts[digit] ?? 0
    counts[digit] = to + 1
    spare[to] = place
  }
  const sorted = spare
  spare = order
  order = sorted
}
