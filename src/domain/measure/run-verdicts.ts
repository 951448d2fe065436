import type { ActorState } from '../memory/state.ts'

/** What feedback said of one run. */
export interface RunVerdict {
  readonly isNegative: boolean
  /** A positive outcome was credited to memory that the run was given for direct use. */
  readonly isDirectPositive: boolean
  /** Such a positive, with a passed verifier, and no negative beside it. */
  readonly isVerified: boolean
}

const NOTHING_SAID: RunVerdict = { isNegative: false, isDirectPositive: false, isVerified: false }

/** What feedback said of each run, whatever memory it names: every shown memory is looked through once. */
export function runVerdicts(state: ActorState, runIds: ReadonlySet<string>): (runId: string) => RunVerdict {
  const memoryIds = new Set<string>()
  for (const runId of runIds) {
    for (const id of state.exposedByRun.get(runId)?.keys() ?? []) memoryIds.add(id)
    for (const id of state.byRun.get(runId) ?? []) memoryIds.add(id)
  }
  const verdicts = new Map<string, RunVerdict>()
  for (const memoryId of memoryIds) {
    for (const mark of state.memories.get(memoryId)?.marks ?? []) {
      if (!runIds.has(mark.runId)) continue
      const known = verdicts.get(mark.runId) ?? NOTHING_SAID
      const isNegative = known.isNegative || mark.outcome === 'negative'
      const isPassed = mark.direct && mark.verifierStatus === 'passed'
      verdicts.set(mark.runId, {
        isNegative,
        isDirectPositive: known.isDirectPositive || mark.direct,
        isVerified: !isNegative && (known.isVerified || isPassed),
      })
    }
  }
  return (runId) => verdicts.get(runId) ?? NOTHING_SAID
}
