import type { Files } from '../../ports/files.ts'
import type { BatchHeader } from './batch-frame.ts'
import { FileWindow } from './file-window.ts'
import { SECTOR_BYTES } from './limits.ts'
import { type Expected, inspectTail, type ScanEnd } from './scan.ts'
import { segmentPath } from './segment.ts'
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES } from './segment-header.ts'

/** Sequence of the last segment with a header or a batch; 0 when none has. */
export async function lastUsedSeq(files: Files, folder: string, seqs: readonly number[]): Promise<number> {
  for (const seq of seqs.toReversed()) {
    let window: FileWindow | null = null
    try {
      window = await FileWindow.open(files, segmentPath(folder, seq))
      const at = await window.load(0, Math.min(SEGMENT_HEADER_BYTES, window.size))
      const isHeader = at !== null && decodeSegmentHeader(window.loaded.bytes) !== null
      if (isHeader || (await inspectTail(window, 0, () => true)).proofAt !== null) return seq
    } catch {
      // Nobody knows what is in it; the survey tells why.
      return seq
    } finally {
      await window?.close()
    }
  }
  return 0
}

/** True when a batch behind `end` shows that the one missing there was flushed once: it is no torn write. */
export async function isProvenFlushed(window: FileWindow, end: ScanEnd, salt: number): Promise<boolean> {
  const { proofAt } = await inspectTail(window, end.offset, (header) => {
    return header.salt === salt && header.durableSeq >= end.expected.batchSeq
  })
  return proofAt !== null
}

/** The next batch behind `end` with a whole header of this segment. */
export async function nextBatch(
  window: FileWindow,
  end: ScanEnd,
  salt: number,
): Promise<{ readonly offset: number; readonly header: BatchHeader } | null> {
  let found: BatchHeader | null = null
  const { proofAt } = await inspectTail(window, end.offset + SECTOR_BYTES, (header) => {
    if (header.salt !== salt || header.batchSeq <= end.expected.batchSeq) return false
    found = header
    return true
  })
  return proofAt === null || found === null ? null : { offset: proofAt, header: found }
}

/** What a batch itself says that it continues. */
export function expectedBy(header: BatchHeader): Expected {
  return { batchSeq: header.batchSeq, prevBatchCrc: header.prevBatchCrc, lsn: header.firstLsn }
}
