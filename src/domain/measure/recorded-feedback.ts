import { SURFACES } from '../closed-sets.ts'
import { consumerKey } from '../governance/visibility.ts'
import type { FeedbackMark, MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import type { RecordedFeedback, RecordedGuide } from './evidence.ts'
import { type Eyes, isKnownTo } from './eyes.ts'

/** Memories whose outcomes are looked through. */
export const FEEDBACK_MEMORIES_MAX = 20_000

export interface FoundFeedback {
  /** In journal order. */
  readonly rows: readonly RecordedFeedback[]
  /** More memory was shown to the runs and consumers of the guides than is looked through. */
  readonly isCut: boolean
}

/**
 * Outcomes that name one of the guides, or a run of one, whatever memory they name. A memory that the eyes do not see
 * keeps its outcome and loses its id, so that harm is never overlooked.
 */
export function recordedFeedback(
  state: ActorState,
  guides: readonly RecordedGuide[],
  eyes: Eyes,
): FoundFeedback {
  const traceIds = new Set(guides.map(({ guideTraceId }) => guideTraceId))
  const runIds = new Set(guides.flatMap(({ runId }) => runId ?? []))
  const belongs = (mark: FeedbackMark): boolean =>
    runIds.has(mark.runId) || (mark.guideTraceId !== null && traceIds.has(mark.guideTraceId))
  const rows: RecordedFeedback[] = []
  let looked = 0
  for (const memoryId of memoryIdsOf(state, guides, runIds)) {
    looked += 1
    if (looked > FEEDBACK_MEMORIES_MAX) break
    const record = state.memories.get(memoryId)
    if (record === undefined) continue
    for (const mark of record.marks) if (belongs(mark)) rows.push(rowOf(record, mark, eyes))
  }
  return { rows: rows.sort((a, b) => a.seq - b.seq), isCut: looked > FEEDBACK_MEMORIES_MAX }
}

/** Attribution needs exposure, so an outcome can only stand at memory that a guide, its run or its consumer was shown. */
function memoryIdsOf(
  state: ActorState,
  guides: readonly RecordedGuide[],
  runIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const ids = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  for (const runId of runIds) {
    for (const id of state.exposedByRun.get(runId)?.keys() ?? []) ids.add(id)
    for (const id of state.byRun.get(runId) ?? []) ids.add(id)
  }
  for (const { consumerAgentId: agentId, consumerTeamId: teamId } of guides) {
    for (const id of state.exposedByConsumer.get(consumerKey({ agentId, teamId }))?.keys() ?? []) ids.add(id)
  }
  return ids
}

function rowOf(record: MemoryRecord, mark: FeedbackMark, eyes: Eyes): RecordedFeedback {
  return {
    memoryId: isKnownTo(eyes, record) ? record.memoryId : null,
    runId: mark.runId,
    guideTraceId: mark.guideTraceId,
    seq: mark.seq,
    outcome: mark.outcome,
    isDirect: mark.direct,
    isStrong: mark.strong,
    verifierStatus: mark.verifierStatus,
  }
}
