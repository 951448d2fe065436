import type { ExposureRecord } from '../model/exposure.ts'
import type { FeedbackMark } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'

/** One outcome attributed to one memory. */
export interface MemoryOutcome {
  readonly memoryId: string
  readonly mark: FeedbackMark
}

/**
 * Outcomes that belong to a guide, in journal order: those that name it, and those of its run that name no guide and
 * came after it. A memory keeps its last 256 outcomes; older ones live in its counters only.
 */
export function outcomesOf(
  state: Pick<ActorState, 'memories'>,
  exposure: ExposureRecord,
): readonly MemoryOutcome[] {
  const found: MemoryOutcome[] = []
  for (const memoryId of exposure.memoryIds) {
    const record = state.memories.get(memoryId)
    for (const mark of record?.marks ?? []) if (belongsTo(mark, exposure)) found.push({ memoryId, mark })
  }
  return found.sort((a, b) => a.mark.seq - b.mark.seq)
}

function belongsTo(mark: FeedbackMark, exposure: ExposureRecord): boolean {
  if (mark.guideTraceId !== null) return mark.guideTraceId === exposure.guideTraceId
  return mark.runId === exposure.runId && mark.seq > exposure.seq
}
