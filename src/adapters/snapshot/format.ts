import type { StateImage } from '../../core/model/image.ts'
import { crcOf } from '../binary/crc.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'

// A snapshot file: one header, chunks of rows, one footer. All numbers are little-endian and unsigned.
//
// Header
//   0        4         6         8        12       16            16+n
//   +--------+---------+---------+--------+--------+-------------+
//   | 'MGSN' | version | 0       | n      | crc32  | msgpack map |
//   | u32    | u16     | u16     | u32    | u32    | n bytes     |
//   +--------+---------+---------+--------+--------+-------------+
//   crc32 covers bytes 0-12 and the map {actorKey, tenantId, scope, schema, seq, stateHash, sections}, where
//   sections lists [name, row count] in order. The 16 bytes and their checksum are the same in every version, so that
//   a newer file is told from a damaged one.
//
// Chunk: 1 to 200 rows of one section
//   0        4        8         10       12               12+n
//   +--------+--------+---------+--------+----------------+
//   | n > 0  | crc32  | section | rows   | msgpack list   |
//   | u32    | u32    | u16     | u16    | n bytes        |
//   +--------+--------+---------+--------+----------------+
//                     '-- covered by crc32 --------------'
//   section = its place in the header. Chunks stand in the order of sections and rows. The keys of rows of one
//   shape are written once in a chunk and in no other place, so a chunk can be read on its own.
//
// Footer
//   0        4         8         12       16       20
//   +--------+---------+---------+--------+--------+
//   | 0      | rows    | file    | crc32  | 'NSGM' |
//   | u32    | u32     | crc u32 | u32    | u32    |
//   +--------+---------+---------+--------+--------+
//   file crc covers every byte before the footer, crc32 the footer's bytes 0-12. The zero tells it from a chunk.
//
// Invariant: the file ends with its footer. A file that breaks any of this is damaged as a whole.
export const HEADER_FRAME_BYTES = 16
export const CHUNK_FRAME_BYTES = 12
export const FOOTER_BYTES = 20
export const CHUNK_ROWS_MAX = 200
export const SNAPSHOT_FORMAT_VERSION = 1

const MAGIC = 0x4e53_474d
const END_MAGIC = 0x4d47_534e
const CRC_COVERED_BYTES = 12
const CHUNK_CRC_END = 8

/** The file is not what was written. */
export class SnapshotDamage extends Error {
  override readonly name = 'SnapshotDamage'
}

/** The file is whole, but a newer program wrote it. */
export class SnapshotVersionError extends Error {
  override readonly name = 'SnapshotVersionError'
}

export interface SectionCount {
  readonly name: string
  readonly rows: number
}

/** An image without its rows. */
export interface SnapshotHeader extends Omit<StateImage, 'sections'> {
  readonly actorKey: string
  readonly sections: readonly SectionCount[]
}

export interface ChunkFrame {
  readonly bodyBytes: number
  readonly section: number
  readonly rows: number
}

export interface Footer {
  readonly rows: number
  readonly fileCrc: number
}

export function encodeHeader(header: SnapshotHeader, packer: Packer): Uint8Array {
  const sections = header.sections.map(({ name, rows }) => [name, rows])
  const body = packer.pack({ ...header, sections })
  const frame = Buffer.alloc(HEADER_FRAME_BYTES)
  frame.writeUInt32LE(MAGIC, 0)
  frame.writeUInt16LE(SNAPSHOT_FORMAT_VERSION, 4)
  frame.writeUInt32LE(body.length, 8)
  frame.writeUInt32LE(headerCrc(frame, body), CRC_COVERED_BYTES)
  return Buffer.concat([frame, body])
}

/** Size of the header's map. Checked against nothing yet. */
export function headerBodyBytes(frame: Buffer): number {
  return frame.readUInt32LE(8)
}

