/** A run that the service was told about. */
export interface KnownRun {
  readonly taskId: string
  readonly trial: number
  readonly isSuccess: boolean
  readonly memoryId: string
}

/** What a guide for a task put on the two surfaces that matter here. */
export interface ShownGuide {
  readonly taskId: string
  readonly useNow: readonly string[]
  readonly doNotUse: readonly string[]
}

/** Of how many. */
export interface Share {
  readonly count: number
  readonly of: number
}

export interface Tally {
  readonly guides: number
  /** Failed runs, of whatever task, on use_now: none is expected. */
  readonly failedInUseNow: number
  /** Failed runs of the guided tasks on do_not_use: all are expected. */
  readonly failedInDoNotUse: Share
  /** Succeeded runs of the guided tasks on use_now: all are expected. */
  readonly succeededInUseNow: Share
  /** Runs of other tasks on use_now: none is expected. */
  readonly foreignInUseNow: number
  /** One sentence for each expectation that a guide broke. */
  readonly broken: readonly string[]
}

/** Holds what was shown against what the runs really came to. */
export function tally(runs: readonly KnownRun[], guides: readonly ShownGuide[]): Tally {
  const byId = new Map(runs.map((run) => [run.memoryId, run]))
  const broken: string[] = []
  const failed = { count: 0, of: 0 }
  const succeeded = { count: 0, of: 0 }
  let failedInUseNow = 0
  let foreignInUseNow = 0
  for (const guide of guides) {
    const breaks = (what: string) => broken.push(`Guide of task ${guide.taskId}: ${what}.`)
    for (const memoryId of guide.useNow) {
      const run = byId.get(memoryId)
      if (run?.isSuccess === false) {
        failedInUseNow += 1
        breaks(`${nameOf(run)}, which failed, is in use_now`)
      }
      if (run?.taskId !== guide.taskId) {
        foreignInUseNow += 1
        breaks(`${run === undefined ? `memory ${memoryId}` : nameOf(run)}, of no concern here, is in use_now`)
      }
    }
    for (const run of runs.filter(({ taskId }) => taskId === guide.taskId)) {
      const [share, shown, surface] = run.isSuccess
        ? [succeeded, guide.useNow, 'use_now']
        : [failed, guide.doNotUse, 'do_not_use']
      share.of += 1
      if (shown.includes(run.memoryId)) share.count += 1
      else breaks(`${nameOf(run)}, which ${run.isSuccess ? 'succeeded' : 'failed'}, is not in ${surface}`)
    }
  }
  return {
    guides: guides.length,
    failedInUseNow,
    failedInDoNotUse: failed,
    succeededInUseNow: succeeded,
    foreignInUseNow,
    broken,
  }
}

function nameOf({ taskId, trial }: KnownRun): string {
  return `trial ${trial} of task ${taskId}`
}
