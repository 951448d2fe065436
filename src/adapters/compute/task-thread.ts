import { Worker } from 'node:worker_threads'
import { workerUrl } from '../files/package-file.ts'
import type { TaskAnswer, TaskRequest } from './task-message.ts'

export interface ThreadEvents {
  readonly onReady: () => void
  readonly onAnswer: (answer: TaskAnswer) => void
  /** Called at most once, when the thread has ended by itself; after that nothing else is called. */
  readonly onEnded: (cause: unknown) => void
}

/** A thread that runs one task at a time. */
export class TaskThread {
  readonly #worker: Worker
  #isReady = false

  /** @throws when the system has no room for a thread. It can also say so later: then the thread ends before it is ready. */
  constructor({ onReady, onAnswer, onEnded }: ThreadEvents) {
    // Flags of the host process are not for these threads.
    this.#worker = new Worker(workerUrl('task'), { name: 'task', execArgv: [] })
    const end = (cause: unknown): void => {
      void this.stop()
      onEnded(cause)
    }
    this.#worker.on('error', end)
    this.#worker.on('messageerror', end)
    this.#worker.on('exit', (code) => end(new Error(`the thread ended with code ${code}`)))
    this.#worker.on('message', (answer: TaskAnswer | null) => {
      if (answer === null) {
        this.#isReady = true
        onReady()
      } else {
        this.#worker.unref()
        onAnswer(answer)
      }
    })
  }

  /** Whether it has ever started to work. */
  get isReady(): boolean {
    return this.#isReady
  }

  /**
   * Runs a task; only while none runs.
   * @throws when the input cannot be copied to another thread
   */
  run(file: string, input: unknown): void {
    const request: TaskRequest = { taskUrl: workerUrl(file).href, input }
    this.#worker.postMessage(request)
    // A task that runs keeps the process alive, an idle thread does not.
    this.#worker.ref()
  }

  /** Ends the thread, whatever it does. What it runs is not answered any more. */
  async stop(): Promise<void> {
    this.#worker.removeAllListeners()
    // A thread that could not start may say so once more.
    this.#worker.on('error', () => {})
    await this.#worker.terminate()
  }
}
