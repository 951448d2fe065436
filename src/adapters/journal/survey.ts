import { join } from 'node:path'
import { messageOf } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import { FileWindow } from '../files/file-window.ts'
import { type DamageKind, NewerFileError, namesIn, TEMPORARY_SUFFIX } from '../files/whole-file.ts'
import {
  type Expected,
  FORMAT_VERSION,
  JournalCorruptError,
  MIN_SEGMENT_BYTES,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  segmentPath,
  segmentSeqsOf,
} from './format.ts'
import type { DurablePosition } from './group-commit-writer.ts'
import { ActorIndex, createSegment } from './record-index.ts'
import { batchHeaderAt, holdsBatch, readSegmentHeader } from './scan.ts'
import {
  damageIn,
  emptySegment,
  type JournalDamage,
  lastUsedSeq,
  type OnSegmentBatch,
  type ScannedSegment,
  ScanPastCorruption,
  type SurveyedSegment,
  type SurveyOptions,
} from './scan-past-corruption.ts'

/** Every readable record of a journal and every place that is not, damaged or not. */
export type JournalSurvey = Awaited<ReturnType<typeof surveyJournal>>

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
) {
  const folder = join(dir, 'wal')
  const names = await namesIn(files, folder)
  const seqs = segmentSeqsOf(names)
  const parts = { files, folder, lastUsedSeq: await lastUsedSeq(files, folder, seqs, options), options }
  const survey = new Survey(parts, storeId)
  for (const seq of seqs) await survey.take(seq)
  const drafts = names.filter((name) => name.endsWith(TEMPORARY_SUFFIX)).map((name) => join(folder, name))
  const { storeId: named, segments, damages, index } = survey
  /** `drafts` of a crash, which the next start removes. */
  return { storeId: named, segments, damages, index, drafts }
}

/**
 * The same of a journal that has to be whole. Rejects with JournalCorruptError or NewerFileError, by its first damage, or with
 * the error of a read that failed.
 */
export async function wholeJournal(
  files: Files,
  dir: string,
  storeId: string | null,
  onBatch?: OnSegmentBatch,
): Promise<JournalSurvey> {
  const survey = await surveyJournal(files, dir, storeId, { onBatch, isReadable: true })
  const [damage] = survey.damages
  if (damage === undefined) return survey
  if (damage.kind === 'newer') throw new NewerFileError(`${damage.path}: ${damage.what}`)
  throw new JournalCorruptError(damage.path, damage.offset ?? 0, damage.what)
}

/** Whether the journal of a data folder keeps a hash chain, as its last segment says. Rejects when that cannot be read. */
export async function keepsChain(files: Files, dir: string): Promise<boolean> {
  const folder = join(dir, 'wal')
  const last = await lastUsedSeq(files, folder, segmentSeqsOf(await namesIn(files, folder)), {})
  if (last === 0) return false
  const window = await FileWindow.open(files, segmentPath(folder, last))
  try {
    const header = await readSegmentHeader(window)
    return header !== null && header.link !== null
  } finally {
    await window.close()
  }
}

/** Where the journal ends, as far as it can be read: at segment 0, turn 0 when there is none. */
export function endOf({ segments }: Pick<JournalSurvey, 'segments'>): DurablePosition {
  const used = segments.filter(({ header }) => header !== null)
  return {
    segment: Math.max(0, ...used.map(({ seq }) => seq)),
    turns: Math.max(0, ...used.map(({ end }) => (end?.expected.firstLsn ?? 1) - 1)),
  }
}

interface SurveyParts {
  readonly files: Files
  readonly folder: string
  readonly lastUsedSeq: number
  readonly options: SurveyOptions
}

class Survey {
  readonly #parts: SurveyParts
  /** Where the whole records of each actor lie; there may be gaps. */
  readonly index = new ActorIndex()
  /** Oldest first. */
  readonly segments: SurveyedSegment[] = []
  readonly damages: JournalDamage[] = []
  storeId: string | null
  #nextSeq: number | null = null
  /** The last segment in use, and those after it that seem never to have been. */
  #last: ScannedSegment | null = null
  readonly #unused: SurveyedSegment[] = []

  constructor(parts: SurveyParts, storeId: string | null) {
    this.#parts = parts
    this.storeId = storeId
  }

