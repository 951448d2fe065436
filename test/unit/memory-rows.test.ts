import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPacker } from '../../src/adapters/binary/msgpack.ts'
import { TableCursor, UnreadTable } from '../../src/adapters/binary/table-cursor.ts'
import { MemoryRows } from '../../src/adapters/snapshot/memory-rows.ts'
import {
  CompactRecord,
  compactRecord,
  plainRecord,
  RecentParts,
} from '../../src/core/model/compact-record.ts'
import type { MemoryRecord } from '../../src/core/model/record.ts'
import { anyChanged } from '../support/changed-records.ts'
import { sampleRecord } from '../support/guide-samples.ts'
import { prove } from '../support/prove.ts'
import { anyJson } from './codec-events.ts'

const PARTS = new RecentParts()
const packer = createPacker({ isTabular: true })
const packed = (rows: readonly unknown[]): Buffer => Buffer.from(packer.pack(rows))
const written = (record: MemoryRecord): MemoryRecord =>
  plainRecord(compactRecord(record, record.audience, PARTS))
const partOf = (of: object | undefined, part: 'provenance' | 'history'): unknown =>
  Reflect.get(of ?? {}, part)

/** Few different ones after one another, so that much of a row is that of the one before. */
const anyRows = fc
  .tuple(fc.array(anyChanged, { minLength: 1, maxLength: 4 }), fc.array(fc.nat(), { maxLength: 30 }))
  .map(([records, picks]) =>
    picks.flatMap((pick, slot) => {
      const record = records[pick % records.length]
      return record === undefined ? [] : [written({ ...record, slot, seq: pick })]
    }),
  )

describe('rows of memories', () => {
  test('are read as the records that the state keeps, which say the same, chunk after chunk', () => {
    prove(fc.array(anyRows, { minLength: 1, maxLength: 3 }), (chunks) => {
      const rows = new MemoryRows()
      for (const chunk of chunks) {
        const bytes = packed(chunk)
        const read = rows.read(bytes)
        // Escaped: a lone surrogate, or a key that the packing library looks at.
        if (bytes[0] === 0xc1) {
          expect(read).toBeNull()
          continue
        }
        expect(read?.every((record) => record instanceof CompactRecord)).toBe(true)
        expect(JSON.stringify(read)).toBe(JSON.stringify(packer.unpack(bytes)))
        const made = chunk.map((record) => compactRecord(record, record.audience, PARTS))
        expect(read).toEqual(made)
      }
    })
  })

  test('share what they say alike, and the next chunk begins anew', () => {
    const rows = new MemoryRows()
    const of = (memoryId: string, runId: string) =>
      written(sampleRecord(memoryId, { text: memoryId }, { runId }))
    const first = rows.read(packed([of('a', 'r1'), of('b', 'r1'), of('c', 'r2'), of('d', 'r1')])) ?? []
    const second = rows.read(packed([of('e', 'r2'), of('f', 'r1')])) ?? []
    const all = [...first, ...second]
    expect(all.map(({ memoryId, runId }) => [memoryId, runId].join())).toEqual([
      'a,r1',
      'b,r1',
      'c,r2',
      'd,r1',
      'e,r2',
      'f,r1',
    ])
    expect(partOf(all[1], 'provenance')).toBe(partOf(all[0], 'provenance'))
    expect(partOf(all[5], 'provenance')).toBe(partOf(all[0], 'provenance'))
    expect(partOf(all[4], 'history')).toBe(partOf(all[0], 'history'))
    expect(all[4]?.audience).toBe(all[0]?.audience)
  })

  test('that differ in whose their titles are do not share what is said of them', () => {
    const records = [true, false, false, true].map((titleIsCallers, slot) =>
      written(sampleRecord(`m${slot}`, { text: 'text', title: 'title', titleIsCallers }, { slot })),
    )
    const read = new MemoryRows().read(packed(records)) ?? []
    expect(read.map(({ content }) => content.titleIsCallers)).toEqual([true, false, false, true])
  })

  test('with more shapes than there are numbers for them say what was written', () => {
    const records = Array.from({ length: 300 }, (_, at) => {
      const payload = { [`key${at % 150}`]: 1, ...(at % 3 === 0 ? { [`other${at}`]: { a: 1 } } : {}) }
      return written(sampleRecord(`m${at}`, { text: 'text', payload }, { slot: at }))
    })
    const read = new MemoryRows().read(packed(records))
    expect(JSON.stringify(read)).toBe(JSON.stringify(records))
  })

  test('of another kind are left to the packer', () => {
    const record = written(sampleRecord('a', { text: 'text' }))
    const { seq, ...without } = record
    const others: readonly (readonly unknown[])[] = [
      [without],
      [{ seq, ...without }],
      [{ ...record, more: 1 }],
      [record, { ...record, content: { ...record.content, more: 1 } }],
      [{ ...record, content: null }],
      [{ ...record, memoryId: null }],
      [{ ...record, slot: 'one' }],
      [{ ...record, clientId: Buffer.of(1) }],
      [record, null],
      ['text'],
    ]
    for (const rows of others) expect(new MemoryRows().read(packed(rows))).toBeNull()
    const bytes = packed([record, record])
    for (let end = 0; end < bytes.length; end += 1) {
      expect(new MemoryRows().read(bytes.subarray(0, end))).toBeNull()
    }
    expect(new MemoryRows().read(Buffer.concat([bytes, Buffer.of(0)]))).toBeNull()
  })
})

