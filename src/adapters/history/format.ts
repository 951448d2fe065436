import { crcOf } from '../binary/crc.ts'
import { bytesOver, getU64, putU64 } from '../binary/little-endian.ts'

// A history file holds the records of one journal segment, those of an actor side by side: records, then where each
// of them starts, then an index of the runs, then a footer. All numbers are little-endian and unsigned. A run is
// the records of one actor without a gap in their sequence. A file is never changed, but an erasure may put another
// one in its place.
//
// Records      as in the journal (record-frame.ts), run after run
// Starts       u32 for each record, in the same order: where it starts in the file
//
// Index entry
//   0               16         24      28       32      36       40       44
//   +---------------+----------+-------+--------+-------+--------+--------+
//   | hash of the   | firstSeq | count | offset | bytes | starts | crc32  |
//   | actor key     | u64      | u32   | u32    | u32   | u32    | u32    |
//   +---------------+----------+-------+--------+-------+--------+--------+
//   '---------------------- covered by crc32 -----------------'
//
//   offset, bytes = the run; starts = where its part of the starts begins. Each entry has a checksum of its own, so
//   that a binary search may trust the entries it reads. A start has none: it leads to a record that has one, and
//   a key and a sequence.
//
// Footer
//   0        4         6     8            16           24        28     32       36      40        44     48      52       56
//   +--------+---------+-----+------------+------------+---------+------+--------+-------+---------+------+-------+--------+
//   | 'MGHI' | version | 0   | segmentSeq | archivedAt | records | runs | starts | index | crc32   | salt | crc32 | 'IHGM' |
//   | u32    | u16     | u16 | u64        | ms, u64    | u32     | u32  | offset | off-  | of all  | u32  | u32   | u32    |
//   |        |         |     |            |            |         |      | u32    | set   | before  |      |       |        |
//   +--------+---------+-----+------------+------------+---------+------+--------+-------+---------+------+-------+--------+
//   '--------------------------------------- covered by the second crc32 -------------------------------'
//
// salt = that of the segment. The footer is the same in every version, so that a newer file is told from a damaged one.
// Invariant: entries grow strictly by (hash, firstSeq) and runs lie in that order; the starts begin where the last
// run ends, the index where the starts end, the footer where the index ends, and the file ends with the footer.
export const HISTORY_FORMAT_VERSION = 1
export const KEY_HASH_BYTES = 16
export const START_BYTES = 4
export const RUN_ENTRY_BYTES = 44
export const HISTORY_FOOTER_BYTES = 56

const MAGIC = 0x4948_474d
const END_MAGIC = 0x4d47_4849
const ENTRY_COVERED_BYTES = 40
const FOOTER_COVERED_BYTES = 48

const NAME = /^([0-9a-f]{16})\.hist$/

/** The file is not what was written. */
export class HistoryDamage extends Error {
  override readonly name = 'HistoryDamage'
}

/** The file is whole, but a newer program wrote it. */
export class HistoryVersionError extends Error {
  override readonly name = 'HistoryVersionError'
}

export interface RunEntry {
  /** 32 hex digits. */
  readonly keyHash: string
  readonly firstSeq: number
  readonly count: number
  readonly offset: number
  readonly bytes: number
  readonly starts: number
}

export interface HistoryFooter {
  readonly segmentSeq: number
  readonly archivedAtMs: number
  readonly records: number
  readonly runs: number
  readonly startsOffset: number
  readonly indexOffset: number
  readonly contentCrc: number
  readonly salt: number
}

export function historyNameOf(segmentSeq: number): string {
  return `${segmentSeq.toString(16).padStart(16, '0')}.hist`
}

