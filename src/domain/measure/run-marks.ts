import type { FeedbackMark, MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'

/** Memories, the newest, whose outcomes are looked through. */
export const MARKED_MEMORIES_MAX = 100_000

export interface MarkedMemory {
  readonly record: MemoryRecord
  readonly mark: FeedbackMark
}

export interface FoundMarks {
  readonly marks: readonly MarkedMemory[]
  /** There is more memory than is looked through. */
  readonly isCut: boolean
}

/**
 * Outcomes that name one of the runs or guides, whatever memory they stand at: feedback may name memory that another
 * run was shown, so nothing less than all memory tells everything about a run.
 */
export function runMarks(
  state: Pick<ActorState, 'memories' | 'memoryIds'>,
  runIds: ReadonlySet<string>,
  guideTraceIds: ReadonlySet<string>,
): FoundMarks {
  const marks: MarkedMemory[] = []
  const { memoryIds } = state
  const from = Math.max(0, memoryIds.length - MARKED_MEMORIES_MAX)
  if (runIds.size === 0 && guideTraceIds.size === 0) return { marks, isCut: false }
  for (let at = from; at < memoryIds.length; at += 1) {
    const record = state.memories.get(memoryIds[at] ?? '')
    if (record === undefined || record.marks.length === 0) continue
    for (const mark of record.marks) {
      const isNamed = mark.guideTraceId !== null && guideTraceIds.has(mark.guideTraceId)
      if (isNamed || runIds.has(mark.runId)) marks.push({ record, mark })
    }
  }
  return { marks, isCut: from > 0 }
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
