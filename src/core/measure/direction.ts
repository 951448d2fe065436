import { DELTA_SEEN, isImproved, isRegressed, type KernelReport } from './kernel-report.ts'
import type { Observation } from './observation.ts'

/** Which way memory changed the work, as far as two observations show it. */
export type Direction = 'positive' | 'negative' | 'neutral'
export type ImpactDirection = Direction | 'insufficient_evidence'

/** By how the two runs ended, true for a success; null where the end of one is not known. */
export function outcomeDirection(baseline: boolean | null, guided: boolean | null): Direction | null {
  if (baseline === null || guided === null) return null
  if (baseline === guided) return 'neutral'
  return guided ? 'positive' : 'negative'
}

/**
 * Of a manual pair, whose numbers somebody observed. Where both ends are told they decide, but for a kernel that lost:
 * harm is seen sooner than help. Where one is not, help takes a kernel that gained, a gain over all, no kernel that lost
 * and a guided run that did not fail.
 */
export function statedDirection(report: KernelReport, baseline: Observation, guided: Observation): Direction {
  const ended = outcomeDirection(baseline.isSuccess, guided.isSuccess)
  const isHarm = report.kernel_scores.some(isRegressed) || report.effect_delta < -DELTA_SEEN
  if (isHarm || ended === 'negative') return 'negative'
  if (ended !== null) return ended
  const isHelp = report.kernel_scores.some(isImproved) && report.effect_delta > DELTA_SEEN
  return isHelp && guided.isSuccess !== false ? 'positive' : 'neutral'
}
