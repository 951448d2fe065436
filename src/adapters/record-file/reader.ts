import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { LRUCache } from 'lru-cache'
import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/bytes.ts'
import { FileWindow } from '../files/file-window.ts'
import { MemoryFile } from '../files/memory-file.ts'
import { DamagedFileError, readAll, withFile } from '../files/whole-file.ts'
import {
  decodeEntry,
  decodeFooter,
  decodeHead,
  ENTRY_BYTES,
  type Entry,
  FOOTER_BYTES,
  FRAME_BYTES,
  HEAD_FRAME_BYTES,
  headBytes,
  isContainer,
  type Kind,
  type Layout,
  RECORD_FRAME,
  type ReadExactly,
} from './format.ts'
import { OLD_LAYOUTS } from './old-layouts.ts'

/** Takes a file front to back. */
function takenFrom(window: FileWindow, from: number) {
  let position = from
  const loaded = async (bytes: number): Promise<Buffer> => {
    const at = await window.load(position, bytes)
    if (at === null) throw new DamagedFileError('the file ends too early')
    const { buffer, byteOffset } = window.loaded.bytes
    return Buffer.from(buffer, byteOffset + at, bytes)
  }
  return {
    get position() {
      return position
    },
    /** Reads the rest of the file now; where there is room for it, what is taken then stays good. */
    ahead: () => loaded(window.size - position),
    /** What is taken is good until the next call. Throws DamagedFileError when the file ends too early. */
    async take(bytes: number): Promise<Buffer> {
      const piece = await loaded(bytes)
      position += bytes
      return piece
    },
  }
}

/** Pieces of the directories of all files of a folder. */
export type DirectoryPages = LRUCache<string, Buffer>

const PAGE_ENTRIES = 64
/** Entries read at once where all of them are wanted. */
const AHEAD_ENTRIES = 1024
/** Records that lie side by side are read in pieces of about this size. */
const PIECE_BYTES = 1024 * 1024
/** Bytes checked at a time: under half a millisecond. */
const STEP_BYTES = 1 << 20

interface Window {
  readonly from: number
  readonly bytes: Buffer
}

/**
 * One visit to a file; close it after use. Every method rejects with DamagedFileError when the file is not what was
 * written, with NewerFileError when a newer program wrote it, and with the file system's error.
 */
export class RecordFile {
  readonly layout: Layout
  readonly #files: Files
  readonly #path: string
  readonly #pages: DirectoryPages | null
  #fd: number | null
  #window: Window = { from: 0, bytes: Buffer.alloc(0) }

  /** Over a layout that is known: the file is opened when a byte is needed that no page holds. */
  constructor(
    files: Files,
    path: string,
    layout: Layout,
    pages: DirectoryPages | null = null,
    fd: number | null = null,
  ) {
    this.#files = files
    this.#path = path
    this.layout = layout
    this.#pages = pages
    this.#fd = fd
  }

  async close(): Promise<void> {
    const fd = this.#fd
    this.#fd = null
    if (fd !== null) await this.#files.close(fd)
  }

  /**
   * Every record of a whole file, without its frame, in order, all of it checked. What comes is good until the next one is
   * asked for; where the records lie in `memory`, which has room for all that is behind the header, it stays good.
   */
  async *records(memory: SharedArrayBuffer | null = null): AsyncGenerator<Buffer> {
    const { end, frame, recordsAt, fileBytes, isOld } = this.layout
    if (end === null || frame.bodyBytesOf === null) throw new DamagedFileError('the file has no end')
    const forward = await this.#forward(recordsAt, memory === null ? undefined : Buffer.from(memory))
    if (memory !== null) await forward.ahead()
    let chain = end.seed
    let records = 0
    while (forward.position < end.directory) {
      const head = await forward.take(frame.bytes)
      chain = crcOf(head, chain)
      const crc = frame.crcOf(head)
      const body = await forward.take(frame.bodyBytesOf(head))
      if ((await checksumOf(body)) !== crc)
        throw new DamagedFileError(`record ${records + 1}: wrong checksum`)
      if (isOld) chain = crcOf(body, chain)
      records += 1
      yield body
    }
    if (forward.position !== end.directory) throw new DamagedFileError('the last record goes too far')
    chain = crcOf(await forward.take(fileBytes - end.bytes - end.directory), chain)
    if (chain !== end.chain || (end.records ?? records) !== records) {
      throw new DamagedFileError('footer: the file is not the one it closes')
    }
  }

