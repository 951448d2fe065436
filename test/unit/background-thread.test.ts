import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { makeWay, makingWay } from '../../workers/background-thread.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const SOURCE = new URL('../../dist/workers/background-thread.js', import.meta.url)
/** The 19th field of proc(5)'s stat is the nice value; the second may hold blanks, and ends with a bracket. */
const niceOf = (path: string): number => Number(readFileSync(path, 'utf8').split(') ')[1]?.split(' ')[16])
const WORKER = `
  const { parentPort } = require('node:worker_threads')
  const { readFileSync } = require('node:fs')
  import(${JSON.stringify(SOURCE.href)}).then(({ yieldProcessor }) =>
    parentPort.postMessage({ isLower: yieldProcessor(), stat: readFileSync('/proc/thread-self/stat', 'utf8') }))
`

test.skipIf(!existsSync('/proc/thread-self'))(
  'a thread of upkeep stands behind the others of its process, which keep their priority',
  async () => {
    const before = niceOf('/proc/self/stat')
    const worker = new Worker(WORKER, { eval: true })
    const [{ isLower, stat }] = await once(worker, 'message')
    await worker.terminate()
    expect(isLower).toBe(true)
    expect(Number(stat.split(') ')[1].split(' ')[16])).toBeGreaterThan(before)
    expect(niceOf('/proc/self/stat')).toBe(before)
  },
)

test('upkeep rests after half a millisecond of work, not before', () => {
  let nowMs = 1_000
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const rests: number[] = []
  vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    rests.push(nowMs)
    nowMs += 0.1
    return 'timed-out'
  })
  function* work(): Generator<void, string> {
    for (let step = 0; step < 10; step += 1) {
      nowMs += 0.2
      yield
    }
    return 'done'
  }
  makeWay()
  expect(rests).toEqual([1_000])
  expect(makingWay(work())).toBe('done')
  // Each third step has come to 0.6 ms.
  expect(rests.map((atMs) => Number((atMs - 1_000).toFixed(1)))).toEqual([0, 0.7, 1.4, 2.1])
})
