import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { AuditNote } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { createPacker, isDictionary, type Packer } from '../binary/msgpack.ts'
import { numberedNames } from '../files/actor-folders.ts'
import type { KeptFile } from '../files/retention.ts'
import {
  DamagedFileError,
  type DataFolder,
  NewerFileError,
  readWhole,
  replaceWhole,
  writeAll,
} from '../files/whole-file.ts'
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

interface NoteFile {
  readonly name: string
  readonly createdAtMs: number
  bytes: number
  /** When its newest note came, or later; null: it is the one that is written to. */
  untilMs: number | null
}

interface NoteLogOptions extends DataFolder {
  readonly clock: Clock
}

interface ActiveFile {
  readonly fd: number
  readonly file: NoteFile
}

const QUEUE_BYTES_MAX = 8 * 1024 * 1024
const FILE_BYTES_MAX = 8 * 1024 * 1024
const WRITE_BYTES_MAX = 1024 * 1024
const READ_BYTES_MAX = 64 * 1024 * 1024
/** A file that was begun so long ago is ended, so that retention can take it also when few notes come. */
const FILE_AGE_MS_MAX = 24 * 3_600_000

/**
 * The audit notes of a node, in files of about 8 MiB. A note is written in the background, one write at a time, and
 * flushed when its file ends: what a power failure may take are the last moments, what a full queue or a failing
 * disk takes is told in the log. Nobody waits for a note.
 */
export class NoteLog {
  readonly #options: NoteLogOptions
  readonly #folder: string
  readonly #packer: Packer = createPacker({ isTabular: false })
  /** Oldest first. */
  #list: readonly NoteFile[] = []
  #active: ActiveFile | null = null
  #queue: Buffer[] = []
  #writing: readonly Buffer[] = []
  #queuedBytes = 0
  #dropped = 0
  #running: Promise<void> | null = null
  #isClosed = false
  /** Files whose damage was told. */
  readonly #told = new Set<string>()

  constructor(options: NoteLogOptions, folder: string) {
    this.#options = options
    this.#folder = folder
  }

