import { join } from 'node:path'
import { assert } from '../../core/base/assert.ts'
import type { Files } from '../../ports/files.ts'
import { bytesOver } from '../binary/bytes.ts'
import { decodeRecord, encodeRecord, recordBytes } from '../binary/record-frame.ts'
import { actorKeyHashOf } from '../files/actor-folders.ts'
import { DamagedFileError } from '../files/damage.ts'
import { type GrowingFile, replaceDurably } from '../files/durable-file.ts'
import type { Entry } from '../record-file/format.ts'
import { withRecordFile } from '../record-file/reader.ts'
import { RecordWriter } from '../record-file/writer.ts'
import { type HistoryFacts, recordsOf, runsOf } from './format.ts'

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

/** A record of the source, and where it goes in a piece of the file. */
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
  return withRecordFile(files, path, 'history', (file) =>
    replaceDurably(files, path, async (out) => {
      const writer = await RecordWriter.begin(out, file.layout.head)
      for await (const { entry, record } of file.stored()) {
        const found = decodeRecord(record)
        if (found === null) throw new DamagedFileError(`record ${entry.number} of its run is not whole`)
        const kept = change(entry, record, found.payload)
        if (kept !== null) await writer.append(kept, entry)
      }
      await writer.end()
    }),
  )
}
