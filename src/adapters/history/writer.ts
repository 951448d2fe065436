import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { assert } from '../../core/base/assert.ts'
import type { Files } from '../../ports/files.ts'
import { bytesOver } from '../binary/little-endian.ts'
import { decodeRecord, encodeRecord, recordBytes } from '../binary/record-frame.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { createDurably, type GrowingFile, TEMPORARY_SUFFIX } from '../files/durable-file.ts'
import { readAll } from '../files/whole-file.ts'
import {
  decodeRunEntry,
  encodeHistoryFooter,
  encodeRunEntries,
  HistoryDamage,
  RUN_ENTRY_BYTES,
  type RunEntry,
  START_BYTES,
} from './format.ts'
import { type HistoryFile, HistoryReader, readHistoryFooter, verifyHistory } from './reader.ts'

/** Records of one actor without a gap in their sequence, and where they lie in the source. */
export interface SourceRun {
  /** 32 hex digits. */
  readonly keyHash: string
  readonly firstSeq: number
  readonly offsets: readonly number[]
  readonly sizes: readonly number[]
}

/** Bytes of the source; good until the next call. */
export type ReadSource = (offset: number, bytes: number) => Promise<Uint8Array>

export interface HistoryHead {
  readonly segmentSeq: number
  readonly salt: number
  readonly archivedAtMs: number
}

interface Copy {
  readonly from: number
  readonly bytes: number
  readonly to: number
  readonly seq: number
}

/** Records are put in order in memory, so many bytes at a time. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Writes a whole history file. Reads the source from front to back, once for every 32 MiB of records. */
export async function writeHistory(
  file: GrowingFile,
  head: HistoryHead,
  runs: readonly SourceRun[],
  read: ReadSource,
): Promise<void> {
  const ordered = runs.toSorted(byKeyAndSeq)
  const { entries, starts } = layOut(ordered)
  for (const piece of piecesOf(ordered, starts)) await file.append(await gathered(piece, read))
  const startsOffset = file.bytes
  const startsBytes = Buffer.allocUnsafe(starts.length * START_BYTES)
  for (const [place, start] of starts.entries()) startsBytes.writeUInt32LE(start, place * START_BYTES)
  await file.append(startsBytes)
  const indexOffset = file.bytes
  await file.append(encodeRunEntries(entries))
  const counts = { records: starts.length, runs: entries.length, startsOffset, indexOffset }
  await file.append(encodeHistoryFooter({ ...head, ...counts, contentCrc: file.crc }))
}

function byKeyAndSeq(a: SourceRun, b: SourceRun): number {
  if (a.keyHash !== b.keyHash) return a.keyHash < b.keyHash ? -1 : 1
  return a.firstSeq - b.firstSeq
}

/** Where every run and every record will lie. */
function layOut(runs: readonly SourceRun[]): {
  readonly entries: readonly RunEntry[]
  readonly starts: readonly number[]
} {
  const starts: number[] = []
  const places: { readonly offset: number; readonly bytes: number; readonly firstStart: number }[] = []
  let end = 0
  for (const { sizes } of runs) {
    const offset = end
    const firstStart = starts.length
    for (const size of sizes) {
      starts.push(end)
      end += size
    }
    places.push({ offset, bytes: end - offset, firstStart })
  }
  const entries = runs.map(({ keyHash, firstSeq, sizes }, i): RunEntry => {
    const { offset, bytes, firstStart } = places[i] ?? { offset: 0, bytes: 0, firstStart: 0 }
    return { keyHash, firstSeq, count: sizes.length, offset, bytes, starts: end + firstStart * START_BYTES }
  })
  return { entries, starts }
}

/** Records in file order, cut into pieces that follow each other without a hole. */
function* piecesOf(runs: readonly SourceRun[], starts: readonly number[]): Generator<readonly Copy[]> {
  let piece: Copy[] = []
  let pieceBytes = 0
  let place = 0
  for (const { firstSeq, offsets, sizes } of runs) {
    for (const [i, bytes] of sizes.entries()) {
      piece.push({ from: offsets[i] ?? 0, bytes, to: starts[place] ?? 0, seq: firstSeq + i })
      place += 1
      pieceBytes += bytes
      if (pieceBytes < PIECE_BYTES) continue
      yield piece
      piece = []
      pieceBytes = 0
    }
  }
  if (piece.length > 0) yield piece
}

async function gathered(piece: readonly Copy[], read: ReadSource): Promise<Uint8Array> {
  const start = piece[0]?.to ?? 0
  const last = piece.at(-1)
  const bytes = new Uint8Array((last === undefined ? start : last.to + last.bytes) - start)
  for (const copy of piece.toSorted((a, b) => a.from - b.from)) {
    const record = await read(copy.from, copy.bytes)
    assert(decodeRecord(record)?.actorSeq === copy.seq, 'a record that is archived is whole')
    bytes.set(record, copy.to - start)
  }
  return bytes
}

/** The payload that takes the place of a record's own; null: it stays as it is. */
export type RewritePayload = (payload: Uint8Array) => Uint8Array | null

const PAGES_BYTES_MAX = 1024 * 1024
const COPY_BYTES = 1024 * 1024