  async take(seq: number): Promise<void> {
    const path = segmentPath(this.#parts.folder, seq)
    this.#parts.options.onFile?.(path)
    for (let hole = this.#nextSeq ?? seq; hole < seq; hole += 1) {
      const missing = { path: segmentPath(this.#parts.folder, hole), seq: hole }
      this.damages.push(damageIn(missing, 0, 'the segment file is missing', { kind: 'missing' }))
    }
    this.#nextSeq = seq + 1
    let window: FileWindow | null = null
    try {
      window = await FileWindow.open(this.#parts.files, path)
      this.segments.push(await this.#takeSegment(seq, window))
    } catch (error) {
      if (this.#parts.options.isReadable === true) throw error
      this.damages.push(damageIn({ path, seq }, null, messageOf(error), { kind: 'unreadable' }))
    } finally {
      await window?.close()
    }
  }

  async #takeSegment(seq: number, window: FileWindow): Promise<SurveyedSegment> {
    const header = await readSegmentHeader(window)
    if (header === null) return this.#takeHeaderless(seq, window)
    if (header.version !== FORMAT_VERSION) {
      const what = `the segment has journal format ${header.version}; this version reads ${FORMAT_VERSION}`
      return this.#unread(emptySegment(seq, window, header), what, 'newer')
    }
    this.storeId ??= header.storeId
    const stranger = strangerOf(header, this.storeId, seq)
    if (stranger !== null) return this.#unread(emptySegment(seq, window, header), stranger, 'foreign')
    this.#useUnused()
    if (this.#last !== null) this.#compare(this.#last, header, seq)
    return this.#scan(seq, window, header, header.salt, header)
  }

  /** Prepared ahead, or its header is gone: the first batch tells. */
  async #takeHeaderless(seq: number, window: FileWindow): Promise<SurveyedSegment> {
    const empty = emptySegment(seq, window, null)
    if (!(await holdsBatch(window))) {
      if (window.size < MIN_SEGMENT_BYTES) {
        this.damages.push(damageIn(empty, window.size, 'the file is cut off in its header'))
      }
      this.#unused.push(empty)
      return empty
    }
    this.#useUnused()
    const first = await batchHeaderAt(window, SEGMENT_HEADER_BYTES)
    const before = this.#last?.end.expected.firstLsn ?? first?.firstLsn ?? 0
    const lost = first === null ? null : first.firstLsn - before
    this.damages.push(damageIn(empty, 0, 'the segment header is damaged', { lostRecords: lost }))
    // Without header and first batch nothing vouches for a batch further on: a payload may hold anything.
    return first === null ? empty : this.#scan(seq, window, null, first.salt, first)
  }

  /** A used segment shows that those before it were used too. */
  #useUnused(): void {
    for (const each of this.#unused.splice(0))
      this.damages.push(damageIn(each, 0, 'the segment header is gone'))
  }

  /** A used segment proves the one before it complete, see the segment header. */
  #compare({ path, end }: ScannedSegment, header: SegmentHeader, seq: number): void {
    const { batchSeq, prevBatchCrc, firstLsn } = end.expected
    const isNext = header.batchSeq === batchSeq && header.prevBatchCrc === prevBatchCrc
    if (isNext && header.firstLsn === firstLsn) return
    const known = this.damages.at(-1)
    const lost = header.firstLsn - firstLsn
    // What is behind a hole does not continue what is before it; and a torn end was told already.
    if (known?.segmentSeq === seq - 1 && (known.path !== path || known.offset === end.offset)) {
      this.#countLost(lost)
      return
    }
    const what = `${end.reason ?? 'the file ends'}, and the next segment shows that more was here`
    this.damages.push(damageIn({ path, seq: seq - 1 }, end.offset, what, { lostRecords: lost }))
  }

  /** What lies between two whole segments tells together how many records it had: the last damage says so for all. */
  #countLost(lost: number): void {
    const last = this.damages.length - 1
    for (const [at, damage] of this.damages.entries()) {
      if (damage.lostRecords === null) this.damages[at] = { ...damage, lostRecords: at === last ? lost : 0 }
    }
  }

  #unread(segment: SurveyedSegment, what: string, kind: DamageKind): SurveyedSegment {
    this.damages.push(damageIn(segment, 0, what, { kind }))
    return segment
  }

  async #scan(
    seq: number,
    window: FileWindow,
    header: SegmentHeader | null,
    salt: number,
    start: Expected,
  ): Promise<SurveyedSegment> {
    const scan = new ScanPastCorruption({
      window,
      header,
      salt,
      segment: createSegment(this.#parts.folder, seq, Number.POSITIVE_INFINITY),
      isLast: seq === this.#parts.lastUsedSeq,
      index: this.index,
      damages: this.damages,
      onBatch: this.#parts.options.onBatch,
    })
    this.#last = await scan.run(start)
    return this.#last
  }
}

/** Why a segment does not belong under its name in this store; null when it does. */
function strangerOf(header: SegmentHeader, storeId: string, seq: number): string | null {
  if (header.storeId !== storeId) return 'the segment belongs to another store'
  return header.segmentSeq === seq ? null : `the segment is number ${header.segmentSeq} under a wrong name`
}
