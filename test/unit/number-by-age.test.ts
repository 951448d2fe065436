import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberByAge } from '../../src/core/guide/number-by-age.ts'
import { proofsOf } from '../support/prove.ts'

const prove = proofsOf('number by age')

// Few and many ordinals, close together and far apart, the last bit of a word and the next one among them.
const anyOrdinals = fc
  .constantFrom(8, 64, 5_000, 300_000)
  .chain((bound) => fc.uniqueArray(fc.nat(bound - 1), { maxLength: 300 }).map((list) => ({ bound, list })))

test('candidates are numbered from one on, the oldest first, whatever was numbered before', () => {
  prove(anyOrdinals, ({ bound, list }) => {
    const size = list.length
    const age = new Int32Array(size)
    const columns = { ordinalOf: (slot: number) => list[size - 1 - slot] ?? 0 }
    const slots = Int32Array.from(list, (_ordinal, place) => size - 1 - place)
    numberByAge({ columns, nextOrdinal: bound }, { size, slots, age })
    const sorted = list.toSorted((a, b) => a - b)
    expect([...age]).toEqual(list.map((ordinal) => sorted.indexOf(ordinal) + 1))
  })
})
