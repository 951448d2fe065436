import type { Files } from '../../ports/files.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import { decodeRecord } from '../binary/record-frame.ts'
import { readAll } from '../files/whole-file.ts'
import { type ActorEntry, lastSeqOf, type Run } from './actor-index.ts'
import { JournalCorruptError, JournalGapError } from './failure.ts'

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

/** The flushed records of an actor from `fromSeq` on. Throws JournalGapError when an earlier one is missing. */
export function durablePositions(entry: ActorEntry, fromSeq: number): ActorPositions {
  const spans: RecordSpan[] = []
  let next = fromSeq
  for (const run of entry.runs) {
    if (lastSeqOf(run) < next) continue
    if (run.firstSeq > next) throw new JournalGapError(entry.key, next, run.firstSeq)
    const flushed = flushedIn(run)
    const toSeq = run.firstSeq + flushed - 1
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

/** The records of one span. */
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