describe('a cursor over a table', () => {
  test('reads whatever the packer writes as the packer does, or says that it does not', () => {
    const cursor = new TableCursor()
    let read = 0
    prove(anyJson, (value) => {
      const bytes = packed([value])
      cursor.begin(bytes)
      if (bytes[0] === 0xc1) return
      try {
        const found = cursor.value()
        expect(found).toEqual(packer.unpack(bytes))
        expect(cursor.isAtEnd).toBe(true)
        read += 1
      } catch (error) {
        if (!(error instanceof UnreadTable)) throw error
      }
    })
    expect(read).toBeGreaterThan(10)
  })

  test('takes the same bytes for the same value only while their shapes stand for the same keys', () => {
    const shape = (key: string) => [0xd4, 0x72, 0x40, 0x91, 0xa1, key.charCodeAt(0)]
    const cursor = new TableCursor()
    const value = () => cursor.value()
    cursor.begin(Buffer.of(...shape('a'), 1, 0x40, 2, 0x40, 2, 0x40, 3, ...shape('b'), 2, 0x40, 2, 0x40, 2))
    let span = cursor.again(null, value)
    const values = [span.value]
    while (!cursor.isAtEnd) {
      span = cursor.again(span, value)
      values.push(span.value)
    }
    const [, second, third, , , sixth, seventh] = values
    expect(values).toEqual([{ a: 1 }, { a: 2 }, { a: 2 }, { a: 3 }, { b: 2 }, { b: 2 }, { b: 2 }])
    expect([third === second, seventh === sixth]).toEqual([true, true])
    // A definition in between: what stood before it is not met again, though its bytes are.
    cursor.begin(Buffer.of(...shape('a'), 2, 0x40, 2, ...shape('b'), 1, 0x40, 2))
    cursor.value()
    const before = cursor.again(null, value)
    cursor.value()
    expect([before.value, cursor.again(before, value).value]).toEqual([{ a: 2 }, { b: 2 }])
    cursor.begin(Buffer.of(1))
    const earlier = cursor.again(null, value)
    cursor.begin(Buffer.of(2))
    expect(cursor.again(earlier, value).value).toBe(2)
  })

  test.each([
    0,
    1,
    0x3f,
    0x40,
    0x7f,
    0x80,
    0xff,
    0x100,
    0xffff,
    0x1_0000,
    2 ** 32 - 1,
    2 ** 32,
    1.7e12,
    0.25,
    -1,
    -0x20,
    -0x21,
    -0x80,
    -0x81,
    -0x8000,
    -0x8001,
    -(2 ** 31),
    -(2 ** 31) - 1,
  ])('reads the number %d', (value) => {
    const cursor = new TableCursor()
    cursor.begin(packed([value]))
    expect(cursor.value()).toEqual([value])
  })

  test.each([0, 1, 15, 16, 31, 32, 39, 40, 41, 255, 256, 65_535, 65_536])(
    'reads texts of %d characters',
    (length) => {
      const texts = ['a', 'b', 'é', '€', '😀'].map((one) => one.repeat(length))
      const cursor = new TableCursor()
      cursor.begin(packed([...texts, ...texts]))
      expect(cursor.value()).toEqual([...texts, ...texts])
    },
  )
})
