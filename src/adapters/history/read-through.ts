import type { JournalRecord } from '../../ports/journal.ts'
import type { Archive, SeqRange } from './archive.ts'

/** The part of the journal that history needs. */
export interface RecentRecords {
  /** Sequences of the actor that are there now, oldest first. */
  heldSeqs(actorKey: string): readonly SeqRange[]
  /** Records from `fromSeq` on. May fail when a segment is removed meanwhile: then history has it. */
  read(actorKey: string, fromSeq: number): AsyncIterable<JournalRecord>
}

/** Records that a reader was promised are gone: retention, or damage, took them while it read. */
export class HistoryGapError extends Error {
  override readonly name = 'HistoryGapError'
}

type Sources = readonly [recent: RecentRecords, archive: Archive]

/** One record, from the journal or else from the history files; null when neither has it. */
export async function recordThrough(
  recent: RecentRecords,
  archive: Archive,
  actorKey: string,
  seq: number,
): Promise<JournalRecord | null> {
  for await (const record of recordsFrom([recent, archive], actorKey, seq, seq)) return record
  return null
}

/** The port's `read`. Rejects with HistoryGapError, or with the file system's error. */
export async function* readThrough(
  recent: RecentRecords,
  archive: Archive,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): AsyncGenerator<JournalRecord> {
  const sources: Sources = [recent, archive]
  let part = await keptPart(sources, actorKey, fromSeq, toSeq)
  let next = part.fromSeq
  while (next <= part.toSeq) {
    const before = next
    for await (const record of recordsFrom(sources, actorKey, next, part.toSeq)) {
      yield record
      next += 1
    }
    if (next > before) continue
    if (next > part.fromSeq) throw new HistoryGapError(`record ${next} of ${actorKey} is kept no longer`)
    part = await keptPart(sources, actorKey, next + 1, part.toSeq)
    next = part.fromSeq
  }
}

/** The last piece of [fromSeq, toSeq] without a hole; empty when nothing is left of it. */
async function keptPart(
  [recent, archive]: Sources,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): Promise<SeqRange> {
  const held = recent.heldSeqs(actorKey)
  const lastSeq = Math.min(toSeq, held.at(-1)?.toSeq ?? (await archive.lastSeqOf(actorKey)))
  let first = lastSeq + 1
  while (first > fromSeq) {
    const range = holding(held, first - 1) ?? (await archive.rangeHolding(actorKey, first - 1))
    if (range === null) break
    first = Math.max(range.fromSeq, fromSeq)
  }
  return { fromSeq: first, toSeq: lastSeq }
}

/** Records in order from `fromSeq` on; ends where the source ends that it began with, or that went away. */
async function* recordsFrom(
  [recent, archive]: Sources,
  actorKey: string,
  fromSeq: number,
  toSeq: number,
): AsyncGenerator<JournalRecord> {
  let next = fromSeq
  if (holding(recent.heldSeqs(actorKey), next) !== null) {
    try {
      for await (const record of recent.read(actorKey, next)) {
        next = record.actorSeq + 1
        yield record
        if (next > toSeq) return
      }
      return
    } catch (error) {
      // A segment may have gone under the reader: what was in it was archived before.
      if ((await archive.rangeHolding(actorKey, next)) === null) throw error
    }
  }
  yield* archive.records(actorKey, next, toSeq)
}

function holding(ranges: readonly SeqRange[], seq: number): SeqRange | null {
  return ranges.find((range) => range.fromSeq <= seq && seq <= range.toSeq) ?? null
}