  /**
   * Every record of a file that grows; null in the place of a damaged one. `end` is where it ends. What cannot be a record
   * ends the file: it was not written whole.
   */
  async *grown(): AsyncGenerator<{ readonly body: Buffer | null; readonly end: number }> {
    const { recordsAt, fileBytes } = this.layout
    const forward = await this.#forward(recordsAt)
    while (fileBytes - forward.position >= FRAME_BYTES) {
      const frame = await forward.take(FRAME_BYTES)
      const bytes = frame.readUInt32LE(0)
      const crc = frame.readUInt32LE(4)
      if (bytes > fileBytes - forward.position) return
      if (bytes === 0) {
        // Zeros were never written; anything behind them was.
        if (crc !== 0 || !(await isBlank(forward, fileBytes))) yield { body: null, end: forward.position }
        return
      }
      const body = await forward.take(bytes)
      yield { body: crcOf(body) === crc ? body : null, end: forward.position }
    }
  }

  get entries(): number {
    return this.layout.end?.entries ?? 0
  }

  /** Place of the first entry that is not before this key and number; `entries` when there is none. */
  async placeOf(key: string, number: number): Promise<number> {
    let low = 0
    let high = this.entries
    // Invariant: entries before low are before it, those from high on are not.
    while (low < high) {
      if (this.#pages === null && high - low <= PAGE_ENTRIES / 2) await this.entryAt(low, high)
      const middle = (low + high) >>> 1
      const entry = await this.entryAt(middle)
      if (entry.key < key || (entry.key === key && entry.number < number)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Of entries that are read in their order, up to `to`, many are read at once. */
  async entryAt(place: number, to: number = place + 1): Promise<Entry> {
    const { from, bytes } = this.#window
    const isThere = place >= from && (place + 1 - from) * ENTRY_BYTES <= bytes.length
    if (!isThere) this.#window = await this.#windowAt(place, to)
    return decodeEntry(this.#window.bytes, place - this.#window.from)
  }

  /** Records of the entries in [from, to), as they lie in the file; not checked. */
  async *stored(
    from = 0,
    to = this.entries,
  ): AsyncGenerator<{ readonly entry: Entry; readonly record: Buffer }> {
    for (let place = from; place < to; ) {
      const first = await this.entryAt(place, to)
      const entries = [first]
      let end = first.offset + first.bytes
      while (place + entries.length < to && end - first.offset < PIECE_BYTES) {
        const entry = await this.entryAt(place + entries.length, to)
        // Records lie in the order of the directory.
        if (entry.offset !== end) throw new DamagedFileError('directory: a record is out of its place')
        entries.push(entry)
        end += entry.bytes
      }
      const piece = await this.#read(first.offset, end - first.offset)
      for (const entry of entries) {
        const at = entry.offset - first.offset
        yield { entry, record: piece.subarray(at, at + entry.bytes) }
      }
      place += entries.length
    }
  }

  /** What a stored record says, without its frame. */
  bodyOf(record: Buffer): Buffer {
    const { frame } = this.layout
    const body = record.subarray(frame.bytes)
    const isLong = record.length > frame.bytes && (frame.bodyBytesOf?.(record) ?? body.length) === body.length
    if (!isLong || crcOf(body) !== frame.crcOf(record)) throw new DamagedFileError('record: wrong checksum')
    return body
  }

  /** The piece of the directory that a place is in: a page, all of it in an old layout, else just what is asked for. */
  async #windowAt(place: number, to: number): Promise<Window> {
    const { directory } = this.layout
    if (directory !== null) {
      const make = () => directory((position, bytes) => this.#read(position, bytes))
      return { from: 0, bytes: await this.#kept('all', make) }
    }
    if (this.#pages === null) {
      return { from: place, bytes: await this.#readEntries(place, Math.min(to, place + AHEAD_ENTRIES)) }
    }
    const page = Math.floor(place / PAGE_ENTRIES)
    const from = page * PAGE_ENTRIES
    const read = () => this.#readEntries(from, Math.min(from + PAGE_ENTRIES, this.entries))
    return { from, bytes: await this.#kept(page, read) }
  }

  async #kept(page: number | 'all', read: () => Promise<Buffer>): Promise<Buffer> {
    const key = `${this.#path} ${this.layout.end?.chain} ${page}`
    const bytes = this.#pages?.get(key) ?? (await read())
    this.#pages?.set(key, bytes)
    return bytes
  }

  #readEntries(from: number, to: number): Promise<Buffer> {
    const at = (this.layout.end?.directory ?? 0) + from * ENTRY_BYTES
    return this.#read(at, (to - from) * ENTRY_BYTES)
  }

  async #forward(from: number, buffer?: Buffer) {
    const { fileBytes } = this.layout
    return takenFrom(new FileWindow(this.#files, this.#path, await this.#opened(), fileBytes, buffer), from)
  }

  async #read(position: number, bytes: number): Promise<Buffer> {
    return readExactly(this.#files, await this.#opened(), position, bytes, this.layout.fileBytes)
  }

  async #opened(): Promise<number> {
    this.#fd ??= await this.#files.open(this.#path, 'read')
    return this.#fd
  }
}

const GROWING: ReadonlySet<Kind> = new Set(['vectors', 'notes'])
/** A header is hardly longer: it is read with one call. */
const HEAD_READ_BYTES = 512
/** A smaller file is read with one call, unless only a few of its records are wanted. */
const SMALL_FILE_BYTES = 64 * 1024
const SEARCHED: ReadonlySet<Kind> = new Set(['exposures', 'history', 'pack'])

/** Opens a file, uses it and closes it; of one that grows at most `bytesMax` are looked at. Rejects as `RecordFile`. */
export async function withRecordFile<T>(
  files: Files,
  path: string,
  kind: Kind,
  use: (file: RecordFile) => Promise<T>,
  bytesMax = Number.POSITIVE_INFINITY,
): Promise<T> {
  return withFile(files, path, 'read', async (fd) => {
    const found = await files.stat(path)
    // A read would fail as one of a file that is whole and cannot be read now.
    if (found?.isDirectory === true) throw new DamagedFileError('a folder lies in its place')
    const fileBytes = Math.min(found?.bytes ?? 0, bytesMax)
    const isReadWhole = fileBytes <= SMALL_FILE_BYTES && !SEARCHED.has(kind)
    const source = isReadWhole ? await inMemory(files, fd, fileBytes) : files
    const read: ReadExactly = (position, bytes) => readExactly(source, fd, position, bytes, fileBytes)
    return use(new RecordFile(source, path, await layoutOf(read, fileBytes, kind), null, fd))
  })
}

async function inMemory(files: Files, fd: number, fileBytes: number): Promise<Files> {
  const content = Buffer.alloc(fileBytes)
  return new MemoryFile(content.subarray(0, await readAll(files, fd, content, 0))).files
}

async function layoutOf(read: ReadExactly, fileBytes: number, kind: Kind): Promise<Layout> {
  const first = await read(0, Math.min(HEAD_READ_BYTES, fileBytes))
  if (!isContainer(first)) return OLD_LAYOUTS[kind](read, fileBytes, first)
  const recordsAt = headBytes(first)
  const head = decodeHead(
    recordsAt <= first.length ? first.subarray(0, recordsAt) : await read(0, recordsAt),
    kind,
  )
  const layout = {
    isOld: false,
    head,
    recordsAt,
    fileBytes,
    frame: RECORD_FRAME,
    directory: null,
  }
  if (GROWING.has(kind)) return { ...layout, end: null }
  if (fileBytes < recordsAt + FOOTER_BYTES) throw new DamagedFileError('the file ends too early')
  const footer = decodeFooter(await read(fileBytes - FOOTER_BYTES, FOOTER_BYTES), fileBytes)
  const seed = crcOf(first.subarray(0, HEAD_FRAME_BYTES))
  return { ...layout, end: { ...footer, bytes: FOOTER_BYTES, seed } }
}

async function isBlank(forward: ReturnType<typeof takenFrom>, fileBytes: number): Promise<boolean> {
  while (forward.position < fileBytes) {
    const piece = await forward.take(Math.min(STEP_BYTES, fileBytes - forward.position))
    if (piece.some((byte) => byte !== 0)) return false
  }
  return true
}

async function readExactly(
  files: Files,
  fd: number,
  position: number,
  bytes: number,
  fileBytes: number,
): Promise<Buffer> {
  // Before memory is taken for it: a damaged length may be anything.
  if (position + bytes > fileBytes) throw new DamagedFileError('the file ends too early')
  const into = Buffer.alloc(bytes)
  if ((await readAll(files, fd, into, position)) < bytes)
    throw new DamagedFileError('the file ends too early')
  return into
}

async function checksumOf(bytes: Buffer): Promise<number> {
  let crc = 0
  for (let from = 0; from < bytes.length; from += STEP_BYTES) {
    if (from > 0) await nextTurnOfLoop()
    crc = crcOf(bytes.subarray(from, from + STEP_BYTES), crc)
  }
  return crc
}
