import { listAt } from '../base/collections.ts'
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
const GROUPS_MAX = 64

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

/** Whether outcomes leave open what to think of a memory: one weak negative does, too. */
export function isInconclusive({ judgment }: Pick<JudgedMemory, 'judgment'>): boolean {
  return judgment === 'inconclusive' || judgment === 'weak'
}

/** Memories by the groups that they belong to, in order of first mention. */
export function judgedGroups(
  memories: readonly JudgedMemory[],
): readonly (readonly [string, readonly JudgedMemory[]])[] {
  const groups = new Map<string, JudgedMemory[]>()
  for (const memory of memories) {
    for (const name of memory.groups) listAt(groups, name).push(memory)
  }
  return [...groups].slice(0, GROUPS_MAX)
}

/** What the outcomes of a group recommend, and one sentence why. Nothing acts on that by itself. */
export function adjustmentOf(members: readonly JudgedMemory[]): readonly [Adjustment, string] {
  const countOf = (judgment: Judgment): number =>
    members.filter((memory) => memory.judgment === judgment).length
  const [supported, contradicted] = [countOf('supported'), countOf('contradicted')]
  if (contradicted > 0 && contradicted >= supported) {
    return ['inspect_first', 'Outcomes speak against it as often as for it.']
  }
  if (countOf('unused') > supported) {
    return ['needs_more_evidence', 'It was shown more often than it was used.']
  }
  return supported > contradicted
    ? ['keep', 'Outcomes speak for it.']
    : ['needs_more_evidence', 'No outcome decides.']
}
