import { alignUp, bytesOver, crcOf, getU64, putU64 } from '../binary/bytes.ts'
import { createPacker, isDictionary, type Packer } from '../binary/msgpack.ts'
import { DamagedFileError, type GrowingFile, NewerFileError } from '../files/whole-file.ts'

// The container of every file but the journal's: a header, records, and where the file is written once and as a whole
// also an end. All numbers are little-endian and unsigned.
//
//   +--------+----------+----------+-- … --+-----------------+--------+
//   | header | record 1 | record 2 |       | directory       | footer |
//   +--------+----------+----------+-- … --+-----------------+--------+
//   '-- a file that grows ends here -------' '-- only a whole file ---'
//
// Header
//   0        4         6      8        12       16            16+n
//   +--------+---------+------+--------+--------+-------------+---------------------+
//   | 'MGRF' | version | kind | n      | crc32  | msgpack map | zeros to 8 k bytes  |
//   | u32    | u16     | u16  | u32    | u32    | n bytes     |                     |
//   +--------+---------+------+--------+--------+-------------+---------------------+
//   The map is {actorKey, seq, facts}. crc32 covers bytes 0-12, the map and the zeros. The first 16 bytes and what their
//   checksum covers are the same in every version, so that a newer file is told from a damaged one.
//
// Record                          Directory entry, in the order of (key, number) and of the records
//   0        4        8     8+n   0           16       24       28       32       36
//   +--------+--------+------+    +-----------+--------+--------+--------+--------+
//   | n      | crc32  | body |    | key       | number | offset | bytes  | crc32  |
//   | u32    | u32    | n    |    | 16 bytes  | u64    | u32    | u32    | u32    |
//   +--------+--------+------+    +-----------+--------+--------+--------+--------+
//   crc32 covers the body.        offset, bytes = the record with its frame; crc32 covers bytes 0-32, so that a search
//                                 trusts the entries it reads without the others.
//
// Footer
//   0             4         8           16       20        24       28       32
//   +-------------+---------+-----------+--------+---------+--------+--------+
//   | 0xffff_ffff | records | directory | chain  | entries | crc32  | 'FRGM' |
//   | u32         | u32     | u64       | u32    | u32     | u32    | u32    |
//   +-------------+---------+-----------+--------+---------+--------+--------+
//   directory = where it begins, which is where the last record ends. chain = crc32 over the first 16 bytes of the header,
//   the frame of every record and the directory: with the checksums of header and records it covers every byte, and tells a
//   file from every other. entries = 0 or as many as records. crc32 covers bytes 0-24. No record is as long as the first
//   field says.
//
// Invariant: a whole file ends with its footer. Nothing lies between header, records, directory and footer.
export const CONTAINER_VERSION = 2
export const HEAD_FRAME_BYTES = 16
export const FRAME_BYTES = 8
export const KEY_BYTES = 16
export const ENTRY_BYTES = 36
export const FOOTER_BYTES = 32

const MAGIC = 0x4652_474d
const END_MAGIC = 0x4d47_5246
const HEAD_CRC_AT = 12
const ENTRY_CRC_AT = 32
const FOOTER_CRC_AT = 24
const NO_RECORD = 0xffff_ffff
const HEAD_STEP = 8

/** What a file holds. The numbers are those in the header. */
export const KINDS = {
  snapshot: 1,
  exposures: 2,
  history: 3,
  recall_index: 4,
  vectors: 5,
  notes: 6,
  pack: 7,
} as const
export type Kind = keyof typeof KINDS

export interface Head {
  readonly kind: Kind
  /** Null: it is of many actors, or an old layout that says no more than the hash. */
  readonly actorKey: string | null
  /** How far the journal had come for what is in the file; 0 where the file does not follow it. */
  readonly seq: number
  readonly facts: Readonly<Record<string, unknown>>
}

const packer = createPacker({ isTabular: false })

export function encodeHead({ kind, ...map }: Head): Buffer {
  const body = packer.pack(map)
  const bytes = Buffer.alloc(alignUp(HEAD_FRAME_BYTES + body.length, HEAD_STEP))
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(CONTAINER_VERSION, 4)
  bytes.writeUInt16LE(KINDS[kind], 6)
  bytes.writeUInt32LE(body.length, 8)
  bytes.set(body, HEAD_FRAME_BYTES)
  bytes.writeUInt32LE(headCrc(bytes), HEAD_CRC_AT)
  return bytes
}

/** Whether these are the first bytes of a container, of this version or a newer one. */
export function isContainer(frame: Buffer): boolean {
  return frame.length >= HEAD_FRAME_BYTES && frame.readUInt32LE(0) === MAGIC
}

/** Size of the header that begins so. Checked against nothing yet. */
export function headBytes(frame: Buffer): number {
  return alignUp(HEAD_FRAME_BYTES + frame.readUInt32LE(8), HEAD_STEP)
}

