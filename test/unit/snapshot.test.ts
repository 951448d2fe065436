import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { InvariantError } from '../../src/core/base/assert.ts'
import type { StateImage } from '../../src/core/model/image.ts'
import type { Files } from '../../src/ports/files.ts'
import { DiskError, MemoryDisk } from '../crash/snapshot-disk.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { provingAsync } from '../support/prove.ts'
import { ofNewerVersion } from './record-file-fixtures.ts'
import { anyImage, GRANT, imageOf, memoryLog, NOW_MS, openStore } from './snapshot-fixtures.ts'

const prove = provingAsync(100)
const KEY = 'tenant/scope'

function snapshotPaths(disk: MemoryDisk): readonly string[] {
  return disk.paths().filter((path) => path.startsWith('/data/snap/'))
}

describe('a snapshot', () => {
  test('comes back as it was put, also after a restart', async () => {
    await prove(anyImage, async (image) => {
      const disk = new MemoryDisk('/data')
      const store = await openStore(disk.files)
      const { bytes } = await store.put(GRANT, KEY, image)
      expect(await store.get(KEY)).toEqual({ seq: image.seq, image })
      const reopened = await openStore(disk.files)
      expect(await reopened.get(KEY)).toEqual({ seq: image.seq, image })
      expect(reopened.bytesOf(KEY)).toBe(bytes)
      expect(disk.openFiles).toBe(0)
    })
  })

  test.each([0, 1, 24, 25, 26, 75, 199, 200, 201, 2001])('of %i rows keeps them in order', async (count) => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    await store.put(GRANT, KEY, imageOf(KEY, 1, count))
    expect((await store.get(KEY))?.image).toEqual(imageOf(KEY, 1, count))
  })

  test('of rows of very different sizes comes back as it was', async () => {
    const rows = Array.from({ length: 600 }, (_, slot) => ({
      slot,
      text: 'x'.repeat(slot % 50 === 0 ? 90_000 : 9),
    }))
    const image: StateImage = { ...imageOf(KEY, 1), sections: [{ name: 'memories', rows }] }
    const store = await openStore(new MemoryDisk('/data').files)
    await store.put(GRANT, KEY, image)
    expect((await store.get(KEY))?.image).toEqual(image)
  })

  test('keeps rows whose keys are those of the packing library and of arrays', async () => {
    const rows = [
      { a: 1 },
      { a: 1, __keys__: 2, length: 3 },
      { a: 1, __keys__: 2, join: 3 },
      { a: 1 },
      { join: 1 },
    ]
    const image: StateImage = { ...imageOf(KEY, 1), sections: [{ name: 'memories', rows }] }
    const store = await openStore(new MemoryDisk('/data').files)
    await store.put(GRANT, KEY, image)
    expect((await store.get(KEY))?.image).toEqual(image)
  })

  test('is written and read in the file system of this machine', async () => {
    const dir = dataFolder()
    const store = await openStore(nodeFiles, memoryLog(), dir)
    await store.put(GRANT, KEY, imageOf(KEY, 1, 1000))
    await store.put(GRANT, KEY, imageOf(KEY, 2, 1000))
    await store.put(GRANT, KEY, imageOf(KEY, 3, 1000))
    const reopened = await openStore(nodeFiles, memoryLog(), dir)
    expect(await reopened.get(KEY)).toEqual({ seq: 3, image: imageOf(KEY, 3, 1000) })
    const files = await readdir(join(dir, 'snap'), { recursive: true })
    expect(files.filter((name) => name.endsWith('.snap'))).toHaveLength(2)
    expect(files.filter((name) => name.endsWith('.tmp'))).toHaveLength(0)
  })

  test('lets other work run after every chunk, when written and when read', async () => {
    const store = await openStore(new MemoryDisk('/data').files)
    let turns = 0
    let ended = false
    const count = (): void => {
      turns++
      if (!ended) setImmediate(count)
    }
    setImmediate(count)
    await store.put(GRANT, KEY, imageOf(KEY, 1, 4000))
    const turnsOfPut = turns
    await store.get(KEY)
    ended = true
    expect(turnsOfPut).toBeGreaterThanOrEqual(4000 / 200)
    expect(turns - turnsOfPut).toBeGreaterThanOrEqual(4000 / 200)
  })

  test('with a row that has no place on disk is refused and leaves nothing behind', async () => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    const image = { ...imageOf(KEY, 1), sections: [{ name: 'memories', rows: [{ a: undefined }] }] }
    await expect(store.put(GRANT, KEY, image)).rejects.toThrow(InvariantError)
    expect(snapshotPaths(disk)).toEqual([])
    expect(disk.openFiles).toBe(0)
    expect(store.coveredSeqOf(KEY)).toBe(0)
  })

  test('older than the newest is refused', async () => {
    const store = await openStore(new MemoryDisk('/data').files)
    await store.put(GRANT, KEY, imageOf(KEY, 5))
    await expect(store.put(GRANT, KEY, imageOf(KEY, 4))).rejects.toThrow(InvariantError)
    expect((await store.get(KEY))?.seq).toBe(5)
  })
})

