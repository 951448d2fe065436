import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { actorKeyHashOf } from '../../src/adapters/files/actor-folders.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { LOCAL_GRANT as GRANT } from '../../src/adapters/files/store-parts.ts'
import { headBytes } from '../../src/adapters/record-file/format.ts'
import { openVectorStore } from '../../src/adapters/vectors/store.ts'
import type { VectorRow, VectorStore } from '../../src/ports/store.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { memoryLog } from '../harness/system.ts'

const KEY = 'tenant/scope'
const HASH = actorKeyHashOf(KEY)
const fileIn = (dir: string) => join(dir, 'vec', HASH.slice(0, 2), `${HASH}.vec`)
const row = (memoryId: string, ordinal = 1, vector: readonly number[] | null = [0.6, 0.8]): VectorRow => ({
  memoryId,
  ordinal,
  updatedAtMs: 1_700_000_000_000 + ordinal,
  vector: vector === null ? null : Float32Array.from(vector),
})

async function opened(dir: string, model: string | null = 'm'): Promise<VectorStore> {
  const store = await openVectorStore({ dir, files: nodeFiles, log: memoryLog().log, model })
  if (store === null) throw new Error('no store')
  return store
}

async function rowsOf(store: VectorStore, key = KEY): Promise<readonly VectorRow[]> {
  const rows: VectorRow[] = []
  await store.load(key, (each) => rows.push(each))
  return rows
}

async function filled(...rows: readonly VectorRow[]): Promise<string> {
  const dir = dataFolder()
  const store = await opened(dir)
  for (const each of rows) await store.append(GRANT, KEY, [each])
  return dir
}

describe('vectors on disk', () => {
  test('are there after a start, in the order of writing, and of no other actor', async () => {
    const rows = [row('a'), row('b', 2, null), row('a', 3, [1, 0]), row('ü💡', 4)]
    const dir = await filled(...rows)
    const store = await opened(dir)
    expect(await rowsOf(store)).toEqual(rows)
    expect(await rowsOf(store, 'tenant/other')).toEqual([])
    await store.append(GRANT, KEY, [row('c', 5), row('d', 6)])
    expect(await rowsOf(await opened(dir))).toEqual([...rows, row('c', 5), row('d', 6)])
  })

  test('are asked for without a file of their own only where a model wants some', async () => {
    const dir = dataFolder()
    const { log } = memoryLog()
    expect(await openVectorStore({ dir, files: nodeFiles, log, model: null })).toBeNull()
    expect(await rowsOf(await opened(dir))).toEqual([])
    expect(await openVectorStore({ dir, files: nodeFiles, log, model: null })).not.toBeNull()
  })

  test('of another model are left out and gone; what must not be embedded stays', async () => {
    const dir = await filled(row('a'), row('b', 2, null))
    expect(await rowsOf(await opened(dir, 'other'))).toEqual([row('b', 2, null)])
    expect(await rowsOf(await opened(dir, 'm'))).toEqual([row('b', 2, null)])
  })

  test('do not go into a file of another model that was looked at only for what is to go', async () => {
    for (const left of ['a', 'b']) {
      const dir = await filled(row('a'), row('b', 2, null))
      const other = await opened(dir, 'other')
      await other.keepOnly(GRANT, KEY, ({ memoryId }) => left === 'b' || memoryId === 'a')
      await other.append(GRANT, KEY, [row('c', 3)])
      const kept = left === 'b' ? [row('b', 2, null)] : []
      expect(await rowsOf(await opened(dir, 'other'))).toEqual([...kept, row('c', 3)])
    }
  })

  test('that were not written whole are cut off, and the next ones follow', async () => {
    const dir = await filled(row('a'), row('b', 2))
    const whole = readFileSync(fileIn(dir))
    for (const cut of [1, 20, 40]) {
      writeFileSync(fileIn(dir), whole.subarray(0, whole.length - cut))
      const store = await opened(dir)
      expect(await rowsOf(store)).toEqual([row('a')])
      await store.append(GRANT, KEY, [row('c', 3)])
      expect(await rowsOf(await opened(dir))).toEqual([row('a'), row('c', 3)])
    }
  })

  test('that are damaged are passed over; a file of somebody else is removed', async () => {
    const dir = await filled(row('a'), row('b', 2), row('c', 3))
    const bytes = readFileSync(fileIn(dir))
    bytes[headBytes(bytes) + 36] = 0xee
    writeFileSync(fileIn(dir), bytes)
    expect(await rowsOf(await opened(dir))).toEqual([row('b', 2), row('c', 3)])
    bytes[24] = 0xee
    writeFileSync(fileIn(dir), bytes)
    const store = await opened(dir)
    expect(await rowsOf(store)).toEqual([])
    await store.append(GRANT, KEY, [row('d', 4)])
    expect(await rowsOf(await opened(dir))).toEqual([row('d', 4)])
  })

  test('of the past go at a load once they are the greater part', async () => {
    const dir = dataFolder()
    const store = await opened(dir)
    const many = Array.from({ length: 400 }, (_, at) => row('a', at))
    await store.append(GRANT, KEY, [...many, row('b', 1_000)])
    expect(await rowsOf(store)).toHaveLength(401)
    expect(await rowsOf(await opened(dir))).toEqual([row('a', 399), row('b', 1_000)])
  })

  test('of the past are also those that were made again for the same revision', async () => {
    const dir = dataFolder()
    const store = await opened(dir)
    const again = Array.from({ length: 400 }, (_, at) => row('a', 1, [0.6, 0.8, at]))
    await store.append(GRANT, KEY, [...again, row('b')])
    await rowsOf(store)
    expect(await rowsOf(await opened(dir))).toEqual([again.at(-1), row('b')])
  })
})

describe('what is taken off the disk', () => {
  test('every byte of the others is gone, with or without a model', async () => {
    for (const model of ['m', null]) {
      const dir = await filled(row('quondam'), row('kept', 2), row('quondam', 3))
      const store = await opened(dir, model)
      expect(await store.keepOnly(GRANT, KEY, ({ memoryId }) => memoryId !== 'quondam')).toBe(1)
      expect(readFileSync(fileIn(dir)).includes('quondam')).toBe(false)
      expect(await store.keepOnly(GRANT, KEY, ({ memoryId }) => memoryId !== 'quondam')).toBe(0)
      expect(await store.keepOnly(GRANT, 'tenant/other', () => false)).toBe(0)
      expect(await rowsOf(await opened(dir))).toEqual([row('kept', 2)])
    }
  })

  test('what cannot be read goes too: it could be of them', async () => {
    const dir = await filled(row('kept'))
    appendFileSync(fileIn(dir), 'rest of quondam')
    const store = await opened(dir)
    expect(await store.keepOnly(GRANT, KEY, () => true)).toBe(1)
    expect(readFileSync(fileIn(dir)).includes('quondam')).toBe(false)
    expect(await rowsOf(store)).toEqual([row('kept')])
  })
})
