import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { createDurably, readWhole } from '../../src/adapters/files/whole-file.ts'
import { surveyPacks } from '../../src/adapters/packs/format.ts'
import { openPackedFiles, type PackedFiles } from '../../src/adapters/packs/packed-files.ts'
import { MemoryDisk } from '../crash/snapshot-disk.ts'
import { stride } from '../harness/scale.ts'
import { provingAsync } from '../support/prove.ts'
import { GRANT, imageOf, memoryLog, openStore } from './snapshot-fixtures.ts'

const DIR = '/data'
const PACK = `${DIR}/packs/0000000000000001.pack`
const KEYS = ['a/1', 'b/2', 'c/3']

/** Everything is packed at once. */
function opened(disk: MemoryDisk, log = memoryLog(), looseMax = 0): Promise<PackedFiles> {
  return openPackedFiles({ dir: DIR, files: disk.files, log, looseMax, packBytes: 2000 })
}

/** The content of a pack with a snapshot of each actor. */
async function packContent(seq = 1): Promise<Buffer> {
  const disk = new MemoryDisk(DIR)
  const files = await opened(disk)
  const store = await openStore(files)
  for (const key of KEYS) await store.put(GRANT, key, imageOf(key, seq))
  files.start()
  await files.idle()
  expect(disk.paths().filter((path) => path.endsWith('.snap'))).toEqual([])
  for (const key of KEYS) expect((await store.get(key))?.image).toEqual(imageOf(key, seq))
  return Buffer.from(disk.bytesAt(PACK))
}

async function diskWith(content: Uint8Array): Promise<MemoryDisk> {
  const disk = new MemoryDisk(DIR)
  await disk.files.mkdir(dirname(PACK))
  await disk.files.close(await disk.files.open(PACK, 'create'))
  disk.damage(PACK, content)
  return disk
}

/** Opens the pack as a start does: every snapshot is as it was written, or not there and told. Answers how many are not. */
async function lostOf(content: Uint8Array, what: string): Promise<number> {
  const disk = await diskWith(content)
  expect((await surveyPacks(disk.files, DIR)).damages, what).toHaveLength(1)
  const log = memoryLog()
  const store = await openStore(await opened(disk, log), log)
  let lost = 0
  for (const key of KEYS) {
    const found = await store.get(key)
    if (found === null) lost += 1
    else expect(found.image, what).toEqual(imageOf(key, found.seq))
  }
  if (lost > 0)
    expect(
      log.lines.map(({ level }) => level),
      what,
    ).toContain('error')
  expect(disk.openFiles, what).toBe(0)
  return lost
}

describe('a pack of small files', () => {
  test('with any byte changed says so, and harms one file at most', async () => {
    const content = await packContent()
    for (let at = 0; at < content.length; at += stride(1)) {
      const changed = Buffer.from(content)
      changed.writeUInt8(changed.readUInt8(at) ^ (at % 2 === 0 ? 0x01 : 0x80), at)
      expect(await lostOf(changed, `byte ${at}`), `byte ${at}`).toBeLessThanOrEqual(1)
    }
  })

  test('cut off anywhere says so, and keeps the files before the cut', async () => {
    const content = await packContent()
    const ends = KEYS.map((key) => content.lastIndexOf(Buffer.from(`${key}@1`)))
    for (let length = 0; length < content.length; length += stride(1)) {
      const lost = await lostOf(content.subarray(0, length), `cut at ${length}`)
      const behind = ends.filter((end) => end >= length).length
      if (length > Math.max(...ends) + 300) expect(lost, `cut at ${length}`).toBe(0)
      expect(lost, `cut at ${length}`).toBeGreaterThanOrEqual(behind)
    }
  })

  test('a damaged file in it is set aside, told, and out of the pack for good', async () => {
    const content = await packContent()
    const at = content.lastIndexOf(Buffer.from('b/2@1'))
    content.writeUInt8(content.readUInt8(at) ^ 1, at)
    const disk = await diskWith(content)
    const files = await opened(disk)
    const store = await openStore(files)
    expect(await store.get('b/2')).toBeNull()
    expect(disk.paths().filter((path) => path.includes('quarantine/'))).toHaveLength(1)
    const again = await openStore(await opened(disk))
    expect([...again.actorKeys()].sort()).toEqual(['a/1', 'c/3'])
    for (const key of again.actorKeys()) expect((await again.get(key))?.image).toEqual(imageOf(key, 1))
  })

  test('an erasure takes out of packs what it drops, and what went before, and leaves the rest', async () => {
    const disk = new MemoryDisk(DIR)
    const files = await opened(disk)
    const store = await openStore(files)
    files.start()
    for (const seq of [1, 2, 3, 4]) {
      for (const key of KEYS) await store.put(GRANT, key, imageOf(key, seq))
      await files.idle()
    }
    await store.dropBefore('a/1', 4)
    const holding = (text: string) => disk.paths().filter((path) => disk.bytesAt(path).includes(text))
    for (const seq of [1, 2, 3]) expect(holding(`a/1@${seq}`), `turn ${seq}`).toEqual([])
    expect(holding('a/1@4')).toHaveLength(1)
    const again = await openStore(await opened(disk))
    for (const key of KEYS) expect((await again.get(key))?.seq).toBe(4)
  })
})

