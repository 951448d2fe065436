import type { Files } from '../../ports/files.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import { decodeRecord } from '../binary/record-frame.ts'
import { DamagedFileError } from '../files/damage.ts'
import { numberedNames } from '../files/numbered-name.ts'
import type { Layout } from '../record-file/layout.ts'
import { type RecordFile, withRecordFile } from '../record-file/reader.ts'

// A history file is a record file with the records of one journal segment, framed as they are there (record-frame.ts), those
// of an actor side by side. In the directory the key is the hash of the actor's key, the number the sequence of the turn.
// The header has as seq the sequence of the segment, and as facts its salt, which tells it from any other segment of that
// name, and archivedAtMs. A file is never changed, but an erasure may put another one in its place.

/** The number is that of the segment. */
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

/** What stays in memory of a history file. */
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
