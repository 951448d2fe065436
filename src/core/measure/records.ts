import type { ActorState } from '../model/state.ts'
import type { TaskRef } from '../model/task-ref.ts'
import type { RecordedGuide } from './evidence.ts'
import type { Eyes } from './eyes.ts'
import { GUIDES_MAX, type GuideArms } from './guide-arms.ts'
import type { RuntimeRecords } from './job.ts'
import type { MemoryFacts } from './memory-drift.ts'
import { recordedFeedback } from './recorded-feedback.ts'
import { OUTCOME_RUNS_MAX, outcomeRunIds, recordedOutcomes } from './recorded-outcomes.ts'
import { RUNS_MAX, recordedRuns, STEPS_MAX, signedSteps } from './recorded-runs.ts'
import { relationTargets } from './relation-targets.ts'
import { runMarks, runVerdicts } from './run-marks.ts'

export interface RecordsQuery {
  readonly task: TaskRef
  /** Those that the actor holds of the guides that are measured, the one before first. */
  readonly guides: readonly RecordedGuide[]
  readonly arms: GuideArms
  /** The memory of the guides and what stands beside it. */
  readonly memories: readonly MemoryFacts[]
  readonly eyes: Eyes
}

export interface FoundRecords {
  readonly records: RuntimeRecords
  /** Sentences about what was not looked at. */
  readonly warnings: readonly string[]
}

/** Everything that the actor holds about a measurement, bounded. */
export function runtimeRecords(state: ActorState, query: RecordsQuery, nowMs: number): FoundRecords {
  const { task, guides, arms, eyes } = query
  const { taskSignature } = task
  const steps = signedSteps(state, task)
  const compared = outcomeRunIds(state, taskSignature)
  const guideRuns = guides.flatMap(({ runId }) => runId ?? [])
  const marks = runMarks(state, new Set([...guideRuns, ...steps.byRun.keys(), ...compared.runIds]), guides)
  const verdictOf = runVerdicts(marks)
  const runs = recordedRuns(state, steps, verdictOf, eyes, nowMs)
  const cuts: readonly (readonly [boolean, string])[] = [
    [arms.isCut, `the newest ${GUIDES_MAX} guides were looked at; older runs are not compared`],
    [compared.isCut, `the newest ${OUTCOME_RUNS_MAX} runs are compared`],
    [runs.isCut, `the newest ${RUNS_MAX} runs, ${STEPS_MAX} steps at most, were looked at for skills`],
  ]
  return {
    records: {
      guides,
      feedback: recordedFeedback(marks, guides, eyes),
      runs: runs.runs,
      memories: query.memories,
      relationTargetIds: relationTargets(state, guides, eyes),
      outcomes: recordedOutcomes(state, {
        runIds: compared.runIds,
        verdictOf,
        arms,
        taskSignature,
        eyes,
      }),
    },
    warnings: cuts.flatMap(([isCut, sentence]) => (isCut ? [sentence] : [])),
  }
}
