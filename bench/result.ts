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
  /** Unique in its benchmark and the same in every run: two runs are compared by it. */
  name: z.string(),
  unit: z.string(),
  better: z.enum(['lower', 'higher']),
  /** One value a round, in order; never empty. */
  rounds: z.array(number).min(1),
  /** Single measurements behind all rounds together. */
  samples: z.int().min(1),
  median: number,
  least: number,
  greatest: number,
  /** Of all single measurements, in the unit of the figure; null where a figure is no latency. */
  percentiles: Percentiles.nullable(),
  goal: Goal.nullable(),
})
const Series = z.strictObject({
  name: z.string(),
  kind: z.enum(['latency over load', 'cost over size', 'cdf']),
  xLabel: z.string(),
  yLabel: z.string(),
  /** In the order of x. */
  points: z.array(z.tuple([number, number])),
})
const Outcome = z.strictObject({
  settings: z.record(z.string(), z.union([z.string(), number, z.boolean()])),
  figures: z.array(Figure),
  series: z.array(Series),
  /** What a reader has to know: a part that was left out and why. */
  notes: z.array(z.string()),
})
const SuiteSchema = z.strictObject({
  format: z.literal('memgov-bench-1'),
  machine: z.strictObject({ cpu: z.string(), cores: number, memoryBytes: number, platform: z.string() }),
  node: z.string(),
  /** Null outside of a repository. */
  commit: z.string().nullable(),
  takenAt: z.string(),
  isQuick: z.boolean(),
  results: z.array(z.strictObject({ bench: z.string(), tookMs: number, ...Outcome.shape })),
  failures: z.array(z.strictObject({ bench: z.string(), message: z.string() })),
})

export type Percentiles = z.infer<typeof Percentiles>
export type Figure = z.infer<typeof Figure>
export type Series = z.infer<typeof Series>
/** What one benchmark found. */
export type Outcome = z.infer<typeof Outcome>
export type SuiteResult = z.infer<typeof SuiteSchema>
export type BenchResult = SuiteResult['results'][number]

interface FigureOptions {
  /** Default: lower. */
  readonly better?: Figure['better']
  readonly goal?: { readonly bound: 'most' | 'least'; readonly value: number }
  readonly percentiles?: Percentiles
  /** Single measurements; default: one a round. */
  readonly samples?: number
}

/** A figure over its rounds. A RangeError for no rounds, or one that is no finite number. */
export function figureOf(
  name: string,
  unit: string,
  rounds: readonly number[],
  options: FigureOptions = {},
): Figure {
  if (rounds.length === 0 || !rounds.every(Number.isFinite)) {
    throw new RangeError(`${name}: ${rounds.length === 0 ? 'no rounds' : 'a round without a number'}`)
  }
  const { median, min, max } = spreadOf(rounds)
  const { goal } = options
  const isMet = goal !== undefined && (goal.bound === 'most' ? median <= goal.value : median >= goal.value)
  return {
    name,
    unit,
    better: options.better ?? 'lower',
    rounds: [...rounds],
    samples: options.samples ?? rounds.length,
    median,
    least: min,
    greatest: max,
    percentiles: options.percentiles ?? null,
    goal: goal === undefined ? null : { ...goal, verdict: isMet ? 'met' : 'missed' },
  }
}

/** Throws a ZodError that names what is wrong. */
export function parseOutcome(json: string): Outcome {
  return Outcome.parse(JSON.parse(json))
}

/** A result that `--json` wrote. Throws with what is wrong. */
export function parseSuiteResult(json: string): SuiteResult {
  return SuiteSchema.parse(JSON.parse(json))
}
