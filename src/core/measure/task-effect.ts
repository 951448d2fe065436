import { listAt } from '../base/collections.ts'
import { COUNTED_HOURS, hourOf } from '../model/rule-counts.ts'
import type { ActorState } from '../model/state.ts'
import type { Viewer } from '../model/visibility.ts'
import { type SuccessShare, successShare } from './metrics.ts'
import { pairedOutcomes, randomOf } from './paired-outcomes.ts'
import { runMarks, runVerdicts } from './recorded-runs.ts'
import { type EndedRun, type GuideArms, outcomeRunIds, recordedOutcomes } from './records.ts'

export type TaskEffect = NonNullable<ReturnType<typeof taskEffect>>

/** Of the resampling: the same records give the same interval. */
const SEED = 1

/**
 * What memory changed for one task: finished runs with memory beside finished runs without. Null: no run of the task has an
 * end and a side.
 */
export function taskEffect(state: ActorState, taskSignature: string, arms: GuideArms, eyes: Viewer) {
  const { runIds, isCut } = outcomeRunIds(state, taskSignature)
  const verdictOf = runVerdicts(runMarks(state, new Set(runIds), []))
  const runs = recordedOutcomes(state, { runIds, verdictOf, arms, taskSignature, eyes })
  if (runs.length === 0) return null
  const shareOf = (arm: 'guided' | 'without_memory'): SuccessShare => {
    const ofArm = runs.filter((run) => run.arm === arm)
    return successShare(ofArm.filter(({ isSuccess }) => isSuccess).length, ofArm.length)
  }
  return {
    withMemory: shareOf('guided'),
    withoutMemory: shareOf('without_memory'),
    pairs: pairedOutcomes(runs, randomOf(SEED)),
    hours: hoursOf(runs),
    // The task has more runs than are compared.
    isCut,
    // Finished or not.
    lookedAt: runIds.length,
  }
}

/** The newest hours since the epoch in which a run ended, the oldest first. Older ones are in the totals only. */
function hoursOf(runs: readonly EndedRun[]) {
  const byHour = new Map<number, EndedRun[]>()
  for (const run of runs) listAt(byHour, hourOf(run.endedAtMs)).push(run)
  const newest = Math.max(...byHour.keys())
  return [...byHour]
    .filter(([hour]) => hour > newest - COUNTED_HOURS)
    .sort(([a], [b]) => a - b)
    .map(([hour, ended]) => ({
      hour,
      withMemory: endsOf(ended.filter(({ arm }) => arm === 'guided')),
      withoutMemory: endsOf(ended.filter(({ arm }) => arm !== 'guided')),
    }))
}

function endsOf(runs: readonly EndedRun[]) {
  return { runs: runs.length, succeeded: runs.filter(({ isSuccess }) => isSuccess).length }
}
