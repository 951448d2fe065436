import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ActorState } from '../../src/core/model/state.ts'
import { columnsFor, numberByAge } from '../../src/core/rerank/candidate-columns.ts'
import { prove } from '../support/prove.ts'

test('candidates are numbered by age, whether they are many or few of the memories', () => {
  const few = fc.uniqueArray(fc.integer({ min: 0, max: 4_000_000 }), { maxLength: 20 })
  const many = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 100 })
  prove(fc.tuple(fc.oneof(few, many), fc.nat(40)), ([ordinals, more]) => {
    const columns = columnsFor(ordinals.length)
    columns.slots.set([...ordinals.keys()])
    const nextOrdinal = Math.max(0, ...ordinals) + 1 + more
    const state = { columns: { ordinalOf: (slot: number) => ordinals[slot] }, nextOrdinal }
    numberByAge(state as unknown as ActorState, columns, ordinals.length)
    const oldestFirst = ordinals.toSorted((a, b) => a - b)
    expect([...columns.age]).toEqual(ordinals.map((ordinal) => oldestFirst.indexOf(ordinal) + 1))
  })
})
