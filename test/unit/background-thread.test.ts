import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

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
