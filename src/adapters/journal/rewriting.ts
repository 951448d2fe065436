import type { Files } from '../../ports/files.ts'
import { bytesOver } from '../binary/bytes.ts'
import { createNamed, type GrowingFile, readAll } from '../files/whole-file.ts'
import {
  BATCH_HEADER_BYTES,
  batchBytes,
  DEFAULT_PAD_TO,
  type Expected,
  encodeSegmentHeader,
  expectedAfter,
  finishBatch,
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  randomSalt,
  SEGMENT_HEADER_BYTES,
  segmentPath,
} from './format.ts'
import type { SurveyedSegment } from './scan-past-corruption.ts'

export interface KeptRecord {
  readonly offset: number
  readonly bytes: number
}

export interface SegmentRewrite {
  readonly folder: string
  readonly storeId: string
  readonly seq: number
  /** Null: the file is missing or nothing of it can be used; the new one holds no record. */
  readonly source: SurveyedSegment | null
  readonly records: readonly KeptRecord[]
  /** What the segment continues. */
  readonly start: Expected
  readonly nowMs: number
}

/**
 * Puts a segment with the kept records in the place of the old one: batches of its own, a seal behind them. The old
 * file is there until the new one is durable. Resolves with what the next segment continues.
 */
export async function rewriteSegment(files: Files, rewrite: SegmentRewrite): Promise<Expected> {
  const { folder, seq, source } = rewrite
  const path = segmentPath(folder, seq)
  const salt = source?.header?.salt ?? randomSalt()
  const batches = batchesOf(rewrite.records)
  const bytes = batches.reduce(
    (sum, batch) => sum + batchBytes(bodyBytes(batch), DEFAULT_PAD_TO),
    SEGMENT_HEADER_BYTES,
  )
  let next = rewrite.start
  await createNamed(files, path, async (out) => {
    const header = new Uint8Array(SEGMENT_HEADER_BYTES)
    const createdAtMs = source?.header?.createdAtMs ?? rewrite.nowMs
    // What was changed has no place in a chain: the next start begins a new one.
    const facts = { storeId: rewrite.storeId, segmentSeq: seq, salt, createdAtMs, bytes, link: null }
    encodeSegmentHeader(header, { ...next, ...facts })
    await out.append(header)
    const read = source === null ? null : await files.open(source.path, 'read')
    try {
      for (const batch of batches) next = await writeBatch(files, read, out, batch, salt, next)
    } finally {
      if (read !== null) await files.close(read)
    }
  })
  return next
}

/** In the old order, within the bounds of a batch; the last one is empty and seals. */
function batchesOf(records: readonly KeptRecord[]): readonly (readonly KeptRecord[])[] {
  const batches: KeptRecord[][] = []
  let batch: KeptRecord[] = []
  let bytes = 0
  for (const record of records) {
    if (batch.length === MAX_BATCH_RECORDS || (batch.length > 0 && bytes + record.bytes > MAX_BATCH_BYTES)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(record)
    bytes += record.bytes
  }
  return batch.length === 0 ? [...batches, []] : [...batches, batch, []]
}

function bodyBytes(batch: readonly KeptRecord[]): number {
  return batch.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function writeBatch(
  files: Files,
  read: number | null,
  out: GrowingFile,
  batch: readonly KeptRecord[],
  salt: number,
  start: Expected,
): Promise<Expected> {
  const bodyLen = bodyBytes(batch)
  const block = bytesOver(new Uint8Array(batchBytes(bodyLen, DEFAULT_PAD_TO)))
  let at = BATCH_HEADER_BYTES
  for (const { offset, bytes } of batch) {
    if (read !== null) await readAll(files, read, block.bytes.subarray(at, at + bytes), offset)
    at += bytes
  }
  const header = { ...start, bodyLen, durableSeq: start.batchSeq - 1, recordCount: batch.length, salt }
  const headerCrc = finishBatch(block, header, DEFAULT_PAD_TO)
  await out.append(block.bytes)
  return expectedAfter({ ...header, headerCrc })
}

export function recordsInOrder(
  segment: SurveyedSegment,
): readonly (KeptRecord & { readonly actorKey: string; readonly seq: number })[] {
  return segment.places.runs
    .flatMap((run) =>
      run.offsets.map((offset, at) => ({
        actorKey: run.actor.key,
        seq: run.firstSeq + at,
        offset,
        bytes: run.sizes[at] ?? 0,
      })),
    )
    .toSorted((a, b) => a.offset - b.offset)
}
