import type { Examination, ExaminationJob } from '../../core/external/govern.ts'
import type { MeasureJob } from '../../core/measure/job.ts'
import type { Measurement } from '../../core/measure/measure.ts'
import type { Finding } from '../../core/screening/finding.ts'
import type { KnnResult, VectorJob } from '../../core/search/knn.ts'
import type { RankJob } from '../../core/search/rank-job.ts'
import type { RankResult } from '../../core/search/rank-result.ts'
import type { ComparisonJob } from '../../core/similarity/near-duplicate.ts'
import type { Compute, ScreenJob } from '../../ports/compute.ts'
import type { Log } from '../../ports/log.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { silentLog } from '../files/silent-log.ts'
import { ComputeFailureError, type RunOptions, TaskQueue } from './task-queue.ts'

export interface ComputePoolOptions {
  /** Is told once when threads cannot start, and once when they start again; left out: nobody is. */
  readonly log?: Log
  /** Is told how long requests wait for their tasks, and which tasks failed; left out: nobody is. */
  readonly telemetry?: TaskTelemetry
  /** Threads for what requests wait for, default 1. More pay only where cores are idle. */
  readonly threads?: number
  /** Tasks of requests that run or wait at most, and as many of upkeep; default 256. */
  readonly tasksMax?: number
  /** A thread without work ends after this time, default 30 000. */
  readonly idleMs?: number
  /** Time a ranking or a measurement may take, waiting included, default 5 000. */
  readonly rankTimeoutMs?: number
}

type TaskTelemetry = Pick<Telemetry, 'now' | 'phase' | 'workerFailed'>

const UNTOLD: TaskTelemetry = { now: () => 0, phase() {}, workerFailed() {} }

/** The pool of the process. Without tasks it has no thread. */
export class ComputePool implements Compute {
  readonly #requests: TaskQueue
  readonly #upkeep: TaskQueue
  readonly #timely: RunOptions
  readonly #telemetry: TaskTelemetry

  constructor(options: ComputePoolOptions = {}) {
    const { threads = 1, tasksMax = 256, idleMs = 30_000, rankTimeoutMs = 5_000, log = silentLog } = options
    this.#requests = new TaskQueue({ threads, tasksMax, idleMs, log })
    this.#upkeep = new TaskQueue({ threads: 1, tasksMax, idleMs, log })
    this.#timely = { timeoutMs: rankTimeoutMs }
    this.#telemetry = options.telemetry ?? UNTOLD
  }

  rank(job: RankJob): Promise<RankResult> {
    return this.run<RankResult>('rank', job, this.#timely)
  }

  knn(job: VectorJob): Promise<KnnResult> {
    return this.run<KnnResult>('knn', job, this.#timely)
  }

  // As JSON: read in half the time that a structured clone of thousands of small objects takes.
  async score(task: MeasureJob): Promise<Measurement> {
    return JSON.parse(await this.run<string>('score', task, this.#timely))
  }

  screen(jobs: readonly ScreenJob[]): Promise<readonly (readonly Finding[])[]> {
    return this.run<readonly (readonly Finding[])[]>('screen', jobs)
  }

  examine(job: ExaminationJob): Promise<Examination> {
    return this.run<Examination>('examine', job)
  }

  compare(job: ComparisonJob): Promise<readonly boolean[]> {
    return this.run<readonly boolean[]>('compare', job)
  }

  /**
   * Runs the default export of a worker file, named without folder and ending (`rank`). Input and answer are
   * structured clones. The caller names the answer's type, which must be that of the worker file.
   */
  async run<Output>(taskFile: string, input: unknown, options?: RunOptions): Promise<Output> {
    const sinceMs = this.#telemetry.now()
    try {
      return await this.#answerOf<Output>(this.#requests.run(taskFile, input, options))
    } finally {
      this.#telemetry.phase('pool', sinceMs)
    }
  }

  /**
   * As `run`, for work that takes seconds and that no ranking may wait for: it has one thread of its own. It may take any
   * time.
   */
  runLong<Output>(taskFile: string, input: unknown): Promise<Output> {
    return this.#answerOf<Output>(this.#upkeep.run(taskFile, input))
  }

  /** Threads that live, those of upkeep included. */
  threads(): number {
    return this.#requests.threads + this.#upkeep.threads
  }

  waiting(): number {
    return this.#requests.waiting
  }

  waitingUpkeep(): number {
    return this.#upkeep.waiting
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.close(), this.#upkeep.close()])
  }

  /** The caller of `run` names the type that the worker file answers with. */
  async #answerOf<Output>(task: Promise<unknown>): Promise<Output> {
    try {
      return (await task) as Output
    } catch (error) {
      if (error instanceof ComputeFailureError) this.#telemetry.workerFailed(error.computeFailure)
      throw error
    }
  }
}