/** The segment that a file name stands for, null when it is no history file. */
export function segmentSeqOfName(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

export function encodeRunEntries(entries: readonly RunEntry[]): Buffer {
  const index = Buffer.allocUnsafe(entries.length * RUN_ENTRY_BYTES)
  for (const [place, run] of entries.entries()) {
    const entry = index.subarray(place * RUN_ENTRY_BYTES, (place + 1) * RUN_ENTRY_BYTES)
    entry.write(run.keyHash, 0, 'hex')
    putU64(bytesOver(entry).view, 16, run.firstSeq)
    entry.writeUInt32LE(run.count, 24)
    entry.writeUInt32LE(run.offset, 28)
    entry.writeUInt32LE(run.bytes, 32)
    entry.writeUInt32LE(run.starts, 36)
    entry.writeUInt32LE(crcOf(entry.subarray(0, ENTRY_COVERED_BYTES)), ENTRY_COVERED_BYTES)
  }
  return index
}

/** The entry at `place` of a piece of the index. Throws HistoryDamage. */
export function decodeRunEntry(index: Buffer, place: number): RunEntry {
  const entry = index.subarray(place * RUN_ENTRY_BYTES, (place + 1) * RUN_ENTRY_BYTES)
  if (entry.readUInt32LE(ENTRY_COVERED_BYTES) !== crcOf(entry.subarray(0, ENTRY_COVERED_BYTES))) {
    throw new HistoryDamage('index: wrong checksum')
  }
  return {
    keyHash: entry.toString('hex', 0, KEY_HASH_BYTES),
    firstSeq: getU64(bytesOver(entry).view, 16),
    count: entry.readUInt32LE(24),
    offset: entry.readUInt32LE(28),
    bytes: entry.readUInt32LE(32),
    starts: entry.readUInt32LE(36),
  }
}

export function encodeHistoryFooter(footer: HistoryFooter): Buffer {
  const bytes = Buffer.alloc(HISTORY_FOOTER_BYTES)
  const { view } = bytesOver(bytes)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(HISTORY_FORMAT_VERSION, 4)
  putU64(view, 8, footer.segmentSeq)
  putU64(view, 16, footer.archivedAtMs)
  bytes.writeUInt32LE(footer.records, 24)
  bytes.writeUInt32LE(footer.runs, 28)
  bytes.writeUInt32LE(footer.startsOffset, 32)
  bytes.writeUInt32LE(footer.indexOffset, 36)
  bytes.writeUInt32LE(footer.contentCrc, 40)
  bytes.writeUInt32LE(footer.salt, 44)
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, FOOTER_COVERED_BYTES)), FOOTER_COVERED_BYTES)
  bytes.writeUInt32LE(END_MAGIC, FOOTER_COVERED_BYTES + 4)
  return bytes
}

/** The footer of a file of `fileBytes`. Throws HistoryDamage, or HistoryVersionError for a file of a newer program. */
export function decodeHistoryFooter(bytes: Buffer, fileBytes: number): HistoryFooter {
  const isWhole =
    bytes.length === HISTORY_FOOTER_BYTES &&
    bytes.readUInt32LE(0) === MAGIC &&
    bytes.readUInt32LE(FOOTER_COVERED_BYTES + 4) === END_MAGIC &&
    bytes.readUInt32LE(FOOTER_COVERED_BYTES) === crcOf(bytes.subarray(0, FOOTER_COVERED_BYTES))
  if (!isWhole) throw new HistoryDamage('footer: wrong checksum')
  const version = bytes.readUInt16LE(4)
  if (version !== HISTORY_FORMAT_VERSION) {
    throw new HistoryVersionError(
      `history file has format ${version}, this program reads ${HISTORY_FORMAT_VERSION}`,
    )
  }
  const { view } = bytesOver(bytes)
  const footer = {
    segmentSeq: getU64(view, 8),
    archivedAtMs: getU64(view, 16),
    records: bytes.readUInt32LE(24),
    runs: bytes.readUInt32LE(28),
    startsOffset: bytes.readUInt32LE(32),
    indexOffset: bytes.readUInt32LE(36),
    contentCrc: bytes.readUInt32LE(40),
    salt: bytes.readUInt32LE(44),
  }
  const isFitting =
    footer.startsOffset + footer.records * START_BYTES === footer.indexOffset &&
    footer.indexOffset + footer.runs * RUN_ENTRY_BYTES + HISTORY_FOOTER_BYTES === fileBytes
  if (!isFitting) throw new HistoryDamage('the size is not the one that the footer tells')
  return footer
}
