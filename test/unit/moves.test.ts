import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstChoice, type OwnedShard, planOf } from '../../src/adapters/postgres/moves.ts'

const SHARDS = 1024
const nodes = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 8 })
const rates = fc.array(fc.nat(100), { minLength: SHARDS, maxLength: SHARDS })
const NOBODY = () => false
const UNBOUNDED = { movesMax: SHARDS, isLeftAlone: NOBODY }

/** What a node owns when shards are where they belong. */
function shareOf(
  me: string,
  all: readonly string[],
  rate: (shard: number) => number = () => 0,
): OwnedShard[] {
  return Array.from({ length: SHARDS }, (_, shard) => ({ shard, rate: rate(shard) })).filter(
    ({ shard }) => firstChoice(shard, all) === me,
  )
}

test('nothing moves while everything is where it belongs', () => {
  fc.assert(
    fc.property(nodes, (ids) => {
      for (const me of ids) {
        const { leaving, due } = planOf(shareOf(me, ids), me, ids, UNBOUNDED)
        expect([leaving, due]).toEqual([[], []])
      }
    }),
  )
})

test('when a node joins each of the others gives it its share, and nothing goes anywhere else', () => {
  fc.assert(
    fc.property(nodes, (ids) => {
      const [joined = '', ...before] = ids
      const share = new Set(shareOf(joined, ids).map(({ shard }) => shard))
      const moved = before.flatMap((me) => planOf(shareOf(me, before), me, ids, UNBOUNDED).due)
      expect(new Set(moved)).toEqual(share)
      expect(moved).toHaveLength(share.size)
    }),
  )
})

test('when a node leaves the others give each other nothing', () => {
  fc.assert(
    fc.property(nodes, (ids) => {
      const [, ...left] = ids
      for (const me of left) {
        const { leaving } = planOf(shareOf(me, ids), me, left, UNBOUNDED)
        expect(leaving).toEqual([])
      }
    }),
  )
})

test('no more go at once than may, the least asked for first, and none that is to be left alone', () => {
  fc.assert(
    fc.property(nodes, rates, fc.nat(20), fc.integer({ min: 2, max: 9 }), (ids, rate, movesMax, every) => {
      const [me = '', ...others] = ids
      const owned = rate.map((each, shard) => ({ shard, rate: each }))
      const isLeftAlone = (shard: number) => shard % every === 0
      const { leaving, due } = planOf(owned, me, others, { movesMax, isLeftAlone })
      expect(due.length).toBeLessThanOrEqual(movesMax)
      for (const shard of due) {
        expect(firstChoice(shard, ids)).not.toBe(me)
        expect(isLeftAlone(shard)).toBe(false)
      }
      const waiting = leaving.filter((shard) => !isLeftAlone(shard) && !due.includes(shard))
      const hottest = Math.max(0, ...due.map((shard) => rate[shard] ?? 0))
      for (const shard of waiting) expect(rate[shard]).toBeGreaterThanOrEqual(due.length > 0 ? hottest : 0)
    }),
  )
})

test('a shard that goes from node to node never comes back, whatever each of them knows of the others', () => {
  const knowing = fc.tuple(
    nodes,
    fc.array(fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), { minLength: 8, maxLength: 8 }),
  )
  fc.assert(
    fc.property(knowing, fc.nat(SHARDS - 1), ([ids, views], shard) => {
      let at = ids[0] ?? ''
      const been = new Set<string>()
      for (;;) {
        expect(been.has(at)).toBe(false)
        been.add(at)
        const view = ids.filter((_, index) => views[ids.indexOf(at)]?.[index] === true)
        const { due } = planOf([{ shard, rate: 0 }], at, view, UNBOUNDED)
        if (due.length === 0) return
        at = firstChoice(shard, [at, ...view]) ?? ''
      }
    }),
  )
})
