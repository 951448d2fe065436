import { z } from 'zod'
import { spreadOf } from './measure.ts'

const number = z.number()
const Percentiles = z.strictObject({ p50: number, p95: number, p99: number, p999: number })
const Goal = z.strictObject({
  /** Whether the figure is to be at most or at least `value`. */
  bound: z.enum(['most', 'least']),
  value: number,
  verdict: z.enum(['met', 'missed']),
})
const Figure = z.strictObject({
  /** Unique in its benchmark and the same in every run. */
  name: z.string(),
  /** What the name leaves open, in a sentence. */
  meaning: z.string().nullable(),
  /** Whether it is what others are held against. */
  isYardstick: z.boolean(),
  unit: z.string(),
  /** One value a round, in order; never empty. */
  rounds: z.array(number).min(1),
  median: number,
  least: number,
  greatest: number,
  /** Of all single measurements, in the unit of the figure; null where a figure is no latency. */
  percentiles: Percentiles.nullable(),
  goal: Goal.nullable(),
})
const Outcome = z.strictObject({
  settings: z.record(z.string(), z.union([z.string(), number, z.boolean()])),
  figures: z.array(Figure),
  /** What a reader has to know: a part that was left out and why. */
  notes: z.array(z.string()),
})

export type Percentiles = z.infer<typeof Percentiles>
export type Figure = z.infer<typeof Figure>
/** What one benchmark found. */
export type Outcome = z.infer<typeof Outcome>

interface FigureOptions {
  readonly goal?: { readonly bound: 'most' | 'least'; readonly value: number } | undefined
  readonly percentiles?: Percentiles | undefined
  readonly meaning?: string | undefined
  readonly isYardstick?: boolean | undefined
}

/** A figure over its rounds. A RangeError for no rounds, or one that is no finite number. */
export function figureOf(
  name: string,
  unit: string,
  rounds: readonly number[],
  { goal, percentiles, meaning, isYardstick }: FigureOptions = {},
): Figure {
  if (rounds.length === 0 || !rounds.every(Number.isFinite)) {
    throw new RangeError(`${name}: ${rounds.length === 0 ? 'no rounds' : 'a round without a number'}`)
  }
  const { median, min, max } = spreadOf(rounds)
  const isMet = goal !== undefined && (goal.bound === 'most' ? median <= goal.value : median >= goal.value)
  return {
    name,
    meaning: meaning ?? null,
    isYardstick: isYardstick ?? false,
    unit,
    rounds: [...rounds],
    median,
    least: min,
    greatest: max,
    percentiles: percentiles ?? null,
    goal: goal === undefined ? null : { ...goal, verdict: isMet ? 'met' : 'missed' },
  }
}

/** Throws a ZodError that names what is wrong. */
export function parseOutcome(json: string): Outcome {
  return Outcome.parse(JSON.parse(json))
}
