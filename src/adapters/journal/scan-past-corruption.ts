import type { Files } from '../../ports/files.ts'
import { decodeRecord, placeRecord, type RecordPlace } from '../binary/bytes.ts'
import { FileWindow } from '../files/file-window.ts'
import type { FileDamage } from '../files/whole-file.ts'
import {
  BATCH_HEADER_BYTES,
  type BatchHeader,
  decodeBatchHeader,
  type Expected,
  expectedAfter,
  JournalCorruptError,
  SECTOR_BYTES,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  segmentPath,
} from './format.ts'
import { ActorIndex, createSegment, noteWritten, type Segment } from './record-index.ts'
import {
  batchHeaderAt,
  holdsBatch,
  inspectRemainder,
  mismatchOf,
  provesFlushed,
  type Remainder,
  readSegmentHeader,
  type ScanEnd,
  scanBatches,
} from './scan.ts'

export interface JournalDamage extends FileDamage {
  readonly segmentSeq: number
  /** Records that are gone there; null when nobody can tell. */
  readonly lostRecords: number | null
  /** Actors whose records were there, as what is left of them says: it may be wrong. */
  readonly actorKeys: readonly string[]
}

export interface SurveyedSegment {
  readonly seq: number
  readonly path: string
  readonly bytes: number
  /** Null: it was prepared and is not used, or its header is gone. */
  readonly header: SegmentHeader | null
  readonly batches: number
  readonly records: number
  /** Number of the first record and of the one behind the last; null without any batch. */
  readonly lsns: readonly [number, number] | null
  /** Ends with a seal, or with the segment behind it. */
  readonly isSealed: boolean
  /** What a torn write left behind the last whole batch; the next start cuts it off. */
  readonly tornBytes: number
  readonly end: ScanEnd | null
  readonly places: Segment
}

/** Told of every whole batch in order: for a reader that sums up the journal. `isLast`: it is in the last segment in use. */
export type OnSegmentBatch = (segment: SegmentHeader | null, bytes: Uint8Array, isLast: boolean) => void

export interface SurveyOptions {
  readonly onBatch?: OnSegmentBatch | undefined
  readonly onFile?: ((path: string) => void) | undefined
  /** Rejects with the error of a read that failed; else that is a damage too. */
  readonly isReadable?: boolean
}

/** A segment of which nothing is known yet but its file. */
export function emptySegment(seq: number, window: FileWindow, header: SegmentHeader | null): SurveyedSegment {
  const places = createSegment('', seq, 0)
  return {
    seq,
    path: window.path,
    bytes: window.size,
    header,
    batches: 0,
    records: 0,
    lsns: null,
    isSealed: false,
    tornBytes: 0,
    end: null,
    places,
  }
}

/** Where nothing else is said: damage of which nobody knows yet how many records it took, and whose. */
export function damageIn(
  segment: Pick<SurveyedSegment, 'path' | 'seq'>,
  offset: number | null,
  what: string,
  more: Partial<Pick<JournalDamage, 'kind' | 'lostRecords' | 'actorKeys'>> = {},
): JournalDamage {
  const { path, seq: segmentSeq } = segment
  return { kind: 'damaged', path, offset, what, segmentSeq, lostRecords: null, actorKeys: [], ...more }
}

interface SegmentScanParts {
  readonly window: FileWindow
  /** Null when it is damaged. */
  readonly header: SegmentHeader | null
  readonly salt: number
  readonly segment: Segment
  /** Whether it is the last one in use: only its end may be torn. */
  readonly isLast: boolean
  readonly index: ActorIndex
  readonly damages: JournalDamage[]
  readonly onBatch: SurveyOptions['onBatch']
}

export interface ScannedSegment extends SurveyedSegment {
  readonly end: ScanEnd
}

/** Reads the batches of one segment by the rules of recovery, and goes on behind damage. */
export class ScanPastCorruption {
  readonly #parts: SegmentScanParts
  #batches = 0
  #records = 0
  #isSealed = false

  constructor(parts: SegmentScanParts) {
    this.#parts = parts
  }

  async run(start: Expected): Promise<ScannedSegment> {
    const { window, header, salt, segment, isLast } = this.#parts
    let from = SEGMENT_HEADER_BYTES
    let expected = start
    let end: ScanEnd
    let remainder: Remainder
    for (;;) {
      end = await this.#whole(expected, from)
      remainder = await inspectRemainder(window, end.offset, provesFlushed(salt, end))
      if (end.reason === null) break
      const next = isLast && remainder.proofAt === null ? null : await nextBatch(window, end, salt)
      if (next === null) break
      await this.#salvage(end, next.offset, next.header.firstLsn - end.expected.firstLsn)
      from = next.offset
      expected = next.header
    }
    const tornBytes = await this.#judgeEnd(end, remainder)
    return {
      ...emptySegment(segment.seq, window, header),
      batches: this.#batches,
      records: this.#records,
      lsns: this.#batches === 0 ? null : [start.firstLsn, end.expected.firstLsn],
      isSealed: this.#isSealed || !isLast,
      tornBytes,
      end,
      places: segment,
    }
  }

