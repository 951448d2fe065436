import { join } from 'node:path'
import { assert } from '../../core/base/assert.ts'
import type { Files } from '../../ports/files.ts'
import type { JournalRecord } from '../../ports/store.ts'
import { bytesOver, decodeRecord, encodeRecord, recordBytes } from '../binary/bytes.ts'
import { actorKeyHashOf, numberedNames } from '../files/actor-folders.ts'
import { createNamed, DamagedFileError, type GrowingFile } from '../files/whole-file.ts'
import { type Entry, type Layout, RecordWriter } from '../record-file/format.ts'
import { type RecordFile, withRecordFile } from '../record-file/reader.ts'

// A history file is a record file with the records of one journal segment, framed as they are there (binary/bytes.ts), those
// of an actor side by side. In the directory the key is the hash of the actor's key, the number the sequence of the turn.
// The header has as seq the sequence of the segment, and as facts its salt, which tells it from any other segment of that
// name, and archivedAtMs. A file is never changed, but an erasure may put another one in its place.

export const { nameOf: historyNameOf, numberOf: segmentSeqOfName } = numberedNames('', '.hist')

export interface HistoryFacts {
  readonly segmentSeq: number
  readonly salt: number
  readonly archivedAtMs: number
}

/** What the header of a history file says. Throws DamagedFileError. */
export function historyFacts({ head }: Layout): HistoryFacts {
  const { salt, archivedAtMs } = head.facts
  if (typeof salt !== 'number' || typeof archivedAtMs !== 'number') {
    throw new DamagedFileError('header: a field is missing')
  }
  return { segmentSeq: head.seq, salt, archivedAtMs }
}

export interface HistoryFile {
  readonly name: string
  readonly path: string
  readonly layout: Layout
  readonly facts: HistoryFacts
}

/** Records of one actor without a gap in their sequence, side by side from a place of the directory on. */
export interface StoredRun {
  readonly place: number
  readonly firstSeq: number
  readonly lastSeq: number
}

/** Runs of an actor, in order; reads about one page for each halving of the directory. */
export async function runsOf(file: RecordFile, keyHash: string): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = []
  const end = await file.placeOf(keyHash, Number.MAX_SAFE_INTEGER)
  for (let place = await file.placeOf(keyHash, 0); place < end; ) {
    const { number: firstSeq } = await file.entryAt(place)
    let low = place
    let high = end - 1
    // Invariant: the record at low is of the run, those behind high are not. Mostly the last one of the actor is.
    for (let middle = high; low < high; middle = (low + high + 1) >>> 1) {
      const isOfRun = (await file.entryAt(middle)).number - firstSeq === middle - place
      if (isOfRun) low = middle
      else high = middle - 1
    }
    runs.push({ place, firstSeq, lastSeq: firstSeq + low - place })
    place = low + 1
  }
  return runs
}

/** Records of a run from `fromSeq` to `toSeq`, which it holds, in order. Every one is checked. */
export async function* recordsOf(
  file: RecordFile,
  run: StoredRun,
  actorKey: string,
  fromSeq = run.firstSeq,
  toSeq = run.lastSeq,
): AsyncGenerator<JournalRecord> {
  const placeOf = (seq: number): number => run.place + seq - run.firstSeq
  let seq = fromSeq
  for await (const { record } of file.stored(placeOf(fromSeq), placeOf(toSeq) + 1)) {
    const found = decodeRecord(record)
    if (found?.actorKey !== actorKey || found.actorSeq !== seq) {
      throw new DamagedFileError(`record ${seq} of its run is not whole`)
    }
    yield found
    seq += 1
  }
}

/** Reads header and footer. Rejects as `RecordFile`. */
export function readHistoryFile(files: Files, path: string): Promise<Omit<HistoryFile, 'name'>> {
  return withRecordFile(files, path, 'history', async ({ layout }) => {
    return { path, layout, facts: historyFacts(layout) }
  })
}

/** Reads every byte of a file. Rejects as `RecordFile`. */
export function verifyHistory(files: Files, path: string): Promise<HistoryFacts> {
  return withRecordFile(files, path, 'history', async (file) => {
    for await (const _ of file.records());
    return historyFacts(file.layout)
  })
}

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

interface Copy {
  readonly key: string
  readonly number: number
  readonly from: number
  readonly bytes: number
  readonly to: number
}