/**
 * Puts a new file in the place of a history file, with other payloads for records of one actor; everything else is
 * copied. False when no payload changes, and then nothing is written. Resolves when it is durable.
 * Rejects with HistoryDamage, HistoryVersionError or the error of the file system.
 */
export async function rewriteHistory(
  files: Files,
  folder: string,
  name: string,
  actorKey: string,
  rewrite: RewritePayload,
): Promise<boolean> {
  const path = join(folder, name)
  const file: HistoryFile = { name, path, ...(await readHistoryFooter(files, path)) }
  const source = new Source(files, file, actorKey)
  try {
    if (!(await source.changes(rewrite))) return false
    // Bytes that were not checked would get a checksum that matches them.
    await verifyHistory(files, path)
    const draft = join(folder, name + TEMPORARY_SUFFIX)
    if ((await files.stat(draft)) !== null) await files.unlink(draft)
    await createDurably(files, { folder, draftName: name, nameOf: () => name }, (out) =>
      source.copyInto(out, rewrite),
    )
    return true
  } finally {
    await source.close()
  }
}

/** The file as it is. */
class Source {
  readonly #files: Files
  readonly #file: HistoryFile
  readonly #actorKey: string
  readonly #keyHash: string
  readonly #reader: HistoryReader
  #fd: number | null = null

  constructor(files: Files, file: HistoryFile, actorKey: string) {
    this.#files = files
    this.#file = file
    this.#actorKey = actorKey
    this.#keyHash = actorKeyHashOf(actorKey)
    const pages = new LRUCache<string, Buffer>({
      maxSize: PAGES_BYTES_MAX,
      sizeCalculation: (page) => page.length,
    })
    this.#reader = new HistoryReader(files, file, pages)
  }

  async close(): Promise<void> {
    await this.#reader.close()
    if (this.#fd !== null) await this.#files.close(this.#fd)
  }

  async changes(rewrite: RewritePayload): Promise<boolean> {
    for (const run of await this.#reader.runsOf(this.#keyHash)) {
      for await (const { payload } of this.#recordsOf(run)) if (rewrite(payload) !== null) return true
    }
    return false
  }

  async copyInto(out: GrowingFile, rewrite: RewritePayload): Promise<void> {
    const { footer } = this.#file
    const index = await this.#read(footer.indexOffset, footer.runs * RUN_ENTRY_BYTES)
    const entries: RunEntry[] = []
    const starts: number[] = []
    for (let place = 0; place < footer.runs; place += 1) {
      const run = decodeRunEntry(index, place)
      const offset = out.bytes
      const firstStart = starts.length
      if (run.keyHash === this.#keyHash) await this.#rewriteRun(run, out, starts, rewrite)
      else await this.#copyRun(run, out, starts)
      entries.push({ ...run, offset, bytes: out.bytes - offset, starts: firstStart })
    }
    const startsOffset = out.bytes
    const startsBytes = Buffer.allocUnsafe(starts.length * START_BYTES)
    for (const [place, start] of starts.entries()) startsBytes.writeUInt32LE(start, place * START_BYTES)
    await out.append(startsBytes)
    const indexOffset = out.bytes
    const placed = entries.map((run) => ({ ...run, starts: startsOffset + run.starts * START_BYTES }))
    await out.append(encodeRunEntries(placed))
    assert(starts.length === footer.records, 'a rewritten file has as many records')
    await out.append(encodeHistoryFooter({ ...footer, startsOffset, indexOffset, contentCrc: out.crc }))
  }

  async #copyRun(run: RunEntry, out: GrowingFile, starts: number[]): Promise<void> {
    const shift = out.bytes - run.offset
    const known = await this.#read(run.starts, run.count * START_BYTES)
    for (let i = 0; i < run.count; i += 1) starts.push(known.readUInt32LE(i * START_BYTES) + shift)
    const end = run.offset + run.bytes
    for (let at = run.offset; at < end; at += COPY_BYTES) {
      await out.append(await this.#read(at, Math.min(COPY_BYTES, end - at)))
    }
  }

  async #rewriteRun(
    run: RunEntry,
    out: GrowingFile,
    starts: number[],
    rewrite: RewritePayload,
  ): Promise<void> {
    const keyBytes = Buffer.from(this.#actorKey, 'utf8')
    for await (const { actorSeq, payload } of this.#recordsOf(run)) {
      const kept = rewrite(payload) ?? payload
      const record = bytesOver(new Uint8Array(recordBytes(keyBytes, kept)))
      encodeRecord(record, 0, keyBytes, actorSeq, kept)
      starts.push(out.bytes)
      await out.append(record.bytes)
    }
  }

  #recordsOf(run: RunEntry) {
    return this.#reader.records(run, this.#actorKey, run.firstSeq, run.firstSeq + run.count - 1)
  }

  async #read(position: number, bytes: number): Promise<Buffer> {
    this.#fd ??= await this.#files.open(this.#file.path, 'read')
    const into = Buffer.alloc(bytes)
    if ((await readAll(this.#files, this.#fd, into, position)) < bytes) {
      throw new HistoryDamage('the file ends too early')
    }
    return into
  }
}
