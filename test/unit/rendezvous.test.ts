import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstChoice } from '../../src/adapters/postgres/moves.ts'
import { prove } from '../support/prove.ts'

const SHARDS = 1024
const nodes = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 8 })

function shares(ids: readonly string[]): readonly (string | null)[] {
  return Array.from({ length: SHARDS }, (_, shard) => firstChoice(shard, ids))
}

test('every node names the same node for a shard, in whatever order it knows them', () => {
  prove(nodes, fc.nat(SHARDS), (ids, shard) => {
    expect(firstChoice(shard, ids.toReversed())).toBe(firstChoice(shard, ids))
  })
  expect(firstChoice(1, [])).toBeNull()
})

test('a node that leaves moves its own share only, and no node has half more than the others', () => {
  prove(nodes, (ids) => {
    const before = shares(ids)
    const [gone, ...left] = ids
    const after = shares(left)
    for (const [shard, owner] of before.entries()) {
      if (owner !== gone) expect(after[shard]).toBe(owner)
    }
    for (const id of ids) {
      expect(before.filter((owner) => owner === id).length).toBeLessThan((SHARDS / ids.length) * 1.5)
    }
  })
})
