import { expect, test } from 'vitest'
import type { Actor } from '../../src/actor/actor.ts'
import { actorsOf } from '../../src/actor/known-actors.ts'
import { lruResidency } from '../../src/adapters/residency/lru-residency.ts'

/** A store of which only the directory is asked. */
function storeOf(keys: readonly string[]) {
  return {
    residency: lruResidency<Actor>({ countMax: 1, weightBytesMax: 1 }),
    directory: {
      async *actors() {
        yield* keys
      },
      turnsOf: async (asked: readonly string[]) =>
        asked.map((key) => ({ turns: key.length, snapshotTurns: 2, snapshotBytes: 7 })),
    },
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

test('an actor is told of without being loaded, with its own turns', async () => {
  expect(await actorsOf(storeOf(['acme/long', 'other/z', 'acme/a']), 'acme', null, 5)).toEqual([
    { key: 'acme/a', scope: 'a', turns: 6, snapshotTurns: 2, snapshotBytes: 7, resident: null },
    { key: 'acme/long', scope: 'long', turns: 9, snapshotTurns: 2, snapshotBytes: 7, resident: null },
  ])
})
