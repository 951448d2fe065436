import type { ArchiveJob, ExplanationBound } from '../../../workers/archive.ts'
import type { ComputePool } from '../../adapters/compute/pool.ts'
import type { ArchiveOutcome, OpenHistory } from '../../adapters/history/history.ts'
import type { BeforeUnlink } from '../../adapters/journal/retention.ts'

export type { ExplanationBound }

/**
 * Archiving in the worker pool, from file to file. While the pool is full or closing the segment has to stay.
 * @param boundsNow asked for each segment
 */
export function poolArchiving(
  history: OpenHistory,
  pool: Pick<ComputePool, 'runLong'>,
  boundsNow: () => readonly ExplanationBound[],
): BeforeUnlink {
  return ({ seq, path, flushedEnd }) =>
    history.keep(seq, (place) => {
      const job: ArchiveJob = { segmentPath: path, flushedEnd, place, bounds: boundsNow() }
      return pool.runLong<ArchiveOutcome>('archive', job)
    })
}