/** What callers may do to the file of an actor. */
type Step =
  | { readonly kind: 'write' | 'append' | 'unlink' | 'read' | 'scrub' | 'quarantine'; readonly file: number }
  | { readonly kind: 'list' | 'restart' | 'settle'; readonly file: 0 }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('write', 'write', 'append', 'unlink', 'read', 'scrub', 'quarantine'),
    file: fc.nat(5),
  }),
  fc.record({ kind: fc.constantFrom('list', 'restart', 'settle'), file: fc.constant(0) }),
) as fc.Arbitrary<Step>

const hashes = Array.from({ length: 6 }, (_, at) => actorKeyHashOf(`actor ${at}`))
const folderOf = (file: number): string => join(DIR, 'vec', (hashes[file] ?? '').slice(0, 2))
const pathOf = (file: number): string => join(folderOf(file), `${hashes[file]}.vec`)

async function write(files: PackedFiles, file: number, content: string): Promise<void> {
  await files.mkdir(join(DIR, 'vec'))
  await files.mkdir(folderOf(file))
  const name = `${hashes[file]}.vec`
  const target = { folder: folderOf(file), draftName: name, nameOf: () => name }
  await createDurably(files, target, (growing) => growing.append(Buffer.from(content)))
}

async function append(files: PackedFiles, file: number, end: number, content: string): Promise<void> {
  const fd = await files.open(pathOf(file), 'write')
  await files.pwrite(fd, Buffer.from(content), end)
  await files.fdatasync(fd)
  await files.close(fd)
}

async function expectSame(files: PackedFiles, model: ReadonlyMap<number, string>, isExact: boolean) {
  for (let file = 0; file < hashes.length; file += 1) {
    const content = await readWhole(files, pathOf(file))
    const expected = model.get(file)
    if (expected !== undefined || isExact)
      expect(content === null ? undefined : Buffer.from(content).toString()).toBe(expected)
  }
}

test('files that are packed while they are used read as files by themselves do', async () => {
  await provingAsync(30)(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
    const disk = new MemoryDisk(DIR)
    const model = new Map<number, string>()
    let files = await opened(disk, memoryLog(), 1)
    files.start()
    for (const [at, { kind, file }] of steps.entries()) {
      const known = model.get(file)
      if (kind === 'write') {
        const content = `written in step ${at} `.repeat(1 + (at % 40))
        await write(files, file, content)
        model.set(file, content)
      } else if (kind === 'append' && known !== undefined) {
        await append(files, file, known.length, `+${at}`)
        model.set(file, `${known}+${at}`)
      } else if (kind === 'unlink' && known !== undefined) {
        await files.unlink(pathOf(file))
        model.delete(file)
      } else if (kind === 'quarantine' && known !== undefined) {
        await files.mkdir(`${DIR}/quarantine`)
        await files.rename(pathOf(file), `${DIR}/quarantine/${file}`)
        model.delete(file)
      } else if (kind === 'scrub') await files.scrub(pathOf(file))
      else if (kind === 'settle') await files.idle()
      else if (kind === 'list') {
        for (const [each] of model) {
          const names = await files.readdir(folderOf(each))
          expect(names).toContain(`${hashes[each]}.vec`)
        }
      } else if (kind === 'restart') {
        await files.stop()
        await expectSame(files, model, true)
        files = await opened(disk, memoryLog(), 1)
        for (let each = 0; each < hashes.length; each += 1)
          if ((await files.stat(folderOf(each))) !== null) await files.readdir(folderOf(each))
        await expectSame(files, model, false)
        // What was removed and is found again is removed again.
        for (let each = 0; each < hashes.length; each += 1)
          if (!model.has(each) && (await files.stat(pathOf(each))) !== null) await files.unlink(pathOf(each))
        files.start()
      }
      await expectSame(files, model, true)
    }
    await files.stop()
    expect((await surveyPacks(disk.files, DIR)).damages).toEqual([])
    expect(disk.openFiles).toBe(0)
  })
})
