import { decodeRecord, placeRecord } from '../binary/record-frame.ts'
import { type ActorIndex, noteWritten, type Segment } from './actor-index.ts'
import { BATCH_HEADER_BYTES, type BatchHeader, decodeBatchHeader } from './batch-frame.ts'
import { expectedBy, isProvenFlushed, nextBatch } from './behind-damage.ts'
import type { DamageList } from './damage-list.ts'
import { JournalCorruptError } from './failure.ts'
import type { FileWindow } from './file-window.ts'
import { tornBytesOf } from './recovery.ts'
import { type Expected, type ScanEnd, scanBatches } from './scan.ts'
import { SEGMENT_HEADER_BYTES, type SegmentHeader } from './segment-header.ts'
import { emptySegment, type SurveyedSegment, type SurveyOptions } from './survey-report.ts'

export interface SegmentScanParts {
  readonly window: FileWindow
  /** Null when it is damaged. */
  readonly header: SegmentHeader | null
  readonly salt: number
  readonly segment: Segment
  /** Whether it is the last one in use: only its end may be torn. */
  readonly isLast: boolean
  /** Is told of every whole record. */
  readonly index: ActorIndex
  readonly damages: DamageList
  readonly onBatch: SurveyOptions['onBatch']
}

type RecordPlace = { readonly actorKey: string; readonly actorSeq: number; readonly bytes: number }

/** Reads the batches of one segment by the rules of recovery, and goes on behind damage. */
export class SegmentScan {
  readonly #parts: SegmentScanParts
  #batches = 0
  #records = 0
  #isSealed = false

  constructor(parts: SegmentScanParts) {
    this.#parts = parts
  }

  async run(start: Expected): Promise<{ readonly end: ScanEnd; readonly surveyed: SurveyedSegment }> {
    const { window, header, salt, segment, isLast } = this.#parts
    let from = SEGMENT_HEADER_BYTES
    let expected = start
    let end: ScanEnd
    for (;;) {
      end = await this.#whole(expected, from)
      if (end.reason === null) break
      const isTail = isLast && !(await isProvenFlushed(window, end, salt))
      const next = isTail ? null : await nextBatch(window, end, salt)
      if (next === null) break
      await this.#salvage(end, next.offset, next.header.firstLsn - end.expected.lsn)
      from = next.offset
      expected = expectedBy(next.header)
    }
    const tornBytes = await this.#judgeEnd(end)
    const surveyed = {
      ...emptySegment(segment.seq, window, header),
      batches: this.#batches,
      records: this.#records,
      lsns: this.#batches === 0 ? null : ([start.lsn, end.expected.lsn] as const),
      isSealed: this.#isSealed || !isLast,
      tornBytes,
      end,
      places: segment,
    }
    return { end, surveyed }
  }

  /** The batches from a place on, up to the first that is not whole. */
  async #whole(start: Expected, from: number): Promise<ScanEnd> {
    const { window, header, salt } = this.#parts
    let offset = from
    let expected = start
    const onBatch = (batch: BatchHeader, at: number, bytes: Uint8Array): void => {
      this.#batches += 1
      this.#isSealed = batch.recordCount === 0
      offset = at
      expected = expectedBy(batch)
      this.#parts.onBatch?.(header, batch, bytes)
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
    damages.add('damaged', window.path, segment.seq, end.offset, what, [...owners], gone)
  }

  /** The end of the last segment may be torn; of an earlier one the next segment judges. */
  async #judgeEnd(end: ScanEnd): Promise<number> {
    const { window, header, segment, isLast, damages } = this.#parts
    if (!isLast || header === null) return 0
    try {
      return await tornBytesOf(window, header, end)
    } catch (error) {
      if (!(error instanceof JournalCorruptError)) throw error
      damages.add('damaged', window.path, segment.seq, error.offset, error.reason, [], null)
      return 0
    }
  }

  #note(record: RecordPlace, offset: number): void {
    const { index, segment, damages } = this.#parts
    const entry = index.entryOf(record.actorKey)
    if (record.actorSeq <= entry.writtenSeq) {
      const what = `record ${record.actorSeq} of ${record.actorKey} follows its record ${entry.writtenSeq}`
      damages.add('damaged', segment.path, segment.seq, offset, what, [record.actorKey], 0)
      return
    }
    noteWritten(entry, segment, record.actorSeq, offset, record.bytes)
    entry.lastSeq = record.actorSeq
  }
}
