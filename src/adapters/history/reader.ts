import type { LRUCache } from 'lru-cache'
import type { Files } from '../../ports/files.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import { crcOf } from '../binary/crc.ts'
import { decodeRecord } from '../binary/record-frame.ts'
import { readAll } from '../files/whole-file.ts'
import {
  decodeHistoryFooter,
  decodeRunEntry,
  HISTORY_FOOTER_BYTES,
  HistoryDamage,
  type HistoryFooter,
  RUN_ENTRY_BYTES,
  type RunEntry,
  START_BYTES,
} from './format.ts'

/** What stays in memory of a history file. */
export interface HistoryFile {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly footer: HistoryFooter
}

/** Pieces of the indexes of all files. */
export type IndexPages = LRUCache<string, Buffer>

const PAGE_ENTRIES = 64
/** Records and starts are read in pieces of about this size. */
const PIECE_BYTES = 1024 * 1024
const PIECE_STARTS = 4096

/** One visit to a history file. Opens it when a byte is needed that no page holds. Close it after use. */
export class HistoryReader {
  readonly #files: Files
  readonly #file: HistoryFile
  readonly #pages: IndexPages
  #fd: number | null = null

  constructor(files: Files, file: HistoryFile, pages: IndexPages) {
    this.#files = files
    this.#file = file
    this.#pages = pages
  }

  /** Runs of an actor, in order; reads about one page for each halving of the index. */
  async runsOf(keyHash: string): Promise<readonly RunEntry[]> {
    const { runs } = this.#file.footer
    let low = 0
    let high = runs
    // Invariant: entries before low are of lower hashes, those from high on are not.
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((await this.#entryAt(middle)).keyHash < keyHash) low = middle + 1
      else high = middle
    }
    const found: RunEntry[] = []
    for (let place = low; place < runs; place += 1) {
      const entry = await this.#entryAt(place)
      if (entry.keyHash !== keyHash) break
      found.push(entry)
    }
    return found
  }

  /** Records of a run from `fromSeq` to `toSeq`, which it holds, in order. Every one is checked. */
  async *records(
    run: RunEntry,
    actorKey: string,
    fromSeq: number,
    toSeq: number,
  ): AsyncGenerator<JournalRecord> {
    for (let next = fromSeq; next <= toSeq; ) {
      const bounds = await this.#boundsOf(run, next, Math.min(toSeq, next + PIECE_STARTS - 1))
      for (let i = 0; i + 1 < bounds.length; ) {
        const start = bounds[i] ?? 0
        const until = pieceEnd(bounds, i)
        const piece = await this.#read(start, (bounds[until] ?? 0) - start)
        for (; i < until; i += 1) {
          const bytes = piece.subarray((bounds[i] ?? 0) - start, (bounds[i + 1] ?? 0) - start)
          yield checked(bytes, actorKey, next)
          next += 1
        }
      }
    }
  }

  async close(): Promise<void> {
    if (this.#fd !== null) await this.#files.close(this.#fd)
    this.#fd = null
  }

  /** Where the records from `fromSeq` to `toSeq` start, and where the last of them ends. */
  async #boundsOf(run: RunEntry, fromSeq: number, toSeq: number): Promise<readonly number[]> {
    const first = fromSeq - run.firstSeq
    const end = toSeq - run.firstSeq + 1
    const count = Math.min(end + 1, run.count) - first
    const starts = await this.#read(run.starts + first * START_BYTES, count * START_BYTES)
    const bounds = Array.from({ length: count }, (_, i) => starts.readUInt32LE(i * START_BYTES))
    if (end === run.count) bounds.push(run.offset + run.bytes)
    const isOrdered = bounds.every((at, i) => i === 0 || at > (bounds[i - 1] ?? 0))
    const isInRun = (bounds[0] ?? 0) >= run.offset && (bounds.at(-1) ?? 0) <= run.offset + run.bytes
    if (!isOrdered || !isInRun) throw new HistoryDamage('starts: not those of their run')
    return bounds
  }

  async #entryAt(place: number): Promise<RunEntry> {
    const page = Math.floor(place / PAGE_ENTRIES)
    const { name, footer } = this.#file
    const key = `${name} ${footer.contentCrc} ${page}`
    let bytes = this.#pages.get(key)
    if (bytes === undefined) {
      const entries = Math.min(PAGE_ENTRIES, footer.runs - page * PAGE_ENTRIES)
      const offset = footer.indexOffset + page * PAGE_ENTRIES * RUN_ENTRY_BYTES
      bytes = await this.#read(offset, entries * RUN_ENTRY_BYTES)
      this.#pages.set(key, bytes)
    }
    return decodeRunEntry(bytes, place % PAGE_ENTRIES)
  }

  async #read(position: number, bytes: number): Promise<Buffer> {
    this.#fd ??= await this.#files.open(this.#file.path, 'read')
    return readExactly(this.#files, this.#fd, position, bytes)
  }
}

/** Opens a file for its footer. Rejects with HistoryDamage, HistoryVersionError or the file system's error. */
export async function readHistoryFooter(
  files: Files,
  path: string,
): Promise<{ readonly bytes: number; readonly footer: HistoryFooter }> {
  const fd = await files.open(path, 'read')
  try {
    return await footerOf(files, fd, path)
  } finally {
    await files.close(fd)
  }
}

/** Reads every byte of a file. Rejects as `readHistoryFooter`, or with HistoryDamage when one is wrong. */
export async function verifyHistory(files: Files, path: string): Promise<HistoryFooter> {
  const fd = await files.open(path, 'read')
  try {
    const { bytes, footer } = await footerOf(files, fd, path)
    const end = bytes - HISTORY_FOOTER_BYTES
    let crc = 0
    for (let at = 0; at < end; at += PIECE_BYTES) {
      crc = crcOf(await readExactly(files, fd, at, Math.min(PIECE_BYTES, end - at)), crc)
    }
    if (crc !== footer.contentCrc) throw new HistoryDamage('content: wrong checksum')
    return footer
  } finally {
    await files.close(fd)
  }
}

async function footerOf(files: Files, fd: number, path: string) {
  const bytes = (await files.stat(path))?.bytes ?? 0
  if (bytes < HISTORY_FOOTER_BYTES) throw new HistoryDamage('the file ends too early')
  const last = await readExactly(files, fd, bytes - HISTORY_FOOTER_BYTES, HISTORY_FOOTER_BYTES)
  return { bytes, footer: decodeHistoryFooter(last, bytes) }
}

async function readExactly(files: Files, fd: number, position: number, bytes: number): Promise<Buffer> {
  const into = Buffer.alloc(bytes)
  if ((await readAll(files, fd, into, position)) < bytes) throw new HistoryDamage('the file ends too early')
  return into
}

/** End of the records that one read fetches together with record `i`. */
function pieceEnd(bounds: readonly number[], i: number): number {
  const start = bounds[i] ?? 0
  let until = i + 1
  while (until + 1 < bounds.length && (bounds[until + 1] ?? 0) - start <= PIECE_BYTES) until += 1
  return until
}

function checked(bytes: Uint8Array, actorKey: string, seq: number): JournalRecord {
  const record = decodeRecord(bytes)
  if (record?.actorKey !== actorKey || record.actorSeq !== seq) {
    throw new HistoryDamage(`record ${seq} of its run is not whole`)
  }
  return record
}
