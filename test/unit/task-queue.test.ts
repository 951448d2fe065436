import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from '../../src/ports/log.ts'

/** A thread that does what the test says. */
class FakeWorker extends EventEmitter {
  readonly requests: unknown[] = []
  isStopped = false
  constructor() {
    super()
    if (system.hasNoThread) throw new Error('EAGAIN')
    started.push(this)
  }
  postMessage(request: { readonly input: unknown }): void {
    this.requests.push(request.input)
  }
  ref(): void {}
  unref(): void {}
  async terminate(): Promise<void> {
    this.isStopped = true
  }
}

const started: FakeWorker[] = []
const system = { hasNoThread: false }

vi.doMock('node:worker_threads', () => ({ Worker: FakeWorker }))
const { TaskQueue } = await import('../../src/adapters/compute/task-queue.ts')

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  started.length = 0
  system.hasNoThread = false
})

function queueOf(threads = 1) {
  const lines: string[] = []
  const line = (_fields: object, message: string) => {
    lines.push(message)
  }
  const log: Log = { debug: line, info: line, warn: line, error: line }
  return { queue: new TaskQueue({ threads, tasksMax: 10, idleMs: 1000, log }), lines }
}

const refused = (kind: string) => expect.objectContaining({ computeFailure: kind })
const outcomeOf = (task: Promise<unknown>) => task.catch((error: unknown) => error)

test('when a thread fails before it starts, every task that waits for it is refused at once, and one line is logged', async () => {
  const { queue, lines } = queueOf()
  const tasks = ['a', 'b', 'c'].map((input) => outcomeOf(queue.run('rank', input)))
  started[0]?.emit('error', new Error('EMFILE'))
  started[0]?.emit('exit', 1)
  expect(await Promise.all(tasks)).toEqual(tasks.map(() => refused('unavailable')))
  expect(await outcomeOf(queue.run('rank', 'd'))).toEqual(refused('unavailable'))
  expect(started).toHaveLength(1)
  expect(lines).toHaveLength(1)
  expect(queue.waiting).toBe(0)
})

test('a system that has no thread at all refuses the task, not the process', async () => {
  const { queue, lines } = queueOf()
  system.hasNoThread = true
  expect(await outcomeOf(queue.run('rank', 'a'))).toEqual(refused('unavailable'))
  expect(lines).toHaveLength(1)
})

test('a start is tried again after a while, and the log says when threads start again', async () => {
  const { queue, lines } = queueOf()
  system.hasNoThread = true
  for (let second = 0; second < 5; second += 1) {
    expect(await outcomeOf(queue.run('rank', second))).toEqual(refused('unavailable'))
    vi.advanceTimersByTime(1000)
  }
  expect(lines).toHaveLength(1)
  system.hasNoThread = false
  const task = queue.run('rank', 'a')
  started[0]?.emit('message', null)
  started[0]?.emit('message', { isDone: true, output: 'ranked' })
  expect(await task).toBe('ranked')
  expect(lines).toHaveLength(2)
})

test('a second thread that cannot start leaves its task to the first one', async () => {
  const { queue } = queueOf(2)
  const first = queue.run('rank', 'a')
  started[0]?.emit('message', null)
  system.hasNoThread = true
  const second = queue.run('rank', 'b')
  started[0]?.emit('message', { isDone: true, output: 'A' })
  started[0]?.emit('message', { isDone: true, output: 'B' })
  expect(await Promise.all([first, second])).toEqual(['A', 'B'])
})

test('what waits behind a task that is stopped, or whose thread dies, goes to a new thread', async () => {
  const { queue } = queueOf()
  const late = outcomeOf(queue.run('rank', 'late', { timeoutMs: 50 }))
  const deadly = outcomeOf(queue.run('rank', 'deadly'))
  const last = queue.run('rank', 'last')
  started[0]?.emit('message', null)
  vi.advanceTimersByTime(50)
  expect(await late).toEqual(refused('timed_out'))
  expect(started[1]?.requests).toEqual(['deadly'])
  started[1]?.emit('message', null)
  started[1]?.emit('exit', 1)
  expect(await deadly).toEqual(refused('failed'))
  started[2]?.emit('message', null)
  started[2]?.emit('message', { isDone: true, output: 'done' })
  expect(await last).toBe('done')
})

test('a task that times out while it waits never reaches a thread', async () => {
  const { queue } = queueOf()
  const first = queue.run('rank', 'first')
  const late = outcomeOf(queue.run('rank', 'late', { timeoutMs: 50 }))
  vi.advanceTimersByTime(50)
  expect(await late).toEqual(refused('timed_out'))
  started[0]?.emit('message', null)
  started[0]?.emit('message', { isDone: true, output: 'first' })
  await first
  expect(started[0]?.requests).toEqual(['first'])
})

test('a thread without work ends after its time, and one that works does not', async () => {
  const { queue } = queueOf()
  const task = queue.run('rank', 'a')
  started[0]?.emit('message', null)
  vi.advanceTimersByTime(5000)
  expect(started[0]?.isStopped).toBe(false)
  started[0]?.emit('message', { isDone: true, output: 'done' })
  await task
  vi.advanceTimersByTime(1000)
  expect(started[0]?.isStopped).toBe(true)
})
