import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import { crcOf } from '../binary/crc.ts'
import { getU64, putU64 } from '../binary/little-endian.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'

// A ledger file: records, then their index, both in the order of the guide traces' UUIDs, then a footer. All
// numbers are little-endian and unsigned. The file is never changed after it was written.
//
// Record
//   0        4                8+..
//   +--------+----------------+
//   | crc32  | msgpack map    |      the exposure record, any length
//   | u32    |                |
//   +--------+----------------+
//
// Index entry
//   0               16        20       24       28
//   +---------------+---------+--------+--------+
//   | UUID of the   | offset  | length | crc32  |
//   | guide trace   | u32     | u32    | u32    |
//   +---------------+---------+--------+--------+
//   offset, length = the record, its checksum included. Each entry has a checksum of its own (of its bytes 0-24), so
//   that a binary search may trust the entries it reads without having read the others.
//
// Footer
//   0        4         6      8        12       16       20        28       36            52            68
//   +--------+---------+------+--------+--------+--------+---------+--------+-------------+-------------+
//   | 'MGLE' | version | 0    | index  | number | crc32  | fromSeq | toSeq  | lowest UUID | highest UUID|
//   | u32    | u16     | u16  | offset | of     | of the | u64     | u64    |             |             |
//   |        |         |      | u32    | records| index  |         |        |             |             |
//   +--------+---------+------+--------+--------+--------+---------+--------+-------------+-------------+
//   68                84       88       92
//   +-----------------+--------+--------+
//   | hash of the     | crc32  | 'ELGM' |      crc32 covers the footer's bytes 0-84
//   | actor key       | u32    | u32    |
//   +-----------------+--------+--------+
//
// The footer is the same in every version, so that a newer file is told from a damaged one.
// Invariant: UUIDs grow strictly; the index ends where the footer begins and the file where the footer ends.
export const RECORD_FRAME_BYTES = 4
export const INDEX_ENTRY_BYTES = 28
export const LEDGER_FOOTER_BYTES = 92
export const LEDGER_FORMAT_VERSION = 1

const MAGIC = 0x454c_474d
const END_MAGIC = 0x4d47_4c45
const ENTRY_COVERED_BYTES = 24
const FOOTER_COVERED_BYTES = 84
const LOWEST_UUID = 36
const HIGHEST_UUID = 52
const KEY_HASH = 68

/** The file is not what was written. */
export class LedgerDamage extends Error {
  override readonly name = 'LedgerDamage'
}

/** The file is whole, but a newer program wrote it. */
export class LedgerVersionError extends Error {
  override readonly name = 'LedgerVersionError'
}

export interface IndexEntry {
  readonly uuid: TraceUuid
  readonly offset: number
  readonly length: number
}

export interface LedgerFooter {
  readonly indexOffset: number
  readonly records: number
  readonly indexCrc: number
  readonly fromSeq: number
  readonly toSeq: number
  readonly lowest: TraceUuid
  readonly highest: TraceUuid
  /** 32 hex digits. */
  readonly actorKeyHash: string
}

export function encodeRecord(body: Uint8Array): Uint8Array {
  const record = Buffer.allocUnsafe(RECORD_FRAME_BYTES + body.length)
  record.set(body, RECORD_FRAME_BYTES)
  record.writeUInt32LE(crcOf(body), 0)
  return record
}

/** The record's body. Throws LedgerDamage. */
export function decodeRecord(record: Buffer): Uint8Array {
  const isWhole =
    record.length > RECORD_FRAME_BYTES &&
    record.readUInt32LE(0) === crcOf(record.subarray(RECORD_FRAME_BYTES))
  if (!isWhole) throw new LedgerDamage('record: wrong checksum')
  return record.subarray(RECORD_FRAME_BYTES)
}

export function encodeIndex(entries: readonly IndexEntry[]): Buffer {
  const index = Buffer.allocUnsafe(entries.length * INDEX_ENTRY_BYTES)
  for (const [place, { uuid, offset, length }] of entries.entries()) {
    const entry = index.subarray(place * INDEX_ENTRY_BYTES, (place + 1) * INDEX_ENTRY_BYTES)
    entry.set(uuid, 0)
    entry.writeUInt32LE(offset, TRACE_UUID_BYTES)
    entry.writeUInt32LE(length, TRACE_UUID_BYTES + 4)
    entry.writeUInt32LE(crcOf(entry.subarray(0, ENTRY_COVERED_BYTES)), ENTRY_COVERED_BYTES)
  }
  return index
}

/** The entry at `place` of a piece of the index. Throws LedgerDamage. */
export function decodeIndexEntry(index: Buffer, place: number): IndexEntry {
  const entry = index.subarray(place * INDEX_ENTRY_BYTES, (place + 1) * INDEX_ENTRY_BYTES)
  if (entry.readUInt32LE(ENTRY_COVERED_BYTES) !== crcOf(entry.subarray(0, ENTRY_COVERED_BYTES))) {
    throw new LedgerDamage('index: wrong checksum')
  }
  return {
    uuid: entry.subarray(0, TRACE_UUID_BYTES),
    offset: entry.readUInt32LE(TRACE_UUID_BYTES),
    length: entry.readUInt32LE(TRACE_UUID_BYTES + 4),
  }
}

