import type { ActorState } from '../model/state.ts'
import { FIRST_WORDS_MAX } from '../text/first-words.ts'
import { asksFor, TOLD_KINDS, type ToldKind } from '../text/told.ts'
import { WordPairs } from './word-order.ts'

/** Hits and what stands beside them, by place: in order of first appearance. Scores are in units of the text score. */
export interface CandidateColumns {
  readonly slots: Int32Array
  /** Places among the hits by text and by embedding, each plus one; 0: found otherwise. */
  readonly hits: Int32Array
  readonly nears: Int32Array
  /** By text and embedding together, before anything beside it counts. */
  readonly found: Float64Array
  /** Lent by what stands beside it. */
  readonly neighbours: Float64Array
  /** The score of the question that stands before it; 0: none does. */
  readonly answered: Float64Array
  /** Which of the runs that have hits, 0, 1, 2 …; -1: none. */
  readonly runAt: Int32Array
  /** 1, 2, 3 …, the oldest candidate first. */
  readonly age: Int32Array
  /** OF_TASK, FIRST, STRONG, by TOLD_MARKS what it tells, and from PAIRS_SHIFT on how many pairs of words it has. */
  readonly marks: Int32Array
  /** The terms of the query, a bit each, that what stands beside it holds. */
  readonly beside: Int32Array
  readonly total: Float64Array
}

/** It belongs to the asked task. */
export const OF_TASK = 1
/** It is the first of its run. */
export const FIRST = 2
/** It tells what the query asks for. */
export const TOLD_MARKS: Readonly<Record<ToldKind, number>> = { time: 4, number: 8, name: 16 }
/** It is not weak, see `MatchGrades`. */
export const STRONG = 32
/** How many pairs of words of the query it has in their order. */
export const PAIRS_SHIFT = 6

const SCORE_COLUMNS = 4
const NUMBER_COLUMNS = 7

/** One piece of memory for all columns: one for each would cost a guide more than what is done with them. */
export function columnsFor(room: number): CandidateColumns {
  const numbersFrom = SCORE_COLUMNS * room * Float64Array.BYTES_PER_ELEMENT
  const bytes = new ArrayBuffer(numbersFrom + NUMBER_COLUMNS * room * Int32Array.BYTES_PER_ELEMENT)
  const scoreColumn = (at: number): Float64Array =>
    new Float64Array(bytes, at * room * Float64Array.BYTES_PER_ELEMENT, room)
  const numberColumn = (at: number): Int32Array =>
    new Int32Array(bytes, numbersFrom + at * room * Int32Array.BYTES_PER_ELEMENT, room)
  return {
    slots: numberColumn(0),
    hits: numberColumn(1),
    nears: numberColumn(2),
    found: scoreColumn(0),
    neighbours: scoreColumn(1),
    answered: scoreColumn(2),
    runAt: numberColumn(3),
    age: numberColumn(4),
    marks: numberColumn(5),
    beside: numberColumn(6),
    total: scoreColumn(3),
  }
}

/** Beyond so many words of 32 ordinals for each candidate it takes longer to count bits than to sort. */
const WORDS_OF_CANDIDATE_MAX = 16

/** Numbers the first `size` candidates by age, the oldest with 1. No two memories have the same ordinal. */
export function numberByAge(state: ActorState, columns: CandidateColumns, size: number): void {
  const words = (state.nextOrdinal >>> 5) + 1
  if (words <= size * WORDS_OF_CANDIDATE_MAX) countAges(state, columns, size, words)
  else sortByAge(state, columns, size)
}

/** By how many bits of ordinals stand before that of each. */
function countAges(
  { columns }: ActorState,
  { slots, age }: CandidateColumns,
  size: number,
  words: number,
): void {
  const bits = new Int32Array(words)
  for (let place = 0; place < size; place += 1) {
    const ordinal = columns.ordinalOf(slots[place] ?? 0)
    const word = ordinal >>> 5
    age[place] = ordinal
    bits[word] = (bits[word] ?? 0) | (1 << (ordinal & 31))
  }
  const firsts = new Int32Array(words)
  let next = 1
  for (let word = 0; word < words; word += 1) {
    firsts[word] = next
    next += bitsOf(bits[word] ?? 0)
  }
  for (let place = 0; place < size; place += 1) {
    const ordinal = age[place] ?? 0
    const word = ordinal >>> 5
    const older = (bits[word] ?? 0) & ((1 << (ordinal & 31)) - 1)
    age[place] = (firsts[word] ?? 0) + bitsOf(older)
  }
}

