import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SURFACES } from '../../src/core/base/closed-sets.ts'
import { differencesOf, type Listed } from '../../src/core/report/difference.ts'
import { prove, proving } from '../support/prove.ts'

const anyList = fc.uniqueArray(
  fc.record({
    memoryId: fc.nat({ max: 12 }).map((number) => `m${number}`),
    surface: fc.constantFrom(...SURFACES),
  }),
  { selector: ({ memoryId }) => memoryId, maxLength: 10 },
)

/** The list of now, made of the recorded one and what the differences say changed. */
function applied(
  before: readonly Listed[],
  differences: ReturnType<typeof differencesOf>,
): readonly Listed[] {
  const stays = before.flatMap(({ memoryId }) => {
    const row = differences.find((difference) => difference.memoryId === memoryId)
    return row?.now == null || row.isReordered ? [] : [{ memoryId, surface: row.now.surface }]
  })
  const comes = differences.filter((row) => row.now !== null && (row.before === null || row.isReordered))
  const list = [...stays]
  for (const { memoryId, now } of comes.toSorted((a, b) => (a.now?.position ?? 0) - (b.now?.position ?? 0))) {
    if (now !== null) list.splice(now.position, 0, { memoryId, surface: now.surface })
  }
  return list
}

test('what stays, in its order, and what comes, at its position, is the list of now', () => {
  proving(500)(anyList, anyList, (before, now) => {
    expect(applied(before, differencesOf(before, now))).toEqual(now)
  })
})

test('every memory of either list has one row, and the words of the row follow from its places', () => {
  proving(300)(anyList, anyList, (before, now) => {
    const rows = differencesOf(before, now)
    const ids = [...before, ...now].map(({ memoryId }) => memoryId)
    expect(rows.map(({ memoryId }) => memoryId)).toEqual([...new Set(ids)])
    for (const row of rows) {
      const [past, present] = [row.before, row.now]
      if (past === null) expect(row.change).toBe('newly_shown')
      else if (present === null) expect(row.change).toBe('no_longer_shown')
      else if (past.surface !== present.surface) expect(row.change).toBe('moved')
      else expect(row.change).toBe(row.isReordered ? 'order_changed' : 'same')
    }
  })
})

test('nothing differs from itself, and one memory that overtakes all is the only one reordered', () => {
  prove(anyList, (list) => {
    expect(differencesOf(list, list).filter(({ change }) => change !== 'same')).toEqual([])
    const last = list.at(-1)
    if (last === undefined || list.length < 3) return
    const rows = differencesOf(list, [last, ...list.slice(0, -1)])
    expect(rows.filter(({ isReordered }) => isReordered).map(({ memoryId }) => memoryId)).toEqual([
      last.memoryId,
    ])
  })
})
