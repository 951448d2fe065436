import type { MemoryRecord } from '../model/record.ts'
import { type ActorState, memoriesOfRun } from '../model/state.ts'
import { LOCAL_AGENT } from '../model/visibility.ts'
import { type Eyes, isKnownTo } from './eyes.ts'
import type { GuideArms } from './guide-arms.ts'
import type { OutcomeRun } from './paired-outcomes.ts'
import { isStep, lastOutcome } from './recorded-runs.ts'
import type { RunVerdict, VerdictOf } from './run-marks.ts'

/** The newest runs that are compared. */
export const OUTCOME_RUNS_MAX = 500

export interface OutcomeRunIds {
  readonly runIds: readonly string[]
  /** There are more runs than are compared. */
  readonly isCut: boolean
}

/** The newest runs of one task signature or, without one, of the whole actor. */
export function outcomeRunIds(state: ActorState, taskSignature: string | null): OutcomeRunIds {
  const all = taskSignature === null ? state.runLines : runIdsOf(state, taskSignature)
  const first = all.size - OUTCOME_RUNS_MAX
  const runIds: string[] = []
  let at = 0
  for (const runId of all.keys()) if (at++ >= first) runIds.push(runId)
  return { runIds, isCut: first > 0 }
}

function runIdsOf(state: ActorState, taskSignature: string): ReadonlySet<string> {
  const runIds = new Set<string>()
  for (const memoryId of state.bySignature.get(taskSignature) ?? []) {
    const record = state.memories.get(memoryId)
    if (record?.runId != null && record.taskSignature === taskSignature) runIds.add(record.runId)
  }
  return runIds
}

export interface OutcomesQuery {
  readonly runIds: readonly string[]
  readonly verdictOf: VerdictOf
  readonly arms: GuideArms
  readonly taskSignature: string | null
  readonly eyes: Eyes
}

/**
 * Finished runs that had memory for direct use, and runs that had none. A run whose arm or end the records do not tell
 * is left out. A recorded failure counts for both arms alike: by the run's own word, or by feedback against it.
 */
export function recordedOutcomes(
  state: ActorState,
  { runIds, verdictOf, arms, taskSignature, eyes }: OutcomesQuery,
): readonly OutcomeRun[] {
  const runs: OutcomeRun[] = []
  for (const runId of runIds) {
    const verdict = verdictOf(runId)
    const arm = shownArm(state, arms, verdict, runId)
    if (arm === null) continue
    const steps = stepsOf(state, runId, taskSignature, eyes)
    const run = steps.length === 0 ? null : outcomeRun(arms, steps, verdict, arm)
    if (run !== null) runs.push(run)
  }
  return runs
}

function stepsOf(
  state: ActorState,
  runId: string,
  taskSignature: string | null,
  eyes: Eyes,
): readonly MemoryRecord[] {
  const steps: MemoryRecord[] = []
  for (const memoryId of memoriesOfRun(state, runId)) {
    const record = state.memories.get(memoryId)
    if (record === undefined || record.runId !== runId || !isStep(record)) continue
    if (taskSignature !== null && record.taskSignature !== taskSignature) continue
    steps.push(record)
  }
  return steps.some((record) => isKnownTo(eyes, record)) ? steps : []
}

function outcomeRun(
  arms: GuideArms,
  steps: readonly MemoryRecord[],
  verdict: RunVerdict,
  arm: OutcomeRun['arm'] | 'unshown',
): OutcomeRun | null {
  if (arm === 'unshown' && mayHaveBeenShown(arms, steps)) return null
  const isSuccess = successOf(steps, verdict)
  const taskKey = isSuccess === null ? null : taskKeyOf(steps)
  if (taskKey === null || isSuccess === null) return null
  return { taskKey, arm: arm === 'guided' ? 'guided' : 'without_memory', isSuccess }
}

/** Runs of one task share signature and task id; a run that names neither cannot be paired. */
function taskKeyOf(steps: readonly MemoryRecord[]): string | null {
  const taskId = steps.findLast((step) => step.taskId !== null)?.taskId ?? null
  const signature = steps.findLast((step) => step.taskSignature !== null)?.taskSignature ?? null
  if (taskId === null && signature === null) return null
  // The length keeps apart what only reads alike once it is put together.
  return signature === null
    ? `:${taskId}`
    : `${signature.length}:${signature}${taskId === null ? '' : `:${taskId}`}`
}

/** Null: shown something, but nothing for direct use, or by a guide that is not looked at. */
function shownArm(
  state: ActorState,
  arms: GuideArms,
  verdict: RunVerdict,
  runId: string,
): OutcomeRun['arm'] | 'unshown' | null {
  const arm = arms.ofRun.get(runId)
  if (arm === 'guided') return 'guided'
  if (arm === 'withheld') return 'without_memory'
  const isShown = arm !== undefined || verdict.isTold || state.exposedByRun.has(runId)
  return isShown ? null : 'unshown'
}

/** No guide names the run. One that is kept no longer, or that named no run, may still have been its. */
function mayHaveBeenShown({ fromSeq, runlessSince }: GuideArms, steps: readonly MemoryRecord[]): boolean {
  return steps.some(({ producerAgentId, seq }) => {
    const since = runlessSince.get(producerAgentId ?? LOCAL_AGENT)
    return seq <= fromSeq || (since !== undefined && since < seq)
  })
}

/** Null: nobody said how the run ended. */
function successOf(steps: readonly MemoryRecord[], verdict: RunVerdict): boolean | null {
  if (verdict.isNegative) return false
  const outcome = lastOutcome(steps)
  if (outcome === 'succeeded') return true
  if (outcome === 'failed' || outcome === 'blocked') return false
  return verdict.isDirectPositive ? true : null
}
