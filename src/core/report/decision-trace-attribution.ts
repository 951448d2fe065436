import { bySurface } from '../base/by-surface.ts'
import type { FeedbackOutcome, Surface, UsedSurface, VerifierStatus } from '../base/closed-sets.ts'
import { type FeedbackSignalSummary, feedbackSignals } from '../measure/feedback-signals.ts'
import { isThresholdMet } from './calibration.ts'
import { type AttributionStrength, strengthOf } from './credit.ts'
import type { EarlierGuide, TracedGuide } from './decision-trace-guide.ts'
import { type DecisionSource, thresholdsOf } from './decision-trace-memory.ts'
import type { MemoryOutcome } from './outcomes.ts'

/** Outcomes listed with a trace, the latest. */
const OUTCOMES_MAX = 200

interface AttributedOutcome {
  readonly memory_id: string
  readonly run_id: string
  readonly outcome: FeedbackOutcome
  readonly used_surface: UsedSurface
  readonly verifier_status: VerifierStatus | null
  readonly attribution_strength: AttributionStrength
}

/** Which of the shown memories the outcomes of a guide name, and which they leave open. */
export interface FeedbackAttribution {
  readonly present: boolean
  readonly guide_trace_id: string | null
  /** Of the latest outcome, as the four that follow; null: there is none. */
  readonly run_id: string | null
  readonly outcome: FeedbackOutcome | null
  readonly used_surface: UsedSurface | null
  readonly verifier_status: VerifierStatus | null
  readonly affected_memory_ids: readonly string[]
  readonly exposed_memory_count: number
  readonly attributed_memory_count: number
  readonly unattributed_recalled_memory_count: number
  readonly attributed_memory_ids: readonly string[]
  readonly unattributed_recalled_memory_ids: readonly string[]
  readonly unattributed_use_now_memory_ids: readonly string[]
  readonly unattributed_inspect_before_use_memory_ids: readonly string[]
  readonly unattributed_do_not_use_memory_ids: readonly string[]
  readonly unattributed_rehydrate_memory_ids: readonly string[]
  /** Shown and not named, while the guide has an outcome: reported, it demotes nothing. */
  readonly unused_exposure_observation: {
    readonly present: boolean
    readonly memory_ids: readonly string[]
    readonly authority_mutation: false
  }
  readonly weak_counter_signal_memory_ids: readonly string[]
  readonly strong_counter_signal_memory_ids: readonly string[]
  readonly threshold_met_memory_ids: readonly string[]
  readonly outcomes: readonly AttributedOutcome[]
  readonly sparse_feedback_signal_summary: FeedbackSignalSummary
  readonly reason: string
}

/** Guides and relations beside the one that is traced, for signals over more than one guide. */
export interface SignalSources {
  readonly before: EarlierGuide | null
  /** Shown memory that another one supersedes, invalidates or contradicts. */
  readonly relationTargetIds: readonly string[]
  readonly contestedIds: readonly string[]
}

export function feedbackAttribution(
  guide: TracedGuide,
  sources: readonly DecisionSource[],
  outcomes: readonly MemoryOutcome[],
  signals: SignalSources,
): FeedbackAttribution {
  const named = new Set(outcomes.map(({ memoryId }) => memoryId))
  const open = guide.shown.filter(({ memoryId }) => !named.has(memoryId))
  const openOn = (surface: Surface): readonly string[] => idsOf(open.filter((row) => row.surface === surface))
  const counters = counterIds(sources)
  const last = outcomes.at(-1)?.mark
  const hasFeedback = last !== undefined
  return {
    present: hasFeedback,
    guide_trace_id: guide.guideTraceId,
    run_id: last?.runId ?? null,
    outcome: last?.outcome ?? null,
    used_surface: last?.usedSurface ?? null,
    verifier_status: last?.verifierStatus ?? null,
    affected_memory_ids: [...named],
    exposed_memory_count: guide.shown.length,
    attributed_memory_count: named.size,
    unattributed_recalled_memory_count: open.length,
    attributed_memory_ids: [...named],
    unattributed_recalled_memory_ids: idsOf(open),
    unattributed_use_now_memory_ids: openOn('use_now'),
    unattributed_inspect_before_use_memory_ids: openOn('inspect_before_use'),
    unattributed_do_not_use_memory_ids: openOn('do_not_use'),
    unattributed_rehydrate_memory_ids: openOn('rehydrate'),
    unused_exposure_observation: {
      present: hasFeedback && open.length > 0,
      memory_ids: hasFeedback ? idsOf(open) : [],
      authority_mutation: false,
    },
    ...counters,
    outcomes: outcomes.slice(-OUTCOMES_MAX).map(attributedOutcome),
    sparse_feedback_signal_summary: feedbackSignals({
      guides: [guide, signals.before].flatMap((each) => (each === null ? [] : recordedFor(each))),
      feedback: outcomes.map(recordedFeedback),
      relationTargetIds: signals.relationTargetIds,
      contradictionIds: signals.contestedIds,
    }),
    reason: hasFeedback
      ? `Outcomes name ${named.size} of ${guide.shown.length} shown memories; the others get no credit and no blame.`
      : 'No outcome was attributed to memory of this guide.',
  }
}

function counterIds(sources: readonly DecisionSource[]) {
  const idsWith = (holds: (source: DecisionSource) => boolean): readonly string[] =>
    sources.filter(holds).map(({ memory }) => memory.memoryId)
  const hasNegative = (source: DecisionSource, isStrong: boolean): boolean =>
    source.marks.some((mark) => mark.outcome === 'negative' && mark.strong === isStrong)
  return {
    weak_counter_signal_memory_ids: idsWith((source) => hasNegative(source, false)),
    strong_counter_signal_memory_ids: idsWith((source) => hasNegative(source, true)),
    threshold_met_memory_ids: idsWith((source) => thresholdsOf(source).some(isThresholdMet)),
  }
}

function attributedOutcome({ memoryId, mark }: MemoryOutcome): AttributedOutcome {
  return {
    memory_id: memoryId,
    run_id: mark.runId,
    outcome: mark.outcome,
    used_surface: mark.usedSurface,
    verifier_status: mark.verifierStatus,
    attribution_strength: strengthOf(mark),
  }
}

/** The reading that measure has of guides and outcomes; a supplied guide is no record. */
function recordedFor(guide: EarlierGuide) {
  if (guide.guideTraceId === null || guide.seq === null) return []
  return [
    {
      guideTraceId: guide.guideTraceId,
      exposed: bySurface((surface) => idsOf(guide.shown.filter((row) => row.surface === surface))),
    },
  ]
}

function recordedFeedback({ memoryId, mark }: MemoryOutcome) {
  const { guideTraceId, outcome, direct, strong } = mark
  return { memoryId, guideTraceId, outcome, isDirect: direct, isStrong: strong }
}

function idsOf(rows: readonly { readonly memoryId: string }[]): readonly string[] {
  return rows.map(({ memoryId }) => memoryId)
}