/** The whole header in these bytes. Throws DamagedFileError or NewerFileError. */
export function decodeHead(bytes: Buffer, kind: Kind): Head {
  if (bytes.readUInt32LE(HEAD_CRC_AT) !== headCrc(bytes)) throw new DamagedFileError('header: wrong checksum')
  // After the checksum: a version that was really written is no damage.
  const version = bytes.readUInt16LE(4)
  if (version !== CONTAINER_VERSION) throw newerFile(kind, version)
  if (bytes.readUInt16LE(6) !== KINDS[kind]) throw new DamagedFileError('header: a file of another kind')
  const map = unpacked(bytes.subarray(HEAD_FRAME_BYTES, HEAD_FRAME_BYTES + bytes.readUInt32LE(8)))
  const { actorKey, seq, facts } = isDictionary(map) ? map : {}
  const isKey = typeof actorKey === 'string' || actorKey === null
  if (!isKey || typeof seq !== 'number' || !isDictionary(facts)) {
    throw new DamagedFileError('header: a field is missing')
  }
  return { kind, actorKey, seq, facts }
}

export function newerFile(kind: Kind, version: number): NewerFileError {
  return new NewerFileError(
    `${kind.replace('_', ' ')} file has format ${version}, this program reads up to ${CONTAINER_VERSION}`,
  )
}

function headCrc(bytes: Buffer): number {
  return crcOf(bytes.subarray(HEAD_FRAME_BYTES), crcOf(bytes.subarray(0, HEAD_CRC_AT)))
}

/** What stands in a header. A copy: what is unpacked must not lie in shared memory. Throws DamagedFileError. */
export function unpacked(body: Uint8Array): unknown {
  return unpackedPart(packer, 'header', Uint8Array.from(body))
}

/** The value in a part of a file. Throws DamagedFileError. */
export function unpackedPart(from: Packer, part: string, bytes: Uint8Array): unknown {
  try {
    return from.unpack(bytes)
  } catch (cause) {
    throw new DamagedFileError(`${part}: not msgpack`, { cause })
  }
}

export interface NamedNumber {
  readonly name: string
  readonly number: number
}

/** A fact that lists [name, number] in order. Throws DamagedFileError where it is none. */
export function namedNumbers({ facts }: Pick<Head, 'facts'>, fact: string): readonly NamedNumber[] {
  const listed: unknown = facts[fact]
  if (!Array.isArray(listed)) throw new DamagedFileError('header: a field is missing')
  return listed.map((stored: unknown) => {
    const [name, number]: readonly unknown[] = Array.isArray(stored) ? stored : []
    if (typeof name !== 'string' || typeof number !== 'number')
      throw new DamagedFileError(`header: not one of its ${fact}`)
    return { name, number }
  })
}

export function encodeRecord(...parts: readonly Uint8Array[]): Buffer {
  const record = Buffer.concat([Buffer.alloc(FRAME_BYTES), ...parts])
  record.writeUInt32LE(record.length - FRAME_BYTES, 0)
  record.writeUInt32LE(crcOf(record.subarray(FRAME_BYTES)), 4)
  return record
}

/** Bytes before the name that a body begins with: its length. */
export const NAME_AT = 2

/** The beginning of a body that says whose the rest is: the length of a name as u16, then the name in UTF-8. */
export function nameHead(name: string): Buffer {
  const head = Buffer.alloc(NAME_AT + Buffer.byteLength(name))
  head.writeUInt16LE(head.length - NAME_AT, 0)
  head.write(name, NAME_AT)
  return head
}

/** Throws DamagedFileError on a body that cannot begin with a name. */
export function namedBody(body: Buffer): { readonly name: Buffer; readonly rest: Buffer } {
  if (body.length < NAME_AT) throw new DamagedFileError('record: too short')
  const end = NAME_AT + body.readUInt16LE(0)
  return { name: body.subarray(NAME_AT, end), rest: body.subarray(end) }
}

export interface Entry {
  readonly key: string
  readonly number: number
  readonly offset: number
  readonly bytes: number
}

export function encodeEntry({ key, number, offset, bytes }: Entry, into: Buffer): void {
  into.write(key, 0, 'hex')
  putU64(bytesOver(into).view, KEY_BYTES, number)
  into.writeUInt32LE(offset, 24)
  into.writeUInt32LE(bytes, 28)
  into.writeUInt32LE(crcOf(into.subarray(0, ENTRY_CRC_AT)), ENTRY_CRC_AT)
}

/** The entry at `place` of a piece of the directory. Throws DamagedFileError. */
export function decodeEntry(directory: Buffer, place: number): Entry {
  const entry = directory.subarray(place * ENTRY_BYTES, (place + 1) * ENTRY_BYTES)
  if (entry.readUInt32LE(ENTRY_CRC_AT) !== crcOf(entry.subarray(0, ENTRY_CRC_AT))) {
    throw new DamagedFileError('directory: wrong checksum')
  }
  return {
    key: entry.toString('hex', 0, KEY_BYTES),
    number: getU64(bytesOver(entry).view, KEY_BYTES),
    offset: entry.readUInt32LE(24),
    bytes: entry.readUInt32LE(28),
  }
}

export interface Footer {
  readonly records: number
  readonly directory: number
  readonly chain: number
  readonly entries: number
}

