import type { ToldKind } from '../text/told.ts'

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
  /** OF_TASK, FIRST, and by TOLD_MARKS what it tells. */
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

/** Two pieces of memory for all columns: one for each would cost a guide more than what is done with them. */
export function columnsFor(room: number): CandidateColumns {
  const scores = new ArrayBuffer(4 * room * Float64Array.BYTES_PER_ELEMENT)
  const numbers = new ArrayBuffer(7 * room * Int32Array.BYTES_PER_ELEMENT)
  const scoreColumn = (at: number): Float64Array =>
    new Float64Array(scores, at * room * Float64Array.BYTES_PER_ELEMENT, room)
  const numberColumn = (at: number): Int32Array =>
    new Int32Array(numbers, at * room * Int32Array.BYTES_PER_ELEMENT, room)
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