/** Records are put in order in memory, so many bytes at a time. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Writes a whole history file. Reads the source from front to back, once for every 32 MiB of records. */
export async function writeHistory(
  file: GrowingFile,
  { segmentSeq, ...facts }: HistoryFacts,
  runs: readonly SourceRun[],
  read: ReadSource,
): Promise<void> {
  const head = { kind: 'history', actorKey: null, seq: segmentSeq, facts } as const
  const writer = await RecordWriter.begin(file, head)
  for (const piece of piecesOf(runs.toSorted(byKeyAndSeq))) {
    const bytes = await gathered(piece, read)
    for (const { key, number, to, bytes: size } of piece) {
      await writer.append(bytes.subarray(to, to + size), { key, number })
    }
  }
  await writer.end()
}

function byKeyAndSeq(a: SourceRun, b: SourceRun): number {
  if (a.keyHash !== b.keyHash) return a.keyHash < b.keyHash ? -1 : 1
  return a.firstSeq - b.firstSeq
}

/** Records in file order, cut into pieces. */
function* piecesOf(runs: readonly SourceRun[]): Generator<readonly Copy[]> {
  let piece: Copy[] = []
  let to = 0
  for (const { keyHash: key, firstSeq, offsets, sizes } of runs) {
    for (const [i, bytes] of sizes.entries()) {
      piece.push({ key, number: firstSeq + i, from: offsets[i] ?? 0, bytes, to })
      to += bytes
      if (to < PIECE_BYTES) continue
      yield piece
      piece = []
      to = 0
    }
  }
  yield piece
}

async function gathered(piece: readonly Copy[], read: ReadSource): Promise<Uint8Array> {
  const last = piece.at(-1)
  const bytes = new Uint8Array(last === undefined ? 0 : last.to + last.bytes)
  for (const copy of piece.toSorted((a, b) => a.from - b.from)) {
    const record = await read(copy.from, copy.bytes)
    assert(decodeRecord(record)?.actorSeq === copy.number, 'a record that is archived is whole')
    bytes.set(record, copy.to)
  }
  return bytes
}

/** The payload that takes the place of a record's own; null: it stays as it is. */
export type RewritePayload = (payload: Uint8Array) => Uint8Array | null

/**
 * Puts a new file in the place of a history file, with other payloads for records of one actor; everything else is
 * copied. False when no payload changes, and then nothing is written. Resolves when it is durable.
 * Rejects as `RecordFile`.
 */
export async function rewriteHistory(
  files: Files,
  folder: string,
  name: string,
  actorKey: string,
  rewrite: RewritePayload,
): Promise<boolean> {
  const path = join(folder, name)
  const keyHash = actorKeyHashOf(actorKey)
  const isChanged = await withRecordFile(files, path, 'history', async (file) => {
    for (const run of await runsOf(file, keyHash)) {
      for await (const { payload } of recordsOf(file, run, actorKey))
        if (rewrite(payload) !== null) return true
    }
    return false
  })
  if (!isChanged) return false
  const keyBytes = Buffer.from(actorKey, 'utf8')
  await copyHistory(files, path, ({ key, number }, record, payload) => {
    const other = key === keyHash ? rewrite(payload) : null
    if (other === null) return record
    const changed = bytesOver(new Uint8Array(recordBytes(keyBytes, other)))
    encodeRecord(changed, 0, keyBytes, number, other)
    return changed.bytes
  })
  return true
}

/**
 * Puts a copy in the place of a history file, with what `change` gives for each record; null: without it. Bytes that were
 * not checked would get a directory that vouches for them: every one is. Rejects as `RecordFile`.
 */
export function copyHistory(
  files: Files,
  path: string,
  change: (entry: Entry, record: Uint8Array, payload: Uint8Array) => Uint8Array | null,
): Promise<void> {
  return withRecordFile(files, path, 'history', async (file) => {
    await createNamed(files, path, async (out) => {
      const writer = await RecordWriter.begin(out, file.layout.head)
      for await (const { entry, record } of file.stored()) {
        const found = decodeRecord(record)
        if (found === null) throw new DamagedFileError(`record ${entry.number} of its run is not whole`)
        const kept = change(entry, record, found.payload)
        if (kept !== null) await writer.append(kept, entry)
      }
      await writer.end()
    })
  })
}
