import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acquireLock, holdFolder } from '../../src/adapters/files/lock.ts'
import { dataFolder } from '../harness/data-folder.ts'

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
  beforeEach(() => {
    dir = dataFolder()
  })
  afterEach(() => {
    process.env['PATH'] = systemPath
  })

  test('a second process is refused, is told who holds it, and gets it when that one is killed', async () => {
    const child = await startHolder(dir, systemPath)
    await expect(acquireLock(dir)).rejects.toThrow(`in use by process ${child.pid} on `)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lock = await acquireLock(dir)
    await lock.release()
  })

  test.skipIf(process.platform !== 'linux')('without the command flock nobody gets it', async () => {
    process.env['PATH'] = '/nowhere'
    await expect(acquireLock(dir)).rejects.toThrow('the command flock is not in PATH')
    await expect(holdFolder(dir, false)).rejects.toThrow('the command flock is not in PATH')
    await expect(holdFolder(dir, true)).rejects.toThrow('the command flock is not in PATH')
  })

  test('a command without a LOCK file to open keeps a service away all the same', async () => {
    const held = await holdFolder(dir, false)
    expect(readdirSync(dir)).toEqual([])
    await expect(acquireLock(dir)).rejects.toThrow('is in use by')
    await held.release()
    const lock = await acquireLock(dir)
    await lock.release()
  })

  test.each<[string, (path: string) => void]>([
    ['a link to a file of somebody else', (path) => symlinkSync(`${path}.other`, path)],
    ['a link that leads nowhere', (path) => symlinkSync(`${path}.nowhere`, path)],
    ['a folder', (path) => mkdirSync(path)],
  ])('where LOCK is %s nobody gets it, and nothing is written', async (_name, put) => {
    const path = join(dir, 'LOCK')
    writeFileSync(`${path}.other`, 'theirs')
    put(path)
    await expect(acquireLock(dir)).rejects.toThrow(/LOCK is not a file: take it away/)
    for (const isWriting of [true, false])
      await expect(holdFolder(dir, isWriting)).rejects.toThrow(/LOCK is not a file: take it away/)
    expect(readFileSync(`${path}.other`, 'utf8')).toBe('theirs')
    expect(readdirSync(dir).sort()).toEqual(['LOCK', 'LOCK.other'])
    rmSync(path, { recursive: true })
    await (await acquireLock(dir)).release()
  })

  test('says why it is lost: LOCK or the folder is gone, or another one', async () => {
    const lock = await acquireLock(dir)
    expect(await lock.whyLost()).toBeNull()
    rmSync(join(dir, 'LOCK'))
    expect(await lock.whyLost()).toMatch(/LOCK cannot be found any more \(ENOENT\)/)
    writeFileSync(join(dir, 'LOCK'), '')
    expect(await lock.whyLost()).toMatch(/LOCK is not the one any more/)
    renameSync(dir, `${dir}.elsewhere`)
    expect(await lock.whyLost()).toMatch(/cannot be found any more/)
    mkdirSync(dir)
    expect(await lock.whyLost()).toMatch(/is not the one any more/)
    // The inode of a folder that is open does not come again.
    rmSync(`${dir}.elsewhere`, { recursive: true })
    expect(await lock.whyLost()).toMatch(/is not the one any more/)
    await lock.release()
  })

  test('one process cannot take it twice, but again after release', async () => {
    const lock = await acquireLock(dir)
    await expect(acquireLock(dir)).rejects.toThrow(`in use by process ${process.pid}`)
    await lock.release()
    await lock.release()
    const again = await acquireLock(dir)
    await again.release()
  })
})