  /** The batches from a place on, up to the first that is not whole. */
  async #whole(start: Expected, from: number): Promise<ScanEnd> {
    const { window, header, salt, isLast } = this.#parts
    let offset = from
    let expected = start
    const onBatch = (batch: BatchHeader, at: number, bytes: Uint8Array): void => {
      this.#batches += 1
      this.#isSealed = batch.recordCount === 0
      offset = at
      expected = batch
      this.#parts.onBatch?.(header, bytes, isLast)
    }
    const onRecord = (place: RecordPlace, at: number): void => {
      this.#records += 1
      this.#note(place, at)
    }
    try {
      return await scanBatches(window, salt, start, onRecord, { from, onBatch })
    } catch (error) {
      if (!(error instanceof JournalCorruptError)) throw error
      return { offset, expected, reason: error.reason, unprovenFrom: offset }
    }
  }

  /** What stands in a damaged place: whole records are taken, of others the owner. */
  async #salvage(end: ScanEnd, until: number, lost: number): Promise<void> {
    const { window, segment, damages } = this.#parts
    const owners = new Set<string>()
    let saved = 0
    const at = await window.load(end.offset, Math.min(until, window.size) - end.offset)
    const header = at === null ? null : decodeBatchHeader(window.loaded, at)
    if (at !== null && header !== null && header.batchSeq === end.expected.batchSeq) {
      const bodyEnd = Math.min(at + BATCH_HEADER_BYTES + header.bodyLen, at + until - end.offset)
      for (let place = at + BATCH_HEADER_BYTES; place < bodyEnd; ) {
        const record = placeRecord(window.loaded, place, bodyEnd)
        if (record === null) break
        if (decodeRecord(window.loaded.bytes.subarray(place, place + record.bytes)) === null) {
          owners.add(record.actorKey)
        } else {
          this.#note(record, window.start + place)
          saved += 1
        }
        place += record.bytes
      }
    }
    this.#records += saved
    const what = `${end.reason ?? 'the file ends'}, and later batches follow`
    const gone = Math.max(0, lost - saved)
    damages.push(damageIn(segment, end.offset, what, { actorKeys: [...owners], lostRecords: gone }))
  }

  /**
   * Bytes behind the last whole batch that a torn write left; 0 when there are none, or they cannot be that. Only the end of the
   * last segment may be torn: of an earlier one the next segment judges.
   */
  async #judgeEnd(end: ScanEnd, { proofAt, usedEnd }: Remainder): Promise<number> {
    const { window, header, segment, isLast, damages } = this.#parts
    if (!isLast || header === null) return 0
    const tell = (offset: number, what: string): 0 => {
      damages.push(damageIn(segment, offset, what))
      return 0
    }
    if (window.size < header.bytes)
      return tell(window.size, `the file was made with ${header.bytes} bytes and is cut off here`)
    if (proofAt !== null) {
      const what = `${end.reason ?? 'the file ends'}, and the batch at byte ${proofAt} shows that it was flushed`
      return tell(end.offset, what)
    }
    // Where a batch would begin, a torn write leaves no whole header of another batch: the file was zeros before, each place is
    // written once, and what a caller sent lies behind a header. Beyond the size that was made the file system decides.
    let { expected } = end
    for (let offset = end.offset; offset < header.bytes; ) {
      const batch = await batchHeaderAt(window, offset)
      if (batch === null) break
      const mismatch = mismatchOf(batch, header.salt, expected)
      if (mismatch !== null) return tell(end.offset, `${mismatch}: no torn write leaves it at byte ${offset}`)
      offset += batch.totalLen
      expected = expectedAfter(batch)
    }
    return usedEnd - end.offset
  }

  #note(record: RecordPlace, offset: number): void {
    const { index, segment, damages } = this.#parts
    const entry = index.entryOf(record.actorKey)
    if (record.actorSeq <= entry.writtenSeq) {
      const what = `record ${record.actorSeq} of ${record.actorKey} follows its record ${entry.writtenSeq}`
      damages.push(damageIn(segment, offset, what, { actorKeys: [record.actorKey], lostRecords: 0 }))
      return
    }
    noteWritten(entry, segment, record.actorSeq, offset, record.bytes)
    entry.lastSeq = record.actorSeq
    entry.uncoveredBytes += record.bytes
  }
}

/** Sequence of the last segment with a header or a batch; 0 when none has. */
export async function lastUsedSeq(
  files: Files,
  folder: string,
  seqs: readonly number[],
  { isReadable = false }: SurveyOptions,
): Promise<number> {
  for (const seq of seqs.toReversed()) {
    let window: FileWindow | null = null
    try {
      window = await FileWindow.open(files, segmentPath(folder, seq))
      if ((await readSegmentHeader(window)) !== null || (await holdsBatch(window))) return seq
    } catch (error) {
      if (isReadable) throw error
      // Nobody knows what is in it; the survey tells why.
      return seq
    } finally {
      await window?.close()
    }
  }
  return 0
}

/** The next batch behind `end` with a whole header of this segment. */
async function nextBatch(
  window: FileWindow,
  end: ScanEnd,
  salt: number,
): Promise<{ readonly offset: number; readonly header: BatchHeader } | null> {
  let found: BatchHeader | null = null
  const { proofAt } = await inspectRemainder(window, end.offset + SECTOR_BYTES, (header) => {
    if (header.salt !== salt || header.batchSeq <= end.expected.batchSeq) return false
    found = header
    return true
  })
  return proofAt === null || found === null ? null : { offset: proofAt, header: found }
}
