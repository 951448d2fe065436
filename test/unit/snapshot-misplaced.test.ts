import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { GRANT, imageOf, memoryLog, openStore } from './snapshot-fixtures.ts'

const KEY = 'tenant/scope'

describe('a snapshot', () => {
  test('in whose place a folder lies is set aside, and the one before it is read', async () => {
    const dir = dataFolder()
    const store = await openStore(nodeFiles, memoryLog(), dir)
    await store.put(GRANT, KEY, imageOf(KEY, 1))
    await store.put(GRANT, KEY, imageOf(KEY, 2))
    const names = await readdir(join(dir, 'snap'), { recursive: true })
    const newest = join(
      dir,
      'snap',
      names.find((name) => name.includes('.2.') && name.endsWith('.snap')) ?? '',
    )
    await rm(newest)
    await mkdir(newest)
    const reopened = await openStore(nodeFiles, memoryLog(), dir)
    expect((await reopened.get(KEY))?.seq).toBe(1)
    expect(await readdir(join(dir, 'quarantine'))).toHaveLength(1)
  })

  test('of another store is set aside, and one that names no store is read', async () => {
    const disk = new MemoryDisk('/data')
    const nameless = await openStore(disk.files)
    await nameless.put(GRANT, KEY, imageOf(KEY, 1))
    const [mine, theirs] = [await openStore(disk.files), await openStore(disk.files)]
    mine.ofStore('a'.repeat(32))
    theirs.ofStore('b'.repeat(32))
    await mine.put(GRANT, KEY, imageOf(KEY, 2))
    const log = memoryLog()
    const reader = await openStore(disk.files, log)
    reader.ofStore('b'.repeat(32))
    expect((await reader.get(KEY))?.seq).toBe(1)
    expect(JSON.stringify(log.lines)).toContain(`the snapshot is of another store, ${'a'.repeat(32)}`)
    await theirs.put(GRANT, KEY, imageOf(KEY, 3))
    const again = await openStore(disk.files)
    again.ofStore('b'.repeat(32))
    expect((await again.get(KEY))?.seq).toBe(3)
    expect(await again.wholeSeqOf(KEY)).toBe(3)
  })
})
