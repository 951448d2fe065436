import { assert } from '../../core/base/assert.ts'
import { decodeRecord } from '../binary/record-frame.ts'
import type { GrowingFile } from '../files/durable-file.ts'
import { encodeHistoryFooter, encodeRunEntries, type RunEntry, START_BYTES } from './format.ts'

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
