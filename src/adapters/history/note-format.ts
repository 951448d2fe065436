import type { AuditNote } from '../../ports/history.ts'
import { crcOf } from '../binary/crc.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'

// A note file: a header, then notes of all actors in the order in which they were queued. Little-endian, unsigned.
//
//   Header                        Note
//   0        4         6    8     0       4       8        10       10+k
//   +--------+---------+----+     +-------+-------+--------+--------+-------------------------------+
//   | 'MGHN' | version | 0  |     | len   | crc32 | keyLen | key    | msgpack [atMs, run id, body]  |
//   | u32    | u16     | u16|     | u32   | u32   | u16    | utf8, k|                               |
//   +--------+---------+----+     +-------+-------+--------+--------+-------------------------------+
//                                                 '--------- covered by crc32: len bytes -----------'
//
// A file is only ever appended to, by the process that made it. What is behind the last whole note was torn.
export const NOTE_HEADER_BYTES = 8
export const NOTE_FORMAT_VERSION = 1

const MAGIC = 0x4e48_474d
const FRAME_BYTES = 8
const KEY_AT = 10

const NAME = /^notes-([0-9a-f]{16})\.log$/

export function noteFileNameOf(createdAtMs: number): string {
  return `notes-${createdAtMs.toString(16).padStart(16, '0')}.log`
}

/** When a note file was begun, milliseconds since the epoch; null for any other name. */
export function createdAtOfName(name: string): number | null {
  const digits = NAME.exec(name)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

export function encodeNoteHeader(): Buffer {
  const header = Buffer.alloc(NOTE_HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt16LE(NOTE_FORMAT_VERSION, 4)
  return header
}

/** Throws an InvariantError on a body that is no plain data. */
export function encodeNote(packer: Packer, actorKey: string, note: AuditNote): Buffer {
  const key = Buffer.from(actorKey, 'utf8')
  const value = packer.pack([note.atMs, note.runId, note.body])
  const frame = Buffer.allocUnsafe(KEY_AT + key.length + value.length)
  frame.writeUInt32LE(frame.length - FRAME_BYTES, 0)
  frame.writeUInt16LE(key.length, FRAME_BYTES)
  frame.set(key, KEY_AT)
  frame.set(value, KEY_AT + key.length)
  frame.writeUInt32LE(crcOf(frame.subarray(FRAME_BYTES)), 4)
  return frame
}

/** How the content of a note file reads. */
export interface NoteFrames {
  /** Whole notes, in order. */
  readonly frames: readonly Buffer[]
  /** End of the last whole note; 0 when not even the header is whole. */
  readonly end: number
  readonly isNewer: boolean
}

export function splitNotes(content: Buffer): NoteFrames {
  const header = content.subarray(0, NOTE_HEADER_BYTES)
  if (header.length < NOTE_HEADER_BYTES || header.readUInt32LE(0) !== MAGIC) {
    return { frames: [], end: 0, isNewer: false }
  }
  const isNewer = header.readUInt16LE(4) !== NOTE_FORMAT_VERSION
  const frames: Buffer[] = []
  let end = NOTE_HEADER_BYTES
  while (!isNewer && end + KEY_AT <= content.length) {
    const bytes = content.readUInt32LE(end) + FRAME_BYTES
    const frame = content.subarray(end, end + bytes)
    if (bytes < KEY_AT || frame.length < bytes) break
    if (frame.readUInt32LE(4) !== crcOf(frame.subarray(FRAME_BYTES))) break
    frames.push(frame)
    end += bytes
  }
  return { frames, end, isNewer }
}

/** The note in a whole frame, null when it is of another actor. */
export function decodeNote(packer: Packer, frame: Buffer, keyBytes: Buffer): AuditNote | null {
  const keyLen = frame.readUInt16LE(FRAME_BYTES)
  if (!frame.subarray(KEY_AT, KEY_AT + keyLen).equals(keyBytes)) return null
  const [atMs, runId, body] = partsOf(packer, frame)
  if (typeof atMs !== 'number' || !isDictionary(body)) return null
  return { atMs, runId: typeof runId === 'string' ? runId : null, body }
}

/** The time of the note in a whole frame, whoever's it is. */
export function atMsOfFrame(packer: Packer, frame: Buffer): number {
  const [atMs] = partsOf(packer, frame)
  return typeof atMs === 'number' ? atMs : 0
}

function partsOf(packer: Packer, frame: Buffer): readonly unknown[] {
  const value = packer.unpack(frame.subarray(KEY_AT + frame.readUInt16LE(FRAME_BYTES)))
  return Array.isArray(value) ? value : []
}
