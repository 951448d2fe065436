import { rounded } from './share.ts'

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
