import { crcOf, placeRecord, type RecordPlace } from '../binary/bytes.ts'
import type { FileWindow } from '../files/file-window.ts'
import {
  BATCH_HEADER_BYTES,
  type BatchHeader,
  decodeBatchHeader,
  decodeSegmentHeader,
  type Expected,
  expectedAfter,
  FORMAT_VERSION,
  JournalCorruptError,
  SECTOR_BYTES,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
} from './format.ts'
import { ActorIndex, createSegment, noteWritten, type Run } from './record-index.ts'

export interface ScanEnd {
  /** Where the first batch would start that is not whole. */
  readonly offset: number
  readonly expected: Expected
  /** What is wrong there; null at the end of the file. */
  readonly reason: string | null
  /** From here to `offset` no later batch says that the flush succeeded. */
  readonly unprovenFrom: number
}

export type OnRecord = (place: RecordPlace, offset: number) => void

/** A whole batch, before its records are met: where it starts, and header and body without the padding. */
export type OnBatch = (header: BatchHeader, offset: number, bytes: Uint8Array) => void

export async function readSegmentHeader(window: FileWindow): Promise<SegmentHeader | null> {
  const at = await window.load(0, Math.min(SEGMENT_HEADER_BYTES, window.size))
  return at === null ? null : decodeSegmentHeader(window.loaded.bytes)
}

export async function batchHeaderAt(window: FileWindow, offset: number): Promise<BatchHeader | null> {
  const at = await window.load(offset, BATCH_HEADER_BYTES)
  return at === null ? null : decodeBatchHeader(window.loaded, at)
}

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
    const header = await batchHeaderAt(window, offset)
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
    expected = expectedAfter(header)
  }
  return end(null)
}

export function mismatchOf(header: BatchHeader, salt: number, expected: Expected): string | null {
  if (header.salt !== salt) return 'a batch of another segment'
  if (header.batchSeq !== expected.batchSeq) {
    return `batch ${header.batchSeq} where ${expected.batchSeq} belongs`
  }
  if (header.prevBatchCrc !== expected.prevBatchCrc || header.firstLsn !== expected.firstLsn) {
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

export interface Remainder {
  /** Where a whole batch header is that was looked for; null: there is none. */
  readonly proofAt: number | null
  /** End of the last sector that is not all zeros; the place itself when all of them are. */
  readonly usedEnd: number
}

/** Looks from `from` to the end of the file, sector by sector, for a batch header that fits `isProof` and survived behind a broken one. */
export async function inspectRemainder(
  window: FileWindow,
  from: number,
  isProof: (header: BatchHeader) => boolean,
): Promise<Remainder> {
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

export async function holdsBatch(window: FileWindow): Promise<boolean> {
  return (await inspectRemainder(window, 0, () => true)).proofAt !== null
}

/** Tells of a batch whether it shows that the one missing at the end was flushed once: then that is no torn write. */
export function provesFlushed(salt: number, { expected }: ScanEnd): (batch: BatchHeader) => boolean {
  return (batch) => batch.salt === salt && batch.durableSeq >= expected.batchSeq
}

const CHUNK_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(CHUNK_BYTES)

function isZero(bytes: Buffer): boolean {
  return bytes.equals(ZEROS.subarray(0, bytes.length))
}

/**
 * Walks a segment that is complete, checking every batch, up to `flushedEnd`, where the journal says that it ends, and
 * answers its salt and where the records of each actor lie. Rejects with JournalCorruptError when anything before is not as
 * it was written.
 */
export async function scanSealedSegment(
  window: FileWindow,
  seq: number,
  flushedEnd: number,
): Promise<{ readonly salt: number; readonly runs: readonly Run[] }> {
  const header = await completeHeader(window, seq)
  const segment = createSegment('', seq, flushedEnd)
  const index = new ActorIndex()
  const end = await scanBatches(window, header.salt, header, ({ actorKey, actorSeq, bytes }, offset) =>
    noteWritten(index.entryOf(actorKey), segment, actorSeq, offset, bytes),
  )
  if (end.offset < flushedEnd) {
    throw new JournalCorruptError(window.path, end.offset, end.reason ?? 'the file ends')
  }
  return { salt: header.salt, runs: segment.runs }
}

/** The header of a segment that is complete. Rejects with JournalCorruptError. */
export async function completeHeader(window: FileWindow, seq: number): Promise<SegmentHeader> {
  const at = await window.load(0, SEGMENT_HEADER_BYTES)
  const header = at === null ? null : decodeSegmentHeader(window.loaded.bytes.subarray(at))
  const isExpected = header !== null && header.segmentSeq === seq && header.version === FORMAT_VERSION
  if (!isExpected) throw new JournalCorruptError(window.path, 0, `no whole header of segment ${seq}`)
  return header
}
