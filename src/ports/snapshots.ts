import type { ExposureRecord } from '../core/model/events.ts'
import type { StateImage } from '../core/model/image.ts'
import type { Grant } from './ownership.ts'

export interface StoredSnapshot {
  readonly seq: number
  readonly image: StateImage
}

/** Snapshots of actors. `put` resolves only when it is durable. */
export interface SnapshotStore {
  put(grant: Grant, actorKey: string, image: StateImage): Promise<{ readonly bytes: number }>
  /** The newest snapshot that is whole; the one before it when the newest is damaged; null when there is none. */
  get(actorKey: string): Promise<StoredSnapshot | null>
  /** Size of the newest snapshot, 0 without one. */
  bytesOf(actorKey: string): number
  /** Highest sequence a durable snapshot covers, 0 without one. */
  coveredSeqOf(actorKey: string): number
  /** When the last snapshot became durable; null before the first. */
  lastAtMs(): number | null
}

/**
 * Exposure sets that are no longer resident. Written before the snapshot that drops them from memory, read when
 * feedback names an old guide. Kept 30 days and within a byte budget for the node.
 */
export interface ExposureLedger {
  /** Resolves when durable. Records of one call belong to actor sequences in (fromSeq, toSeq]. */
  append(
    grant: Grant,
    actorKey: string,
    fromSeq: number,
    toSeq: number,
    records: readonly ExposureRecord[],
  ): Promise<void>
  find(actorKey: string, guideTraceId: string): Promise<ExposureRecord | null>
  /**
   * Every record that is kept of the actor and was made at `notAfterMs` or before, the newest first; each once. What is
   * damaged is left out.
   */
  newestFirst(actorKey: string, notAfterMs?: number): AsyncIterable<ExposureRecord>
  /** Guides that were made before are kept no longer, wherever they still stand. */
  keptFromMs(): number
  /** True when a trace of this age would have been removed by retention, for its age or for the bytes of all. */
  isBeyondRetention(actorKey: string, guideTraceId: string): boolean
}
