import { createHistogram } from 'node:perf_hooks'
import type { Percentiles } from './result.ts'

/** The histogram of Node counts whole numbers: a thousandth of the unit is kept. */
const STEPS = 1_000

/** Counts values of 0.001 and more in memory of a fixed size, each within a thousandth of itself. */
export class Histogram {
  readonly #counts = createHistogram({ figures: 3 })

  get count(): number {
    return this.#counts.count
  }

  /** Below 0.001 a value counts as that. */
  record(value: number): void {
    this.#counts.record(Math.max(1, Math.round(value * STEPS)))
  }

  add(other: Histogram): void {
    this.#counts.add(other.#counts)
  }

  /** The value that `share` (0 to 1) of the others lie below; not a number for none. */
  quantile(share: number): number {
    if (this.count === 0) return Number.NaN
    return (share === 0 ? this.#counts.min : this.#counts.percentile(share * 100)) / STEPS
  }

  percentiles(): Percentiles {
    const at = (share: number) => this.quantile(share)
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999) }
  }
}

/** All of `values` in one histogram. */
export function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}
