import { DELTA_SEEN, isImproved, isRegressed, type KernelReport } from './kernel-report.ts'
import type { Observation } from './observation.ts'

/** Which way memory changed the work, as far as two observations show it. */
export type Direction = 'positive' | 'negative' | 'neutral'
export type ImpactDirection = Direction | 'insufficient_evidence'

/**
 * Harm is seen sooner than help: one kernel that lost is enough, while help takes a kernel that gained, a gain over
 * all and no kernel that lost. A run that failed with memory was not helped by it, whatever the kernels say; it was
 * harmed where the baseline succeeded, or is not known and the failure was put down to memory that only the guided run
 * was given.
 */
export function directionOf(
  report: KernelReport,
  baseline: Observation,
  guided: Observation,
  isMemoryBlamed = false,
): Direction {
  const isHarm = report.kernel_scores.some(isRegressed) || report.effect_delta < -DELTA_SEEN
  const isLost = guided.isSuccess === false && (baseline.isSuccess ?? isMemoryBlamed)
  if (isHarm || isLost) return 'negative'
  const isHelp = report.kernel_scores.some(isImproved) && report.effect_delta > DELTA_SEEN
  return isHelp && guided.isSuccess !== false ? 'positive' : 'neutral'
}
