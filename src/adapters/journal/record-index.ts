import type { Files } from '../../ports/files.ts'
import type { JournalRecord } from '../../ports/store.ts'
import { crcOf, decodeRecord } from '../binary/bytes.ts'
import { readAll } from '../files/whole-file.ts'
import { JournalCorruptError, JournalGapError, segmentPath } from './format.ts'

export function createSegment(folder: string, seq: number, flushedEnd: number): Segment {
  return { seq, path: segmentPath(folder, seq), runs: [], freeRuns: 0, flushedEnd }
}

/** One file of the journal, as the index sees it. */
export interface Segment {
  readonly seq: number
  readonly path: string
  /** Runs of records in it; grows while it is the active one. */
  readonly runs: Run[]
  /** So many of the first runs are known to be free, see `isFree`. */
  freeRuns: number
  /** Everything before this byte is flushed. */
  flushedEnd: number
}

/** Records of one actor that lie in one segment, without a gap in their sequence. */
export interface Run {
  readonly actor: ActorEntry
  readonly segment: Segment
  readonly firstSeq: number
  /** Where each record starts in the file, and its size; grows with the run. */
  readonly offsets: number[]
  readonly sizes: number[]
}

export interface ActorEntry {
  readonly key: string
  readonly keyBytes: Uint8Array
  /** Oldest first. */
  readonly runs: Run[]
  /** Highest sequence queued or written; an append continues here. */
  lastSeq: number
  writtenSeq: number
  pending: number
  /** The last two marks of durable snapshots; the older one decides what may go. */
  covered: number
  previousCovered: number
  /** Bytes of records above `covered`, queued ones included. */
  uncoveredBytes: number
}

export interface SeqRange {
  readonly fromSeq: number
  readonly toSeq: number
}

export function lastSeqOf(run: Run): number {
  return run.firstSeq + run.offsets.length - 1
}

/** Actors and the places of their written records. Plain bookkeeping: nothing here touches a file. */
export class ActorIndex {
  readonly #entries = new Map<string, ActorEntry>()

  get(key: string): ActorEntry | null {
    return this.#entries.get(key) ?? null
  }

  entryOf(key: string): ActorEntry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: ActorEntry = {
      key,
      keyBytes: Buffer.from(key, 'utf8'),
      runs: [],
      lastSeq: 0,
      writtenSeq: 0,
      pending: 0,
      covered: 0,
      previousCovered: 0,
      uncoveredBytes: 0,
    }
    this.#entries.set(key, entry)
    return entry
  }

  /** Actors with records in the journal or in a snapshot. */
  *keys(): Generator<string> {
    for (const entry of this.#entries.values()) if (holdsRecords(entry) || entry.covered > 0) yield entry.key
  }

  /** Drops what belongs to a segment that is gone. Its runs are the oldest of their actors. */
  forget(segment: Segment): void {
    for (const run of segment.runs) run.actor.runs.shift()
  }
}

export function holdsRecords(entry: ActorEntry): boolean {
  return entry.runs.length > 0 || entry.pending > 0
}

export function noteWritten(
  entry: ActorEntry,
  segment: Segment,
  seq: number,
  offset: number,
  size: number,
): void {
  const last = entry.runs.at(-1)
  entry.writtenSeq = seq
  if (last !== undefined && last.segment === segment && lastSeqOf(last) + 1 === seq) {
    last.offsets.push(offset)
    last.sizes.push(size)
    return
  }
  const run: Run = { actor: entry, segment, firstSeq: seq, offsets: [offset], sizes: [size] }
  entry.runs.push(run)
  segment.runs.push(run)
}

/** Moves the marks on: each call stands for one snapshot. A mark lower than the last is an older snapshot, late. */
export function noteCovered(entry: ActorEntry, seq: number, pendingBytesAbove: number): void {
  if (seq < entry.covered) return
  entry.previousCovered = entry.covered
  entry.covered = seq
  let bytes = pendingBytesAbove
  for (let r = entry.runs.length - 1; r >= 0; r -= 1) {
    const run = entry.runs[r]
    if (run === undefined || lastSeqOf(run) <= seq) break
    for (let i = Math.max(0, seq + 1 - run.firstSeq); i < run.sizes.length; i += 1) bytes += run.sizes[i] ?? 0
  }
  entry.uncoveredBytes = bytes
}

export function runHolding(entry: ActorEntry, seq: number): Run | null {
  return entry.runs.find((run) => run.firstSeq <= seq && seq <= lastSeqOf(run)) ?? null
}

/** Sequences of the actor that are written or queued, oldest first; what is between two ranges is not here. */
export function heldRanges(entry: ActorEntry): readonly SeqRange[] {
  const ranges: SeqRange[] = []
  const add = (range: SeqRange): void => {
    const last = ranges.at(-1)
    if (last !== undefined && last.toSeq + 1 === range.fromSeq) {
      ranges[ranges.length - 1] = { fromSeq: last.fromSeq, toSeq: range.toSeq }
    } else ranges.push(range)
  }
  for (const run of entry.runs) add({ fromSeq: run.firstSeq, toSeq: lastSeqOf(run) })
  if (entry.pending > 0) add({ fromSeq: entry.lastSeq - entry.pending + 1, toSeq: entry.lastSeq })
  return ranges
}

