import { crcOf } from '../binary/crc.ts'
import { placeRecord, type RecordPlace } from '../binary/record-frame.ts'
import { BATCH_HEADER_BYTES, type BatchHeader, decodeBatchHeader } from './batch-frame.ts'
import { JournalCorruptError } from './failure.ts'
import type { FileWindow } from './file-window.ts'
import { SECTOR_BYTES } from './limits.ts'
import { SEGMENT_HEADER_BYTES } from './segment-header.ts'

/** What the next batch must continue. */
export interface Expected {
  readonly batchSeq: number
  readonly prevBatchCrc: number
  readonly lsn: number
}

export interface ScanEnd {
  /** Where the first batch would start that is not whole. */
  readonly offset: number
  readonly expected: Expected
  /** What is wrong there; null at the end of the file. */
  readonly reason: string | null
  /** From here to `offset` no later batch says that the flush succeeded. */
  readonly unprovenFrom: number
}

/** Where a record lies, as the scan meets it. */
export type OnRecord = (place: RecordPlace, offset: number) => void

/** A whole batch, before its records are met: where it starts, and header and body without the padding. */
export type OnBatch = (header: BatchHeader, offset: number, bytes: Uint8Array) => void

/** Walks the batches of a segment as long as they are whole: headers, checksums and places; no payload is decoded. */
export async function scanBatches(
  window: FileWindow,
  salt: number,
  start: Expected,
  onRecord: OnRecord,
  { from = SEGMENT_HEADER_BYTES, onBatch }: { readonly from?: number; readonly onBatch?: OnBatch } = {},
): Promise<ScanEnd> {
  let offset = from
  let expected = start
  const unproven: { readonly batchSeq: number; readonly offset: number }[] = []
  const end = (reason: string | null): ScanEnd => {
    return { offset, expected, reason, unprovenFrom: unproven[0]?.offset ?? offset }
  }
  while (offset < window.size) {
    const at = await window.load(offset, BATCH_HEADER_BYTES)
    const header = at === null ? null : decodeBatchHeader(window.loaded, at)
    if (header === null) return end('no whole batch header')
    const mismatch = mismatchOf(header, salt, expected)
    if (mismatch !== null) return end(mismatch)
    const batchAt = await window.load(offset, BATCH_HEADER_BYTES + header.bodyLen)
    if (batchAt === null) return end(`batch ${header.batchSeq} is cut off`)
    const bodyAt = batchAt + BATCH_HEADER_BYTES
    const body = window.loaded.bytes.subarray(bodyAt, bodyAt + header.bodyLen)
    if (crcOf(body) !== header.bodyCrc) return end(`the body of batch ${header.batchSeq} fails its checksum`)
    onBatch?.(header, offset, window.loaded.bytes.subarray(batchAt, bodyAt + header.bodyLen))
    placeRecords(window, bodyAt, header, onRecord)
    while (unproven[0] !== undefined && unproven[0].batchSeq <= header.durableSeq) unproven.shift()
    unproven.push({ batchSeq: header.batchSeq, offset })
    offset += header.totalLen
    expected = {
      batchSeq: expected.batchSeq + 1,
      prevBatchCrc: header.headerCrc,
      lsn: expected.lsn + header.recordCount,
    }
  }
  return end(null)
}

/** Why a batch is not the one that is expected; null when it is. */
export function mismatchOf(header: BatchHeader, salt: number, expected: Expected): string | null {
  if (header.salt !== salt) return 'a batch of another segment'
  if (header.batchSeq !== expected.batchSeq) {
    return `batch ${header.batchSeq} where ${expected.batchSeq} belongs`
  }
  if (header.prevBatchCrc !== expected.prevBatchCrc || header.firstLsn !== expected.lsn) {
    return `batch ${header.batchSeq} does not continue the batch before it`
  }
  return null
}

/** The checksum held, so a body that makes no sense was written so: damage of another kind, never a torn write. */
function placeRecords(window: FileWindow, bodyAt: number, header: BatchHeader, onRecord: OnRecord): void {
  const end = bodyAt + header.bodyLen
  let at = bodyAt
  let count = 0
  while (at < end) {
    const place = placeRecord(window.loaded, at, end)
    if (place === null) {
      throw new JournalCorruptError(
        window.path,
        window.start + at,
        'a record of a kind this version cannot read',
      )
    }
    onRecord(place, window.start + at)
    at += place.bytes
    count += 1
  }
  if (count !== header.recordCount) {
    const reason = `batch ${header.batchSeq} names ${header.recordCount} records and holds ${count}`
    throw new JournalCorruptError(window.path, window.start + bodyAt, reason)
  }
}

export interface Tail {
  /** A whole batch header further on that fits `isProof`; null when there is none. */
  readonly proofAt: number | null
  /** End of the last sector that is not all zeros; `from` when all of them are. */
  readonly usedEnd: number
}

/** Looks from `from` to the end of the file, sector by sector, for batches that survived behind a broken one. */
export async function inspectTail(
  window: FileWindow,
  from: number,
  isProof: (header: BatchHeader) => boolean,
): Promise<Tail> {
  let usedEnd = from
  for (let offset = from; offset < window.size; offset += CHUNK_BYTES) {
    const length = Math.min(CHUNK_BYTES, window.size - offset)
    const at = await window.load(offset, length)
    if (at === null) break
    const { bytes } = window.loaded
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
    if (isZero(chunk)) continue
    for (let i = 0; i < length; i += SECTOR_BYTES) {
      const sector = chunk.subarray(i, i + SECTOR_BYTES)
      if (isZero(sector)) continue
      usedEnd = offset + i + sector.length
      const header = decodeBatchHeader(window.loaded, at + i)
      if (header !== null && isProof(header)) return { proofAt: offset + i, usedEnd }
    }
  }
  return { proofAt: null, usedEnd }
}

const CHUNK_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(CHUNK_BYTES)

function isZero(bytes: Buffer): boolean {
  return bytes.equals(ZEROS.subarray(0, bytes.length))
}
