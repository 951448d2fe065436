import { expect, test } from 'vitest'
import { over } from '../../src/adapters/files/store-parts.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import { registryOver } from '../conformance/written.ts'
import { manualClock } from '../harness/system.ts'

// An actor of these registries is snapshot when it has 1 MiB above its last snapshot, at the latest.
const MIB = 1 << 20

/** A registry whose snapshots wait until they are let on. */
async function holdingBack() {
  const store = openMemoryStore(readConfig({}, {}).config, manualClock(), new MemoryData())
  const begun: string[] = []
  const waiting: (() => void)[] = []
  const snapshots = over(store.snapshots, {
    async put(grant, actorKey, image) {
      begun.push(actorKey)
      await new Promise<void>((resolve) => void waiting.push(resolve))
      return store.snapshots.put(grant, actorKey, image)
    },
  })
  const registry = await registryOver({ ...store, snapshots }, undefined, 32)
  const written = async (scope: string, bytes: number): Promise<void> => {
    const command = { operation: 'suppress', memoryIds: ['m'], actorName: null, mode: null } as const
    const reason = 'x'.repeat(bytes)
    await registry.use('acme', scope, (actor) =>
      actor.turn(() => ({ events: [{ type: 'lifecycle_requested', reason, ...command }], reply: null })),
    )
    await settled()
  }
  const letOn = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve()
    await settled()
  }
  return { registry, written, begun, letOn }
}

/** A snapshot that may begin has begun, one that was let on has ended. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('of actors that are due two are snapshot at once, and the others when they are used again', async () => {
  const { written, begun, letOn } = await holdingBack()
  for (const scope of ['a', 'b', 'c', 'd']) await written(scope, MIB)
  expect(begun).toEqual(['acme/a', 'acme/b'])
  await letOn()
  for (const scope of ['c', 'd']) await written(scope, 1)
  expect(begun).toEqual(['acme/a', 'acme/b', 'acme/c', 'acme/d'])
  await letOn()
})

test('an actor that is due for twice as much waits for no other', async () => {
  const { written, begun, letOn } = await holdingBack()
  for (const scope of ['a', 'b', 'c']) await written(scope, MIB)
  expect(begun).toEqual(['acme/a', 'acme/b'])
  await written('c', MIB + 1)
  expect(begun).toEqual(['acme/a', 'acme/b', 'acme/c'])
  await letOn()
})

test('actors that are written alike are due at different times, none before three quarters, all at the whole', async () => {
  const { written, begun, letOn } = await holdingBack()
  const scopes = Array.from({ length: 24 }, (_, at) => `scope-${at}`)
  const dueAt = async (share: number): Promise<number> => {
    for (const scope of scopes) {
      await written(scope, share)
      await letOn()
    }
    return begun.length
  }
  expect(await dueAt(0.7 * MIB)).toBe(0)
  const early = await dueAt(0.18 * MIB)
  expect(early).toBeGreaterThan(scopes.length / 4)
  expect(early).toBeLessThan(scopes.length)
  expect(await dueAt(0.13 * MIB)).toBe(scopes.length)
})

test('an actor has one snapshot under way, however many are asked for at once', async () => {
  const { registry, written, begun, letOn } = await holdingBack()
  await written('a', 1)
  const asked = [1, 2, 3].map(() => registry.snapshot('acme/a'))
  for (const count of [1, 2, 3]) {
    await settled()
    expect(begun).toHaveLength(count)
    await letOn()
  }
  await Promise.all(asked)
})
