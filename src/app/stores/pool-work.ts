import type { ArchiveJob, ExplanationBound } from '../../../workers/archive.ts'
import type { CompactJob, CompactResult } from '../../../workers/compact.ts'
import type { RedactJob } from '../../../workers/redact.ts'
import { createCodec } from '../../adapters/codec/codec.ts'
import type { ComputePool } from '../../adapters/compute/pool.ts'
import type { ArchiveOutcome, FileHistory, RedactOutcome } from '../../adapters/history/history.ts'
import type { FileJournal } from '../../adapters/journal/file-journal.ts'
import type { BeforeUnlink } from '../../adapters/journal/retention.ts'
import type { FileSnapshotStore } from '../../adapters/snapshot/store.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import { noteWithoutErased } from '../../core/external/govern-record.ts'
import type { Redaction } from '../../core/model/erasure.ts'
import type { Compaction } from '../../ports/store.ts'

export type { ExplanationBound }

/**
 * Rewrites every history file in which turns of the actor say what they may not any more, and removes damaged ones
 * that were set aside. Resolves with the number of files changed or removed when that is durable. Doing it again
 * changes nothing.
 */
export type RedactHistory = (actorKey: string, redaction: Redaction) => Promise<number>

/**
 * Archiving in the worker pool, from file to file. While the pool is full or closing the segment has to stay.
 * @param boundsNow asked for each segment
 */
export function poolArchiving(
  history: FileHistory,
  pool: Pick<ComputePool, 'runLong'>,
  boundsNow: () => readonly ExplanationBound[],
): BeforeUnlink {
  return ({ seq, path, flushedEnd }) =>
    history.keep(seq, (place) => {
      const job: ArchiveJob = { segmentPath: path, flushedEnd, place, bounds: boundsNow() }
      return pool.runLong<ArchiveOutcome>('archive', job)
    })
}

/** Redaction in the worker pool, from file to file. While the pool is full or closing it rejects. */
export function poolRedaction(history: FileHistory, pool: Pick<ComputePool, 'runLong'>): RedactHistory {
  return async (actorKey, redaction) => {
    const turns = await history.redact(actorKey, (place) => {
      const job: RedactJob = { place, actorKey, redaction }
      return pool.runLong<RedactOutcome>('redact', job)
    })
    // Notes name memory of other stores, and say nothing else that an erasure takes.
    if (redaction.external.length === 0) return turns
    return turns + (await history.redactNotes(actorKey, (note) => noteWithoutErased(note, redaction, codec)))
  }
}

const codec = createCodec()

/**
 * Compaction in the worker pool, from the files of journal and snapshot store.
 * @param isPacked whether a file does not lie by itself: a snapshot that is so small has no large actor yet
 */
export function poolCompaction(
  journal: Pick<FileJournal, 'positionsOf'>,
  snapshots: FileSnapshotStore,
  pool: Pick<ComputePool, 'runLong'>,
  isPacked: (path: string) => boolean,
): Compaction {
  return {
    compact: (_grant, actorKey, toSeq) =>
      snapshots.adopt(actorKey, async ({ folder, storeId, basePath, baseSeq }) => {
        if (basePath !== null && isPacked(basePath)) return null
        const positions = journal.positionsOf(actorKey, baseSeq + 1, toSeq)
        if (positions.length === 0) return null
        const actor = { actorKey, ...partsOfActorKey(actorKey) }
        const job: CompactJob = { ...actor, storeId, folder, basePath, positions }
        return pool.runLong<CompactResult>('compact', job)
      }),
  }
}
