import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Piscina } from 'piscina'
import type { Compute, ComputeFailure, ComputeFailureKind } from '../../ports/compute.ts'
import type { Log } from '../../ports/system.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { silentLog, silentTelemetry } from '../files/null-ports.ts'
import { dependencyFile, workerUrl } from '../files/package-file.ts'

export class ComputeFailureError extends Error implements ComputeFailure {
  override readonly name = 'ComputeFailureError'
  readonly computeFailure: ComputeFailureKind

  constructor(kind: ComputeFailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.computeFailure = kind
  }
}

export type TaskQueueOptions = Required<Pick<ComputePoolOptions, 'threads' | 'tasksMax' | 'idleMs' | 'log'>>

export interface RunOptions {
  /** From queueing to answer; without it a task may take any time. A task that is stopped takes its thread along. */
  readonly timeoutMs?: number
}

/** After a thread that could not start no other is tried for this time: each attempt costs the serving thread some. */
const START_AGAIN_MS = 1000

interface Task {
  readonly file: string
  readonly input: unknown
  readonly resolve: (output: unknown) => void
  readonly reject: (error: ComputeFailureError) => void
  timer: NodeJS.Timeout | null
  /** Null: it waits here. */
  stop: AbortController | null
}

/** A Piscina has one thread in its life, which starts with its first task, and gets one task at a time. */
interface PoolThread {
  readonly piscina: Piscina
  task: Task | null
}

/**
 * Tasks that wait for the same threads, first come, first served. Without tasks it has no thread.
 *
 * Invariant: a task waits only while a thread is there that will take it. When none can be started, whoever waits is
 * refused at once, so that the work is done elsewhere.
 *
 * The tasks wait here and not in Piscina, which starts a thread for a waiting task inside of its event handlers, where
 * a system without room for one would end the process, and which starts none for a task behind one that is stopped.
 */
export class TaskQueue {
  readonly #options: TaskQueueOptions
  // Found at once: Node remembers that it did not find a package, even when it only had no file descriptor left to look.
  readonly #piscinaFile = dependencyFile('piscina')
  readonly #queued: Task[] = []
  readonly #threads = new Set<PoolThread>()
  readonly #open = new Set<Promise<unknown>>()
  /** Why no thread is started for now; null: one may be. */
  #startFailure: unknown = null
  #isFailing = false
  #closing: Promise<void> | null = null

  constructor(options: TaskQueueOptions) {
    this.#options = options
  }

  get threads(): number {
    return this.#threads.size
  }

  get waiting(): number {
    return this.#open.size
  }

