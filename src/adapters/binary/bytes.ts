import { crc32 } from 'node:zlib'
import type { JournalRecord } from '../../ports/store.ts'

// All our files are little-endian. Whole numbers of 64 bits are held as doubles: exact up to 2^53, which a counter
// of one node never reaches; a larger one in a file is damage and reads as -1, which no valid field equals.

const HALF = 0x1_0000_0000
const LARGEST_HIGH_HALF = 0x1f_ffff

/** Bytes with a view on the same memory, so that hot code makes neither. */
export interface Bytes {
  readonly bytes: Uint8Array
  readonly view: DataView
}

export function bytesOver(bytes: Uint8Array): Bytes {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

export function putU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % HALF, true)
  view.setUint32(offset + 4, Math.floor(value / HALF), true)
}

/** The number, or -1 when it is over 2^53. */
export function getU64(view: DataView, offset: number): number {
  const high = view.getUint32(offset + 4, true)
  return high > LARGEST_HIGH_HALF ? -1 : high * HALF + view.getUint32(offset, true)
}

export function alignUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

/** CRC-32 (the polynomial of zlib and PNG), unsigned. `seed` continues an earlier result. */
export function crcOf(bytes: Uint8Array, seed = 0): number {
  // zlib takes an empty array without memory of its own for the wish to begin anew.
  return bytes.length === 0 ? seed : crc32(bytes, seed)
}

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
