import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { tellCounts } from '../harness/counts.ts'
import { BOUNDS, expectKept, writersOn } from '../harness/crash-rounds.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { HttpClient } from '../harness/http-client.ts'
import { type ServedProcess, startProcess } from '../harness/process.ts'
import { answerOf } from '../harness/reply.ts'
import { enough, SEED, scaled } from '../harness/scale.ts'
import { seededRandom } from './simulated-disk.ts'

// The real process, stopped by the kernel in the middle of the k-th system call of a thread, or told a lie by it.

/** Kills of this run, spread over calls and moments. */
const KILLS = scaled(5)
const LOAD = { writers: 4, scopes: 3, pace: { pauseMs: 0, eraseEvery: 0, stepsMax: 6 } }
/** How often a thread makes each call under this load, about; where fewer are made the process lives. */
const CALLS: readonly (readonly [call: string, times: number])[] = [
  ['fdatasync', 40],
  ['pwrite64', 90],
  ['fsync', 40],
  ['rename', 12],
  ['unlink', 3],
]

const REFUSED = whyNoTrace()

function whyNoTrace(): string | null {
  const tried = spawnSync('strace', ['-D', '-f', '-qq', '-o', '/dev/null', 'true'], { encoding: 'utf8' })
  if (tried.status === 0) return null
  const why = `test/crash/syscall-kills.test.ts is skipped: strace: ${tried.error?.message ?? tried.stderr.trim()}`
  process.stderr.write(`${why}\n`)
  return why
}

/** Null when the process ended before it listened. */
function startTraced(
  dir: string,
  call: string,
  what: string,
  more: readonly string[] = [],
): Promise<ServedProcess | null> {
  const through = [
    'strace',
    '-D',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:${what}`,
  ]
  // The kernel counts for each thread: with one thread for files the count means something.
  return startProcess(dir, [...BOUNDS, ...more], { through, env: { UV_THREADPOOL_SIZE: '1' } }).catch(
    () => null,
  )
}

/**
 * Load on a process that dies of `what`, or is killed afterwards; then a start, and everything is there. Resolves with
 * whether the process was struck, or refused a write, before its load was done.
 */
async function survive(dir: string, round: number, call: string, what: string): Promise<boolean> {
  const served = await startTraced(dir, call, what)
  const load = served === null ? null : writersOn(served, LOAD, 'scope', round)
  await load?.ended
  served?.signal('SIGKILL')
  await served?.exited
  const next = await startProcess(dir, BOUNDS)
  if (load !== null) await expectKept(next, load.known)
  next.signal('SIGTERM')
  expect(await next.exited, `${call} ${what}`).toEqual({ code: 0, signal: null })
  return load === null || load.known.sent.some(({ reply }) => reply === null)
}

/** The process of strace that holds another one. */
function tracerOf(pid: number): number {
  const [, tracer] = /^TracerPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (tracer === undefined || tracer === '0') throw new Error(`nothing traces ${pid}`)
  return Number(tracer)
}

/** What `/ready` says. */
async function readinessOf(served: ServedProcess): Promise<object> {
  const reply = await fetch(new URL('/ready', served.url))
  return { status: reply.status, ...((await reply.json()) as object) }
}

describe.skipIf(REFUSED !== null)('a process that the kernel', () => {
  test(
    'kills in the middle of a system call has lost nothing that it acknowledged',
    async () => {
      const random = seededRandom(SEED)
      const dir = dataFolder()
      let struck = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        const [call = 'fsync', times = 1] = CALLS[kill % CALLS.length] ?? []
        const when = 1 + Math.floor(random() * times)
        if (await survive(dir, kill, call, `signal=SIGKILL:when=${when}`)) struck += 1
      }
      tellCounts('system calls', { runs: KILLS, 'struck under load': struck })
      expect(struck).toBeGreaterThanOrEqual(enough(3))
    },
    Math.max(120_000, KILLS * 10_000),
  )

  test.each([
    ['fdatasync', 'error=EIO:when=12'],
    ['fdatasync', 'error=ENOSPC:when=7'],
    ['pwrite64', 'error=ENOSPC:when=20'],
    ['fdatasync', 'retval=0:when=5+'],
  ])('fails or lies to (%s %s) has lost nothing that it acknowledged', async (call, what) => {
    await survive(dataFolder(), 0, call, what)
  })

  test('refuses a flush takes no writes any more, answers reads, and says so', async () => {
    const dir = dataFolder()
    const served = await startTraced(dir, 'fdatasync', 'error=EIO:when=3')
    if (served === null) throw new Error('the process did not start')
    const client = new HttpClient(served.url)
    const place = { tenant_id: 'kill', scope: 'eio' }
    const ids: string[] = []
    let refusal: string | null = null
    while (refusal === null) {
      const reply = await client.call('observe', { ...place, input_text: `Fact ${ids.length}.` })
      ids.push(...(reply.answer?.memory_ids ?? []))
      refusal = reply.refusal?.error ?? null
    }
    expect(refusal).toBe('storage_read_only')
    expect(ids.length).toBeGreaterThan(0)
    expect(answerOf(await client.call('health', {})).status).toBe('read_only')
    expect(await readinessOf(served)).toEqual({ status: 503, ready: false, reasons: ['journal_failed'] })
    for (const id of ids) {
      answerOf(await client.call('resolve', { uri: `svc://kill/eio/memory/${id}` }))
    }
    await client.close()
    served.signal('SIGKILL')
    await served.exited
  })

  test('holds in a flush lives, is not ready, and ends at the deadline of its shutdown', async () => {
    const served = await startTraced(dataFolder(), 'fdatasync', 'delay_enter=60s:when=2', [
      '--shutdown-deadline-ms',
      '1000',
    ])
    if (served === null) throw new Error('the process did not start')
    expect(await readinessOf(served)).toEqual({ status: 200, ready: true, reasons: [] })
    const client = new HttpClient(served.url)
    const hanging = [1, 2, 3].map((n) =>
      client.call('observe', { input_text: `Fact ${n}.` }).catch(() => null),
    )
    await expect
      .poll(() => readinessOf(served), { timeout: 20_000, interval: 200 })
      .toEqual({
        status: 503,
        ready: false,
        reasons: ['flush_stalled'],
      })
    expect((await fetch(new URL('/health', served.url))).status).toBe(200)
    const tracer = tracerOf(served.pid)
    served.signal('SIGTERM')
    await expect.poll(() => served.stderr(), { timeout: 20_000 }).toContain('cut off at its deadline')
    // strace tells of the end of a process only when the delay is over.
    process.kill(tracer, 'SIGKILL')
    served.leaveOutput()
    expect(await served.exited).toEqual({ code: null, signal: 'SIGKILL' })
    await Promise.all(hanging)
    await client.close()
  })
})
