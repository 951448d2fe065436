import type { FeedbackMark, MemoryRecord } from '../model/record.ts'
import { memoriesOfRun } from '../model/state.ts'
import { isOwnRun } from './credit.ts'
import { type ReportView, ROWS_MAX, seenRecord } from './operator-snapshot-view.ts'

interface Use {
  readonly memoryId: string
  readonly mark: FeedbackMark
}

/**
 * Runs that told an outcome of one of the memories, the latest first, and how they ended. A consumer is told of the
 * outcomes of its own guides only: the runs of others are theirs.
 * @param guideIds guides that these eyes may know of
 */
export function blastRuns(view: ReportView, records: readonly MemoryRecord[], guideIds: ReadonlySet<string>) {
  const byRun = new Map<string, Use[]>()
  for (const { memoryId, marks } of records) {
    for (const mark of marks) {
      if (view.eyes !== null && !isOwnRun(mark, guideIds)) continue
      const uses = byRun.get(mark.runId)
      if (uses === undefined) byRun.set(mark.runId, [{ memoryId, mark }])
      else uses.push({ memoryId, mark })
    }
  }
  const lastSeq = (uses: readonly Use[]) => Math.max(...uses.map(({ mark }) => mark.seq))
  const runs = [...byRun].sort(([, a], [, b]) => lastSeq(b) - lastSeq(a))
  return {
    count: runs.length,
    entries: runs.slice(0, ROWS_MAX).map(([runId, uses]) => ({
      run_id: runId,
      ended: endOf(view, runId),
      outcomes: uses
        .sort((a, b) => a.mark.seq - b.mark.seq)
        .slice(-ROWS_MAX)
        .map(({ memoryId, mark }) => ({
          memory_id: memoryId,
          outcome: mark.outcome,
          used_surface: mark.usedSurface,
          verifier_status: mark.verifierStatus,
          strong: mark.strong,
          direct: mark.direct,
          guide_trace_id: mark.guideTraceId,
          at: view.isoTime(mark.atMs),
        })),
    })),
  }
}

/** What the last recorded step of the run says; null: no step that these eyes see tells. */
function endOf(view: ReportView, runId: string): string | null {
  const steps = memoriesOfRun(view.state, runId)
    .flatMap((id) => seenRecord(view, id) ?? [])
    .filter((record) => record.runId === runId && record.domain === 'execution')
    .sort((a, b) => a.ordinal - b.ordinal)
  return steps.findLast(({ content }) => content.outcome !== null)?.content.outcome ?? null
}
