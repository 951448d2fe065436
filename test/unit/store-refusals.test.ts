import { expect, test } from 'vitest'
import { refusalOf } from '../../src/actor/journal-refusal.ts'
import { over, StoreFailure } from '../../src/adapters/files/store-parts.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import { ERRORS } from '../../src/core/base/errors.ts'
import type { JournalFailureKind } from '../../src/ports/store.ts'
import { registryOver } from '../conformance/written.ts'
import { manualClock } from '../harness/system.ts'

const failure = (kind: JournalFailureKind) => Object.assign(new Error(kind), { journalFailure: kind })

test('an owner that is lost is not_owner with its address, and nothing is said to be in doubt', () => {
  const owned = new StoreFailure('fenced', 'not the owner', { owner: 'https://two.example' })
  expect(refusalOf(owned)).toMatchObject({
    code: 'not_owner',
    details: { owner: 'https://two.example', journal: 'fenced' },
  })
  expect(refusalOf(new StoreFailure('fenced', 'not the owner'))).toMatchObject({
    details: { journal: 'fenced' },
  })
  expect(ERRORS.not_owner).toMatchObject({ status: 421, retryable: true, retryAfterS: 1 })
})

test('a store that does not answer is storage_unavailable for a second, and only a conflict leaves a doubt', () => {
  expect(refusalOf(failure('unavailable'))).toMatchObject({
    code: 'storage_unavailable',
    details: { journal: 'unavailable' },
  })
  expect(refusalOf(failure('conflict'))).toMatchObject({
    code: 'storage_unavailable',
    details: { outcome: 'unknown', journal: 'conflict' },
  })
  expect(refusalOf(failure('in_doubt'))).toMatchObject({
    code: 'storage_read_only',
    details: { outcome: 'unknown', journal: 'in_doubt' },
  })
  expect(ERRORS.storage_unavailable).toMatchObject({ status: 503, retryable: true, retryAfterS: 1 })
})

test('an actor that cannot be acquired or read is refused as the store says, and loaded once it answers', async () => {
  const { config } = readConfig({ dataDir: ':memory:' }, {})
  const store = openMemoryStore(config, manualClock(), new MemoryData())
  let isThere = false
  const answering = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
    if (!isThere) throw failure('unavailable')
    return ask()
  }
  const { ownership, snapshots } = store
  for (const away of [
    { ownership: over(ownership, { acquire: (key) => answering(() => ownership.acquire(key)) }) },
    { snapshots: over(snapshots, { get: (key) => answering(() => snapshots.get(key)) }) },
  ]) {
    const registry = await registryOver({ ...store, ...away })
    isThere = false
    const used = () => registry.use('a', 'x', async ({ state }) => state.seq)
    await expect(used()).rejects.toMatchObject({ code: 'storage_unavailable' })
    isThere = true
    expect(await used()).toBe(0)
    await registry.close(1_000)
  }
  await store.close()
})
