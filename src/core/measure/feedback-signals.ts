import type { RecordedFeedback, RecordedGuide } from './evidence.ts'

/** Shown so often without an outcome, a memory is worth a look. */
const EXPOSURES_REPEATED = 2

type SignalGuide = Pick<RecordedGuide, 'guideTraceId' | 'exposed'>
type SignalFeedback = Pick<
  RecordedFeedback,
  'memoryId' | 'guideTraceId' | 'outcome' | 'isDirect' | 'isStrong'
>

export interface FeedbackSignalInput {
  readonly guides: readonly SignalGuide[]
  readonly feedback: readonly SignalFeedback[]
  /** Memory that another one supersedes, invalidates or contradicts. */
  readonly relationTargetIds: readonly string[]
  /** Memory that a guide shows as contested. */
  readonly contradictionIds: readonly string[]
}

/** Which memory the recorded outcomes speak for or against. A report: it moves nothing. */
export function feedbackSignals(input: FeedbackSignalInput) {
  const { feedback, guides } = input
  const idsOf = (holds: (row: SignalFeedback) => boolean): readonly string[] => [
    ...new Set(feedback.filter(holds).flatMap(({ memoryId }) => memoryId ?? [])),
  ]
  const positive = idsOf((row) => row.outcome === 'positive' && row.isDirect)
  const strong = idsOf((row) => row.outcome === 'negative' && row.isStrong)
  const weak = idsOf((row) => row.outcome === 'negative' && !row.isStrong).filter(
    (id) => !strong.includes(id),
  )
  const decided = new Set([...positive, ...strong, ...weak])
  const unattributed = repeatedlyExposed(guides, feedback)
  return {
    present: feedback.length > 0,
    source: guides.length > 0 ? ('memory_decision_audit' as const) : ('not_supplied' as const),
    authority_mutation: false as const,
    positive_attributed_memory_ids: positive,
    weak_counter_signal_memory_ids: weak,
    strong_counter_signal_memory_ids: strong,
    relation_counter_signal_memory_ids: input.relationTargetIds,
    contradiction_warning_memory_ids: input.contradictionIds,
    repeated_unattributed_memory_ids: unattributed,
    repeated_unattributed_without_positive_memory_ids: unattributed.filter((id) => !positive.includes(id)),
    // Only observed or neutral outcomes.
    read_only_signal_memory_ids: idsOf((row) => row.memoryId !== null && !decided.has(row.memoryId)),
    explanation:
      feedback.length === 0
        ? 'No outcome was attributed to this memory.'
        : `Outcomes speak for ${positive.length} and against ${strong.length + weak.length} memories.`,
  }
}

/** Given for direct use by several guides, none of which got an outcome for it. */
function repeatedlyExposed(
  guides: readonly SignalGuide[],
  feedback: readonly SignalFeedback[],
): readonly string[] {
  const attributed = new Set(feedback.map((row) => `${row.guideTraceId ?? ''} ${row.memoryId ?? ''}`))
  const times = new Map<string, number>()
  const seen = new Set<string>()
  for (const guide of guides) {
    if (seen.has(guide.guideTraceId)) continue
    seen.add(guide.guideTraceId)
    for (const id of guide.exposed.use_now) {
      // An outcome that names the run alone is one for its guides.
      const isAnswered = [guide.guideTraceId, ''].some((trace) => attributed.has(`${trace} ${id}`))
      if (!isAnswered) times.set(id, (times.get(id) ?? 0) + 1)
    }
  }
  return Array.from(times).flatMap(([id, count]) => (count >= EXPOSURES_REPEATED ? [id] : []))
}
