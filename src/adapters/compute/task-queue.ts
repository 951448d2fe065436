import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'
import { workerUrl } from '../files/package-file.ts'
import { ComputeFailureError } from './failure.ts'

export interface TaskQueueOptions {
  readonly threads: number
  /** Tasks that run or wait at most. */
  readonly tasksMax: number
  /** A thread without work ends after this time. */
  readonly idleMs: number
}

export interface RunOptions {
  /** From queueing to answer; without it a task may take any time. A task that is stopped takes its thread along. */
  readonly timeoutMs?: number
}

/** Tasks that wait for the same threads, first come, first served. Without tasks it has no thread. */
export class TaskQueue {
  readonly #options: TaskQueueOptions
  #piscina: Promise<Piscina> | null = null
  readonly #running = new Set<Promise<unknown>>()
  #closing: Promise<void> | null = null

  constructor(options: TaskQueueOptions) {
    this.#options = options
  }

  /** Tasks that run or wait now. */
  get waiting(): number {
    return this.#running.size
  }

  /** Rejects with a ComputeFailureError. */
  run<Output>(taskFile: string, input: unknown, options: RunOptions = {}): Promise<Output> {
    if (this.#closing !== null) {
      return Promise.reject(new ComputeFailureError('closed', 'the compute pool is shutting down'))
    }
    const { tasksMax } = this.#options
    if (this.#running.size >= tasksMax) {
      return Promise.reject(new ComputeFailureError('overloaded', `${tasksMax} compute tasks are waiting`))
    }
    const answer = this.#runQueued<Output>(taskFile, input, options)
    this.#running.add(answer)
    const forget = () => this.#running.delete(answer)
    answer.then(forget, forget)
    return answer
  }

  /** Waits for what is running, then frees the threads. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndStop()
    return this.#closing
  }

  async #runQueued<Output>(taskFile: string, input: unknown, { timeoutMs }: RunOptions): Promise<Output> {
    const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
    try {
      this.#piscina ??= openPool(this.#options)
      const pool = await this.#piscina
      return await pool.run(input, { filename: fileURLToPath(workerUrl(taskFile)), signal })
    } catch (error) {
      const kind = signal?.aborted === true ? 'timed_out' : 'failed'
      throw new ComputeFailureError(kind, `compute task ${taskFile}: ${kind}`, { cause: error })
    }
  }

  // Piscina's own close stops a task that waits for its thread to start, so what runs is awaited here.
  async #drainAndStop(): Promise<void> {
    await Promise.allSettled(this.#running)
    const pool = await this.#piscina
    await pool?.destroy()
  }
}

/** Loaded with the first task: a process comes to its first answers without one. */
async function openPool({ threads, idleMs }: TaskQueueOptions): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({
    // Flags of the host process are not for these threads.
    execArgv: [],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    recordTiming: false,
    // Otherwise a task that finds every thread busy goes behind all others, again and again.
    stricterFIFO: true,
  })
}
