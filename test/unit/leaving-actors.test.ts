import { expect, test } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import type { Registry } from '../../src/actor/registry.ts'
import { over } from '../../src/adapters/files/store-parts.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import type { Holder } from '../../src/ports/store.ts'
import { registryOver } from '../conformance/written.ts'
import { manualClock } from '../harness/system.ts'

const LONG = 'a reason that is told at length '.repeat(1000)

/** A registry, and what its store may ask it for. */
async function holding() {
  const store = openMemoryStore(readConfig({}, {}).config, manualClock(), new MemoryData())
  const held: { holder: Holder | null } = { holder: null }
  const attach = (holder: Holder) => void (held.holder = holder)
  const registry = await registryOver({ ...store, ownership: over(store.ownership, { attach }) })
  const { holder } = held
  if (holder === null) throw new Error('nobody is asked')
  return { store, registry, holder }
}

function written(registry: Registry, reason = 'so'): Promise<Actor> {
  const command = { operation: 'suppress', memoryIds: ['m'], actorName: null, mode: null } as const
  return registry.use('acme', 'shop', async (actor) => {
    await actor.turn(() => ({
      events: [{ type: 'lifecycle_requested', reason, ...command }],
      reply: null,
    }))
    return actor
  })
}

/** A request that stays inside until it is let out. */
function guest(registry: Registry) {
  let letOut = (): void => undefined
  const out = new Promise<void>((resolve) => {
    letOut = resolve
  })
  return { letOut, done: registry.use('acme', 'shop', () => out) }
}

test('who is inside finishes, who comes waits, and then finds the actor read anew', async () => {
  const { registry, holder } = await holding()
  const before = await written(registry)
  const { letOut, done } = guest(registry)
  const leaving = holder.leave(before.grant, 10_000)
  const next = registry.use('acme', 'shop', async (actor) => actor)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(registry.residentCount()).toBe(1)
  letOut()
  await done
  expect(await leaving).toBe(true)
  const after = await next
  expect(after).not.toBe(before)
  expect(after.state.seq).toBe(before.state.seq)
})

test('an actor that takes longer stays as it was, with those who waited', async () => {
  const { registry, holder } = await holding()
  const before = await written(registry)
  const { letOut, done } = guest(registry)
  const leaving = holder.leave(before.grant, 30)
  const next = registry.use('acme', 'shop', async (actor) => actor)
  expect(await leaving).toBe(false)
  expect(await next).toBe(before)
  letOut()
  await done
  expect(await holder.leave(before.grant, 1_000)).toBe(true)
  expect(registry.residentCount()).toBe(0)
})

test('a long tail is snapshot while requests are served, a short one is left to the journal', async () => {
  const { store, registry, holder } = await holding()
  const { key, grant } = await written(registry)
  expect(await holder.prepare(grant)).toBe(true)
  expect(store.snapshots.coveredSeqOf(key)).toBe(0)
  await written(registry, LONG)
  const { letOut, done } = guest(registry)
  expect(await holder.prepare(grant)).toBe(true)
  expect(store.snapshots.coveredSeqOf(key)).toBe(2)
  letOut()
  await done
})

test('an actor that is being erased in, or of a registry that closes, cannot go', async () => {
  const { registry, holder } = await holding()
  const actor = await written(registry)
  const ready = () => holder.prepare(actor.grant)
  expect(await registry.erasing(actor, ready)).toBe(false)
  expect(await ready()).toBe(true)
  const closing = registry.close(1_000)
  expect([await ready(), await holder.leave(actor.grant, 100)]).toEqual([false, false])
  await closing
})
