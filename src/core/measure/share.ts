/** Three decimals, halves away from zero: the rounded opposite is the opposite of the rounded. */
export function rounded(value: number): number {
  // Adding 0 turns -0, which a small negative number leaves behind, into 0.
  return (Math.sign(value) * Math.round(Math.abs(value) * 1000)) / 1000 + 0
}

/** From 0 to 1; `otherwise` when there is nothing to divide by. */
export function shareOf(part: number, whole: number, otherwise: number): number {
  return whole > 0 ? Math.min(part / whole, 1) : otherwise
}

/** The mean; 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Of a 95 % interval: the normal quantile at 97.5 %. */
const Z = 1.959964

/** Runs of one arm that ended, and how sure their share is. */
export interface SuccessShare {
  readonly runs: number
  readonly succeeded: number
  /** Three decimals; null without a run. */
  readonly share: number | null
  /** 95 %, by Wilson's score, which holds for few runs too; null without a run. */
  readonly interval: { readonly low: number; readonly high: number } | null
}

export function successShare(succeeded: number, runs: number): SuccessShare {
  if (runs === 0) return { runs, succeeded, share: null, interval: null }
  const share = succeeded / runs
  const width = 1 + (Z * Z) / runs
  const centre = (share + (Z * Z) / (2 * runs)) / width
  const spread = (Z / width) * Math.sqrt((share * (1 - share)) / runs + (Z * Z) / (4 * runs * runs))
  return {
    runs,
    succeeded,
    share: rounded(share),
    interval: { low: rounded(Math.max(0, centre - spread)), high: rounded(Math.min(1, centre + spread)) },
  }
}
