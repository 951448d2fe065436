import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { MeasureTask, TracedMeasurement } from '../../domain/audit/measurement.ts'
import type { Examination, ExaminationJob } from '../../domain/governance/govern.ts'
import type { NearestResult } from '../../domain/recall/nearest.ts'
import type { RankJob } from '../../domain/recall/rank-job.ts'
import type { RankResult } from '../../domain/recall/rank-result.ts'
import type { VectorJob } from '../../domain/recall/vectors.ts'
import type { Finding } from '../../domain/screening/finding.ts'
import type { ComparisonJob } from '../../domain/similarity/text-comparison.ts'
import type { Compute, ScreenJob } from '../../ports/compute.ts'
import { workerUrl } from '../files/worker-url.ts'
import { ComputeFailureError } from './failure.ts'

export interface ComputePoolOptions {
  /** Worker threads, default 1. More pay only where cores are idle. */
  readonly threads?: number
  /** Tasks that run or wait at most, default 256. */
  readonly tasksMax?: number
  /** A thread without work ends after this time, default 30 000. */
  readonly idleMs?: number
  /** Time a ranking or a measurement may take, waiting included, default 5 000. */
  readonly rankTimeoutMs?: number
}

export interface RunOptions {
  /** Buffers that are moved, not copied. */
  readonly transferList?: readonly ArrayBuffer[]
  /** From queueing to answer; without it a task may take any time. A task that is stopped takes its thread along. */
  readonly timeoutMs?: number
}

export interface ComputePool extends Compute {
  /**
   * Runs the default export of a worker file, named without folder and ending (`rank`). Input and answer are
   * structured clones. The caller names the answer's type, which must be that of the worker file.
   */
  run<Output>(taskFile: string, input: unknown, options?: RunOptions): Promise<Output>
}

/** The pool of the process. Without tasks it has no thread. */
export function createComputePool(options: ComputePoolOptions = {}): ComputePool {
  return new PiscinaPool(options)
}

class PiscinaPool implements ComputePool {
  readonly #threads: number
  readonly #tasksMax: number
  readonly #idleMs: number
  readonly #rankTimeoutMs: number
  #piscina: Piscina | null = null
  readonly #running = new Set<Promise<unknown>>()
  #closing: Promise<void> | null = null

  constructor(options: ComputePoolOptions) {
    this.#threads = options.threads ?? 1
    this.#tasksMax = options.tasksMax ?? 256
    this.#idleMs = options.idleMs ?? 30_000
    this.#rankTimeoutMs = options.rankTimeoutMs ?? 5_000
  }

  rank(job: RankJob): Promise<RankResult> {
    return this.run<RankResult>('rank', job, { timeoutMs: this.#rankTimeoutMs })
  }

  nearest(job: VectorJob): Promise<NearestResult> {
    return this.run<NearestResult>('nearest', job, { timeoutMs: this.#rankTimeoutMs })
  }

  // As JSON: read in half the time that a structured clone of thousands of small objects takes.
  async score(task: MeasureTask): Promise<TracedMeasurement> {
    return JSON.parse(await this.run<string>('score', task, { timeoutMs: this.#rankTimeoutMs }))
  }

  run<Output>(taskFile: string, input: unknown, options: RunOptions = {}): Promise<Output> {
    if (this.#closing !== null) {
      return Promise.reject(new ComputeFailureError('closed', 'the compute pool is shutting down'))
    }
    if (this.#running.size >= this.#tasksMax) {
      return Promise.reject(
        new ComputeFailureError('overloaded', `${this.#tasksMax} compute tasks are waiting`),
      )
    }
    const answer = this.#runQueued<Output>(taskFile, input, options)
    this.#running.add(answer)
    const forget = () => this.#running.delete(answer)
    answer.then(forget, forget)
    return answer
  }

  close(): Promise<void> {
    this.#closing ??= this.#drainAndStop()
    return this.#closing
  }

  async #runQueued<Output>(taskFile: string, input: unknown, options: RunOptions): Promise<Output> {
    const signal = options.timeoutMs === undefined ? null : AbortSignal.timeout(options.timeoutMs)
    try {
      return await this.#threadPool().run(input, {
        filename: fileURLToPath(workerUrl(taskFile)),
        transferList: [...(options.transferList ?? [])],
        signal,
      })
    } catch (error) {
      const kind = signal?.aborted === true ? 'timed_out' : 'failed'
      throw new ComputeFailureError(kind, `compute task ${taskFile}: ${kind}`, { cause: error })
    }
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

  waiting(): number {
    return this.#running.size
  }

  // Piscina's own close stops a task that waits for its thread to start, so what runs is awaited here.
  async #drainAndStop(): Promise<void> {
    await Promise.allSettled(this.#running)
    await this.#piscina?.destroy()
  }

  #threadPool(): Piscina {
    this.#piscina ??= new Piscina({
      // Flags of the host process are not for these threads.
      execArgv: [],
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: this.#idleMs,
      recordTiming: false,
      // Otherwise a task that finds every thread busy goes behind all others, again and again.
      stricterFIFO: true,
    })
    return this.#piscina
  }
}