/** True once nobody needs the segment: every run in it lies under the older mark of its actor. Marks only grow. */
export function isFree(segment: Segment): boolean {
  for (; segment.freeRuns < segment.runs.length; segment.freeRuns += 1) {
    const run = segment.runs[segment.freeRuns]
    if (run !== undefined && isPinning(run)) return false
  }
  return true
}

export function isPinning(run: Run): boolean {
  return run.actor.previousCovered < lastSeqOf(run)
}

/** Places of consecutive records of one actor in one file. Plain data: may be sent to a worker. */
export interface RecordSpan {
  readonly path: string
  readonly actorKey: string
  readonly firstSeq: number
  /** Arrays of numbers, of which a message takes a copy at once. */
  readonly offsets: Uint32Array
  readonly sizes: Uint32Array
}

/** Where the records of one actor lie, in order, without a gap. Plain data. */
export type ActorPositions = readonly RecordSpan[]

// Records of one actor lie scattered among those of others: what is close is fetched with one read.
const MAX_READ_BYTES = 1024 * 1024
const MAX_HOLE_BYTES = 16 * 1024

/** The part of a run in [fromSeq, toSeq], at most. */
export function spanOf(run: Run, fromSeq: number, toSeq: number): RecordSpan {
  const from = Math.max(fromSeq, run.firstSeq) - run.firstSeq
  const to = Math.min(toSeq, lastSeqOf(run)) - run.firstSeq + 1
  return {
    path: run.segment.path,
    actorKey: run.actor.key,
    firstSeq: run.firstSeq + from,
    offsets: Uint32Array.from(run.offsets.slice(from, to)),
    sizes: Uint32Array.from(run.sizes.slice(from, to)),
  }
}

/** The flushed records of an actor from `fromSeq` to `toSeq`. Throws JournalGapError when an earlier one is missing. */
export function durablePositions(
  entry: ActorEntry,
  fromSeq: number,
  lastSeq = Number.MAX_SAFE_INTEGER,
): ActorPositions {
  const spans: RecordSpan[] = []
  let next = fromSeq
  for (const run of entry.runs) {
    if (lastSeqOf(run) < next) continue
    if (next > lastSeq) break
    if (run.firstSeq > next) throw new JournalGapError(entry.key, next, run.firstSeq)
    const flushed = flushedIn(run)
    const toSeq = Math.min(run.firstSeq + flushed - 1, lastSeq)
    if (toSeq >= next) spans.push(spanOf(run, next, toSeq))
    if (flushed < run.offsets.length) break
    next = toSeq + 1
  }
  return spans
}

/** How many of its records are flushed: they are in the order of their places. */
function flushedIn({ offsets, segment }: Run): number {
  let flushed = offsets.length
  while (flushed > 0 && (offsets[flushed - 1] ?? 0) >= segment.flushedEnd) flushed -= 1
  return flushed
}

/**
 * Reads records by their places, in order. Needs no journal: a worker may call it on a file port of its own while
 * the journal goes on. Rejects with JournalCorruptError when a record is not what it should be.
 */
export async function* readPositions(files: Files, positions: ActorPositions): AsyncGenerator<JournalRecord> {
  for (const span of positions) yield* readSpan(files, span)
}

/** Checksum of what a turn of the actor says; null: the journal does not hold it, or it cannot be read. */
export async function turnCrcOf(files: Files, entry: ActorEntry | null, seq: number): Promise<number | null> {
  const run = entry === null ? null : runHolding(entry, seq)
  if (run === null) return null
  const records = readSpan(files, spanOf(run, seq, seq))
  try {
    const { value } = await records.next()
    await records.return(undefined)
    return value === undefined ? null : crcOf(value.payload)
  } catch {
    return null
  }
}

export async function* readSpan(files: Files, span: RecordSpan): AsyncGenerator<JournalRecord> {
  const fd = await files.open(span.path, 'read')
  try {
    for (let i = 0; i < span.offsets.length; ) {
      const until = groupEnd(span, i)
      const start = span.offsets[i] ?? 0
      const bytes = new Uint8Array((span.offsets[until - 1] ?? 0) + (span.sizes[until - 1] ?? 0) - start)
      await readAll(files, fd, bytes, start)
      for (; i < until; i += 1) {
        const at = (span.offsets[i] ?? 0) - start
        yield verified(span, i, bytes.subarray(at, at + (span.sizes[i] ?? 0)))
      }
    }
  } finally {
    await files.close(fd)
  }
}

/** End of the records that one read fetches together with record `i`. */
function groupEnd(span: RecordSpan, i: number): number {
  const start = span.offsets[i] ?? 0
  let end = start + (span.sizes[i] ?? 0)
  let next = i + 1
  for (; next < span.offsets.length; next += 1) {
    const offset = span.offsets[next] ?? 0
    const size = span.sizes[next] ?? 0
    if (offset - end > MAX_HOLE_BYTES || offset + size - start > MAX_READ_BYTES) break
    end = offset + size
  }
  return next
}

function verified(span: RecordSpan, i: number, bytes: Uint8Array): JournalRecord {
  const record = decodeRecord(bytes)
  if (record !== null && record.actorKey === span.actorKey && record.actorSeq === span.firstSeq + i)
    return record
  const reason = `record ${span.firstSeq + i} of ${span.actorKey} is damaged`
  throw new JournalCorruptError(span.path, span.offsets[i] ?? 0, reason)
}
