import type { Cluster } from './cluster.ts'
import type { Compaction } from './compaction.ts'
import type { Directory } from './directory.ts'
import type { ErasureMarks } from './erasures.ts'
import type { History } from './history.ts'
import type { Journal } from './journal.ts'
import type { Ownership } from './ownership.ts'
import type { RecallImages } from './recall-images.ts'
import type { Removal } from './removal.ts'
import type { Segments } from './segments.ts'
import type { ExposureLedger, SnapshotStore } from './snapshots.ts'
import type { VectorStore } from './vectors.ts'

/**
 * Everything durable that actors stand on, as one bundle: whoever fills it is a store. Every write carries the grant by
 * which its node holds the actor; with any other grant it is refused as `fenced` and nothing is written. Whatever needs
 * an engine that does not answer rejects with a JournalFailure of kind `unavailable`.
 */
export interface Store {
  /** Its name in health. */
  readonly backend: string
  readonly ownership: Ownership
  readonly directory: Directory
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly recallImages: RecallImages
  readonly ledger: ExposureLedger
  readonly history: History
  readonly erasureMarks: ErasureMarks
  readonly removal: Removal
  /** Null: no model is configured, and nothing was ever embedded. */
  readonly vectorStore: VectorStore | null
  /** Null: the store makes no snapshots by itself; all are made from memory. */
  readonly compaction: Compaction | null
  /** Null: idle actors hold nothing that others wait for. */
  readonly segments: Segments | null
  /** Null: this node is the only one. */
  readonly cluster: Cluster | null
  /** Whether a write was refused for want of room only: with room it works. */
  isDiskFull(error: unknown): boolean
  /** Flushes what is queued, gives every actor back and stops. Idempotent. */
  close(): Promise<void>
}
