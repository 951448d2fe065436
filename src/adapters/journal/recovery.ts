import { basename, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import { withoutDrafts } from '../files/actor-folders.ts'
import { NewerFileError } from '../files/damage.ts'
import { replaceWhole } from '../files/durable-file.ts'
import { silentLog } from '../files/silent-log.ts'
import { withFile, writeAll } from '../files/whole-file.ts'
import { writelessFiles } from '../files/writeless-files.ts'
import { JournalCorruptError } from './failure.ts'
import {
  expectedAfter,
  FORMAT_VERSION,
  linkOver,
  MIN_SEGMENT_BYTES,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
  segmentPath,
  segmentSeqsOf,
} from './format.ts'
import type { Chain, DurablePosition } from './group-commit-writer.ts'
import { type Layout, openLayout } from './layout.ts'
import { ActorIndex, createSegment, noteWritten, type Segment } from './record-index.ts'
import {
  batchHeaderAt,
  FileWindow,
  holdsBatch,
  inspectRemainder,
  mismatchOf,
  type OnBatch,
  type OnRecord,
  provesFlushed,
  readSegmentHeader,
  type ScanEnd,
  scanBatches,
} from './scan.ts'

export interface Recovered {
  /** Oldest first, as far as their batches are whole. All of it is durable. */
  readonly segments: readonly Segment[]
  readonly chain: Chain
  /** Sequence for the fresh segment. It may be that of an old one without a batch, which it replaces. */
  readonly freshSeq: number
  /** What `trimTornEnds` may cut off once the fresh segment is durable. */
  readonly tornEnds: readonly SegmentTornEnd[]
}

/** A segment file with more in it than whole batches. */
export interface SegmentTornEnd {
  readonly path: string
  /** End of the last whole batch. */
  readonly end: number
}

interface Found {
  readonly seq: number
  readonly window: FileWindow
  readonly header: SegmentHeader | null
}

/** Told where the journal ends: at segment 0, turn 0 when there is none. */
export type OnFound = (position: DurablePosition) => void

/** Ends the name of a copy of what was cut off. */
export const TORN_SUFFIX = '.torn'

/** Batches are written again in pieces of this size. */
const REWRITE_BYTES = 1024 * 1024

const FIRST: Chain = { batchSeq: 1, durableSeq: 0, prevBatchCrc: 0, firstLsn: 1, link: null }

/**
 * Reads the journal folder, fills the index and makes what it found durable. A torn end is copied to quarantine,
 * unused files are removed. Changes nothing when it refuses.
 * Rejects with JournalCorruptError, NewerFileError, or the error of a read that failed.
 */
export async function recover(
  files: Files,
  layout: Layout,
  index: ActorIndex,
  { log, onFound }: { readonly log: Log; readonly onFound: OnFound | null },
): Promise<Recovered> {
  const names = await files.readdir(layout.walFolder)
  const found: Found[] = []
  try {
    for (const seq of sequenceOf(names, layout.walFolder)) found.push(await openSegment(files, layout, seq))
    const used = await usedSegments(found)
    const segments: Segment[] = []
    const tornEnds: SegmentTornEnd[] = []
    let end: ScanEnd | null = null
    let link: string | null = null
    for (const [i, { window, header }] of used.entries()) {
      const segment = createSegment(layout.walFolder, header.segmentSeq, 0)
      if (end !== null) assertContinues(used[i - 1]?.window.path ?? '', end, header)
      link = i === used.length - 1 ? header.link : null
      const onBatch: OnBatch = (_batch, _offset, bytes) => {
        if (link !== null) link = linkOver(link, bytes)
      }
      end = await scanInto(segment, window, header, index, onBatch)
      segment.flushedEnd = end.offset
      segments.push(segment)
      if (window.size > end.offset) tornEnds.push({ path: window.path, end: end.offset })
    }
    const last = used.at(-1)
    onFound?.({ segment: last?.seq ?? 0, turns: end === null ? 0 : end.expected.firstLsn - 1 })
    if (last !== undefined && end !== null)
      await settleTornEnd(files, layout, last.window, last.header, end, log)
    await removeUnused(files, layout, names, found.slice(used.length))
    return outcomeOf(segments, tornEnds, end, found[0]?.seq ?? 1, link)
  } finally {
    for (const { window } of found) await window.close()
  }
}

/**
 * Cuts off what lies behind the last whole batch. Only after the fresh segment is durable: its header says where
 * the journal goes on, so that a file shorter than it was made and without a successor is known to be damaged.
 */
export async function trimTornEnds(files: Files, tornEnds: readonly SegmentTornEnd[]): Promise<void> {
  for (const { path, end } of tornEnds) {
    await withFile(files, path, 'write', async (fd) => {
      await files.truncate(fd, end)
      await files.fsync(fd)
    })
  }
}

function outcomeOf(
  segments: readonly Segment[],
  tornEnds: readonly SegmentTornEnd[],
  end: ScanEnd | null,
  firstSeq: number,
  link: string | null,
): Recovered {
  const last = segments.at(-1)
  if (end === null || last === undefined)
    return { segments: [], chain: FIRST, freshSeq: firstSeq, tornEnds: [] }
  const chain: Chain = { ...end.expected, durableSeq: end.expected.batchSeq - 1, link }
  if (end.offset > SEGMENT_HEADER_BYTES) return { segments, chain, freshSeq: last.seq + 1, tornEnds }
  const otherTornEnds = tornEnds.filter(({ path }) => path !== last.path)
  return { segments: segments.slice(0, -1), chain, freshSeq: last.seq, tornEnds: otherTornEnds }
}

/** Sequences of the segment files; a hole among them means that records are gone. */
function sequenceOf(names: readonly string[], folder: string): readonly number[] {
  const seqs = segmentSeqsOf(names)
  const first = seqs[0] ?? 0
  const hole = seqs.findIndex((seq, i) => seq !== first + i)
  if (hole > 0)
    throw new JournalCorruptError(segmentPath(folder, first + hole), 0, 'the segment file is missing')
  return seqs
}

async function openSegment(files: Files, layout: Layout, seq: number): Promise<Found> {
  const path = segmentPath(layout.walFolder, seq)
  const window = await FileWindow.open(files, path)
  const header = await readSegmentHeader(window)
  if (header === null) return { seq, window, header }
  if (header.version !== FORMAT_VERSION) {
    await window.close()
    throw new NewerFileError(
      `${path} has journal format ${header.version}; this version reads ${FORMAT_VERSION}`,
    )
  }
  const stranger = strangerOf(header, layout.storeId, seq)
  if (stranger === null) return { seq, window, header }
  await window.close()
  throw new JournalCorruptError(path, 0, stranger)
}

/** Why a segment does not belong under its name in this store; null when it does. */
export function strangerOf(header: SegmentHeader, storeId: string, seq: number): string | null {
  if (header.storeId !== storeId) return 'the segment belongs to another store'
  return header.segmentSeq === seq ? null : `the segment is number ${header.segmentSeq} under a wrong name`
}

/**
 * The segments in use: those with a header. A file without one was prepared ahead; but where a batch lies behind a
 * missing header, or a used segment follows, the header was there once.
 */
async function usedSegments(
  found: readonly Found[],
): Promise<readonly (Found & { header: SegmentHeader })[]> {
  const used: (Found & { header: SegmentHeader })[] = []
  let lost: Found | null = null
  for (const segment of found) {
    const { window, header } = segment
    const isUsed = header !== null || (await holdsBatch(window))
    if (isUsed && lost !== null)
      throw new JournalCorruptError(lost.window.path, 0, 'the segment header is gone')
    if (header !== null) used.push({ ...segment, header })
    else if (isUsed) throw new JournalCorruptError(window.path, 0, 'the segment header is damaged')
    else if (window.size < MIN_SEGMENT_BYTES) {
      throw new JournalCorruptError(window.path, window.size, 'the file is cut off in its header')
    } else lost ??= segment
  }
  return used
}

async function scanInto(
  segment: Segment,
  window: FileWindow,
  header: SegmentHeader,
  index: ActorIndex,
  onBatch: OnBatch,
): Promise<ScanEnd> {
  const onRecord: OnRecord = ({ actorKey, actorSeq, bytes }, offset) => {
    const entry = index.entryOf(actorKey)
    if (actorSeq <= entry.writtenSeq) {
      const reason = `record ${actorSeq} of ${actorKey} follows its record ${entry.writtenSeq}`
      throw new JournalCorruptError(window.path, offset, reason)
    }
    noteWritten(entry, segment, actorSeq, offset, bytes)
    entry.lastSeq = actorSeq
    entry.uncoveredBytes += bytes
  }
  return scanBatches(window, header.salt, header, onRecord, { onBatch })
}

/** A used segment proves the one before it complete, see the segment header. */
export function assertContinues(path: string, end: ScanEnd, next: SegmentHeader): void {
  const { batchSeq, prevBatchCrc, firstLsn } = end.expected
  if (next.batchSeq === batchSeq && next.prevBatchCrc === prevBatchCrc && next.firstLsn === firstLsn) return
  const reason = end.reason ?? 'the file ends'
  throw new JournalCorruptError(path, end.offset, `${reason}, and the next segment shows that more was here`)
}

/** Decides between torn and damaged; keeps a copy of what was torn and makes the last segment durable. */
async function settleTornEnd(
  files: Files,
  layout: Layout,
  window: FileWindow,
  header: SegmentHeader,
  end: ScanEnd,
  log: Log,
): Promise<void> {
  const bytes = await tornBytesOf(window, header, end)
  if (bytes > 0) {
    await quarantine(files, layout, window, end.offset, bytes)
    log.warn(
      { file: window.path, offset: end.offset, bytes, reason: end.reason },
      'torn end of the journal cut off',
    )
  }
  await makeDurable(files, window, end)
}

/**
 * What a killed process wrote may be in the page cache only, and after a flush that failed the system takes it for
 * clean: a further flush would do nothing. So batches that nothing proves are written again, then flushed; from here
 * on they count as durable.
 */
function makeDurable(files: Files, window: FileWindow, end: ScanEnd): Promise<void> {
  return withFile(files, window.path, 'write', async (fd) => {
    // A short write may have left the last batch whole but for its padding.
    const to = Math.min(end.offset, window.size)
    for (let from = end.unprovenFrom; from < to; from += REWRITE_BYTES) {
      const bytes = Math.min(REWRITE_BYTES, to - from)
      const at = await window.load(from, bytes)
      if (at === null) throw new Error(`${window.path} became shorter while it was read`)
      await writeAll(files, fd, window.loaded.bytes.subarray(at, at + bytes), from)
    }
    await files.fsync(fd)
  })
}

/**
 * Bytes behind the last whole batch of the last segment that a torn write left; 0 when there are none. Rejects with
 * JournalCorruptError when they cannot be that.
 */
export async function tornBytesOf(window: FileWindow, header: SegmentHeader, end: ScanEnd): Promise<number> {
  if (window.size < header.bytes) {
    const reason = `the file was made with ${header.bytes} bytes and is cut off here`
    throw new JournalCorruptError(window.path, window.size, reason)
  }
  const remainder = await inspectRemainder(window, end.offset, provesFlushed(header.salt, end))
  if (remainder.proofAt !== null) {
    const reason = `${end.reason ?? 'the file ends'}, and the batch at byte ${remainder.proofAt} shows that it was flushed`
    throw new JournalCorruptError(window.path, end.offset, reason)
  }
  await assertOwnBatches(window, header, end)
  return remainder.usedEnd - end.offset
}

/**
 * Where a batch would begin, a torn write leaves no whole header of another batch: the file was zeros before, each place
 * is written once, and what a caller sent lies behind a header. Beyond the size that was made the file system decides
 * what a crash leaves.
 */
async function assertOwnBatches(window: FileWindow, header: SegmentHeader, end: ScanEnd): Promise<void> {
  let expected = end.expected
  for (let offset = end.offset; offset < header.bytes; ) {
    const batch = await batchHeaderAt(window, offset)
    if (batch === null) return
    const mismatch = mismatchOf(batch, header.salt, expected)
    if (mismatch !== null) {
      const reason = `${mismatch}: no torn write leaves it at byte ${offset}`
      throw new JournalCorruptError(window.path, end.offset, reason)
    }
    offset += batch.totalLen
    expected = expectedAfter(batch)
  }
}

async function quarantine(
  files: Files,
  layout: Layout,
  window: FileWindow,
  offset: number,
  bytes: number,
): Promise<void> {
  const at = await window.load(offset, bytes)
  if (at === null) throw new Error(`${window.path} became shorter while it was read`)
  const name = `${basename(window.path)}.${offset}${TORN_SUFFIX}`
  await replaceWhole(files, join(layout.quarantineFolder, name), window.loaded.bytes.subarray(at, at + bytes))
}

async function removeUnused(
  files: Files,
  layout: Layout,
  names: readonly string[],
  unused: readonly Found[],
): Promise<void> {
  await withoutDrafts(files, layout.walFolder, names)
  for (const { window } of unused) await files.unlink(window.path)
  await files.fsyncDir(layout.walFolder)
}

/**
 * What the next start would say of the journal, by the very code of a start, without changing anything: null when it
 * would begin. Rejects as a start does for anything but damage.
 */
export async function dryRunRecovery(
  files: Files,
  dir: string,
  onFound: OnFound | null = null,
): Promise<JournalCorruptError | null> {
  if ((await files.stat(join(dir, 'wal'))) === null) return null
  const writeless = writelessFiles(files)
  try {
    await recover(writeless, await openLayout(writeless, dir), new ActorIndex(), { log: silentLog, onFound })
    return null
  } catch (error) {
    if (error instanceof JournalCorruptError) return error
    throw error
  }
}
