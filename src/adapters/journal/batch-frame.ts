import { createHash } from 'node:crypto'
import { alignUp, type Bytes, crcOf, getU64, putU64 } from '../binary/bytes.ts'
import { type Expected, MAX_BATCH_BYTES, MAX_RECORD_BYTES, SECTOR_BYTES } from './segment-format.ts'

// One batch: what one write and one flush make durable, all or nothing. All integers are little-endian.
//
//   0      4         8          16           24         32       36             40     44          48        52         56
//   +------+---------+----------+------------+----------+--------+--------------+------+-----------+---------+----------+------+-----+
//   | AMB1 | bodyLen | batchSeq | durableSeq | firstLsn | count  | prevBatchCrc | salt | headerCrc | bodyCrc | totalLen | body | pad |
//   | u32  | u32     | u64      | u64        | u64      | u32    | u32          | u32  | u32       | u32     | u32      |      |     |
//   +------+---------+----------+------------+----------+--------+--------------+------+-----------+---------+----------+------+-----+
//   '------------------------ headerCrc covers 0-44 and 48-56 ------------------------------------------------'  '-----'
//                                                                                                                bodyCrc
//
// The header has a checksum of its own, so that no length is believed unchecked.
// durableSeq = the highest batch known to be flushed when this one was written.
// prevBatchCrc = headerCrc of the batch before (it covers that one's bodyCrc, so the chain covers all bytes).
// salt = that of the segment: a batch left over from another use of the same place is not taken for one of ours.
// totalLen = header, body and zeros up to a multiple of the pad: no checksum covers the zeros, and nobody reads them.
// A batch without records (count 0) is a SEAL: it proves the batch before it durable.
// Invariants: batchSeq grows by 1, firstLsn by the count of the batch before, also across segments.
// A wrong batch is a torn write unless a later batch names it durable; then it is damage, and nothing is cut off.
export const BATCH_HEADER_BYTES = 56
export const LARGEST_BODY_BYTES = Math.max(MAX_BATCH_BYTES, MAX_RECORD_BYTES)

const MAGIC = 0x31424d41

export interface BatchHeader extends Expected {
  readonly bodyLen: number
  readonly durableSeq: number
  readonly recordCount: number
  readonly salt: number
  readonly headerCrc: number
  readonly bodyCrc: number
  readonly totalLen: number
}

/** Bytes a batch takes on disk. */
export function batchBytes(bodyLen: number, padTo: number): number {
  return alignUp(BATCH_HEADER_BYTES + bodyLen, padTo)
}

/**
 * Completes a batch whose body already lies in `out` behind the header: writes the header and zeros the padding.
 * Returns the headerCrc, which the next batch chains to.
 */
export function finishBatch(
  out: Bytes,
  header: Omit<BatchHeader, 'headerCrc' | 'bodyCrc' | 'totalLen'>,
  padTo: number,
): number {
  const { bytes, view } = out
  const bodyEnd = BATCH_HEADER_BYTES + header.bodyLen
  const totalLen = batchBytes(header.bodyLen, padTo)
  bytes.fill(0, bodyEnd, totalLen)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, header.bodyLen, true)
  putU64(view, 8, header.batchSeq)
  putU64(view, 16, header.durableSeq)
  putU64(view, 24, header.firstLsn)
  view.setUint32(32, header.recordCount, true)
  view.setUint32(36, header.prevBatchCrc, true)
  view.setUint32(40, header.salt, true)
  view.setUint32(48, crcOf(bytes.subarray(BATCH_HEADER_BYTES, bodyEnd)), true)
  view.setUint32(52, totalLen, true)
  const headerCrc = headerCrcOf(bytes)
  view.setUint32(44, headerCrc, true)
  return headerCrc
}

/** The header at `offset`, null when there is no whole and plausible one. Says nothing about the body. */
export function decodeBatchHeader(source: Bytes, offset: number): BatchHeader | null {
  const { bytes, view } = source
  if (offset + BATCH_HEADER_BYTES > bytes.length) return null
  if (view.getUint32(offset, true) !== MAGIC) return null
  const headerCrc = view.getUint32(offset + 44, true)
  if (headerCrc !== headerCrcOf(bytes.subarray(offset, offset + BATCH_HEADER_BYTES))) return null
  const bodyLen = view.getUint32(offset + 4, true)
  const totalLen = view.getUint32(offset + 52, true)
  if (bodyLen > LARGEST_BODY_BYTES || totalLen < BATCH_HEADER_BYTES + bodyLen) return null
  if (totalLen % SECTOR_BYTES !== 0) return null
  return {
    bodyLen,
    batchSeq: getU64(view, offset + 8),
    durableSeq: getU64(view, offset + 16),
    firstLsn: getU64(view, offset + 24),
    recordCount: view.getUint32(offset + 32, true),
    prevBatchCrc: view.getUint32(offset + 36, true),
    salt: view.getUint32(offset + 40, true),
    headerCrc,
    bodyCrc: view.getUint32(offset + 48, true),
    totalLen,
  }
}

/** What the batch behind this one must continue. */
export function expectedAfter(
  header: Pick<BatchHeader, 'batchSeq' | 'headerCrc' | 'firstLsn' | 'recordCount'>,
): Expected {
  return {
    batchSeq: header.batchSeq + 1,
    prevBatchCrc: header.headerCrc,
    firstLsn: header.firstLsn + header.recordCount,
  }
}

function headerCrcOf(header: Uint8Array): number {
  return crcOf(header.subarray(48, BATCH_HEADER_BYTES), crcOf(header.subarray(0, 44)))
}

// The chain of a journal, when it is kept:
//
//   link = SHA-256(link before, 32 bytes | header and body of the batch, without the padding)
//
// Each segment holds the link before its first batch; the links behind it are computed, never stored. Whoever changes a
// batch and mends every checksum gets other links from there on: the last one, kept elsewhere, shows it.

/** What the first batch of a chain is linked to. */
export const FIRST_LINK = '0'.repeat(64)

/** The link behind a batch: 64 hex digits. */
export function linkOver(before: string, batch: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(before, 'hex')).update(batch).digest('hex')
}
