import { expect, test } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { actorsOf } from '../../src/actor/actor-list.ts'
import { lruResidency } from '../../src/adapters/residency/lru-residency.ts'

/** A store of which only the keys are asked. */
function storeOf(keys: readonly string[]) {
  const none = () => {
    throw new Error('nothing is read or written')
  }
  return {
    residency: lruResidency<Actor>({ countMax: 1, weightBytesMax: 1 }),
    directory: {
      known: async () => keys.length,
      async *actors() {
        yield* keys
      },
    },
    journal: {
      isSaturated: () => false,
      append: none,
      read: none,
      headOf: () => 3,
      uncoveredBytesOf: () => 0,
      covered: none,
      health: none,
      close: none,
    },
    snapshots: { put: none, get: none, bytesOf: () => 7, coveredSeqOf: () => 2, lastAtMs: () => null },
  }
}

test('two thousand actors are listed page by page in the order of their keys while others come', async () => {
  const keys = Array.from({ length: 2000 }, (_, at) => `acme/scope ${(at * 7919) % 2000}`)
  const before = [...keys]
  const store = storeOf(keys)
  const listed: string[] = []
  for (let after: string | null = null; ; after = listed.at(-1) ?? null) {
    const page = await actorsOf(store, 'acme', after, 200)
    listed.push(...page.map(({ key }) => key))
    if (page.length < 200) break
    // One that is behind the page and one that is before it, and those of tenants whose names are like this one.
    keys.push(`acme/scope 0${listed.length}`, `acme/z ${listed.length}`, `acme2/x${listed.length}`, `acm/x`)
  }
  const met = new Set(listed)
  expect(listed).toEqual([...met].sort())
  expect(before.filter((key) => !met.has(key))).toEqual([])
  expect(listed.filter((key) => !key.startsWith('acme/'))).toEqual([])
})

test('an actor is told of without being loaded: its turns are the last that journal or snapshot has', async () => {
  expect(await actorsOf(storeOf(['acme/a']), 'acme', null, 5)).toEqual([
    { key: 'acme/a', scope: 'a', turns: 3, snapshotTurns: 2, snapshotBytes: 7, resident: null },
  ])
})
