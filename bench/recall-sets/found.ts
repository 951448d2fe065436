import { mulberry32 } from '../synthetic-text.ts'

export const DEPTHS = [5, 10, 20] as const
export const MEASURES = ['recall@5', 'recall@10', 'recall@20', 'MRR'] as const
export type Measure = (typeof MEASURES)[number]

/** What an engine answered to one question, measured. */
export interface Found {
  /** The shares of the evidence among the first 5, 10 and 20, and 1 / place of the first evidence, in the order of MEASURES. */
  readonly measures: readonly number[]
  readonly isEmpty: boolean
}

/** `ranked`: what was answered, best first. `evidence`: at least one. */
export function foundIn(ranked: readonly string[], evidence: readonly string[]): Found {
  const places = evidence.map((id) => ranked.indexOf(id)).filter((place) => place >= 0)
  const shares = DEPTHS.map((depth) => places.filter((place) => place < depth).length / evidence.length)
  const first = Math.min(...places)
  return { measures: [...shares, Number.isFinite(first) ? 1 / (first + 1) : 0], isEmpty: ranked.length === 0 }
}

/** By question, one measure. */
export function valuesOf(found: readonly Found[], measure: Measure): readonly number[] {
  const at = MEASURES.indexOf(measure)
  return found.map(({ measures }) => measures[at] ?? 0)
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export interface Interval {
  readonly low: number
  readonly mean: number
  readonly high: number
}

const DRAWS = 4_000
const SEED = 5
/** Cut off on each side: 95 % lie between. */
const TAIL = 0.025

/**
 * The mean of `ours` less that of `theirs`, question by question, and between what it lies in 95 % of draws of as many
 * questions with replacement. The same for the same values.
 */
export function pairedInterval(ours: readonly number[], theirs: readonly number[]): Interval {
  if (ours.length !== theirs.length || ours.length === 0)
    throw new RangeError('both sides need the same questions, at least one')
  const random = mulberry32(SEED)
  const differences = Float64Array.from(ours, (value, at) => value - (theirs[at] ?? 0))
  const size = differences.length
  const means = Float64Array.from({ length: DRAWS }, () => {
    let sum = 0
    for (let draw = 0; draw < size; draw += 1) sum += differences[Math.floor(random() * size)] ?? 0
    return sum / size
  }).sort()
  return {
    low: means[Math.floor(DRAWS * TAIL)] ?? 0,
    mean: differences.reduce((sum, value) => sum + value, 0) / size,
    high: means[Math.ceil(DRAWS * (1 - TAIL)) - 1] ?? 0,
  }
}
