import type { Examination, ExaminationJob } from '../core/external/govern.ts'
import type { MeasureJob } from '../core/measure/job.ts'
import type { Measurement } from '../core/measure/measure.ts'
import type { Finding, ScreeningContext } from '../core/screening/finding.ts'
import type { KnnResult, VectorJob } from '../core/search/knn.ts'
import type { RankJob } from '../core/search/rank-job.ts'
import type { RankResult } from '../core/search/rank-result.ts'
import type { ComparisonJob } from '../core/similarity/near-duplicate.ts'

/** One text to screen. */
export interface ScreenJob {
  readonly text: string
  readonly context: ScreeningContext
}

/**
 * How a task that was not answered ended.
 * - overloaded: too many tasks wait and this one was not queued; retry later.
 * - timed_out: it took too long and was stopped.
 * - failed: the task threw; a mistake of ours or bytes that are not what they should be.
 * - unavailable: the system has no room for a thread just now; the pool has said so in the log.
 * - closed: the pool is shutting down.
 */
export const COMPUTE_FAILURES = ['overloaded', 'timed_out', 'failed', 'unavailable', 'closed'] as const
export type ComputeFailureKind = (typeof COMPUTE_FAILURES)[number]

export interface ComputeFailure extends Error {
  readonly computeFailure: ComputeFailureKind
}

/** Heavy pure work, done beside the thread that asks. Every method rejects with a ComputeFailure. */
export interface Compute {
  rank(job: RankJob): Promise<RankResult>
  /** The vectors nearest to a query. */
  knn(job: VectorJob): Promise<KnnResult>
  /** Scores one measurement. */
  score(job: MeasureJob): Promise<Measurement>
  /** Findings of each text, in order. */
  screen(jobs: readonly ScreenJob[]): Promise<readonly (readonly Finding[])[]>
  /** What a govern request tells without its actor. */
  examine(job: ExaminationJob): Promise<Examination>
  /** An answer to each question, in order. */
  compare(job: ComparisonJob): Promise<readonly boolean[]>
  /** Tasks of requests that run or wait now. */
  waiting(): number
  /** Long tasks that run or wait now, on a thread of their own. */
  waitingUpkeep(): number
  /** Waits for what is running, then frees the threads. Idempotent. */
  close(): Promise<void>
}
