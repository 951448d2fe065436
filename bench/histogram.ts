import type { Percentiles } from './result.ts'

// A log-linear histogram of positive numbers: each power of two is cut into equal parts, as in HdrHistogram
// (Tene, hdrhistogram.org). A bucket is at most 1/64 of its value wide, whatever the value.

const PARTS = 128
/** From 2^-10: with microseconds about a nanosecond. */
const EXPONENT_MIN = -10
/** To 2^40: with microseconds twelve days. */
const EXPONENT_MAX = 40
const BUCKETS = (EXPONENT_MAX - EXPONENT_MIN) * PARTS

/** Greatest distance of `quantile` from the sample it stands for, as a share of that sample within the range. */
export const RELATIVE_ERROR = 1 / PARTS

/** Counts values in memory of a fixed size; quantiles of any number of values. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS)
  #count = 0
  #max = 0

  get count(): number {
    return this.#count
  }

  /** The greatest value itself; 0 for none. */
  get max(): number {
    return this.#max
  }

  /** Values outside of 2^-10 to 2^40 count as the nearest bound. */
  record(value: number): void {
    const at = bucketOf(value)
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#count += 1
    this.#max = Math.max(this.#max, value)
  }

  add(other: Histogram): void {
    for (const [at, count] of other.#counts.entries()) this.#counts[at] = (this.#counts[at] ?? 0) + count
    this.#count += other.#count
    this.#max = Math.max(this.#max, other.#max)
  }

  /** The value that `share` (0 to 1) of the others lie below, within RELATIVE_ERROR; not a number for none. */
  quantile(share: number): number {
    if (this.#count === 0) return Number.NaN
    const place = Math.min(this.#count - 1, Math.floor(this.#count * share))
    let below = 0
    for (const [at, count] of this.#counts.entries()) {
      below += count
      if (below > place) return Math.min(middleOf(at), this.#max)
    }
    return this.#max
  }

  percentiles(): Percentiles {
    const [p50, p95, p99, p999] = [0.5, 0.95, 0.99, 0.999].map((share) => this.quantile(share))
    const none = Number.NaN
    return { p50: p50 ?? none, p95: p95 ?? none, p99: p99 ?? none, p999: p999 ?? none }
  }

  /** Value and share of the values up to it, at shares that lie closer together towards 1. */
  cdf(): [number, number][] {
    if (this.#count === 0) return []
    return CDF_SHARES.map((share) => [this.quantile(share), share])
  }
}

/** 0, 0.05 … 0.85, then ever closer to 1. */
const CDF_SHARES = Array.from({ length: 18 }, (_, step) => step / 20).concat([
  0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.998, 0.999, 1,
])

function bucketOf(value: number): number {
  if (!(value > 2 ** EXPONENT_MIN)) return 0
  const exponent = Math.floor(Math.log2(value))
  const part = Math.floor((value / 2 ** exponent - 1) * PARTS)
  return Math.min(BUCKETS - 1, (exponent - EXPONENT_MIN) * PARTS + Math.min(PARTS - 1, Math.max(0, part)))
}

function middleOf(bucket: number): number {
  const exponent = EXPONENT_MIN + Math.floor(bucket / PARTS)
  return 2 ** exponent * (1 + ((bucket % PARTS) + 0.5) / PARTS)
}

/** All of `values` in one histogram. */
export function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram()
  for (const value of values) histogram.record(value)
  return histogram
}