export function decodeHeader(frame: Buffer, body: Uint8Array, packer: Packer): SnapshotHeader {
  if (frame.readUInt32LE(0) !== MAGIC) throw new SnapshotDamage('not a snapshot')
  if (frame.readUInt32LE(CRC_COVERED_BYTES) !== headerCrc(frame, body)) {
    throw new SnapshotDamage('header: wrong checksum')
  }
  // After the checksum: a version that was really written is no damage.
  const version = frame.readUInt16LE(4)
  if (version !== SNAPSHOT_FORMAT_VERSION) {
    throw new SnapshotVersionError(
      `snapshot has format ${version}, this program reads ${SNAPSHOT_FORMAT_VERSION}`,
    )
  }
  const header = unpacked(packer, body)
  if (!isDictionary(header)) throw new SnapshotDamage('header: not a map')
  const { actorKey, tenantId, scope, schema, seq, stateHash, sections } = header
  if (
    typeof actorKey !== 'string' ||
    typeof tenantId !== 'string' ||
    typeof scope !== 'string' ||
    typeof schema !== 'number' ||
    typeof seq !== 'number' ||
    typeof stateHash !== 'string' ||
    !Array.isArray(sections)
  ) {
    throw new SnapshotDamage('header: a field is missing')
  }
  return { actorKey, tenantId, scope, schema, seq, stateHash, sections: sections.map(sectionCount) }
}

export function encodeChunk(section: number, rows: readonly unknown[], packer: Packer): Uint8Array {
  const body = packer.pack(rows)
  const chunk = Buffer.allocUnsafe(CHUNK_FRAME_BYTES + body.length)
  chunk.writeUInt32LE(body.length, 0)
  chunk.writeUInt16LE(section, CHUNK_CRC_END)
  chunk.writeUInt16LE(rows.length, CHUNK_CRC_END + 2)
  chunk.set(body, CHUNK_FRAME_BYTES)
  chunk.writeUInt32LE(crcOf(chunk.subarray(CHUNK_CRC_END)), 4)
  return chunk
}

/** Null at the footer. */
export function decodeChunkFrame(frame: Buffer): ChunkFrame | null {
  const bodyBytes = frame.readUInt32LE(0)
  if (bodyBytes === 0) return null
  return {
    bodyBytes,
    section: frame.readUInt16LE(CHUNK_CRC_END),
    rows: frame.readUInt16LE(CHUNK_CRC_END + 2),
  }
}

/** `decode` is asked once the checksum is that of the bytes. */
export function decodeChunkRows(
  frame: Buffer,
  body: Buffer,
  decode: (body: Buffer) => unknown,
): readonly unknown[] {
  const covered = frame.subarray(CHUNK_CRC_END, CHUNK_FRAME_BYTES)
  if (crcOf(body, crcOf(covered)) !== frame.readUInt32LE(4)) throw new SnapshotDamage('chunk: wrong checksum')
  const rows = decode(body)
  if (!Array.isArray(rows) || rows.length !== frame.readUInt16LE(CHUNK_CRC_END + 2)) {
    throw new SnapshotDamage('chunk: not the rows it announces')
  }
  return rows
}

export function encodeFooter(footer: Footer): Uint8Array {
  const bytes = Buffer.alloc(FOOTER_BYTES)
  bytes.writeUInt32LE(footer.rows, 4)
  bytes.writeUInt32LE(footer.fileCrc, 8)
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, CRC_COVERED_BYTES)), CRC_COVERED_BYTES)
  bytes.writeUInt32LE(END_MAGIC, 16)
  return bytes
}

export function decodeFooter(bytes: Buffer): Footer {
  const isWhole =
    bytes.readUInt32LE(0) === 0 &&
    bytes.readUInt32LE(16) === END_MAGIC &&
    bytes.readUInt32LE(CRC_COVERED_BYTES) === crcOf(bytes.subarray(0, CRC_COVERED_BYTES))
  if (!isWhole) throw new SnapshotDamage('footer: wrong checksum')
  return { rows: bytes.readUInt32LE(4), fileCrc: bytes.readUInt32LE(8) }
}

/** Rejects with SnapshotDamage what is no msgpack. */
export function unpacked(packer: Packer, body: Uint8Array): unknown {
  try {
    return packer.unpack(body)
  } catch (cause) {
    throw new SnapshotDamage('not msgpack', { cause })
  }
}

function headerCrc(frame: Uint8Array, body: Uint8Array): number {
  return crcOf(body, crcOf(frame.subarray(0, CRC_COVERED_BYTES)))
}

function sectionCount(stored: unknown): SectionCount {
  const [name, rows]: readonly unknown[] = Array.isArray(stored) ? stored : []
  if (typeof name !== 'string' || typeof rows !== 'number') throw new SnapshotDamage('header: not a section')
  return { name, rows }
}
