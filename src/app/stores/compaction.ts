import type { CompactJob, CompactResult } from '../../../workers/compact.ts'
import type { ComputePool } from '../../adapters/compute/pool.ts'
import type { OpenJournal } from '../../adapters/journal/file-journal.ts'
import type { ActorPositions } from '../../adapters/journal/record-index.ts'
import type { FileSnapshotStore } from '../../adapters/snapshot/store.ts'
import { partsOfActorKey } from '../../core/base/ids.ts'
import type { Compaction } from '../../ports/compaction.ts'

/** Compaction in the worker pool, from the files of journal and snapshot store. */
export function poolCompaction(
  journal: Pick<OpenJournal, 'positionsOf'>,
  snapshots: FileSnapshotStore,
  pool: Pick<ComputePool, 'runLong'>,
): Compaction {
  return {
    compact: (_grant, actorKey, toSeq) =>
      snapshots.adopt(actorKey, async ({ folder, basePath, baseSeq }) => {
        const positions = upTo(journal.positionsOf(actorKey, baseSeq + 1), toSeq)
        if (positions.length === 0) return null
        const job: CompactJob = { actorKey, ...partsOfActorKey(actorKey), folder, basePath, positions }
        return pool.runLong<CompactResult>('compact', job)
      }),
  }
}

function upTo(positions: ActorPositions, toSeq: number): ActorPositions {
  return positions.flatMap((span) => {
    const count = Math.min(span.offsets.length, toSeq - span.firstSeq + 1)
    if (count <= 0) return []
    return [{ ...span, offsets: span.offsets.slice(0, count), sizes: span.sizes.slice(0, count) }]
  })
}