describe('the store', () => {
  test('keeps the two newest snapshots of an actor, each actor for itself', async () => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    for (const seq of [1, 2, 3, 4]) await store.put(GRANT, KEY, imageOf(KEY, seq))
    await store.put(GRANT, 'other/scope', imageOf('other/scope', 9))
    const seqs = snapshotPaths(disk).map((path) => Number(path.split('.')[1]))
    expect(new Set(seqs)).toEqual(new Set([3, 4, 9]))
    expect(seqs).toHaveLength(3)
  })

  test('replaces a snapshot of the same sequence', async () => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    await store.put(GRANT, KEY, imageOf(KEY, 1))
    await store.put(GRANT, KEY, imageOf(KEY, 2, 1))
    await store.put(GRANT, KEY, imageOf(KEY, 2, 50))
    await store.put(GRANT, KEY, imageOf(KEY, 2, 50))
    expect((await store.get(KEY))?.image).toEqual(imageOf(KEY, 2, 50))
    expect(snapshotPaths(disk)).toHaveLength(2)
    expect((await (await openStore(disk.files)).get(KEY))?.image).toEqual(imageOf(KEY, 2, 50))
  })

  test('tells coverage, size, actors and the last time, before and after a restart', async () => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    expect([store.coveredSeqOf(KEY), store.bytesOf(KEY), store.lastAtMs()]).toEqual([0, 0, null])
    await store.put(GRANT, KEY, imageOf(KEY, 4))
    const { bytes } = await store.put(GRANT, KEY, imageOf(KEY, 8, 9))
    expect([store.coveredSeqOf(KEY), store.bytesOf(KEY), store.lastAtMs()]).toEqual([8, bytes, NOW_MS])
    const reopened = await openStore(disk.files)
    expect([reopened.coveredSeqOf(KEY), reopened.bytesOf(KEY), reopened.lastAtMs()]).toEqual([8, bytes, null])
    expect([...reopened.actorKeys()]).toEqual([KEY])
    expect(await reopened.get('un/known')).toBeNull()
  })

  test('knows every actor at start, whatever its key, and opens files only for keys too long for a name', async () => {
    const keys = [
      'a/b',
      'default/ü ö/%2F\n',
      `t/${'s'.repeat(300)}`,
      `t/${'ü'.repeat(100)}`,
      'lone/\ud800',
      'a/b.1.2',
    ]
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    for (const key of keys) await store.put(GRANT, key, imageOf(key, 3))
    let opened = 0
    disk.intercept = (call) => {
      if (call === 'open') opened++
    }
    const reopened = await openStore(disk.files)
    expect(opened).toBe(3)
    expect([...reopened.actorKeys()].sort()).toEqual([...keys].sort())
    for (const key of keys) expect((await reopened.get(key))?.image).toEqual(imageOf(key, 3))
  })

  test('removes drafts of a crash at start and leaves foreign files alone', async () => {
    const disk = new MemoryDisk('/data')
    const store = await openStore(disk.files)
    await store.put(GRANT, KEY, imageOf(KEY, 1))
    const [path = ''] = snapshotPaths(disk)
    for (const extra of [path.replace('.1.', '.2.').concat('.tmp'), path.replace(/[^/]+$/, 'README')]) {
      await disk.files.close(await disk.files.open(extra, 'create'))
    }
    const log = memoryLog()
    expect((await (await openStore(disk.files, log)).get(KEY))?.seq).toBe(1)
    const kinds = snapshotPaths(disk).map((name) => name.replace(/.*[./]/, ''))
    expect(kinds.sort()).toEqual(['README', 'snap'])
    expect(log.lines.map(({ message }) => message)).toEqual(['not a snapshot: left alone'])
  })

  test('serves calls of one actor in their order', async () => {
    const store = await openStore(new MemoryDisk('/data').files)
    const puts = [1, 2, 3, 4].map((seq) => store.put(GRANT, KEY, imageOf(KEY, seq, 300)))
    const seen = store.get(KEY)
    await Promise.all(puts)
    expect((await seen)?.image).toEqual(imageOf(KEY, 4, 300))
  })
})

