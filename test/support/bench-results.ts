import fc from 'fast-check'
import { type Figure, figureOf, type SuiteResult } from '../../bench/result.ts'

export const MACHINE = { cpu: 'some processor', cores: 2, memoryBytes: 8 * 1024 ** 3, platform: 'linux x64' }

/** A result with the given figures of one benchmark. */
export function suiteOf(figures: readonly Figure[], changes: Partial<SuiteResult> = {}): SuiteResult {
  const found = { bench: 'loop', tookMs: 1_200, settings: {}, series: [], notes: [], figures: [...figures] }
  return {
    format: 'memgov-bench-1',
    machine: MACHINE,
    node: 'v20.20.2',
    commit: 'abcdef',
    takenAt: '2026-01-01T00:00:00.000Z',
    isQuick: false,
    results: [found],
    failures: [],
    ...changes,
  }
}

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
const value = fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e12, noNaN: true }))

export const figure: fc.Arbitrary<Figure> = fc
  .record({
    name: word,
    unit: word,
    rounds: fc.array(value, { minLength: 1, maxLength: 6 }),
    better: fc.constantFrom('lower', 'higher'),
    goal: fc.option(fc.record({ bound: fc.constantFrom('most', 'least'), value }), { nil: null }),
    percentiles: fc.option(fc.record({ p50: value, p95: value, p99: value, p999: value }), { nil: null }),
  })
  .map(({ name, unit, rounds, better, goal, percentiles }) =>
    figureOf(name, unit, rounds, {
      better,
      ...(goal === null ? {} : { goal }),
      ...(percentiles === null ? {} : { percentiles }),
    }),
  )

/** Any result, its words full of signs that markup has to escape. */
export const suite: fc.Arbitrary<SuiteResult> = fc
  .record({
    bench: word,
    figures: fc.array(figure, { maxLength: 5 }),
    notes: fc.array(word, { maxLength: 2 }),
    series: fc.array(
      fc.record({
        name: word,
        kind: fc.constantFrom('latency over load', 'cost over size', 'cdf'),
        xLabel: fc.constantFrom('rate', 'size & more'),
        yLabel: fc.constantFrom('µs', '<ms>'),
        points: fc.array(fc.tuple(value, value), { maxLength: 6 }),
      }),
      { maxLength: 4 },
    ),
    message: word,
  })
  .map(({ bench, figures, notes, series, message }) =>
    suiteOf([], {
      results: [{ bench, tookMs: 1, settings: { size: 3, kind: '<b>' }, figures, notes, series }],
      failures: [{ bench, message }],
    }),
  )
