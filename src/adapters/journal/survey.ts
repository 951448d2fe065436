import { join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { decodeRecord, placeRecord } from '../binary/record-frame.ts'
import type { DamageKind } from '../files/damage.ts'
import { ActorIndex, noteWritten, type Segment } from './actor-index.ts'
import { BATCH_HEADER_BYTES, type BatchHeader, decodeBatchHeader } from './batch-frame.ts'
import { expectedBy, isProvenFlushed, lastUsedSeq, nextBatch } from './behind-damage.ts'
import { JournalCorruptError } from './failure.ts'
import { FileWindow } from './file-window.ts'
import { MIN_SEGMENT_BYTES } from './limits.ts'
import { assertContinues, strangerOf, tornBytesOf } from './recovery.ts'
import { type Expected, inspectTail, type ScanEnd, scanBatches } from './scan.ts'
import { createSegment, segmentPath, segmentSeqOf } from './segment.ts'
import {
  decodeSegmentHeader,
  FORMAT_VERSION,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
} from './segment-header.ts'
import {
  emptySegment,
  type JournalDamage,
  type JournalSurvey,
  type SurveyedSegment,
  type SurveyOptions,
} from './survey-report.ts'

/**
 * Reads a whole journal by the rules of recovery, and goes on behind damage. Changes nothing. Rejects only when the
 * folder cannot be listed.
 * @param storeId that of FORMAT.json; null when it cannot be read: then the first segment tells it.
 */
export async function surveyJournal(
  files: Files,
  dir: string,
  storeId: string | null,
  options: SurveyOptions = {},
): Promise<JournalSurvey> {
  const folder = join(dir, 'wal')
  const names = (await files.stat(folder)) === null ? [] : await files.readdir(folder)
  const seqs = names.flatMap((name) => segmentSeqOf(name) ?? []).toSorted((a, b) => a - b)
  const survey = new Survey(files, folder, storeId, await lastUsedSeq(files, folder, seqs), options)
  for (const seq of seqs) await survey.take(seq)
  const drafts = names.filter((name) => name.endsWith('.tmp')).map((name) => join(folder, name))
  return { ...survey.result(), drafts }
}

interface LastSegment {
  readonly path: string
  readonly end: ScanEnd
}

class Survey {
  readonly #files: Files
  readonly #folder: string
  readonly #options: SurveyOptions
  readonly #index = new ActorIndex()
  readonly #segments: SurveyedSegment[] = []
  readonly #damages: JournalDamage[] = []
  readonly #lastUsedSeq: number
  #storeId: string | null
  #nextSeq: number | null = null
  /** The last segment in use, and those after it that seem never to have been. */
  #last: LastSegment | null = null
  #unused: SurveyedSegment[] = []

  constructor(
    files: Files,
    folder: string,
    storeId: string | null,
    lastUsedSeq: number,
    options: SurveyOptions,
  ) {
    this.#files = files
    this.#folder = folder
    this.#storeId = storeId
    this.#lastUsedSeq = lastUsedSeq
    this.#options = options
  }

  result(): Omit<JournalSurvey, 'drafts'> {
    return {
      storeId: this.#storeId,
      segments: this.#segments,
      damages: this.#damages,
      index: this.#index,
    }
  }

  async take(seq: number): Promise<void> {
    const path = segmentPath(this.#folder, seq)
    this.#options.onFile?.(path)
    for (let hole = this.#nextSeq ?? seq; hole < seq; hole += 1) {
      const missing = segmentPath(this.#folder, hole)
      this.#damage('missing', missing, hole, 0, 'the segment file is missing', [])
    }
    this.#nextSeq = seq + 1
    let window: FileWindow | null = null
    try {
      window = await FileWindow.open(this.#files, path)
      await this.#takeSegment(seq, window)
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error)
      this.#damage('unreadable', path, seq, null, what, [])
    } finally {
      await window?.close()
    }
  }

  async #takeSegment(seq: number, window: FileWindow): Promise<void> {
    const at = await window.load(0, Math.min(SEGMENT_HEADER_BYTES, window.size))
    const header = at === null ? null : decodeSegmentHeader(window.loaded.bytes)
    if (header === null) return this.#takeHeaderless(seq, window)
    if (header.version !== FORMAT_VERSION) {
      const what = `the segment has journal format ${header.version}; this version reads ${FORMAT_VERSION}`
      this.#damage('newer', window.path, seq, 0, what, [])
      this.#segments.push(emptySegment(seq, window, header))
      return
    }
    this.#storeId ??= header.storeId
    const stranger = strangerOf(header, this.#storeId, seq)
    if (stranger !== null) {
      this.#damage('foreign', window.path, seq, 0, stranger, [])
      this.#segments.push(emptySegment(seq, window, header))
      return
    }
    this.#useUnused()
    if (this.#last !== null) this.#compare(this.#last, header, seq)
    const start = { batchSeq: header.firstBatchSeq, prevBatchCrc: header.prevTailCrc, lsn: header.firstLsn }
    await this.#scan(seq, window, header, header.salt, start)
  }

  /** Prepared ahead, or its header is gone: the first batch tells. */
  async #takeHeaderless(seq: number, window: FileWindow): Promise<void> {
    const { proofAt } = await inspectTail(window, 0, () => true)
    if (proofAt === null) {
      if (window.size < MIN_SEGMENT_BYTES) {
        const what = 'the file is cut off in its header'
        this.#damage('damaged', window.path, seq, window.size, what, [])
      }
      this.#unused.push(emptySegment(seq, window, null))
      this.#segments.push(emptySegment(seq, window, null))
      return
    }
    this.#useUnused()
    const at = await window.load(SEGMENT_HEADER_BYTES, BATCH_HEADER_BYTES)
    const first = at === null ? null : decodeBatchHeader(window.loaded, at)
    const before = this.#last?.end.expected.lsn ?? first?.firstLsn ?? 0
    const lost = first === null ? null : first.firstLsn - before
    this.#damage('damaged', window.path, seq, 0, 'the segment header is damaged', [], lost)
    // Without header and first batch nothing vouches for a batch further on: a payload may hold anything.
    if (first === null) this.#segments.push(emptySegment(seq, window, null))
    else await this.#scan(seq, window, null, first.salt, expectedBy(first))
  }

  /** A used segment shows that those before it were used too. */
  #useUnused(): void {
    for (const { seq, path } of this.#unused) {
      this.#damage('damaged', path, seq, 0, 'the segment header is gone', [])
    }
    this.#unused = []
  }

  #compare(last: LastSegment, header: SegmentHeader, seq: number): void {
    try {
      assertContinues(last.path, last.end, header)
    } catch (error) {
      if (!(error instanceof JournalCorruptError)) throw error
      const known = this.#damages.at(-1)
      const lost = header.firstLsn - last.end.expected.lsn
      // What is behind a hole does not continue what is before it; and a torn end was told already.
      if (known?.segmentSeq === seq - 1 && (known.path !== last.path || known.offset === error.offset)) {
        this.#countLost(known, lost)
        return
      }
      this.#damage('damaged', last.path, seq - 1, error.offset, error.reason, [], lost)
    }
  }

  /** What lies between two whole segments tells together how many records it had. */
  #countLost(last: JournalDamage, lost: number): void {
    for (const [at, damage] of this.#damages.entries()) {
      if (damage.lostRecords === null)
        this.#damages[at] = { ...damage, lostRecords: damage === last ? lost : 0 }
    }
  }

  async #scan(
    seq: number,
    window: FileWindow,
    header: SegmentHeader | null,
    salt: number,
    start: Expected,
  ): Promise<void> {
    const segment = createSegment(this.#folder, seq, Number.POSITIVE_INFINITY)
    const seen = { batches: 0, records: 0, sealed: false, lsn: start.lsn }
    let from = SEGMENT_HEADER_BYTES
    let expected = start
    let end: ScanEnd | null = null
    for (;;) {
      end = await this.#scanWhole(window, segment, salt, expected, from, header, seen)
      seen.lsn = end.expected.lsn
      if (end.reason === null) break
      const isTail = seq === this.#lastUsedSeq && !(await isProvenFlushed(window, end, salt))
      const next = isTail ? null : await nextBatch(window, end, salt)
      if (next === null) break
      const lost = next.header.firstLsn - end.expected.lsn
      await this.#salvage(window, segment, end, next.offset, lost, seen)
      from = next.offset
      expected = expectedBy(next.header)
    }
    const tornBytes = await this.#judgeEnd(window, header, end, seq)
    this.#last = { path: window.path, end }
    this.#segments.push({
      ...emptySegment(seq, window, header),
      batches: seen.batches,
      records: seen.records,
      lsns: seen.batches === 0 ? null : [start.lsn, seen.lsn],
      isSealed: seen.sealed || seq !== this.#lastUsedSeq,
      tornBytes,
      end,
      places: segment,
    })
  }

  async #scanWhole(
    window: FileWindow,
    segment: Segment,
    salt: number,
    start: Expected,
    from: number,
    header: SegmentHeader | null,
    seen: { batches: number; records: number; sealed: boolean },
  ): Promise<ScanEnd> {
    let offset = from
    let expected = start
    const onBatch = (batch: BatchHeader, at: number, bytes: Uint8Array): void => {
      seen.batches += 1
      seen.sealed = batch.recordCount === 0
      offset = at
      expected = expectedBy(batch)
      this.#options.onBatch?.(header, batch, bytes)
    }
    const onRecord = (place: { actorKey: string; actorSeq: number; bytes: number }, at: number): void => {
      seen.records += 1
      this.#note(segment, place, at)
    }
    try {
      return await scanBatches(window, salt, start, onRecord, { from, onBatch })
    } catch (error) {
      if (!(error instanceof JournalCorruptError)) throw error
      return { offset, expected, reason: error.reason, unprovenFrom: offset }
    }
  }

  /** What stands in a damaged place: whole records are taken, of others the owner. */
  async #salvage(
    window: FileWindow,
    segment: Segment,
    end: ScanEnd,
    until: number,
    lost: number,
    seen: { records: number },
  ): Promise<void> {
    const owners = new Set<string>()
    let saved = 0
    const at = await window.load(end.offset, Math.min(until, window.size) - end.offset)
    const header = at === null ? null : decodeBatchHeader(window.loaded, at)
    if (at !== null && header !== null && header.batchSeq === end.expected.batchSeq) {
      const bodyEnd = Math.min(at + BATCH_HEADER_BYTES + header.bodyLen, at + until - end.offset)
      for (let place = at + BATCH_HEADER_BYTES; place < bodyEnd; ) {
        const record = placeRecord(window.loaded, place, bodyEnd)
        if (record === null) break
        const offset = window.start + place
        if (decodeRecord(window.loaded.bytes.subarray(place, place + record.bytes)) === null) {
          owners.add(record.actorKey)
        } else {
          this.#note(segment, record, offset)
          saved += 1
        }
        place += record.bytes
      }
    }
    seen.records += saved
    const what = `${end.reason ?? 'the file ends'}, and later batches follow`
    this.#damage(
      'damaged',
      window.path,
      segment.seq,
      end.offset,
      what,
      [...owners],
      Math.max(0, lost - saved),
    )
  }

  /** The end of the last segment may be torn; of an earlier one the next segment judges. */
  async #judgeEnd(
    window: FileWindow,
    header: SegmentHeader | null,
    end: ScanEnd,
    seq: number,
  ): Promise<number> {
    if (seq !== this.#lastUsedSeq || header === null) return 0
    try {
      return await tornBytesOf(window, header, end)
    } catch (error) {
      if (!(error instanceof JournalCorruptError)) throw error
      this.#damage('damaged', window.path, seq, error.offset, error.reason, [], null)
      return 0
    }
  }

  #note(
    segment: Segment,
    record: { actorKey: string; actorSeq: number; bytes: number },
    offset: number,
  ): void {
    const entry = this.#index.entryOf(record.actorKey)
    if (record.actorSeq <= entry.writtenSeq) {
      const what = `record ${record.actorSeq} of ${record.actorKey} follows its record ${entry.writtenSeq}`
      this.#damage('damaged', segment.path, segment.seq, offset, what, [record.actorKey], 0)
      return
    }
    noteWritten(entry, segment, record.actorSeq, offset, record.bytes)
    entry.lastSeq = record.actorSeq
  }

  #damage(
    kind: DamageKind,
    path: string,
    segmentSeq: number,
    offset: number | null,
    what: string,
    actorKeys: readonly string[],
    lostRecords: number | null = null,
  ): void {
    this.#damages.push({ kind, path, offset, what, segmentSeq, lostRecords, actorKeys })
  }
}
