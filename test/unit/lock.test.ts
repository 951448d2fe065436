import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acquireLock } from '../../src/adapters/files/lock.ts'

const LOCK_SCRIPT = new URL('../../dist/src/adapters/files/lock.js', import.meta.url).href
const HOLD = `
  const { acquireLock } = await import(process.argv[1])
  await acquireLock(process.argv[2])
  console.log('held')
  setInterval(() => {}, 1000)
`

/** A process of its own that holds the lock; `path` is where it finds commands. */
async function startHolder(dir: string, path: string | undefined) {
  const env = { ...process.env, PATH: path }
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD, LOCK_SCRIPT, dir], { env })
  const [text] = await once(child.stdout, 'data')
  expect(String(text)).toBe('held\n')
  return child
}

describe('lock of a data folder', () => {
  const systemPath = process.env['PATH']
  let dir = ''
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'memgov-lock-'))
  })
  afterEach(async () => {
    process.env['PATH'] = systemPath
    await rm(dir, { recursive: true, force: true })
  })

  test.each([
    ['with flock', systemPath],
    ['without flock', '/nowhere'],
  ])(
    '%s: a second process is refused, is told who holds it, and gets it when that one is killed',
    async (_, path) => {
      process.env['PATH'] = path
      const child = await startHolder(dir, path)
      await expect(acquireLock(dir)).rejects.toThrow(`in use by process ${child.pid} on `)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const lock = await acquireLock(dir)
      await lock.release()
    },
  )

  test('one process cannot take it twice, but again after release', async () => {
    const lock = await acquireLock(dir)
    await expect(acquireLock(dir)).rejects.toThrow(`in use by process ${process.pid}`)
    await lock.release()
    await lock.release()
    const again = await acquireLock(dir)
    await again.release()
  })
})
