import { parentPort } from 'node:worker_threads'
import type { TaskAnswer, TaskRequest } from '../src/adapters/compute/task-message.ts'

// A thread of the compute pool: it calls the task that each message names, and answers what the task returned or threw.

function answer(message: TaskAnswer | null): void {
  parentPort?.postMessage(message)
}

async function run({ taskUrl, input }: TaskRequest): Promise<void> {
  try {
    const { default: task }: { default: (input: unknown) => unknown } = await import(taskUrl)
    answer({ isDone: true, output: await task(input) })
  } catch (error) {
    refuse(error)
  }
}

function refuse(error: unknown): void {
  try {
    answer({ isDone: false, error })
  } catch {
    // What was thrown cannot be copied to another thread.
    answer({ isDone: false, error: new Error(String(error)) })
  }
}

parentPort?.on('message', (request: TaskRequest) => {
  void run(request)
})
answer(null)
