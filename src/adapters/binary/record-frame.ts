import type { JournalRecord } from '../../ports/journal.ts'
import { type Bytes, bytesOver, crcOf, getU64, putU64 } from './bytes.ts'

// One record inside the body of a batch. All integers are little-endian.
//
//   0     4       8          16     18    19      20       22        22+k         8+len
//   +-----+-------+----------+------+-----+-------+--------+---------+------------+
//   | len | crc32 | actorSeq | type | ver | flags | keyLen | key     | payload    |
//   | u32 | u32   | u64      | u16  | u8  | u8    | u16    | utf8, k |            |
//   +-----+-------+----------+------+-----+-------+--------+---------+------------+
//                 '---------------- covered by crc32: len bytes ------------------'
//
// type 1 = a turn of an actor, ver 1, flags 0: others are not written yet and not read.
// The body checksum of the batch covers the record too; its own names the damaged actor and guards a single read.
export const RECORD_HEADER_BYTES = 22
export const MAX_KEY_BYTES = 4096

const TYPE_TURN = 1
const RECORD_VERSION = 1
const FRAME_BYTES = 8

/** Bytes of a record in a batch. */
export function recordBytes(keyBytes: Uint8Array, payload: Uint8Array): number {
  return RECORD_HEADER_BYTES + keyBytes.length + payload.length
}

/** Writes a record at `offset`; returns where the next one starts. */
export function encodeRecord(
  out: Bytes,
  offset: number,
  keyBytes: Uint8Array,
  actorSeq: number,
  payload: Uint8Array,
): number {
  const { bytes, view } = out
  const keyAt = offset + RECORD_HEADER_BYTES
  const end = keyAt + keyBytes.length + payload.length
  view.setUint32(offset, end - offset - FRAME_BYTES, true)
  putU64(view, offset + 8, actorSeq)
  view.setUint32(offset + 16, TYPE_TURN | (RECORD_VERSION << 16), true)
  view.setUint16(offset + 20, keyBytes.length, true)
  bytes.set(keyBytes, keyAt)
  bytes.set(payload, keyAt + keyBytes.length)
  view.setUint32(offset + 4, crcOf(bytes.subarray(offset + FRAME_BYTES, end)), true)
  return end
}

/** Where a record lies and whose it is; enough for an index, the payload is not looked at. */
export interface RecordPlace {
  readonly actorKey: string
  readonly actorSeq: number
  /** The whole record, frame included. */
  readonly bytes: number
}

/** The record at `offset` of a body that ends at `end`, null when it does not fit or is of an unknown kind. */
export function placeRecord(source: Bytes, offset: number, end: number): RecordPlace | null {
  const { bytes, view } = source
  if (offset + RECORD_HEADER_BYTES > end) return null
  const size = view.getUint32(offset, true) + FRAME_BYTES
  const keyLen = view.getUint16(offset + 20, true)
  if (size < RECORD_HEADER_BYTES + keyLen || offset + size > end) return null
  if (view.getUint32(offset + 16, true) !== (TYPE_TURN | (RECORD_VERSION << 16))) return null
  const keyAt = offset + RECORD_HEADER_BYTES
  return {
    actorKey: Buffer.from(bytes.buffer, bytes.byteOffset + keyAt, keyLen).toString('utf8'),
    actorSeq: getU64(view, offset + 8),
    bytes: size,
  }
}

/** The record that fills `bytes`, null when a checksum or length is wrong. The payload is a view, not a copy. */
export function decodeRecord(bytes: Uint8Array): JournalRecord | null {
  const source = bytesOver(bytes)
  const place = placeRecord(source, 0, bytes.length)
  if (place === null || place.bytes !== bytes.length) return null
  if (source.view.getUint32(4, true) !== crcOf(bytes.subarray(FRAME_BYTES))) return null
  const keyLen = source.view.getUint16(20, true)
  return {
    actorKey: place.actorKey,
    actorSeq: place.actorSeq,
    payload: bytes.subarray(RECORD_HEADER_BYTES + keyLen),
  }
}
