// Steps of the bench `large` that need a process of their own: filling folders, and watching an event loop.
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { requestsOf, SCOPE, seedScope } from '../seeded-scope.ts'
import { inGroups, openEmbedded, withEmbedded } from '../suite/embedded.ts'
import { watchLoop } from '../suite/loop-watch.ts'

/** Milliseconds. */
export interface LoopWhile {
  readonly durationMs: number
  readonly busyP99Ms: number
  readonly busyMaxMs: number
  /** Most time on the processor in one block; null where the system does not tell. */
  readonly busiestMs: number | null
  /** Of a thread that does nothing, at the same time. */
  readonly idleP99Ms: number
}

export interface LargeLoops {
  /** A snapshot from disk, in a worker. */
  readonly shutdown: LoopWhile
  /** The same, and guides, and the words of what was erased leave the index at once. */
  readonly erasure: LoopWhile
}

const ROOM = { residentBytesMax: 16 * 1024 ** 3, shutdownDeadlineMs: 600_000 }
const SCOPES_AT_ONCE = 64
/** A guide is asked so often while the snapshot is made. */
const GUIDE_EVERY_MS = 50
/** Watches its own loop and answers when it is told to. */
const IDLE = `
  const { parentPort } = require('node:worker_threads')
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  parentPort.once('message', () => parentPort.postMessage(delay.percentile(99) / 1e6))
  parentPort.postMessage('ready')
`

function fillScopes(dataDir: string, scopes: number): Promise<void> {
  const { observe } = requestsOf(1)
  return withEmbedded(dataDir, ROOM, (call) =>
    inGroups(scopes, SCOPES_AT_ONCE, (at) => call('observe', { ...observe(), scope: `scope-${at}` })),
  )
}

/** The loop of this thread, and that of one with nothing to do, while something is done. */
async function watched(work: () => Promise<unknown>): Promise<LoopWhile> {
  const idle = new Worker(IDLE, { eval: true })
  await once(idle, 'message')
  const watched = watchLoop()
  const startedAt = performance.now()
  await work()
  const durationMs = performance.now() - startedAt
  const { p99Ms, maxMs, busiestMs } = watched()
  const told = once(idle, 'message')
  idle.postMessage('tell')
  const [idleP99Ms] = await told
  await idle.terminate()
  return { durationMs, busyP99Ms: p99Ms, busyMaxMs: maxMs, busiestMs, idleP99Ms: Number(idleP99Ms) }
}

/** A shutdown snapshots what no snapshot covers; so does an erasure, with guides meanwhile. */
async function watchSnapshots(dataDir: string): Promise<LargeLoops> {
  const { call, close } = await openEmbedded(dataDir, ROOM)
  const { observe, guide } = requestsOf(3)
  const written = await call('observe', { ...observe(), client_id: 'to-be-erased' })
  await call('guide', guide())
  const memory_ids: unknown = Reflect.get(written, 'memory_ids')
  let isDone = false
  const guides = async () => {
    for (; !isDone; await sleep(GUIDE_EVERY_MS)) await call('guide', guide())
  }
  const asking = guides()
  const erasure = await watched(() => call('erase', { scope: SCOPE, memory_ids, reason: 'a benchmark' }))
  isDone = true
  await asking
  await call('observe', observe())
  return { erasure, shutdown: await watched(close) }
}

async function main([task = '', dataDir = '', count = '0']: readonly string[]): Promise<unknown> {
  if (task === 'scopes') return fillScopes(dataDir, Number(count))
  if (task === 'loop') return watchSnapshots(dataDir)
  const finish = await seedScope(dataDir, Number(count), ROOM)
  return finish()
}

const answer = await main(process.argv.slice(2))
process.send?.(answer ?? null)
