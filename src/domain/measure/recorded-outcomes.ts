import { LOCAL_AGENT } from '../governance/visibility.ts'
import type { MemoryRecord } from '../memory/record.ts'
import type { ActorState } from '../memory/state.ts'
import { type Eyes, isKnownTo } from './eyes.ts'
import type { GuideArms } from './guide-arms.ts'
import type { OutcomeRun } from './paired-outcomes.ts'
import { isStep, lastOutcome } from './recorded-runs.ts'
import type { RunVerdict, VerdictOf } from './run-marks.ts'

/** The newest runs that are compared. */
export const OUTCOME_RUNS_MAX = 1000

export interface OutcomeRunIds {
  readonly runIds: readonly string[]
  /** There are more runs than are compared. */
  readonly isCut: boolean
}

/** The newest runs of one task signature or, without one, of the whole actor. */
export function outcomeRunIds(state: ActorState, taskSignature: string | null): OutcomeRunIds {
  const all = taskSignature === null ? [...state.byRun.keys()] : runIdsOf(state, taskSignature)
  const runIds = all.slice(-OUTCOME_RUNS_MAX)
  return { runIds, isCut: all.length > runIds.length }
}

function runIdsOf(state: ActorState, taskSignature: string): readonly string[] {
  const runIds = new Set<string>()
  for (const memoryId of state.bySignature.get(taskSignature) ?? []) {
    const record = state.memories.get(memoryId)
    if (record?.runId != null && record.taskSignature === taskSignature) runIds.add(record.runId)
  }
  return [...runIds]
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
  return runIds.flatMap((runId) => {
    const steps = stepsOf(state, runId, taskSignature, eyes)
    const run = steps.length === 0 ? null : outcomeRun(state, arms, steps, verdictOf(runId), runId)
    return run === null ? [] : [run]
  })
}

function stepsOf(
  state: ActorState,
  runId: string,
  taskSignature: string | null,
  eyes: Eyes,
): readonly MemoryRecord[] {
  const steps: MemoryRecord[] = []
  for (const memoryId of state.byRun.get(runId) ?? []) {
    const record = state.memories.get(memoryId)
    if (record === undefined || record.runId !== runId || !isStep(record)) continue
    if (taskSignature !== null && record.taskSignature !== taskSignature) continue
    steps.push(record)
  }
  return steps.some((record) => isKnownTo(eyes, record)) ? steps : []
}

function outcomeRun(
  state: ActorState,
  arms: GuideArms,
  steps: readonly MemoryRecord[],
  verdict: RunVerdict,
  runId: string,
): OutcomeRun | null {
  const taskKey = taskKeyOf(steps)
  const arm = armOf(state, arms, steps, verdict, runId)
  const isSuccess = successOf(steps, verdict)
  return taskKey === null || arm === null || isSuccess === null ? null : { taskKey, arm, isSuccess }
}

/** Runs of one task share signature and task id; a run that names neither cannot be paired. */
function taskKeyOf(steps: readonly MemoryRecord[]): string | null {
  const taskId = steps.findLast((step) => step.taskId !== null)?.taskId ?? null
  const signature = steps.findLast((step) => step.taskSignature !== null)?.taskSignature ?? null
  return taskId === null && signature === null ? null : JSON.stringify([signature, taskId])
}

function armOf(
  state: ActorState,
  arms: GuideArms,
  steps: readonly MemoryRecord[],
  verdict: RunVerdict,
  runId: string,
): OutcomeRun['arm'] | null {
  const arm = arms.ofRun.get(runId)
  if (arm !== undefined) return arm === 'guided' ? 'guided' : arm === 'withheld' ? 'without_memory' : null
  // No guide that was looked at is of this run. That shows a run without memory only if there can be no other guide.
  const isShown = verdict.isTold || state.exposedByRun.has(runId)
  const isOlder = steps.some(({ seq }) => seq <= arms.fromSeq)
  return isShown || isOlder || mayHaveRunlessGuide(arms, steps) ? null : 'without_memory'
}

function mayHaveRunlessGuide({ runlessSince }: GuideArms, steps: readonly MemoryRecord[]): boolean {
  return steps.some(({ producerAgentId, seq }) => {
    const since = runlessSince.get(producerAgentId ?? LOCAL_AGENT)
    return since !== undefined && since < seq
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