/** How many bits of 32 are set. */
function bitsOf(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** The low bits of a key are the place; short numbers sort fastest, where they do. */
function sortByAge(
  { columns, nextOrdinal }: ActorState,
  { slots, age }: CandidateColumns,
  size: number,
): void {
  const span = 2 ** (32 - Math.clz32(size))
  const keys = nextOrdinal * span <= 2 ** 32 ? new Uint32Array(size) : new Float64Array(size)
  for (let place = 0; place < size; place += 1)
    keys[place] = columns.ordinalOf(slots[place] ?? 0) * span + place
  keys.sort()
  for (let rank = 0; rank < size; rank += 1) age[(keys[rank] ?? 0) & (span - 1)] = rank + 1
}

/** Of the best hits so many are looked at for what the query asks for: their texts lie scattered. */
const LOOKED_AT_MAX = 100

/** Marks those of the first `size` candidates that tell a time, a number or a name, where the query asks for one. */
export function markTold(
  { columns, records }: ActorState,
  queryText: string,
  { slots, marks }: CandidateColumns,
  size: number,
): void {
  if (size === 0) return
  const end = Math.min(size, LOOKED_AT_MAX)
  for (const kind of TOLD_KINDS) {
    if (!asksFor(queryText, kind)) continue
    for (let place = 0; place < end; place += 1) {
      const record = records[slots[place] ?? 0]
      if (record !== undefined && columns.tells(record, kind))
        marks[place] = (marks[place] ?? 0) | TOLD_MARKS[kind]
    }
  }
}

/** Of the best hits so many are read for the order of their words; further down it moves nothing into sight. */
const READ_MAX = 30

/** Marks how many pairs of words those of the first `size` candidates have. */
export function markPairs(
  { columns, records }: ActorState,
  queryText: string,
  { slots, marks }: CandidateColumns,
  size: number,
): void {
  const pairs = new WordPairs(queryText)
  if (!pairs.areAny) return
  const textOf = (slot: number): string => records[slot]?.content.text ?? ''
  const end = Math.min(size, READ_MAX)
  for (let place = 0; place < end; place += 1) {
    const slot = slots[place] ?? 0
    const count = pairs.countIn(columns.firstWords(slot, textOf), slot * FIRST_WORDS_MAX)
    marks[place] = (marks[place] ?? 0) | (count << PAIRS_SHIFT)
  }
}

const FREE = 0

/** Places of numbers, -1 for none: a hash table of fixed size in one array, many times faster than a map of numbers. */
export class PlaceTable {
  readonly #mask: number
  /** Number + 1, or FREE, then its place; the next free cell takes a number whose own cell is taken. */
  readonly #cells: Int32Array

  /** Room for so many numbers, each a natural one. */
  constructor(numbersMax: number) {
    const cells = 2 ** Math.ceil(Math.log2(numbersMax * 2 + 1))
    this.#mask = cells - 1
    this.#cells = new Int32Array(cells * 2)
  }

  of(number: number): number {
    const cell = this.#cellOf(number)
    return this.#cells[cell] === FREE ? -1 : (this.#cells[cell + 1] ?? -1)
  }

  /** Puts a number in a place, unless it has one, which it keeps; answers its place. */
  add(number: number, place: number): number {
    const cell = this.#cellOf(number)
    if (this.#cells[cell] !== FREE) return this.#cells[cell + 1] ?? -1
    this.#cells[cell] = number + 1
    this.#cells[cell + 1] = place
    return place
  }

  /** Where the number is, or would be. */
  #cellOf(number: number): number {
    const cells = this.#cells
    let at = Math.imul(number, 0x9e3779b1) >>> 8
    for (;;) {
      const cell = (at & this.#mask) * 2
      const known = cells[cell]
      if (known === FREE || known === number + 1) return cell
      at += 1
    }
  }
}

/** The places, the best one first, put in order as they are asked for; the array is used up. No two may be equally good. */
export function* bestFirst(heap: Int32Array, isBetter: (a: number, b: number) => boolean): Generator<number> {
  const size = heap.length
  for (let at = (size >> 1) - 1; at >= 0; at -= 1) sink(heap, at, size, heap[at] ?? 0, isBetter)
  for (let left = size; left > 0; left -= 1) {
    yield heap[0] ?? 0
    sink(heap, 0, left - 1, heap[left - 1] ?? 0, isBetter)
  }
}

/** Puts a place into the heap of `size` from `from` on, where better ones rise. */
function sink(
  heap: Int32Array,
  from: number,
  size: number,
  place: number,
  isBetter: (a: number, b: number) => boolean,
): void {
  let at = from
  for (;;) {
    let child = at * 2 + 1
    if (child >= size) break
    if (child + 1 < size && isBetter(heap[child + 1] ?? 0, heap[child] ?? 0)) child += 1
    const better = heap[child] ?? 0
    if (isBetter(place, better)) break
    heap[at] = better
    at = child
  }
  heap[at] = place
}
