import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { LOCAL_GRANT } from '../../src/adapters/files/store-parts.ts'
import { openVectorStore } from '../../src/adapters/vectors/store.ts'
import { verifyStore } from '../../src/app/store/verify-store.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { dataFolder, filesBelow } from '../harness/data-folder.ts'
import { startEmbedded } from '../harness/embedded.ts'
import { memoryLog } from '../harness/system.ts'
import { GOLDEN, unpackGolden } from './golden-files.ts'

const DEEP = { isDeep: true, exposureRetentionMs: Number.MAX_SAFE_INTEGER, nowMs: 0 }

/** Files of the folder that hold the text. */
function holding(dir: string, text: string): readonly string[] {
  return filesBelow(dir).filter((path) => readFileSync(path).includes(text))
}

function unpacked(): string {
  return unpackGolden(GOLDEN, dataFolder())
}

test('a store of format 1 has a file of every kind, and verifies deeply', async () => {
  for (const kind of ['.wal', '.snap', '.led', '.hist', '.log', '.idx', '.vec']) {
    expect(
      Object.keys(GOLDEN.files).filter((name) => name.endsWith(kind)),
      kind,
    ).not.toEqual([])
  }
  const { problems, chain } = await verifyStore(unpacked(), { ...DEEP, chain: { pinnedHead: null } })
  expect(problems).toEqual([])
  expect(chain).not.toBeNull()
})

test('a store of format 1 gives the states that it was made of, and goes on', async () => {
  const service = await startEmbedded({ dir: unpacked(), config: { journalChain: 'sha256' } })
  for (const scope of ['one', 'two']) {
    const place = { tenant_id: 'golden', scope }
    expect(await service.digest(place)).toBe(GOLDEN.digests[actorKeyOf(place.tenant_id, scope)])
    const { result } = await service.ok('rehydrate', { ...place, reason: 'look', client_ids: ['fact-7'] })
    expect(JSON.stringify(result)).toContain(`Round 7: the valve of ${scope} is opened`)
    const { agent_context } = await service.ok('guide', { ...place, query_text: 'start the pump' })
    expect(agent_context.memory_ids).not.toEqual([])
  }
  await service.ok('feedback', GOLDEN.feedback)
  expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})

test('a start makes it a store of format 3, which an earlier program refuses, and a later format names who reads it', async () => {
  const dir = unpacked()
  const path = join(dir, 'FORMAT.json')
  const before = JSON.parse(readFileSync(path, 'utf8'))
  await (await startEmbedded({ dir, config: { journalChain: 'sha256' } })).close()
  const after = JSON.parse(readFileSync(path, 'utf8'))
  expect(before).toMatchObject({ formatVersion: 1 })
  expect(after).toMatchObject({ formatVersion: 3, storeId: before.storeId })
  const later = JSON.stringify({ ...after, formatVersion: 4, writtenBy: '9.9.9' })
  writeFileSync(path, later)
  await expect(startEmbedded({ dir })).rejects.toThrow(
    'the store has format 4; memgov 9.9.9 or later reads it; this version reads 1 to 3',
  )
  expect(readFileSync(path, 'utf8')).toBe(later)
})

test('an erasure takes a memory out of every file of format 1, and the store verifies deeply', async () => {
  const dir = unpacked()
  const text = 'Round 7: the valve of one is opened'
  expect(new Set(holding(dir, text).map((path) => path.replace(/.*\./, '')))).toEqual(
    new Set(['snap', 'hist']),
  )
  const service = await startEmbedded({ dir, config: { journalChain: 'sha256' } })
  const place = { tenant_id: 'golden', scope: 'one' }
  await service.ok('erase', { ...place, reason: 'asked for', actor: 'operator', client_ids: ['fact-7'] })
  expect(holding(dir, text)).toEqual([])
  await service.ok('feedback', GOLDEN.feedback)
  const digest = await service.digest(place)
  await service.restart()
  expect(await service.digest(place)).toBe(digest)
  expect((await service.history.notes(actorKeyOf('golden', 'one'), 10)).length).toBeGreaterThan(0)
  await service.close()
  expect((await verifyStore(dir, DEEP)).problems).toEqual([])
  expect(service.lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})

test('vectors of format 1 are read, go on, and are taken out', async () => {
  const dir = unpacked()
  const key = actorKeyOf('golden', 'one')
  const store = async () => {
    const { log } = memoryLog()
    const found = await openVectorStore({ dir, files: nodeFiles, log, model: 'golden model' })
    if (found === null) throw new Error('no vectors')
    return found
  }
  const ids = async () => {
    const found: (string | number)[] = []
    await (await store()).load(key, ({ memoryId, vector }) => found.push(memoryId, ...(vector ?? [])))
    return found
  }
  const first = ['fact-1', Math.fround(0.6), Math.fround(0.8), 'fact-2', 'fact-1', 1, 0]
  expect(await ids()).toEqual(first)
  // Written anew at that load, as the container, without rows of the past.
  const row = { memoryId: 'fact-3', ordinal: 4, updatedAtMs: 4, vector: Float32Array.of(0, 1) }
  await (await store()).append(LOCAL_GRANT, key, [row])
  expect(await ids()).toEqual(['fact-2', 'fact-1', 1, 0, 'fact-3', 0, 1])
  expect(await (await store()).keepOnly(LOCAL_GRANT, key, ({ memoryId }) => memoryId !== 'fact-1')).toBe(1)
  expect(await ids()).toEqual(['fact-2', 'fact-3', 0, 1])
})
