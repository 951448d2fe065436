import type { Files } from '../../ports/files.ts'
import type { AuditNote } from '../../ports/store.ts'
import { isDictionary, type Packer } from '../binary/msgpack.ts'
import { numberedNames } from '../files/numbered-name.ts'
import { DamagedFileError, NewerFileError, readWhole, replaceWhole } from '../files/whole-file.ts'
import { encodeHead, encodeRecord, NAME_AT, namedBody, nameHead } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'

// A note file is a record file that grows, with notes of all actors in the order in which they were queued. The body of a
// record is a note:
//
//   0        2        2+k
//   +--------+--------+-------------------------------+
//   | keyLen | key    | msgpack [atMs, run id, body]  |
//   | u16    | utf8, k|                               |
//   +--------+--------+-------------------------------+
//
// A file is only ever appended to, by the process that made it. What is behind the last whole note was torn.

/** The number: when the file was begun, milliseconds since the epoch. */
export const { nameOf: noteFileNameOf, numberOf: createdAtOfName } = numberedNames('notes-', '.log')

export function encodeNotesHead(): Buffer {
  return encodeHead({ kind: 'notes', actorKey: null, seq: 0, facts: {} })
}

/** The body of a record. Throws an InvariantError on a note that is no plain data. */
export function encodeNote(packer: Packer, actorKey: string, note: AuditNote): Buffer {
  return Buffer.concat([nameHead(actorKey), packer.pack([note.atMs, note.runId, note.body])])
}

export function decodeNote(packer: Packer, body: Buffer, keyBytes: Buffer): AuditNote | null {
  if (!namedBody(body).name.equals(keyBytes)) return null
  const [atMs, runId, note] = partsOf(packer, body)
  if (typeof atMs !== 'number' || !isDictionary(note)) return null
  return { atMs, runId: typeof runId === 'string' ? runId : null, body: note }
}

export function actorKeyOfNote(body: Buffer): string {
  return namedBody(body).name.toString()
}

export function atMsOfNote(packer: Packer, body: Buffer): number {
  const [atMs] = partsOf(packer, body)
  return typeof atMs === 'number' ? atMs : 0
}

function partsOf(packer: Packer, body: Buffer): readonly unknown[] {
  const value = packer.unpack(namedBody(body).rest)
  return Array.isArray(value) ? value : []
}

export interface ReadNotes {
  readonly notes: readonly Buffer[]
  /** End of the last whole note; 0 when not even the header is whole. */
  readonly end: number
  readonly bytes: number
  /**
   * What is behind the end.
   * - nothing
   * - torn: a write that was cut off.
   * - damaged: something else than what was written.
   * - newer: nothing of the file can be read, a newer program wrote it.
   */
  readonly rest: 'nothing' | 'torn' | 'damaged' | 'newer'
}

/** The first `bytesMax` of a file. Rejects with the file system's error. */
export async function readNotes(files: Files, path: string, bytesMax?: number): Promise<ReadNotes> {
  try {
    return await withRecordFile(
      files,
      path,
      'notes',
      async (file) => {
        const { recordsAt, fileBytes: bytes } = file.layout
        const notes: Buffer[] = []
        let end = recordsAt
        for await (const { body, end: until } of file.grown()) {
          if (body === null || body.length < NAME_AT) return { notes, end, bytes, rest: 'damaged' }
          notes.push(Buffer.from(body))
          end = until
        }
        return { notes, end, bytes, rest: end === bytes ? 'nothing' : 'torn' }
      },
      bytesMax,
    )
  } catch (error) {
    const isNewer = error instanceof NewerFileError
    if (!isNewer && !(error instanceof DamagedFileError)) throw error
    const content = (await readWhole(files, path))?.subarray(0, bytesMax) ?? new Uint8Array(0)
    // The file was made, and nothing in it was flushed.
    const isBlank = content.every((byte) => byte === 0)
    return {
      notes: [],
      end: 0,
      bytes: content.length,
      rest: isNewer ? 'newer' : isBlank ? 'torn' : 'damaged',
    }
  }
}

/**
 * Puts a file with what `leftOf` gives for each note in the place of one, without what is torn or damaged behind them, which may be
 * of any actor. Answers its size when it is durable; null: nothing changes. Rejects when a newer program wrote it.
 */
export async function rewriteNotes(
  files: Files,
  path: string,
  leftOf: (note: Buffer) => Buffer | null = (note) => note,
): Promise<number | null> {
  const { notes, rest } = await readNotes(files, path)
  if (rest === 'newer') throw new NewerFileError(`${path}: a newer program wrote these audit notes`)
  const left = notes.flatMap((note) => leftOf(note) ?? [])
  const isUnchanged = left.length === notes.length && left.every((note, at) => note === notes[at])
  if (isUnchanged && rest === 'nothing') return null
  const content = Buffer.concat([encodeNotesHead(), ...left.map((body) => encodeRecord(body))])
  await replaceWhole(files, path, content)
  return content.length
}