  /**
   * Takes in the files of a folder listing. Nothing is ever appended to one of them: a torn end stays where it is,
   * and is not read.
   */
  async open(names: readonly string[]): Promise<void> {
    const list: NoteFile[] = []
    for (const name of names) {
      const createdAtMs = createdAtOfName(name)
      const stat = createdAtMs === null ? null : await this.#options.files.stat(join(this.#folder, name))
      if (createdAtMs === null || stat === null) continue
      list.push({ name, createdAtMs, bytes: stat.bytes, untilMs: null })
    }
    list.sort((a, b) => a.createdAtMs - b.createdAtMs)
    for (const [i, file] of list.entries()) file.untilMs = list[i + 1]?.createdAtMs ?? file.createdAtMs
    this.#list = list
    const newest = list.at(-1)
    const note = newest === undefined ? undefined : (await this.#notesOf(newest)).at(-1)
    if (newest !== undefined && note !== undefined) newest.untilMs = atMsOfNote(this.#packer, note)
  }

  /** Files that retention may remove, oldest first. */
  closedFiles(): readonly KeptFile[] {
    return this.#list.flatMap(({ name, bytes, untilMs: atMs }) =>
      atMs === null ? [] : [{ name, bytes, atMs }],
    )
  }

  /** Of the file that is written to. */
  get openBytes(): number {
    return this.#active?.file.bytes ?? 0
  }

  /** Removes a closed file; durable with the next flush of the folder. */
  async remove(name: string): Promise<void> {
    this.#list = this.#list.filter((file) => file.name !== name)
    await this.#options.files.unlink(join(this.#folder, name))
  }

  /** Ends the file that is written to when it is a day old and nothing is on its way to it. */
  async endOld(): Promise<void> {
    const createdAtMs = this.#active?.file.createdAtMs ?? Number.POSITIVE_INFINITY
    const isOld = createdAtMs + FILE_AGE_MS_MAX <= this.#options.clock.nowMs()
    if (isOld && this.#running === null) await this.#endFile()
  }

  append(actorKey: string, note: AuditNote): void {
    if (this.#isClosed) return
    let body: Buffer
    try {
      body = encodeNote(this.#packer, actorKey, note)
    } catch (error) {
      this.#options.log.error({ error }, 'an audit note is no plain data and is lost')
      return
    }
    if (this.#queuedBytes + body.length > QUEUE_BYTES_MAX) {
      if (this.#dropped === 0)
        this.#options.log.warn({}, 'audit notes come faster than the disk takes them: some are lost')
      this.#dropped += 1
      return
    }
    this.#queue.push(body)
    this.#queuedBytes += body.length
    this.#running ??= this.#drain().finally(() => {
      this.#running = null
    })
  }

  /** The newest first, at most `max`, from what is queued and the last 64 MiB on disk. */
  async notes(actorKey: string, max: number): Promise<readonly AuditNote[]> {
    const keyBytes = Buffer.from(actorKey, 'utf8')
    const found: AuditNote[] = []
    const collect = (bodies: readonly Buffer[]): void => {
      for (let i = bodies.length - 1; i >= 0 && found.length < max; i -= 1) {
        const body = bodies[i]
        const note = body === undefined ? null : decodeNote(this.#packer, body, keyBytes)
        if (note !== null) found.push(note)
      }
    }
    // What is on its way to the disk now is taken from memory; of the file only what was there before.
    const files = this.#list.map((file) => ({ ...file }))
    collect([...this.#writing, ...this.#queue])
    let bytesLeft = READ_BYTES_MAX
    for (const file of files.toReversed()) {
      bytesLeft -= file.bytes
      if (found.length >= max || bytesLeft < 0) break
      collect(await this.#notesOf(file))
    }
    return found
  }

  /**
   * Has `leftOf` take out of the notes of an actor what they may not say any more, and what is damaged behind them.
   * Resolves with the number of files rewritten when that is durable; rejects when one has to stay.
   */
  async redact(actorKey: string, leftOf: (note: AuditNote) => AuditNote): Promise<number> {
    await this.settled()
    await this.#endFile()
    const keyBytes = Buffer.from(actorKey, 'utf8')
    let changed = 0
    for (const file of this.#list) {
      if (file.untilMs === null) continue
      const path = join(this.#folder, file.name)
      const bytes = await rewriteNotes(this.#options.files, path, (body) => {
        const note = decodeNote(this.#packer, body, keyBytes)
        const kept = note === null ? null : leftOf(note)
        return kept === null || kept === note ? body : encodeNote(this.#packer, actorKey, kept)
      }).catch(unlessNewer)
      if (bytes === null) continue
      file.bytes = bytes
      changed += 1
    }
    return changed
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.settled()
    await this.#endFile()
  }

  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #drain(): Promise<void> {
    // The note that starts the writer is joined by those of the same moment.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      this.#writing = this.#takeSome()
      try {
        await this.#write(Buffer.concat(this.#writing.map((body) => encodeRecord(body))))
      } catch (error) {
        this.#options.log.error(
          { error, notes: this.#writing.length },
          'audit notes could not be written and are lost',
        )
        await this.#endFile()
      }
      this.#queuedBytes -= this.#writing.reduce((sum, body) => sum + body.length, 0)
      this.#writing = []
    }
    if (this.#dropped > 0)
      this.#options.log.warn({ notes: this.#dropped }, 'audit notes were lost: the queue was full')
    this.#dropped = 0
  }

  #takeSome(): readonly Buffer[] {
    let count = 0
    for (let bytes = 0; count < this.#queue.length && bytes < WRITE_BYTES_MAX; count += 1) {
      bytes += this.#queue[count]?.length ?? 0
    }
    return this.#queue.splice(0, count)
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#active ??= await this.#begin()
    const { fd, file } = this.#active
    await writeAll(this.#options.files, fd, bytes, file.bytes)
    file.bytes += bytes.length
    if (file.bytes >= FILE_BYTES_MAX) await this.#endFile()
  }

  async #begin(): Promise<ActiveFile> {
    const createdAtMs = Math.max(this.#options.clock.nowMs(), (this.#list.at(-1)?.createdAtMs ?? 0) + 1)
    const name = noteFileNameOf(createdAtMs)
    const fd = await this.#options.files.open(join(this.#folder, name), 'create')
    const file: NoteFile = { name, createdAtMs, bytes: 0, untilMs: null }
    this.#list = [...this.#list, file]
    this.#active = { fd, file }
    const header = encodeNotesHead()
    await writeAll(this.#options.files, fd, header, 0)
    file.bytes = header.length
    await this.#options.files.fsyncDir(this.#folder)
    return this.#active
  }

  /** A file that failed once is not appended to again. */
  async #endFile(): Promise<void> {
    const active = this.#active
    this.#active = null
    if (active === null) return
    active.file.untilMs = this.#options.clock.nowMs()
    try {
      await this.#options.files.fdatasync(active.fd)
    } catch (error) {
      this.#options.log.error({ error, file: active.file.name }, 'audit notes could not be flushed')
    }
    await this.#options.files.close(active.fd).catch(() => undefined)
  }

  /** Of as many bytes as were known to be written; none when retention was faster. */
  async #notesOf({ name, bytes }: NoteFile): Promise<readonly Buffer[]> {
    try {
      const { notes, end, rest } = await readNotes(this.#options.files, join(this.#folder, name), bytes)
      if (rest !== 'nothing' && end < bytes && !this.#told.has(name)) {
        this.#told.add(name)
        const what =
          rest === 'newer'
            ? 'a newer program wrote these audit notes'
            : 'audit notes end in a torn or damaged one'
        this.#options.log.warn({ file: name, offset: end }, `${what}: the rest of the file is not read`)
      }
      return notes
    } catch (error) {
      if (this.#list.some((file) => file.name === name)) throw error
      return []
    }
  }
}

/** A file of a newer program stays as it is. */
function unlessNewer(error: unknown): null {
  if (error instanceof NewerFileError) return null
  throw error
}
