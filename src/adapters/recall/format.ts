import { RECALL_SCHEMA } from '../../core/search/index-image.ts'
import { crcOf } from '../binary/crc.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'

// An index file: one header, sections, one footer. Numbers of header and footer are little-endian and unsigned, those of
// sections in the byte order that the header names.
//
// Header
//   0        4         6         8        12       16            16+n
//   +--------+---------+---------+--------+--------+-------------+-------+
//   | 'MGIX' | version | 0       | n      | crc32  | msgpack map | zeros |
//   | u32    | u16     | u16     | u32    | u32    | n bytes     |       |
//   +--------+---------+---------+--------+--------+-------------+-------+
//   crc32 covers bytes 0-12 and the map {actorKey, seq, stateHash, schema, builtBy, byteOrder, sections}, where sections
//   lists [name, bytes] in order.
//
// Section: its bytes. Header and sections are filled up with zeros to a multiple of 8, so that a section can be read
// where it lies.
//
// Footer, k sections
//   0                    4k       4k+4     4k+8
//   +------------ … -----+--------+--------+
//   | crc32 of section 1 | crc32  | 'XIGM' |
//   | … k, u32 each      | u32    | u32    |
//   +------------ … -----+--------+--------+
//   The crc32 of a section covers its zeros, the last one the footer's bytes before it.
//
// Invariant: the file ends with its footer. A file that breaks any of this is damaged as a whole.
export const INDEX_FORMAT_VERSION = 1
const FRAME_BYTES = 16
const MAGIC = 0x5849_474d
const END_MAGIC = 0x4d47_4958
const CRC_COVERED_BYTES = 12
const ALIGNMENT = 8

/** The file is not what was written. */
export class IndexDamage extends Error {
  override readonly name = 'IndexDamage'
}

/** The file is whole, but another program wrote it. */
export class IndexVersionError extends Error {
  override readonly name = 'IndexVersionError'
}

/** What must be the same for whoever wrote the file and whoever reads it. */
export interface IndexMaker {
  /** Program, and whatever else decides about words. */
  readonly builtBy: string
  readonly byteOrder: string
}

export interface IndexHeader {
  readonly actorKey: string
  readonly seq: number
  readonly stateHash: string
  readonly sections: readonly { readonly name: string; readonly bytes: number }[]
}

export function encodeHeader(header: IndexHeader, { builtBy, byteOrder }: IndexMaker): Uint8Array {
  const sections = header.sections.map(({ name, bytes }) => [name, bytes])
  const body = createPacker({ isTabular: false }).pack({
    ...header,
    schema: RECALL_SCHEMA,
    builtBy,
    byteOrder,
    sections,
  })
  const bytes = Buffer.alloc(FRAME_BYTES + body.length + paddingAfter(FRAME_BYTES + body.length))
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(INDEX_FORMAT_VERSION, 4)
  bytes.writeUInt32LE(body.length, 8)
  bytes.set(body, FRAME_BYTES)
  bytes.writeUInt32LE(crcOf(body, crcOf(bytes.subarray(0, CRC_COVERED_BYTES))), CRC_COVERED_BYTES)
  return bytes
}

/** The header at the beginning of a whole file, and its size. @throws IndexDamage, IndexVersionError */
export function decodeHeader(file: Buffer, maker: IndexMaker): { header: IndexHeader; bytes: number } {
  if (file.length < FRAME_BYTES || file.readUInt32LE(0) !== MAGIC) throw new IndexDamage('not an index file')
  const end = FRAME_BYTES + file.readUInt32LE(8)
  if (end > file.length) throw new IndexDamage('header: the file ends too early')
  const body = file.subarray(FRAME_BYTES, end)
  if (crcOf(body, crcOf(file.subarray(0, CRC_COVERED_BYTES))) !== file.readUInt32LE(CRC_COVERED_BYTES)) {
    throw new IndexDamage('header: wrong checksum')
  }
  const version = file.readUInt16LE(4)
  if (version !== INDEX_FORMAT_VERSION) throw new IndexVersionError(`format ${version}`)
  return { header: headerIn(body, maker), bytes: end + paddingAfter(end) }
}

function headerIn(body: Uint8Array, maker: IndexMaker): IndexHeader {
  // A copy: what is unpacked must not lie in shared memory.
  const map = createPacker({ isTabular: false }).unpack(Uint8Array.from(body))
  if (!isDictionary(map)) throw new IndexDamage('header: not a map')
  const { actorKey, seq, stateHash, schema, builtBy, byteOrder, sections } = map
  if (schema !== RECALL_SCHEMA || builtBy !== maker.builtBy || byteOrder !== maker.byteOrder) {
    throw new IndexVersionError(`schema ${String(schema)} by ${String(builtBy)}, ${String(byteOrder)}`)
  }
  if (
    typeof actorKey !== 'string' ||
    typeof seq !== 'number' ||
    typeof stateHash !== 'string' ||
    !Array.isArray(sections)
  ) {
    throw new IndexDamage('header: a field is missing')
  }
  return { actorKey, seq, stateHash, sections: sections.map(sectionIn) }
}

function sectionIn(stored: unknown): { readonly name: string; readonly bytes: number } {
  const [name, bytes]: readonly unknown[] = Array.isArray(stored) ? stored : []
  if (typeof name !== 'string' || typeof bytes !== 'number') throw new IndexDamage('header: not a section')
  return { name, bytes }
}

/** Zeros that follow so many bytes. */
export function paddingAfter(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT
}

export function footerBytes(sections: number): number {
  return 4 * sections + 8
}

export function encodeFooter(crcs: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(footerBytes(crcs.length))
  for (const [place, crc] of crcs.entries()) bytes.writeUInt32LE(crc, 4 * place)
  const end = 4 * crcs.length
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, end)), end)
  bytes.writeUInt32LE(END_MAGIC, end + 4)
  return bytes
}

/** Checksums of the sections. @throws IndexDamage */
export function decodeFooter(bytes: Buffer): readonly number[] {
  const end = bytes.length - 8
  if (
    bytes.readUInt32LE(end + 4) !== END_MAGIC ||
    bytes.readUInt32LE(end) !== crcOf(bytes.subarray(0, end))
  ) {
    throw new IndexDamage('footer: wrong checksum')
  }
  return Array.from({ length: end / 4 }, (_, place) => bytes.readUInt32LE(4 * place))
}
