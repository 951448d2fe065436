import { JournalCorruptError } from './failure.ts'
import type { FileWindow } from './file-window.ts'
import { scanBatches } from './scan.ts'
import { decodeSegmentHeader, FORMAT_VERSION, SEGMENT_HEADER_BYTES } from './segment-header.ts'

/** Records of one actor in one segment, without a gap in their sequence: where each starts, and its size. */
export interface SegmentRun {
  readonly actorKey: string
  readonly firstSeq: number
  readonly offsets: readonly number[]
  readonly sizes: readonly number[]
}

export interface SealedSegment {
  /** Random number that tells the segment from any other of its name. */
  readonly salt: number
  readonly runs: readonly SegmentRun[]
}

interface GrowingRun extends SegmentRun {
  readonly offsets: number[]
  readonly sizes: number[]
}

/** The random number in the header of a segment. Rejects with JournalCorruptError. */
export async function saltOfSegment(window: FileWindow, seq: number): Promise<number> {
  return (await headerOf(window, seq)).salt
}

/**
 * Walks a segment that is complete, checking every batch, up to `flushedEnd`, where the journal says that it ends.
 * Rejects with JournalCorruptError when anything before is not as it was written.
 */
export async function scanSealedSegment(
  window: FileWindow,
  seq: number,
  flushedEnd: number,
): Promise<SealedSegment> {
  const header = await headerOf(window, seq)
  const start = {
    batchSeq: header.firstBatchSeq,
    prevBatchCrc: header.prevTailCrc,
    lsn: header.firstLsn,
  }
  const runs: GrowingRun[] = []
  const latest = new Map<string, GrowingRun>()
  const end = await scanBatches(window, header.salt, start, ({ actorKey, actorSeq, bytes }, offset) => {
    let run = latest.get(actorKey)
    if (run === undefined || run.firstSeq + run.offsets.length !== actorSeq) {
      run = { actorKey, firstSeq: actorSeq, offsets: [], sizes: [] }
      runs.push(run)
      latest.set(actorKey, run)
    }
    run.offsets.push(offset)
    run.sizes.push(bytes)
  })
  if (end.offset < flushedEnd) {
    throw new JournalCorruptError(window.path, end.offset, end.reason ?? 'the file ends')
  }
  return { salt: header.salt, runs }
}

async function headerOf(window: FileWindow, seq: number) {
  const at = await window.load(0, SEGMENT_HEADER_BYTES)
  const header = at === null ? null : decodeSegmentHeader(window.loaded.bytes.subarray(at))
  const isExpected = header !== null && header.segmentSeq === seq && header.version === FORMAT_VERSION
  if (!isExpected) throw new JournalCorruptError(window.path, 0, `no whole header of segment ${seq}`)
  return header
}
