import type { ActorState } from '../memory/state.ts'
import type { RecordedGuide } from './evidence.ts'
import type { Eyes } from './eyes.ts'
import { GUIDES_MAX, type GuideArms } from './guide-arms.ts'
import type { RuntimeRecords } from './job.ts'
import { FEEDBACK_MEMORIES_MAX, recordedFeedback } from './recorded-feedback.ts'
import { recordedMemories, relationTargets } from './recorded-memories.ts'
import { OUTCOME_RUNS_MAX, recordedOutcomes } from './recorded-outcomes.ts'
import { RUNS_MAX, recordedRuns, STEPS_MAX } from './recorded-runs.ts'
import type { TaskRef } from './task-ref.ts'

export interface RecordsQuery {
  readonly task: TaskRef
  /** Those that the actor holds of the guides that are measured, the one before first. */
  readonly guides: readonly RecordedGuide[]
  readonly arms: GuideArms
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
  const feedback = recordedFeedback(state, guides, eyes)
  const runs = recordedRuns(state, task, eyes, nowMs)
  const outcomes = recordedOutcomes(state, arms, task.taskSignature, eyes)
  const cuts: readonly (readonly [boolean, string])[] = [
    [arms.isCut, `the newest ${GUIDES_MAX} guides were looked at; older runs are not compared`],
    [outcomes.isCut, `the newest ${OUTCOME_RUNS_MAX} runs are compared`],
    [runs.isCut, `the newest ${RUNS_MAX} runs, ${STEPS_MAX} steps at most, were looked at for skills`],
    [feedback.isCut, `outcomes of ${FEEDBACK_MEMORIES_MAX} memories were looked at`],
  ]
  return {
    records: {
      guides,
      feedback: feedback.rows,
      runs: runs.runs,
      memories: recordedMemories(state, guides, task.taskSignature, eyes, nowMs),
      relationTargetIds: relationTargets(state, guides, eyes),
      outcomes: outcomes.outcomes,
    },
    warnings: cuts.flatMap(([isCut, sentence]) => (isCut ? [sentence] : [])),
  }
}