/** A store with snapshots 1 and 2 of one actor, and the bytes of the newer. */
async function twoSnapshots(): Promise<{ disk: MemoryDisk; newer: string; whole: Buffer }> {
  const disk = new MemoryDisk('/data')
  const store = await openStore(disk.files)
  await store.put(GRANT, KEY, imageOf(KEY, 1))
  await store.put(GRANT, KEY, imageOf(KEY, 2))
  const newer = snapshotPaths(disk).find((path) => path.includes('.2.')) ?? ''
  return { disk, newer, whole: Buffer.from(disk.bytesAt(newer)) }
}

let looks = 0

/** Whether the damage is met by a read, or by the check that decodes nothing. */
async function expectOlder(disk: MemoryDisk, newer: string): Promise<void> {
  const log = memoryLog()
  const store = await openStore(disk.files, log)
  looks += 1
  if (looks % 2 === 0) expect(await store.wholeSeqOf(KEY)).toBe(1)
  expect(await store.get(KEY)).toEqual({ seq: 1, image: imageOf(KEY, 1) })
  expect(store.coveredSeqOf(KEY)).toBe(1)
  expect(log.lines.map(({ level }) => level)).toEqual(['error', 'warn'])
  expect(disk.paths()).toContain(newer.replace(/.*\//, '/data/quarantine/'))
  expect(snapshotPaths(disk)).toHaveLength(1)
}

describe('a damaged snapshot', () => {
  test('gives way to the one before it, wherever it was cut or continued', async () => {
    const { disk, newer, whole } = await twoSnapshots()
    for (let bytes = 0; bytes < whole.length; bytes++) {
      await restore(disk, newer, whole.subarray(0, bytes))
      await expectOlder(disk, newer)
    }
    for (const more of [Buffer.alloc(1), Buffer.alloc(5000), whole]) {
      await restore(disk, newer, Buffer.concat([whole, more]))
      await expectOlder(disk, newer)
    }
  })

  test('gives way when it is the whole file of another sequence or actor', async () => {
    const { disk, newer } = await twoSnapshots()
    const older = snapshotPaths(disk).find((path) => path.includes('.1.')) ?? ''
    await restore(disk, newer, disk.bytesAt(older))
    await expectOlder(disk, newer)
    const store = await openStore(disk.files)
    await store.put(GRANT, 'tenanu/scope', imageOf('tenanu/scope', 2))
    const foreign = snapshotPaths(disk).find((path) => path.includes('.2.')) ?? ''
    await restore(disk, newer, disk.bytesAt(foreign))
    const reopened = await openStore(disk.files)
    expect((await reopened.get(KEY))?.seq).toBe(1)
  })

  test('without one before it is no snapshot, and a new one can be put', async () => {
    const { disk, newer, whole } = await twoSnapshots()
    const older = snapshotPaths(disk).find((path) => path.includes('.1.')) ?? ''
    disk.damage(newer, whole.subarray(1))
    disk.damage(older, Buffer.alloc(0))
    const store = await openStore(disk.files)
    expect(await store.get(KEY)).toBeNull()
    expect([store.coveredSeqOf(KEY), store.bytesOf(KEY), [...store.actorKeys()]]).toEqual([0, 0, []])
    await store.put(GRANT, KEY, imageOf(KEY, 3))
    expect((await store.get(KEY))?.seq).toBe(3)
  })

  test('that a newer program wrote is no damage: it is refused and stays', async () => {
    const { disk, newer } = await twoSnapshots()
    disk.damage(newer, ofNewerVersion(disk.bytesAt(newer)))
    const store = await openStore(disk.files)
    await expect(store.get(KEY)).rejects.toThrow('snapshot file has format 3, this program reads up to 2')
    expect(disk.paths()).toContain(newer)
  })
})

async function restore(disk: MemoryDisk, path: string, content: Uint8Array): Promise<void> {
  if (!disk.paths().includes(path)) await disk.files.close(await disk.files.open(path, 'create'))
  disk.damage(path, content)
}

describe('a disk that refuses', () => {
  test.each(['open', 'pread', 'stat'] as const)(
    '%s: get rejects and nothing counts as damaged',
    async (refused) => {
      const { disk, newer } = await twoSnapshots()
      const store = await openStore(disk.files)
      disk.intercept = (call) => {
        if (call === refused) throw new DiskError('EIO')
      }
      await expect(store.get(KEY)).rejects.toThrow('EIO')
      disk.intercept = () => undefined
      expect(disk.paths()).toContain(newer)
      expect((await store.get(KEY))?.seq).toBe(2)
      expect(disk.openFiles).toBe(0)
    },
  )

  test('any one call of a put: the put rejects, no draft stays, the older snapshot serves, a later put works', async () => {
    const total = await callsOfPut(new MemoryDisk('/data'))
    for (let failing = 1; failing <= total; failing++) {
      const disk = new MemoryDisk('/data')
      const store = await openStore(disk.files)
      await store.put(GRANT, KEY, imageOf(KEY, 1))
      await store.put(GRANT, KEY, imageOf(KEY, 2))
      const before = disk.calls
      let refused = ''
      disk.intercept = (call) => {
        if (disk.calls - before !== failing) return
        refused = call
        throw new DiskError('ENOSPC')
      }
      const outcome = await store.put(GRANT, KEY, imageOf(KEY, 3)).then(
        () => 'done',
        () => 'rejected',
      )
      disk.intercept = () => undefined
      // Only removing the oldest may fail without a word to the caller: the new one is durable by then.
      expect(outcome).toBe(refused === 'unlink' ? 'done' : 'rejected')
      expect(store.coveredSeqOf(KEY)).toBe(outcome === 'done' ? 3 : 2)
      expect(disk.paths().filter((path) => path.endsWith('.tmp'))).toEqual([])
      expect((await store.get(KEY))?.image).toEqual(imageOf(KEY, outcome === 'done' ? 3 : 2))
      await store.put(GRANT, KEY, imageOf(KEY, 4))
      expect((await (await openStore(disk.files)).get(KEY))?.image).toEqual(imageOf(KEY, 4))
    }
    expect(total).toBeGreaterThan(6)
  })

  test('a short write rejects the put and leaves no draft', async () => {
    const disk = new MemoryDisk('/data')
    let isFull = false
    const files: Files = {
      ...disk.files,
      pwrite: (fd, bytes, position) =>
        disk.files.pwrite(fd, isFull ? bytes.subarray(0, bytes.length - 1) : bytes, position),
    }
    const store = await openStore(files)
    await store.put(GRANT, KEY, imageOf(KEY, 1))
    isFull = true
    await expect(store.put(GRANT, KEY, imageOf(KEY, 2))).rejects.toThrow(/short write: .*the disk is full/)
    expect(snapshotPaths(disk)).toHaveLength(1)
    expect((await store.get(KEY))?.seq).toBe(1)
  })

  test('to move a damaged file: the older snapshot serves all the same', async () => {
    const { disk, newer, whole } = await twoSnapshots()
    disk.damage(newer, whole.subarray(9))
    const store = await openStore(disk.files)
    disk.intercept = (call) => {
      if (call === 'rename' || call === 'mkdir') throw new DiskError('EROFS')
    }
    expect((await store.get(KEY))?.seq).toBe(1)
  })
})

async function callsOfPut(disk: MemoryDisk): Promise<number> {
  const store = await openStore(disk.files)
  await store.put(GRANT, KEY, imageOf(KEY, 1))
  await store.put(GRANT, KEY, imageOf(KEY, 2))
  const before = disk.calls
  await store.put(GRANT, KEY, imageOf(KEY, 3))
  return disk.calls - before
}