export function encodeFooter({ records, directory, chain, entries }: Footer): Buffer {
  const bytes = Buffer.alloc(FOOTER_BYTES)
  bytes.writeUInt32LE(NO_RECORD, 0)
  bytes.writeUInt32LE(records, 4)
  putU64(bytesOver(bytes).view, 8, directory)
  bytes.writeUInt32LE(chain, 16)
  bytes.writeUInt32LE(entries, 20)
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, FOOTER_CRC_AT)), FOOTER_CRC_AT)
  bytes.writeUInt32LE(END_MAGIC, FOOTER_CRC_AT + 4)
  return bytes
}

/** The footer of a file of `fileBytes`. Throws DamagedFileError. */
export function decodeFooter(bytes: Buffer, fileBytes: number): Footer {
  const isWhole =
    bytes.readUInt32LE(0) === NO_RECORD &&
    bytes.readUInt32LE(FOOTER_CRC_AT) === crcOf(bytes.subarray(0, FOOTER_CRC_AT)) &&
    bytes.readUInt32LE(FOOTER_CRC_AT + 4) === END_MAGIC
  if (!isWhole) throw new DamagedFileError('footer: wrong checksum')
  const footer = {
    records: bytes.readUInt32LE(4),
    directory: getU64(bytesOver(bytes).view, 8),
    chain: bytes.readUInt32LE(16),
    entries: bytes.readUInt32LE(20),
  }
  if (footer.directory + footer.entries * ENTRY_BYTES + FOOTER_BYTES !== fileBytes) {
    throw new DamagedFileError('the size is not the one that the footer tells')
  }
  return footer
}

/** What stands before the body of a record. */
export interface Frame {
  readonly bytes: number
  /** Null: only the directory tells it. */
  readonly bodyBytesOf: ((frame: Buffer) => number) | null
  readonly crcOf: (frame: Buffer) => number
}

export const RECORD_FRAME: Frame = {
  bytes: FRAME_BYTES,
  bodyBytesOf: (frame) => frame.readUInt32LE(0),
  crcOf: (frame) => frame.readUInt32LE(4),
}

export interface End extends Omit<Footer, 'records'> {
  /** Null: an old layout that does not count them. */
  readonly records: number | null
  /** Of the footer. */
  readonly bytes: number
  /** What the chain begins with. */
  readonly seed: number
}

/** Where the parts of a file lie. What a reader knows of a file before it reads a record. */
export interface Layout {
  /** It is of version 1, and nothing writes it any more. Its chain is the checksum of every byte before the footer. */
  readonly isOld: boolean
  readonly head: Head
  readonly recordsAt: number
  readonly fileBytes: number
  readonly frame: Frame
  /** Null: the file grows. */
  readonly end: End | null
  /** Makes the whole directory, where an old layout has it in another form. */
  readonly directory: ((read: ReadExactly) => Promise<Buffer>) | null
}

export type ReadExactly = (position: number, bytes: number) => Promise<Buffer>

/** What a record is found by in the directory. */
export type RecordKey = Pick<Entry, 'key' | 'number'>

/** Writes one whole file: `begin`, records, `end`. With keys for all records, in their order, it gets a directory. */
export class RecordWriter {
  readonly #file: GrowingFile
  #chain: number
  #records = 0
  readonly #entries: Buffer[] = []

  private constructor(file: GrowingFile, head: Buffer) {
    this.#file = file
    this.#chain = crcOf(head.subarray(0, HEAD_FRAME_BYTES))
  }

  static async begin(file: GrowingFile, head: Head): Promise<RecordWriter> {
    const bytes = encodeHead(head)
    await file.append(bytes)
    return new RecordWriter(file, bytes)
  }

  /** `record` has its frame. */
  append(record: Uint8Array, key: RecordKey | null = null): Promise<void> {
    this.#chain = crcOf(record.subarray(0, FRAME_BYTES), this.#chain)
    this.#records += 1
    if (key !== null) {
      const entry = Buffer.allocUnsafe(ENTRY_BYTES)
      encodeEntry({ ...key, offset: this.#file.bytes, bytes: record.length }, entry)
      this.#entries.push(entry)
    }
    return this.#file.append(record)
  }

  /** A record whose body comes in pieces of `bytes` together: its frame is written when they are. */
  async appendPieces(bytes: number, pieces: Iterable<Uint8Array>): Promise<void> {
    const at = this.#file.bytes
    const frame = Buffer.alloc(FRAME_BYTES)
    await this.#file.append(frame)
    let crc = 0
    for (const piece of pieces) {
      crc = crcOf(piece, crc)
      await this.#file.append(piece)
    }
    frame.writeUInt32LE(bytes, 0)
    frame.writeUInt32LE(crc, 4)
    await this.#file.replace(at, frame)
    this.#chain = crcOf(frame, this.#chain)
    this.#records += 1
  }

  async end(): Promise<void> {
    const directory = this.#file.bytes
    const entries = Buffer.concat(this.#entries)
    await this.#file.append(entries)
    const chain = crcOf(entries, this.#chain)
    const footer = { records: this.#records, directory, chain, entries: this.#entries.length }
    await this.#file.append(encodeFooter(footer))
  }
}
