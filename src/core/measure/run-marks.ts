import { SURFACES } from '../base/closed-sets.ts'
import type { FeedbackMark, MemoryRecord } from '../model/record.ts'
import type { ActorState } from '../model/state.ts'
import type { RecordedGuide } from './evidence.ts'

export interface MarkedMemory {
  readonly record: MemoryRecord
  readonly mark: FeedbackMark
}

/**
 * Outcomes that name one of the runs or guides, whatever memory they stand at: feedback may name memory that another
 * run was shown. A guide can only be named at memory that it exposed.
 */
export function runMarks(
  state: Pick<ActorState, 'memories' | 'markedByRun'>,
  runIds: ReadonlySet<string>,
  guides: readonly RecordedGuide[],
): readonly MarkedMemory[] {
  const memoryIds = new Set(guides.flatMap(({ exposed }) => SURFACES.flatMap((surface) => exposed[surface])))
  for (const runId of runIds) for (const id of state.markedByRun.get(runId) ?? []) memoryIds.add(id)
  const traceIds = new Set(guides.map(({ guideTraceId }) => guideTraceId))
  const marks: MarkedMemory[] = []
  for (const memoryId of memoryIds) {
    const record = state.memories.get(memoryId)
    if (record === undefined) continue
    for (const mark of record.marks) {
      const isNamed = mark.guideTraceId !== null && traceIds.has(mark.guideTraceId)
      if (isNamed || runIds.has(mark.runId)) marks.push({ record, mark })
    }
  }
  return marks
}

/** What feedback said of one run. */
export interface RunVerdict {
  /** Feedback names the run, so some guide gave it memory. */
  readonly isTold: boolean
  readonly isNegative: boolean
  /** A positive outcome was credited to memory that the run was given for direct use. */
  readonly isDirectPositive: boolean
  /** Such a positive, with a passed verifier, and no negative beside it. */
  readonly isVerified: boolean
}

const NOTHING_SAID: RunVerdict = {
  isTold: false,
  isNegative: false,
  isDirectPositive: false,
  isVerified: false,
}

export type VerdictOf = (runId: string) => RunVerdict

export function runVerdicts(marks: readonly MarkedMemory[]): VerdictOf {
  const verdicts = new Map<string, RunVerdict>()
  for (const { mark } of marks) {
    const known = verdicts.get(mark.runId) ?? NOTHING_SAID
    const isNegative = known.isNegative || mark.outcome === 'negative'
    const isPassed = mark.direct && mark.verifierStatus === 'passed'
    verdicts.set(mark.runId, {
      isTold: true,
      isNegative,
      isDirectPositive: known.isDirectPositive || mark.direct,
      isVerified: !isNegative && (known.isVerified || isPassed),
    })
  }
  return (runId) => verdicts.get(runId) ?? NOTHING_SAID
}
