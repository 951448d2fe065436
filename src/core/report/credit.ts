import { type BySurface, type FeedbackOutcome, SURFACES, type UsedSurface } from '../base/closed-sets.ts'
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

interface CreditRun {
  readonly run_id: string
  /** Null: the outcome named a run and no guide. */
  readonly guide_trace_id: string | null
  readonly outcome: FeedbackOutcome
  readonly attribution_strength: AttributionStrength
  readonly used_surface: UsedSurface
}

/**
 * What a memory did where it was shown. Credit is never copied: an outcome counts for the memory that it names, not
 * for what stood beside it in the same guide. In wire names.
 */
export interface Credit extends OutcomeCredit {
  /** How often it was shown, by surface. */
  readonly exposed: BySurface<number> & { readonly total: number }
  /** Exposures that no outcome speaks of. */
  readonly unknown_count: number
}

/** The outcomes alone: how often a memory is shown to others is nothing that a consumer may know. */
interface OutcomeCredit {
  /** Runs whose outcomes name it: helped, hurt, observed and neutral together. Each counts once, by its strongest. */
  readonly used_count: number
  /** Direct positives. */
  readonly helped_count: number
  readonly hurt_weak_count: number
  readonly hurt_strong_count: number
  /** Positives that were only observed. */
  readonly observed_count: number
  readonly neutral_count: number
  /** The latest outcomes, oldest first. */
  readonly runs: readonly CreditRun[]
}

/** The whole credit of a memory, for an operator who sees the whole actor. */
export function creditOf(
  state: ActorState,
  record: Pick<MemoryRecord, 'slot' | 'counters' | 'marks'>,
  runsMax = CREDIT_RUNS_MAX,
): Credit {
  const exposed = exposureTotalsOf(state, record)
  const total = SURFACES.reduce((sum, surface) => sum + exposed[surface], 0)
  const outcomes = outcomeCreditOf(record, runsMax)
  const unknown = total - answeredExposures(record.marks, outcomes.used_count)
  return { exposed: { ...exposed, total }, unknown_count: Math.max(0, unknown), ...outcomes }
}

export function outcomeCreditOf(
  { counters, marks }: Pick<MemoryRecord, 'counters' | 'marks'>,
  runsMax = CREDIT_RUNS_MAX,
): OutcomeCredit {
  const { positive, negativeWeak, negativeStrong, neutral, observedPositive } = counters
  return {
    used_count: positive + negativeWeak + negativeStrong + neutral + observedPositive,
    helped_count: positive,
    hurt_weak_count: negativeWeak,
    hurt_strong_count: negativeStrong,
    observed_count: observedPositive,
    neutral_count: neutral,
    runs: marks.slice(-runsMax).map(runOf),
  }
}

/**
 * The credit with the runs of one consumer's own guides only. The counts are of the memory and stay.
 * @param ownGuideIds guides among those that the runs name which were made for this consumer
 */
export function creditSeenBy<C extends OutcomeCredit>(credit: C, ownGuideIds: ReadonlySet<string>): C {
  if (credit.runs.length === 0) return credit
  return { ...credit, runs: credit.runs.filter((run) => isOwnRun(run.guide_trace_id, ownGuideIds)) }
}

/** An outcome without a guide belongs to nobody who could be asked for. */
export function isOwnRun(guideTraceId: string | null, ownGuideIds: ReadonlySet<string>): boolean {
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

function runOf(mark: FeedbackMark): CreditRun {
  const { runId, guideTraceId, outcome, usedSurface } = mark
  return {
    run_id: runId,
    guide_trace_id: guideTraceId,
    outcome,
    attribution_strength: strengthOf(mark),
    used_surface: usedSurface,
  }
}
