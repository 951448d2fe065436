import { describe, expect, test } from 'vitest'
import { tellCounts } from '../harness/counts.ts'
import { SEED, scaled } from '../harness/scale.ts'
import { runHistory } from './client-history.ts'
import {
  APPEND_LIST,
  isLinearizable,
  type ListKind,
  type Operation,
  REGISTER,
  type RegisterKind,
} from './linearizability.ts'

/** Histories of the run: each has three lives of a process and a last one that reads everything. */
const HISTORIES = scaled(100)

test(
  'an actor is one list and its memories registers, for concurrent clients and over crashes',
  async () => {
    const total = { operations: 0, unknown: 0, crashes: 0 }
    for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
      const { violations, operations, unknown, crashes } = await runHistory(seed)
      expect(violations, `seed ${seed}`).toEqual([])
      total.operations += operations
      total.unknown += unknown
      total.crashes += crashes
    }
    tellCounts('linearizability', { histories: HISTORIES, ...total })
    expect(total.crashes).toBe(3 * HISTORIES)
    expect(total.operations).toBeGreaterThan(20 * HISTORIES)
    expect(total.unknown).toBeGreaterThan(HISTORIES)
  },
  Math.max(60_000, HISTORIES * 1000),
)

/** Operations one after the other, but for those that say otherwise. */
function told<Kind>(...kinds: readonly Kind[]): readonly Operation<Kind>[] {
  return kinds.map((kind, i) => ({ kind, invokedAt: 2 * i, answeredAt: 2 * i + 1 }))
}

const append = (item: string): ListKind => ({ type: 'append', item })
const list = (...items: readonly string[]): ListKind => ({ type: 'read', items })
const write = (value: string): RegisterKind => ({ type: 'write', value })
const read = (value: string | null): RegisterKind => ({ type: 'read', value })

describe('the check of histories', () => {
  test('allows what one order explains', () => {
    const lists = told(list(), append('a'), list('a'), append('b'), list('a', 'b'))
    expect(isLinearizable(APPEND_LIST, lists)).toBe(true)
    const [first, second] = told(write('1'), write('2'))
    // Both at once, in either order; and one that never got an answer may have happened late.
    const atOnce = [
      { ...first!, invokedAt: 0, answeredAt: 9 },
      { ...second!, invokedAt: 1, answeredAt: 8 },
      { kind: write('3'), invokedAt: 2, answeredAt: null },
    ]
    for (const last of ['1', '2', '3']) {
      const history = [...atOnce, { kind: read(last), invokedAt: 10, answeredAt: 11 }]
      expect(isLinearizable(REGISTER, history)).toBe(true)
    }
  })

  test.each<[string, readonly Operation<ListKind>[]]>([
    ['a lost append', told(append('a'), append('b'), list('b'))],
    ['an append that happened twice', told(append('a'), list('a', 'a'))],
    ['another order than that of the answers', told(append('a'), append('b'), list('b', 'a'))],
    ['a read of the past', told(append('a'), append('b'), list('a'))],
    ['a read of what nobody wrote', told(append('a'), list('a', 'x'))],
    ['what was shown and is gone', told(append('a'), list('a'), list())],
    [
      'two reads at once that disagree about the order',
      [
        { kind: append('a'), invokedAt: 0, answeredAt: 5 },
        { kind: append('b'), invokedAt: 1, answeredAt: 6 },
        { kind: list('a'), invokedAt: 2, answeredAt: 3 },
        { kind: list('b', 'a'), invokedAt: 7, answeredAt: 8 },
      ],
    ],
  ])('finds %s in a list', (_name, history) => {
    expect(isLinearizable(APPEND_LIST, history)).toBe(false)
  })

  test.each<[string, readonly Operation<RegisterKind>[]]>([
    ['a lost write', told(write('1'), read(null))],
    ['a stale read', told(write('1'), write('2'), read('1'))],
    ['a value that comes back', told(write('1'), read('1'), write('2'), read('2'), read('1'))],
    ['a value that nobody wrote', told(write('1'), read('2'))],
    [
      'an unanswered write that was seen, and then was not',
      [
        { kind: write('1'), invokedAt: 0, answeredAt: null },
        ...told(read('1'), read(null)).map((each) => ({
          ...each,
          invokedAt: each.invokedAt + 10,
          answeredAt: (each.answeredAt ?? 0) + 10,
        })),
      ],
    ],
  ])('finds %s in a register', (_name, history) => {
    expect(isLinearizable(REGISTER, history)).toBe(false)
  })
})
