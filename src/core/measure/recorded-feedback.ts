import type { RecordedFeedback, RecordedGuide } from './evidence.ts'
import { type Eyes, isKnownTo } from './eyes.ts'
import type { MarkedMemory } from './run-marks.ts'

/**
 * Outcomes that name one of the guides, or a run of one, whatever memory they name, in journal order. A memory that the
 * eyes do not see keeps its outcome and loses its id, so that harm is never overlooked.
 */
export function recordedFeedback(
  marks: readonly MarkedMemory[],
  guides: readonly RecordedGuide[],
  eyes: Eyes,
): readonly RecordedFeedback[] {
  const traceIds = new Set(guides.map(({ guideTraceId }) => guideTraceId))
  const runIds = new Set(guides.flatMap(({ runId }) => runId ?? []))
  return marks
    .filter(
      ({ mark }) => runIds.has(mark.runId) || (mark.guideTraceId !== null && traceIds.has(mark.guideTraceId)),
    )
    .map(({ record, mark }) => ({
      memoryId: isKnownTo(eyes, record) ? record.memoryId : null,
      runId: mark.runId,
      guideTraceId: mark.guideTraceId,
      seq: mark.seq,
      outcome: mark.outcome,
      isDirect: mark.direct,
      isStrong: mark.strong,
      verifierStatus: mark.verifierStatus,
    }))
    .sort((a, b) => a.seq - b.seq)
}