  /** Rejects with a ComputeFailureError. */
  run(file: string, input: unknown, { timeoutMs }: RunOptions = {}): Promise<unknown> {
    if (this.#closing !== null) {
      return Promise.reject(new ComputeFailureError('closed', 'the compute pool is shutting down'))
    }
    const { tasksMax } = this.#options
    if (this.#open.size >= tasksMax) {
      return Promise.reject(new ComputeFailureError('overloaded', `${tasksMax} compute tasks are waiting`))
    }
    const answer = new Promise<unknown>((resolve, reject) => {
      const task: Task = { file, input, resolve, reject, timer: null, stop: null }
      if (timeoutMs !== undefined) {
        task.timer = setTimeout(() => this.#timeOut(task), timeoutMs)
        task.timer.unref()
      }
      this.#queued.push(task)
      this.#assign()
    })
    this.#open.add(answer)
    const forget = () => this.#open.delete(answer)
    answer.then(forget, forget)
    return answer
  }

  /** Waits for what is running, then frees the threads. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndStop()
    return this.#closing
  }

  async #drainAndStop(): Promise<void> {
    await Promise.allSettled(this.#open)
    await Promise.all([...this.#threads].map(({ piscina }) => piscina.destroy()))
  }

  /** Gives waiting tasks to threads, and starts threads for them up to the bound. */
  #assign(): void {
    while (this.#queued.length > 0) {
      const thread = this.#freeThread()
      if (thread === null) break
      const task = this.#queued.shift()
      if (task !== undefined) this.#give(task, thread)
    }
    if (this.#threads.size === 0) {
      for (const task of this.#queued.splice(0)) fail(task, 'unavailable', this.#startFailure)
    }
  }

  /** Null: all are busy, or the system had no room for another one a moment ago. */
  #freeThread(): PoolThread | null {
    for (const thread of this.#threads) if (thread.task === null) return thread
    if (this.#startFailure !== null || this.#threads.size >= this.#options.threads) return null
    try {
      return this.#openThread()
    } catch (error) {
      this.#startFailed(error)
      return null
    }
  }

  #openThread(): PoolThread {
    const piscina = openPiscina(this.#piscinaFile, this.#options.idleMs)
    const thread: PoolThread = { piscina, task: null }
    this.#threads.add(thread)
    piscina.on('workerCreate', () => this.#started())
    piscina.on('error', (cause) => this.#ended(thread, cause))
    piscina.on('workerDestroy', () => {
      this.#threads.delete(thread)
      // Until then Piscina has rejected a task that the thread had begun; one that waits for the thread it forgets.
      setImmediate(() => this.#ended(thread, new Error('the thread ended before it was ready')))
    })
    return thread
  }

  #give(task: Task, thread: PoolThread): void {
    const settle = (end: () => void): void => {
      if (thread.task !== task) return
      thread.task = null
      end()
      this.#assign()
    }
    thread.task = task
    task.stop = new AbortController()
    try {
      thread.piscina
        .run(task.input, { filename: fileURLToPath(workerUrl(task.file)), signal: task.stop.signal })
        .then(
          (output: unknown) => settle(() => finish(task, output)),
          (error: unknown) => {
            // A thread that could not read a module for want of a file descriptor would never read it.
            this.#end(thread)
            settle(() => fail(task, 'failed', error))
          },
        )
    } catch (error) {
      // Piscina has no thread, but keeps the task, with a promise of its answer that nobody holds. Were it stopped or
      // destroyed, it would reject that promise, and an unheard rejection ends the process.
      this.#threads.delete(thread)
      task.stop = null
      this.#queued.unshift(task)
      this.#startFailed(error)
    }
  }

  #started(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    this.#options.log.info({}, 'worker threads start again')
  }

  #startFailed(error: unknown): void {
    this.#startFailure = error
    setTimeout(() => {
      this.#startFailure = null
    }, START_AGAIN_MS).unref()
    if (this.#isFailing) return
    this.#isFailing = true
    this.#options.log.warn(
      { cause: String(error) },
      'a worker thread cannot start: its work is done on the serving thread, and a start is tried again',
    )
  }

  /** The thread has ended by itself, or will never start. A task that is still there was never begun. */
  #ended(thread: PoolThread, cause: unknown): void {
    const { task } = thread
    thread.task = null
    this.#end(thread)
    if (task === null) return
    this.#startFailed(cause)
    fail(task, 'unavailable', cause)
    this.#assign()
  }

  #end(thread: PoolThread): void {
    this.#threads.delete(thread)
    void thread.piscina.destroy()
  }

  #timeOut(task: Task): void {
    fail(task, 'timed_out', null)
    if (task.stop === null) this.#queued.splice(this.#queued.indexOf(task), 1)
    else task.stop.abort()
  }
}

/**
 * The package is loaded with the first task: a process comes to its first answers without it.
 * @throws when its files cannot be read just now
 */
function openPiscina(file: string, idleMs: number): Piscina {
  const { Piscina: Pool }: typeof import('piscina') = createRequire(file)(file)
  return new Pool({
    // Flags of the host process are not for these threads.
    execArgv: [],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    recordTiming: false,
  })
}

function finish(task: Task, output: unknown): void {
  if (task.timer !== null) clearTimeout(task.timer)
  task.resolve(output)
}

function fail(task: Task, kind: ComputeFailureKind, cause: unknown): void {
  if (task.timer !== null) clearTimeout(task.timer)
  task.reject(new ComputeFailureError(kind, `compute task ${task.file}: ${kind}`, { cause }))
}

export interface ComputePoolOptions {
  /** Is told once when threads cannot start, and once when they start again; left out: nobody is. */
  readonly log?: Log
  /** Is told how long requests wait for their tasks, and which tasks failed; left out: nobody is. */
  readonly telemetry?: TaskTelemetry
  /** Threads for what requests wait for, default 1. More pay only where cores are idle. */
  readonly threads?: number
  /** Tasks of requests that run or wait at most, and as many of upkeep; default 256. */
  readonly tasksMax?: number
  /** A thread without work ends after this time. */
  readonly idleMs?: number
  /** Time a ranking or a measurement may take, waiting included, default 5 000. */
  readonly rankTimeoutMs?: number
}

type TaskTelemetry = Pick<Telemetry, 'now' | 'phase' | 'workerFailed'>

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
    this.#telemetry = options.telemetry ?? silentTelemetry
  }

  readonly rank: Compute['rank'] = (job) => this.run('rank', job, this.#timely)
  readonly knn: Compute['knn'] = (job) => this.run('knn', job, this.#timely)
  // As JSON: read in half the time that a structured clone of thousands of small objects takes.
  readonly score: Compute['score'] = async (job) =>
    JSON.parse(await this.run<string>('score', job, this.#timely))
  readonly screen: Compute['screen'] = (jobs) => this.run('screen', jobs)
  readonly examine: Compute['examine'] = (job) => this.run('examine', job)
  readonly compare: Compute['compare'] = (job) => this.run('compare', job)

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
