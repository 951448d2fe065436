import type { FeedbackMark } from '../model/record.ts'

/** What the outcomes of one guide say of one memory that it showed. */
export const JUDGMENTS = ['supported', 'contradicted', 'weak', 'unused', 'inconclusive'] as const
export type Judgment = (typeof JUDGMENTS)[number]

export const ADJUSTMENTS = ['keep', 'inspect_first', 'needs_more_evidence'] as const
export type Adjustment = (typeof ADJUSTMENTS)[number]

export const THRESHOLD_STATES = [
  'positive_attribution',
  'strong_signal_threshold_met',
  'repeated_weak_threshold_met',
  'weak_below_threshold',
  'no_signal',
] as const
export type ThresholdState = (typeof THRESHOLD_STATES)[number]

/** Weak negatives of so many runs count as much as one strong. */
const WEAK_RUNS_MIN = 2
const BUCKETS_MAX = 64

type Mark = Pick<FeedbackMark, 'outcome' | 'direct' | 'strong' | 'seq'>

/**
 * How far an outcome weighs.
 * @param weakCount weak negatives of the memory up to this outcome, each of another run
 */
export function thresholdOf(mark: Mark, weakCount: number): ThresholdState {
  if (mark.outcome === 'negative') {
    if (mark.strong) return 'strong_signal_threshold_met'
    return weakCount >= WEAK_RUNS_MIN ? 'repeated_weak_threshold_met' : 'weak_below_threshold'
  }
  return mark.outcome === 'positive' && mark.direct ? 'positive_attribution' : 'no_signal'
}

export function isThresholdMet(state: ThresholdState): boolean {
  return state === 'strong_signal_threshold_met' || state === 'repeated_weak_threshold_met'
}

/**
 * Harm before help: a negative whose threshold is met outweighs a positive of the same guide. What was shown and not
 * named says nothing against a memory.
 * @param thresholds of the outcomes of this guide that name the memory
 * @param hasFeedback whether the guide has an outcome at all
 */
export function judgmentOf(thresholds: readonly ThresholdState[], hasFeedback: boolean): Judgment {
  if (thresholds.some(isThresholdMet)) return 'contradicted'
  if (thresholds.includes('weak_below_threshold')) return 'weak'
  if (thresholds.includes('positive_attribution')) return 'supported'
  return hasFeedback && thresholds.length === 0 ? 'unused' : 'inconclusive'
}

export interface JudgedMemory {
  readonly memoryId: string
  readonly judgment: Judgment
  /** Names of the groups that it belongs to, such as `surface:use_now`. */
  readonly groups: readonly string[]
}

/** Where judgments of the runtime met outcomes. A report: it moves nothing. */
export interface CalibrationSummary {
  readonly contract_version: 'svc_judgment_calibration_summary_v1'
  readonly authority: 'read_only'
  readonly window: {
    readonly record_count: number
    /** Supported or contradicted. */
    readonly anchored_count: number
    readonly weak_count: number
    readonly unused_count: number
    readonly inconclusive_count: number
  }
  readonly supported_memory_ids: readonly string[]
  readonly contradicted_memory_ids: readonly string[]
  /** One weak negative: also inconclusive. */
  readonly weak_memory_ids: readonly string[]
  readonly unused_memory_ids: readonly string[]
  readonly inconclusive_memory_ids: readonly string[]
  readonly buckets: readonly CalibrationBucket[]
  readonly reason: string
}

export interface CalibrationBucket {
  readonly bucket: string
  readonly record_count: number
  readonly supported_count: number
  readonly contradicted_count: number
  readonly weak_count: number
  readonly unused_count: number
  readonly inconclusive_count: number
  readonly memory_ids: readonly string[]
  readonly recommended_adjustment: Adjustment
  readonly authority: 'read_only'
  readonly reason: string
}

export function judgmentCalibration(memories: readonly JudgedMemory[]): CalibrationSummary {
  const idsOf = (judgment: Judgment): readonly string[] =>
    memories.filter((memory) => memory.judgment === judgment).map(({ memoryId }) => memoryId)
  const supported = idsOf('supported')
  const contradicted = idsOf('contradicted')
  const weak = idsOf('weak')
  const unused = idsOf('unused')
  const open = memories.filter(isInconclusive).map(({ memoryId }) => memoryId)
  return {
    contract_version: 'svc_judgment_calibration_summary_v1',
    authority: 'read_only',
    window: {
      record_count: memories.length,
      anchored_count: supported.length + contradicted.length,
      weak_count: weak.length,
      unused_count: unused.length,
      inconclusive_count: open.length,
    },
    supported_memory_ids: supported,
    contradicted_memory_ids: contradicted,
    weak_memory_ids: weak,
    unused_memory_ids: unused,
    inconclusive_memory_ids: open,
    buckets: bucketsOf(memories),
    reason:
      memories.length === 0
        ? 'The guide showed no memory.'
        : `Outcomes support ${supported.length} and contradict ${contradicted.length} of ${memories.length} memories.`,
  }
}

function isInconclusive({ judgment }: JudgedMemory): boolean {
  return judgment === 'inconclusive' || judgment === 'weak'
}

function bucketsOf(memories: readonly JudgedMemory[]): readonly CalibrationBucket[] {
  const groups = new Map<string, JudgedMemory[]>()
  for (const memory of memories) {
    for (const name of memory.groups) groups.set(name, [...(groups.get(name) ?? []), memory])
  }
  return [...groups].slice(0, BUCKETS_MAX).map(([bucket, members]) => bucketOf(bucket, members))
}

function bucketOf(bucket: string, members: readonly JudgedMemory[]): CalibrationBucket {
  const countOf = (judgment: Judgment): number =>
    members.filter((memory) => memory.judgment === judgment).length
  const [supported, contradicted, unused] = [countOf('supported'), countOf('contradicted'), countOf('unused')]
  return {
    bucket,
    record_count: members.length,
    supported_count: supported,
    contradicted_count: contradicted,
    weak_count: countOf('weak'),
    unused_count: unused,
    inconclusive_count: members.filter(isInconclusive).length,
    memory_ids: members.map(({ memoryId }) => memoryId),
    ...adjustmentOf(supported, contradicted, unused),
    authority: 'read_only',
  }
}

function adjustmentOf(
  supported: number,
  contradicted: number,
  unused: number,
): Pick<CalibrationBucket, 'recommended_adjustment' | 'reason'> {
  if (contradicted > 0 && contradicted >= supported) {
    return {
      recommended_adjustment: 'inspect_first',
      reason: 'Outcomes speak against it as often as for it.',
    }
  }
  if (unused > supported) {
    return {
      recommended_adjustment: 'needs_more_evidence',
      reason: 'It was shown more often than it was used.',
    }
  }
  if (supported > contradicted) {
    return { recommended_adjustment: 'keep', reason: 'Outcomes speak for it.' }
  }
  return { recommended_adjustment: 'needs_more_evidence', reason: 'No outcome decides.' }
}
