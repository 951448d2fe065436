import type { ComputeFailureKind } from '../../ports/compute.ts'
import type { Log } from '../../ports/log.ts'
import { ComputeFailureError } from './failure.ts'
import type { TaskAnswer } from './task-message.ts'
import { TaskThread } from './task-thread.ts'

export interface TaskQueueOptions {
  readonly threads: number
  /** Tasks that run or wait at most. */
  readonly tasksMax: number
  /** A thread without work ends after this time. */
  readonly idleMs: number
  readonly log: Log
}

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
  thread: QueueThread | null
}

interface QueueThread {
  readonly worker: TaskThread
  readonly idle: NodeJS.Timeout
  task: Task | null
}

/**
 * Tasks that wait for the same threads, first come, first served. Without tasks it has no thread.
 *
 * Invariant: a task waits only while a thread is there that will take it. When none can be started, whoever waits is
 * refused at once, so that the work is done elsewhere.
 */
export class TaskQueue {
  readonly #options: TaskQueueOptions
  readonly #queued: Task[] = []
  readonly #threads = new Set<QueueThread>()
  readonly #open = new Set<Promise<unknown>>()
  /** Why no thread is started for now; null: one may be. */
  #startFailure: unknown = null
  #isFailing = false
  #closing: Promise<void> | null = null

  constructor(options: TaskQueueOptions) {
    this.#options = options
  }

  /** Tasks that run or wait now. */
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
      const task: Task = { file, input, resolve, reject, timer: null, thread: null }
      if (timeoutMs !== undefined) {
        task.timer = setTimeout(() => this.#stop(task), timeoutMs)
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
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)))
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

  #freeThread(): QueueThread | null {
    for (const thread of this.#threads) if (thread.task === null) return thread
    return this.#threads.size < this.#options.threads ? this.#startThread() : null
  }

  #give(task: Task, thread: QueueThread): void {
    try {
      thread.worker.run(task.file, task.input)
      task.thread = thread
      thread.task = task
    } catch (error) {
      fail(task, 'failed', error)
    }
  }

  #answered(thread: QueueThread, answer: TaskAnswer): void {
    const { task } = thread
    thread.task = null
    thread.idle.refresh()
    if (task !== null && answer.isDone) finish(task, answer.output)
    if (task !== null && !answer.isDone) fail(task, 'failed', answer.error)
    this.#assign()
  }

  /** Null: the system has no room for a thread, or had none a moment ago. */
  #startThread(): QueueThread | null {
    if (this.#startFailure !== null) return null
    try {
      const worker = new TaskThread({
        onReady: () => this.#started(),
        onAnswer: (answer) => this.#answered(thread, answer),
        onEnded: (cause) => this.#ended(thread, cause),
      })
      const idle = setTimeout(() => {
        if (thread.task === null) void this.#end(thread)
      }, this.#options.idleMs)
      idle.unref()
      const thread: QueueThread = { worker, idle, task: null }
      this.#threads.add(thread)
      return thread
    } catch (error) {
      this.#startFailed(error)
      return null
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

  /** The thread has ended by itself. */
  #ended(thread: QueueThread, cause: unknown): void {
    const { task, worker } = thread
    this.#threads.delete(thread)
    clearTimeout(thread.idle)
    if (!worker.isReady) this.#startFailed(cause)
    if (task !== null) fail(task, worker.isReady ? 'failed' : 'unavailable', cause)
    this.#assign()
  }

  async #end(thread: QueueThread): Promise<void> {
    this.#threads.delete(thread)
    clearTimeout(thread.idle)
    await thread.worker.stop()
  }

  /** The task is over its time. */
  #stop(task: Task): void {
    const { thread } = task
    if (thread === null) this.#queued.splice(this.#queued.indexOf(task), 1)
    fail(task, 'timed_out', null)
    if (thread === null) return
    void this.#end(thread)
    this.#assign()
  }
}

function finish(task: Task, output: unknown): void {
  if (task.timer !== null) clearTimeout(task.timer)
  task.resolve(output)
}

function fail(task: Task, kind: ComputeFailureKind, cause: unknown): void {
  if (task.timer !== null) clearTimeout(task.timer)
  task.reject(new ComputeFailureError(kind, `compute task ${task.file}: ${kind}`, { cause }))
}
