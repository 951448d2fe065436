import { createHash, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { alignUp, type Bytes, bytesOver, crcOf, getU64, putU64 } from '../binary/bytes.ts'
import { numberedNames } from '../files/actor-folders.ts'

const NEXT = 'memgov verify tells whom it concerns, memgov repair --dry-run what can be kept'

/** The bytes on disk contradict each other. Nothing was changed; an operator must look. */
export class JournalCorruptError extends Error {
  override readonly name = 'JournalCorruptError'
  readonly journalFailure = 'damaged'
  readonly file: string
  readonly offset: number
  readonly reason: string

  constructor(file: string, offset: number, reason: string) {
    super(`journal is damaged: ${file} at byte ${offset}: ${reason}; ${NEXT}`)
    this.file = file
    this.offset = offset
    this.reason = reason
  }
}

/** Records that a reader needs are no longer, or not, in the journal. */
export class JournalGapError extends Error {
  override readonly name = 'JournalGapError'
  readonly journalFailure = 'damaged'

  constructor(actorKey: string, wantedSeq: number, foundSeq: number | null) {
    const found = foundSeq === null ? 'nothing follows' : `the next one is ${foundSeq}`
    super(`journal has no record ${wantedSeq} of ${actorKey}: ${found}; ${NEXT}`)
  }
}

// The first block of a segment. All integers are little-endian.
//
//   0      4         6        8         24           32         40     44            48          56              64      68    72
//   +------+---------+--------+---------+------------+----------+------+-------------+-----------+---------------+-------+-----+
//   | AMJ1 | version | length | storeId | segmentSeq | firstLsn | salt | prevTailCrc | createdAt | firstBatchSeq | bytes | crc | zeros to 4096
//   | u32  | u16     | u16    | 16 B    | u64        | u64      | u32  | u32         | ms, u64   | u64           | u32   | u32 |
//   +------+---------+--------+---------+------------+----------+------+-------------+-----------+---------------+-------+-----+
//   '------------------------------------------ covered by crc ---------------------------------------------------------'
//
// length = 72. prevTailCrc = headerCrc of the last batch before this segment, 0 before the first batch of a store.
// bytes = size of the file as it was made, zeros included: a shorter file was cut by someone else, unless a later
// segment follows (then recovery trimmed it).
// Invariant: the header is flushed before the first batch of its segment is written, and after everything in the
// segment before it. So a whole header proves the segment before it complete, and a batch proves the header.
// The link is there when the journal keeps a chain, see below: the link before the first batch of this segment.
//
//   72     76      108   112
//   +------+-------+-----+
//   | AMHC | link  | crc | zeros to 4096        crc covers 72-108; all zeros where there is no chain
//   | u32  | 32 B  | u32 |
//   +------+-------+-----+
//
// A first block without a whole header and no batch behind it is a segment prepared ahead and never used.
export const SEGMENT_HEADER_BYTES = 4096
export const FORMAT_VERSION = 1

const SEGMENT_MAGIC = 0x314a4d41
const LENGTH = 72
const CRC_AT = 68
const LINK_MAGIC = 0x43484d41
const LINK_AT = 76
const LINK_CRC_AT = 108
const LINK_END = 112

/** What the next batch must continue. */
export interface Expected {
  readonly batchSeq: number
  readonly prevBatchCrc: number
  readonly firstLsn: number
}

/** Begins with what the first batch of the segment continues: firstBatchSeq, prevTailCrc and firstLsn. */
export interface SegmentHeader extends Expected {
  readonly version: number
  /** 16 bytes, lower-case hex. */
  readonly storeId: string
  readonly segmentSeq: number
  readonly salt: number
  readonly createdAtMs: number
  readonly bytes: number
  /** 64 hex digits; null when the journal keeps no chain. */
  readonly link: string | null
}

/** Fills `block`, which must be SEGMENT_HEADER_BYTES long, with a header of this version. */
export function encodeSegmentHeader(block: Uint8Array, header: Omit<SegmentHeader, 'version'>): void {
  const { view } = bytesOver(block)
  block.fill(0)
  view.setUint32(0, SEGMENT_MAGIC, true)
  view.setUint16(4, FORMAT_VERSION, true)
  view.setUint16(6, LENGTH, true)
  block.set(Buffer.from(header.storeId, 'hex'), 8)
  putU64(view, 24, header.segmentSeq)
  putU64(view, 32, header.firstLsn)
  view.setUint32(40, header.salt, true)
  view.setUint32(44, header.prevBatchCrc, true)
  putU64(view, 48, header.createdAtMs)
  putU64(view, 56, header.batchSeq)
  view.setUint32(64, header.bytes, true)
  view.setUint32(CRC_AT, crcOf(block.subarray(0, CRC_AT)), true)
  if (header.link === null) return
  view.setUint32(LENGTH, LINK_MAGIC, true)
  block.set(Buffer.from(header.link, 'hex'), LINK_AT)
  view.setUint32(LINK_CRC_AT, crcOf(block.subarray(LENGTH, LINK_CRC_AT)), true)
}

export function decodeSegmentHeader(block: Uint8Array): SegmentHeader | null {
  if (block.length < LENGTH) return null
  const { view } = bytesOver(block)
  if (view.getUint32(0, true) !== SEGMENT_MAGIC || view.getUint16(6, true) !== LENGTH) return null
  if (view.getUint32(CRC_AT, true) !== crcOf(block.subarray(0, CRC_AT))) return null
  const link = decodeLink(block)
  if (link === undefined) return null
  return {
    link,
    version: view.getUint16(4, true),
    storeId: Buffer.from(block.subarray(8, 24)).toString('hex'),
    segmentSeq: getU64(view, 24),
    firstLsn: getU64(view, 32),
    salt: view.getUint32(40, true),
    prevBatchCrc: view.getUint32(44, true),
    createdAtMs: getU64(view, 48),
    batchSeq: getU64(view, 56),
    bytes: view.getUint32(64, true),
  }
}

/** Null where there is none; undefined when what is there is not whole. */
function decodeLink(block: Uint8Array): string | null | undefined {
  const place = block.subarray(LENGTH, LINK_END)
  if (place.every((byte) => byte === 0)) return null
  const { view } = bytesOver(block)
  const isWhole =
    place.length === LINK_END - LENGTH &&
    view.getUint32(LENGTH, true) === LINK_MAGIC &&
    view.getUint32(LINK_CRC_AT, true) === crcOf(block.subarray(LENGTH, LINK_CRC_AT))
  return isWhole ? Buffer.from(block.subarray(LINK_AT, LINK_CRC_AT)).toString('hex') : undefined
}

const KIB = 1024
const MIB = 1024 * KIB

/** Largest record as framed (header, actor key, payload). Enforced on write, so that no reader ever meets more. */
export const MAX_RECORD_BYTES = 8 * MIB
/** A batch holds at most this many bytes of records, or one larger record. */
export const MAX_BATCH_BYTES = 4 * MIB
export const MAX_BATCH_RECORDS = 4096
/** Bytes waiting for the disk, those in flight included. */
export const MAX_QUEUE_BYTES = 32 * MIB

export const FIRST_SEGMENT_BYTES = MIB
export const DEFAULT_SEGMENT_BYTES = 64 * MIB
export const MIN_SEGMENT_BYTES = 64 * KIB
/** Zeros are written ahead in pieces of this size. */
export const ZERO_PIECE_BYTES = MIB

/** Batches start at multiples of this at least: the sector a disk writes as a whole. */
export const SECTOR_BYTES = 512
export const DEFAULT_PAD_TO = 4096
export const MAX_PAD_TO = 65_536

const { nameOf, numberOf: segmentSeqOf } = numberedNames('', '.wal')

export { segmentSeqOf }

/** A folder listing is in their order and shows a hole. */
export function segmentPath(folder: string, seq: number): string {
  return join(folder, nameOf(seq))
}

export function segmentSeqsOf(names: readonly string[]): readonly number[] {
  return names.flatMap((name) => segmentSeqOf(name) ?? []).toSorted((x, y) => x - y)
}

/** A fresh number for a segment: no batch of an earlier use of the same blocks carries it. Never 0. */
export function randomSalt(): number {
  return randomInt(1, 0x1_0000_0000)
}

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

const BATCH_MAGIC = 0x31424d41

export interface BatchHeader extends Expected {
  readonly bodyLen: number
  readonly durableSeq: number
  readonly recordCount: number
  readonly salt: number
  readonly headerCrc: number
  readonly bodyCrc: number
  readonly totalLen: number
}

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
  view.setUint32(0, BATCH_MAGIC, true)
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
  if (view.getUint32(offset, true) !== BATCH_MAGIC) return null
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
