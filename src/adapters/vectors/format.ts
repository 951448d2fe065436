import { hash } from 'node:crypto'
import type { Files } from '../../ports/files.ts'
import type { VectorRow } from '../../ports/vectors.ts'
import { crcOf } from '../binary/crc.ts'
import { alignUp, bytesOver, getU64, putU64 } from '../binary/little-endian.ts'
import { readAll } from '../files/whole-file.ts'

// A file of vectors: a header, then rows in the order of writing. All integers are little-endian.
//
//   0       4     6     8           24         40      60    64
//   +-------+-----+-----+-----------+----------+-------+-----+
//   | 'AMV1'| ver | len | modelHash | actorKey | zeros | crc |    crc over bytes 0 to 59
//   | u32   | u16 | u16 | 16 bytes  | Hash, 16 |       | u32 |
//   +-------+-----+-----+-----------+----------+-------+-----+
//
//   0     4     8         16            24        28      32             32+k'
//   +-----+-----+---------+-------------+---------+-------+--------------+--------------+
//   | len | crc | ordinal | updatedAtMs | numbers | idLen | memory id, k | numbers, f32 |
//   | u32 | u32 | u64     | u64         | u32     | u32   | utf8, to 4   |              |
//   +-----+-----+---------+-------------+---------+-------+--------------+--------------+
//               '------------------ covered by crc: len bytes --------------------------'
//
// numbers 0: no vector is wanted.
const HEADER_BYTES = 64
/** Bytes of a row before its id. */
export const ROW_HEAD_BYTES = 32
const FRAME_BYTES = 8
const MAGIC = 0x31564d41
const VERSION = 1
const HASH_BYTES = 16
const ID_BYTES_MAX = 256
const NUMBERS_MAX = 65_536
/** No row is longer. */
const ROW_BYTES_MAX = ROW_HEAD_BYTES + ID_BYTES_MAX + NUMBERS_MAX * 4

/** First half of the SHA-256 of a model's name, 32 hex digits. */
export function modelHashOf(model: string): string {
  return hash('sha256', model, 'hex').slice(0, HASH_BYTES * 2)
}

export function encodeHeader(modelHash: string, actorKeyHash: string): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt16LE(VERSION, 4)
  bytes.writeUInt16LE(HEADER_BYTES, 6)
  bytes.write(modelHash, 8, 'hex')
  bytes.write(actorKeyHash, 24, 'hex')
  bytes.writeUInt32LE(crcOf(bytes.subarray(0, 60)), 60)
  return bytes
}

/** The hash of the model whose vectors follow; null when these bytes begin no file of this actor. */
function modelHashIn(bytes: Uint8Array, actorKeyHash: string): string | null {
  if (bytes.length < HEADER_BYTES) return null
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const isOurs =
    buffer.readUInt32LE(0) === MAGIC &&
    buffer.readUInt16LE(4) === VERSION &&
    buffer.readUInt32LE(60) === crcOf(buffer.subarray(0, 60)) &&
    buffer.toString('hex', 24, 24 + HASH_BYTES) === actorKeyHash
  return isOurs ? buffer.toString('hex', 8, 8 + HASH_BYTES) : null
}

export function encodeRow({ memoryId, ordinal, updatedAtMs, vector }: VectorRow): Uint8Array {
  const id = Buffer.from(memoryId, 'utf8')
  const numbersAt = ROW_HEAD_BYTES + alignUp(id.length, 4)
  const numbers = vector?.length ?? 0
  const { bytes, view } = bytesOver(new Uint8Array(numbersAt + numbers * 4))
  view.setUint32(0, bytes.length - FRAME_BYTES, true)
  putU64(view, 8, ordinal)
  putU64(view, 16, updatedAtMs)
  view.setUint32(24, numbers, true)
  view.setUint32(28, id.length, true)
  bytes.set(id, ROW_HEAD_BYTES)
  for (let at = 0; at < numbers; at += 1) view.setFloat32(numbersAt + at * 4, vector?.[at] ?? 0, true)
  view.setUint32(4, crcOf(bytes.subarray(FRAME_BYTES)), true)
  return bytes
}

