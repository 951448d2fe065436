import { SURFACES } from '../base/closed-sets.ts'
import type { FeedbackMark, MemoryRecord } from '../model/record.ts'
import { type ActorState, exposureTotalsOf } from '../model/state.ts'

/** Outcomes listed with a credit, the latest. */
export const CREDIT_RUNS_MAX = 8

/** What one outcome says of the memory that it names. */
export const ATTRIBUTION_STRENGTHS = [
  'observed_feedback',
  'positive_attribution',
  'weak_counter_signal',
  'strong_counter_signal',
] as const
export type AttributionStrength = (typeof ATTRIBUTION_STRENGTHS)[number]

/**
 * What a memory did where it was shown. Credit is never copied: an outcome counts for the memory that it names, not
 * for what stood beside it in the same guide.
 */
export type Credit = ReturnType<typeof creditOf>

/** The outcomes of a credit alone: how often a memory is shown to others is nothing that a consumer may know. */
export type OutcomeCredit = ReturnType<typeof creditSeenBy>

/** The whole credit of a memory, for an operator who sees the whole actor. */
export function creditOf(
  state: ActorState,
  record: Pick<MemoryRecord, 'slot' | 'counters' | 'marks'>,
  runsMax = CREDIT_RUNS_MAX,
) {
  const exposed = exposureTotalsOf(state, record)
  const exposedTotal = SURFACES.reduce((sum, surface) => sum + exposed[surface], 0)
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = record.counters
  const used = positive + negativeWeak + negativeStrong + neutral + observedPositive
  return {
    exposed,
    exposedTotal,
    // Each run counts once, by its strongest outcome.
    used,
    helped: positive,
    hurtWeak: negativeWeak,
    hurtStrong: negativeStrong,
    observed: observedPositive,
    neutral,
    // Exposures that no outcome speaks of.
    unknown: Math.max(0, exposedTotal - answeredExposures(record.marks, used)),
    // The latest outcomes, oldest first.
    runs: record.marks.slice(-runsMax).map((mark) => {
      const { runId, guideTraceId, outcome, usedSurface } = mark
      return { runId, guideTraceId, outcome, strength: strengthOf(mark), usedSurface }
    }),
  }
}

/**
 * The outcomes of a credit with the runs of one consumer's own guides only. The counts are of the memory and stay.
 * @param ownGuideIds guides among those that the runs name which were made for this consumer
 */
export function creditSeenBy(credit: Credit, ownGuideIds: ReadonlySet<string>) {
  const { exposed: _shown, exposedTotal: _total, unknown: _open, ...outcomes } = credit
  return { ...outcomes, runs: outcomes.runs.filter((run) => isOwnRun(run, ownGuideIds)) }
}

/** An outcome without a guide belongs to nobody who could be asked for. */
export function isOwnRun(
  { guideTraceId }: Pick<FeedbackMark, 'guideTraceId'>,
  ownGuideIds: ReadonlySet<string>,
): boolean {
  return guideTraceId !== null && ownGuideIds.has(guideTraceId)
}

export function strengthOf(mark: Pick<FeedbackMark, 'outcome' | 'direct' | 'strong'>): AttributionStrength {
  if (mark.outcome === 'negative') return mark.strong ? 'strong_counter_signal' : 'weak_counter_signal'
  return mark.outcome === 'positive' && mark.direct ? 'positive_attribution' : 'observed_feedback'
}

/** A guide with several outcomes is one exposure; an outcome older than the kept ones counts as one. */
function answeredExposures(marks: readonly FeedbackMark[], used: number): number {
  if (marks.length === 0) return used
  const answered = new Set(marks.map(({ guideTraceId, runId }) => guideTraceId ?? `run ${runId}`))
  return answered.size + Math.max(0, used - marks.length)
}
