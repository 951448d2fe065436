import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { type MessagePort, Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TaskQueue } from '../../src/adapters/compute/pool.ts'
import type { Log } from '../../src/ports/system.ts'

/** A thread that does what the test says; what Piscina makes of it is Piscina's own. */
class FakeWorker extends EventEmitter {
  readonly requests: unknown[] = []
  readonly #waiting: { readonly taskId: number }[] = []
  #port: MessagePort | null = null
  isStopped = false
  constructor() {
    super()
    if (system.hasNoThread) throw new Error('EAGAIN')
    started.push(this)
  }
  /** Piscina sends one message, with the port of the tasks. */
  postMessage({ port }: { readonly port: MessagePort }): void {
    this.#port = port
    port.on('message', (request: { readonly taskId: number; readonly task: unknown }) => {
      this.requests.push(request.task)
      this.#waiting.push(request)
    })
  }
  ready(): void {
    this.emit('message', { _WORKER_READY: true })
  }
  async answer(result: unknown, error: Error | null = null): Promise<void> {
    await until(() => this.#waiting.length > 0)
    this.#port?.postMessage({ taskId: this.#waiting.shift()?.taskId, result, error })
  }
  async hasTasks(count: number): Promise<void> {
    await until(() => this.requests.length === count)
  }
  ref(): void {}
  unref(): void {}
  async terminate(): Promise<void> {
    if (this.isStopped) return
    this.isStopped = true
    this.#port?.close()
    setImmediate(() => this.emit('exit', 1))
  }
}

/** The module as Piscina sees it, which asks it for the class with each start. */
const threads: { Worker: unknown } = createRequire(import.meta.url)('node:worker_threads')
const started: FakeWorker[] = []
const system = { hasNoThread: false }
const unheard: unknown[] = []
const hear = (error: unknown) => {
  unheard.push(error)
}

beforeEach(() => {
  threads.Worker = FakeWorker
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.on('unhandledRejection', hear)
  process.on('uncaughtException', hear)
})
afterEach(async () => {
  vi.useRealTimers()
  threads.Worker = Worker
  // What nobody hears would end the process.
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', hear)
  process.off('uncaughtException', hear)
  started.length = 0
  system.hasNoThread = false
  expect(unheard.splice(0)).toEqual([])
})

function queueOf(threads = 1) {
  const lines: string[] = []
  const line = (_fields: object, message: string) => {
    lines.push(message)
  }
  const log: Log = { debug: line, info: line, warn: line, error: line }
  return { queue: new TaskQueue({ threads, tasksMax: 10, idleMs: 1000, log }), lines }
}

/** The thread that was started as the given one; 0 is the first. */
async function threadOf(at: number): Promise<FakeWorker> {
  await until(() => started.length > at)
  const thread = started[at]
  if (thread === undefined) throw new Error('no thread was started')
  return thread
}

async function until(isSo: () => boolean): Promise<void> {
  for (const endMs = performance.now() + 10_000; !isSo() && performance.now() < endMs; ) await turn()
  expect(isSo()).toBe(true)
}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const refused = (kind: string) => expect.objectContaining({ computeFailure: kind })
const outcomeOf = (task: Promise<unknown>) => task.catch((error: unknown) => error)

test('when a thread fails before it starts, every task that waits for it is refused at once, and one line is logged', async () => {
  const { queue, lines } = queueOf()
  const tasks = ['a', 'b', 'c'].map((input) => outcomeOf(queue.run('rank', input)))
  const thread = await threadOf(0)
  thread.emit('error', new Error('EMFILE'))
  thread.emit('exit', 1)
  expect(await Promise.all(tasks)).toEqual(tasks.map(() => refused('unavailable')))
  expect(await outcomeOf(queue.run('rank', 'd'))).toEqual(refused('unavailable'))
  expect(started).toHaveLength(1)
  expect(lines).toHaveLength(1)
  expect(queue.waiting).toBe(0)
})

test('a thread that ends before it starts, and says no reason, leaves no task waiting', async () => {
  const { queue, lines } = queueOf()
  const tasks = ['a', 'b'].map((input) => outcomeOf(queue.run('rank', input)))
  const thread = await threadOf(0)
  thread.emit('exit', 1)
  expect(await Promise.all(tasks)).toEqual(tasks.map(() => refused('unavailable')))
  thread.emit('error', new Error('a late word'))
  await turn()
  expect(lines).toHaveLength(1)
})

test('a system that has no thread at all refuses the task, not the process, also when the time of the task is over', async () => {
  const { queue, lines } = queueOf()
  system.hasNoThread = true
  expect(await outcomeOf(queue.run('rank', 'a', { timeoutMs: 50 }))).toEqual(refused('unavailable'))
  vi.advanceTimersByTime(50)
  await queue.close()
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
  const thread = await threadOf(0)
  thread.ready()
  await thread.answer('ranked')
  expect(await task).toBe('ranked')
  expect(lines).toHaveLength(2)
})

test('a second thread that cannot start leaves its task to the first one', async () => {
  const { queue } = queueOf(2)
  const first = queue.run('rank', 'a')
  const thread = await threadOf(0)
  thread.ready()
  system.hasNoThread = true
  const second = queue.run('rank', 'b', { timeoutMs: 50 })
  const late = outcomeOf(queue.run('rank', 'c', { timeoutMs: 60 }))
  await thread.answer('A')
  await thread.answer('B')
  expect(await Promise.all([first, second])).toEqual(['A', 'B'])
  await thread.hasTasks(3)
  vi.advanceTimersByTime(60)
  expect(await late).toEqual(refused('timed_out'))
})

test('what waits behind a task that is stopped, or whose thread dies, goes to a new thread', async () => {
  const { queue, lines } = queueOf()
  const late = outcomeOf(queue.run('rank', 'late', { timeoutMs: 50 }))
  const deadly = outcomeOf(queue.run('rank', 'deadly'))
  const last = queue.run('rank', 'last')
  const first = await threadOf(0)
  first.ready()
  await first.hasTasks(1)
  vi.advanceTimersByTime(50)
  expect(await late).toEqual(refused('timed_out'))
  expect(first.isStopped).toBe(true)
  const second = await threadOf(1)
  second.ready()
  await second.hasTasks(1)
  expect(second.requests).toEqual(['deadly'])
  first.emit('error', new Error('a late word'))
  second.emit('exit', 1)
  expect(await deadly).toEqual(refused('failed'))
  const third = await threadOf(2)
  third.ready()
  await third.answer('done')
  expect(await last).toBe('done')
  expect(lines).toEqual([])
})

test('what waits behind a task that is stopped is refused when no other thread can start', async () => {
  const { queue, lines } = queueOf()
  const late = outcomeOf(queue.run('rank', 'late', { timeoutMs: 50 }))
  const next = outcomeOf(queue.run('rank', 'next', { timeoutMs: 5000 }))
  const thread = await threadOf(0)
  thread.ready()
  await thread.hasTasks(1)
  system.hasNoThread = true
  vi.advanceTimersByTime(50)
  expect(await late).toEqual(refused('timed_out'))
  expect(await next).toEqual(refused('unavailable'))
  expect(lines).toHaveLength(1)
})

test('a thread that failed at a task gets no other: what it could not read once it never reads', async () => {
  const { queue, lines } = queueOf()
  const failing = outcomeOf(queue.run('rank', 'failing'))
  const next = queue.run('rank', 'next')
  const first = await threadOf(0)
  first.ready()
  await first.answer(null, new Error('EMFILE'))
  expect(await failing).toEqual(refused('failed'))
  const second = await threadOf(1)
  second.ready()
  await second.answer('done')
  expect(await next).toBe('done')
  expect(first.isStopped).toBe(true)
  expect(lines).toEqual([])
})

test('a task that times out while it waits never reaches a thread', async () => {
  const { queue } = queueOf()
  const first = queue.run('rank', 'first')
  const late = outcomeOf(queue.run('rank', 'late', { timeoutMs: 50 }))
  vi.advanceTimersByTime(50)
  expect(await late).toEqual(refused('timed_out'))
  const thread = await threadOf(0)
  thread.ready()
  await thread.answer('first')
  await first
  await turn()
  expect(thread.requests).toEqual(['first'])
})

test('a thread without work ends after its time, one that works does not, and the next task gets a new one', async () => {
  const { queue } = queueOf()
  const task = queue.run('rank', 'a')
  const thread = await threadOf(0)
  thread.ready()
  await thread.hasTasks(1)
  vi.advanceTimersByTime(5000)
  expect(thread.isStopped).toBe(false)
  await thread.answer('done')
  await task
  vi.advanceTimersByTime(1000)
  expect(thread.isStopped).toBe(true)
  const next = queue.run('rank', 'b')
  const second = await threadOf(1)
  second.ready()
  await second.answer('done again')
  expect(await next).toBe('done again')
})