export function encodeFooter(footer: LedgerFooter): Uint8Array {
  const bytes = Buffer.alloc(LEDGER_FOOTER_BYTES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(LEDGER_FORMAT_VERSION, 4)
  bytes.writeUInt32LE(footer.indexOffset, 8)
  bytes.writeUInt32LE(footer.records, 12)
  bytes.writeUInt32LE(footer.indexCrc, 16)
  putU64(view, 20, footer.fromSeq)
  putU64(view, 28, footer.toSeq)
  bytes.set(footer.lowest, LOWEST_UUID)
  bytes.set(footer.highest, HIGHEST_UUID)
  bytes.write(footer.actorKeyHash, KEY_HASH, 'hex')
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, FOOTER_COVERED_BYTES)), FOOTER_COVERED_BYTES)
  bytes.writeUInt32LE(END_MAGIC, FOOTER_COVERED_BYTES + 4)
  return bytes
}

/** Throws LedgerDamage, or LedgerVersionError when a newer program wrote the file. */
export function decodeFooter(bytes: Buffer): LedgerFooter {
  const isWhole =
    bytes.length === LEDGER_FOOTER_BYTES &&
    bytes.readUInt32LE(0) === MAGIC &&
    bytes.readUInt32LE(FOOTER_COVERED_BYTES + 4) === END_MAGIC &&
    bytes.readUInt32LE(FOOTER_COVERED_BYTES) === crcOf(bytes.subarray(0, FOOTER_COVERED_BYTES))
  if (!isWhole) throw new LedgerDamage('footer: wrong checksum')
  const version = bytes.readUInt16LE(4)
  if (version !== LEDGER_FORMAT_VERSION) {
    throw new LedgerVersionError(
      `ledger file has format ${version}, this program reads ${LEDGER_FORMAT_VERSION}`,
    )
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    indexOffset: bytes.readUInt32LE(8),
    records: bytes.readUInt32LE(12),
    indexCrc: bytes.readUInt32LE(16),
    fromSeq: getU64(view, 20),
    toSeq: getU64(view, 28),
    lowest: bytes.subarray(LOWEST_UUID, LOWEST_UUID + TRACE_UUID_BYTES),
    highest: bytes.subarray(HIGHEST_UUID, HIGHEST_UUID + TRACE_UUID_BYTES),
    actorKeyHash: bytes.toString('hex', KEY_HASH, KEY_HASH + TRACE_UUID_BYTES),
  }
}

// <actorKeyHash>.<fromSeq>-<toSeq>.<oldestMs>-<newestMs>.<bytes>.led
//
// The name carries what find, merge and retention ask of every file, so that a start lists folders and opens none.
const NAME = /^([0-9a-f]{32})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})-(\d{1,16})\.(\d{1,16})\.led$/

/** One file of one actor: exposures of actor sequences in (fromSeq, toSeq]. */
export interface LedgerFile {
  readonly name: string
  readonly actorKeyHash: string
  readonly fromSeq: number
  readonly toSeq: number
  /** Times of the oldest and newest guide in the file. */
  readonly oldestMs: number
  readonly newestMs: number
  readonly bytes: number
}

/** Name of a file that is being written. */
export function draftNameOf(actorKeyHash: string, fromSeq: number, toSeq: number): string {
  return `${actorKeyHash}.${fromSeq}-${toSeq}.led`
}

export function ledgerFile(facts: Omit<LedgerFile, 'name'>): LedgerFile {
  const { actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes } = facts
  return { ...facts, name: `${actorKeyHash}.${fromSeq}-${toSeq}.${oldestMs}-${newestMs}.${bytes}.led` }
}

/** Null for a name that no ledger file has. */
export function parseLedgerName(name: string): LedgerFile | null {
  const [, actorKeyHash, fromSeq, toSeq, oldestMs, newestMs, bytes] = NAME.exec(name) ?? []
  if (actorKeyHash === undefined) return null
  return {
    name,
    actorKeyHash,
    fromSeq: Number(fromSeq),
    toSeq: Number(toSeq),
    oldestMs: Number(oldestMs),
    newestMs: Number(newestMs),
    bytes: Number(bytes),
  }
}

/** A guide trace as the ledger sorts it: the 16 bytes of its UUID. */
export type TraceUuid = Uint8Array

const TRACE_UUID_BYTES = 16

const TRACE_ID = /^guide_trace:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/
const TIME_BYTES = 6

/** Null for anything but `guide_trace:` and a lower-case UUID of version 7. */
export function parseTraceId(guideTraceId: string): TraceUuid | null {
  const [, uuid] = TRACE_ID.exec(guideTraceId) ?? []
  return uuid === undefined ? null : Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

/** The id that `parseTraceId` reads. */
export function traceIdOf(uuid: TraceUuid): string {
  const hex = Buffer.from(uuid).toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  return `${GUIDE_TRACE_PREFIX}${parts.join('-')}`
}

/** When the guide was given, milliseconds since the epoch: the first 48 bits of a UUID of version 7. */
export function atMsOf(uuid: TraceUuid): number {
  return Buffer.from(uuid.buffer, uuid.byteOffset, TIME_BYTES).readUIntBE(0, TIME_BYTES)
}

/** The record in a body that was found under its guide trace. Throws LedgerDamage when it is of another one. */
export function decodeExposure(packer: Packer, body: Uint8Array, guideTraceId: string): ExposureRecord {
  const record = packer.unpack(body)
  if (!isDictionary(record) || record['guideTraceId'] !== guideTraceId) {
    throw new LedgerDamage('record: not the one its index names')
  }
  // The checksum vouches for the writer, which takes exposure records only; the oldest know nothing of hold-outs.
  return { heldOut: false, ...record } as unknown as ExposureRecord
}
