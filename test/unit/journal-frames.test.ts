import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bytesOver,
  decodeRecord,
  encodeRecord,
  getU64,
  placeRecord,
  putU64,
  recordBytes,
} from '../../src/adapters/binary/bytes.ts'
import {
  BATCH_HEADER_BYTES,
  batchBytes,
  decodeBatchHeader,
  decodeSegmentHeader,
  encodeSegmentHeader,
  FORMAT_VERSION,
  finishBatch,
  SEGMENT_HEADER_BYTES,
} from '../../src/adapters/journal/format.ts'
import { prove } from '../support/prove.ts'

const u32 = fc.integer({ min: 0, max: 0xffff_ffff })
const counter = fc.maxSafeNat()

describe('journal frames', () => {
  test('a whole number up to 2^53 comes back, a larger one reads as -1', () => {
    const { view } = bytesOver(new Uint8Array(8))
    prove(counter, (value) => {
      putU64(view, 0, value)
      return getU64(view, 0) === value
    })
    view.setBigUint64(0, 2n ** 53n, true)
    expect(getU64(view, 0)).toBe(-1)
  })

  test('a segment header comes back as it was written', () => {
    const header = fc.record({
      version: fc.constant(FORMAT_VERSION),
      storeId: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((id) => Buffer.from(id).toString('hex')),
      segmentSeq: counter,
      firstLsn: counter,
      salt: u32,
      prevBatchCrc: u32,
      createdAtMs: counter,
      batchSeq: counter,
      bytes: u32,
      link: fc.option(
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map((link) => Buffer.from(link).toString('hex')),
      ),
    })
    prove(header, (written) => {
      const block = new Uint8Array(SEGMENT_HEADER_BYTES).fill(7)
      encodeSegmentHeader(block, written)
      expect(decodeSegmentHeader(block)).toEqual(written)
    })
  })

  test('a batch comes back record by record, with nothing but zeros behind it', () => {
    const record = fc.record({
      key: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((key) => Buffer.from(key)),
      actorSeq: counter,
      payload: fc.uint8Array({ maxLength: 700 }),
    })
    const batch = fc.record({
      records: fc.array(record, { maxLength: 6 }),
      padTo: fc.constantFrom(512, 4096),
      batchSeq: counter,
      durableSeq: counter,
      firstLsn: counter,
      prevBatchCrc: u32,
      salt: u32,
    })
    prove(batch, ({ records, padTo, ...numbers }) => {
      const bodyLen = records.reduce((sum, { key, payload }) => sum + recordBytes(key, payload), 0)
      const total = batchBytes(bodyLen, padTo)
      const out = bytesOver(new Uint8Array(total).fill(9))
      let at = BATCH_HEADER_BYTES
      for (const { key, actorSeq, payload } of records) at = encodeRecord(out, at, key, actorSeq, payload)
      const header = { ...numbers, bodyLen, recordCount: records.length }
      const headerCrc = finishBatch(out, header, padTo)

      expect(decodeBatchHeader(out, 0)).toMatchObject({ ...header, headerCrc, totalLen: total })
      let offset = BATCH_HEADER_BYTES
      for (const { key, actorSeq, payload } of records) {
        const place = placeRecord(out, offset, BATCH_HEADER_BYTES + bodyLen)
        const size = place?.bytes ?? 0
        const decoded = decodeRecord(out.bytes.subarray(offset, offset + size))
        expect(decoded).toEqual({ actorKey: key.toString(), actorSeq, payload })
        offset += size
      }
      expect(out.bytes.subarray(offset).every((byte) => byte === 0)).toBe(true)
    })
  })

  test('a record with any bit flipped is not read as another one', () => {
    const key = Buffer.from('tenant/scope')
    const payload = new Uint8Array(20).fill(5)
    const out = bytesOver(new Uint8Array(recordBytes(key, payload)))
    encodeRecord(out, 0, key, 77, payload)
    for (let bit = 0; bit < out.bytes.length * 8; bit += 1) {
      const copy = out.bytes.slice()
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(decodeRecord(copy)).toBeNull()
    }
  })
})
