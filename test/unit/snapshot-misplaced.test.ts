import { readdirSync } from 'node:fs'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { manualClock, START_MS } from '../harness/system.ts'
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

  test('of a copy of the store that went on by itself is set aside, and told by verify', async () => {
    const place = { tenant_id: 'copied', scope: 'one' }
    let atMs = START_MS
    const goOn = async (dir: string, word: string) => {
      atMs += 1000
      const service = await startEmbedded({ dir, clock: manualClock(atMs) })
      for (let fact = 0; fact < 3; fact += 1)
        await service.ok('observe', { ...place, input_text: `Fact ${fact} of the ${word}.` })
      const digest = await service.digest(place)
      await service.close()
      return digest
    }
    const turnOf = (name: string): number => Number(basename(name).split('.')[1])
    const newestIn = (dir: string): string =>
      readdirSync(dir, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.snap'))
        .toSorted((a, b) => turnOf(a) - turnOf(b))
        .at(-1) ?? ''
    const [original, copy] = [dataFolder(), dataFolder()]
    await goOn(original, 'store')
    await cp(original, copy, { recursive: true })
    const digest = await goOn(original, 'original')
    expect(await goOn(copy, 'copy')).not.toBe(digest)
    await rm(join(original, newestIn(original)))
    await cp(join(copy, newestIn(copy)), join(original, newestIn(copy)))

    const quick = { isDeep: false, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }
    expect((await verifyStore(original, quick)).problems).toMatchObject([
      { file: newestIn(copy), what: expect.stringContaining('of other turns than the journal holds') },
    ])
    const service = await startEmbedded({ dir: original })
    expect(await service.digest(place)).toBe(digest)
    expect(
      service.lines.filter(({ message }) => message === 'falling back to an older snapshot'),
    ).toHaveLength(1)
    await service.close()
    expect((await verifyStore(original, { ...quick, isDeep: true })).problems).toEqual([])
    expect((await verifyStore(copy, { ...quick, isDeep: true })).problems).toEqual([])
  })
})