/** Bytes of the row that begins here, 0 when none can; the row itself may still be damaged. */
function rowBytesAt(bytes: Uint8Array): number {
  if (bytes.length < FRAME_BYTES) return 0
  const size = bytesOver(bytes).view.getUint32(0, true) + FRAME_BYTES
  return size < ROW_HEAD_BYTES || size > ROW_BYTES_MAX ? 0 : size
}

/** The row that fills these bytes; null when it is damaged. */
function decodeRow(row: Uint8Array): VectorRow | null {
  const { bytes, view } = bytesOver(row)
  if (view.getUint32(4, true) !== crcOf(bytes.subarray(FRAME_BYTES))) return null
  const numbers = view.getUint32(24, true)
  const idBytes = view.getUint32(28, true)
  const numbersAt = ROW_HEAD_BYTES + alignUp(idBytes, 4)
  if (numbersAt + numbers * 4 !== bytes.length) return null
  const memoryId = Buffer.from(bytes.buffer, bytes.byteOffset + ROW_HEAD_BYTES, idBytes).toString('utf8')
  const vector = numbers === 0 ? null : new Float32Array(numbers)
  if (vector !== null) {
    for (let at = 0; at < numbers; at += 1) vector[at] = view.getFloat32(numbersAt + at * 4, true)
  }
  return { memoryId, ordinal: getU64(view, 8), updatedAtMs: getU64(view, 16), vector }
}

const WINDOW_BYTES = 4 * ROW_BYTES_MAX

/** Gets each row with the hash of the model that its vector is from. */
export type TakeRow = (row: VectorRow, modelHash: string) => Promise<void> | void

export interface ReadVectors {
  /** Null: this is no file of the actor. */
  readonly modelHash: string | null
  /** Where the last whole row ends: what follows was not written whole. */
  readonly endsAt: number
  readonly fileBytes: number
  readonly damagedRows: number
}

/** Reads a file row by row; a damaged row is passed over, and what cannot be a row ends the file. */
export async function readVectors(
  files: Files,
  path: string,
  actorKeyHash: string,
  take: TakeRow,
): Promise<ReadVectors> {
  const fileBytes = (await files.stat(path))?.bytes ?? 0
  const fd = await files.open(path, 'read')
  try {
    const header = new Uint8Array(HEADER_BYTES)
    const isLong = (await readAll(files, fd, header, 0)) === HEADER_BYTES
    const modelHash = isLong ? modelHashIn(header, actorKeyHash) : null
    if (modelHash === null) return { modelHash, endsAt: 0, fileBytes, damagedRows: 0 }
    const rows = await readRows(files, fd, fileBytes, (row) => take(row, modelHash))
    return { modelHash, fileBytes, ...rows }
  } finally {
    await files.close(fd)
  }
}

async function readRows(
  files: Files,
  fd: number,
  fileBytes: number,
  take: (row: VectorRow) => Promise<void> | void,
) {
  const window = new Uint8Array(Math.min(WINDOW_BYTES, fileBytes))
  let damagedRows = 0
  let endsAt = HEADER_BYTES
  let position = HEADER_BYTES
  for (;;) {
    const filled = await readAll(files, fd, window, position)
    let at = 0
    for (;;) {
      const bytes = rowBytesAt(window.subarray(at, filled))
      if (bytes === 0 || at + bytes > filled) break
      const row = decodeRow(window.subarray(at, at + bytes))
      at += bytes
      if (row === null) {
        damagedRows += 1
        continue
      }
      endsAt = position + at
      await take(row)
    }
    position += at
    // A window holds several rows: one in which none ends is the last.
    if (at === 0) return { endsAt, damagedRows }
  }
}
