import type { Cluster } from './cluster.ts'
import type { History } from './history.ts'
import type { Journal } from './journal.ts'
import type { Grant, Ownership } from './ownership.ts'
import type { RecallImages } from './recall-images.ts'
import type { Removal } from './removal.ts'
import type { ExposureLedger, SnapshotStore } from './snapshots.ts'
import type { VectorStore } from './vectors.ts'

/** How far an actor has come in the store. */
export interface StoredTurns {
  /** The last turn. */
  readonly turns: number
  /** The turn up to which the newest snapshot goes, and its size; 0: there is none. */
  readonly snapshotTurns: number
  readonly snapshotBytes: number
}

/** Which actors there are in the store. */
export interface Directory {
  /** How many actors have ever written anything. */
  known(): Promise<number>
  /** Each of them once, in no order and never as one list. One that writes for the first time meanwhile may be left out. */
  actors(): AsyncIterable<string>
  /** Of each of some actors in their order, whoever holds it: none is loaded. */
  turnsOf(actorKeys: readonly string[]): Promise<readonly StoredTurns[]>
}

/**
 * Makes a snapshot of an actor from disk, beside the thread that serves: the older snapshot and the journal give the
 * new one through the same `evolve`. What it covers must be durable before it is called.
 */
export interface Compaction {
  /**
   * Resolves when the snapshot up to turn `toSeq` is durable itself, with the sequence that it covers and the digest of
   * its state. Null when there is nothing newer to cover. Rejects when a file cannot be read or written, or the pool is full.
   */
  compact(
    grant: Grant,
    actorKey: string,
    toSeq: number,
  ): Promise<{ readonly seq: number; readonly bytes: number; readonly stateHash: string } | null>
}

/**
 * Remembers, over crashes and from owner to owner, the actors of which something erased may still be in the store. Only
 * keys, no content.
 */
export interface ErasureMarks {
  /** Every actor with a mark that this node may acquire. */
  marked(): AsyncIterable<string>
  has(actorKey: string): Promise<boolean>
  /** Resolves when durable. */
  put(grant: Grant, actorKey: string): Promise<void>
  /** Resolves when durable; nothing happens to an actor without a mark. */
  remove(grant: Grant, actorKey: string): Promise<void>
}

/** Journal segments that actors share: one stays as long as any actor needs it. */
export interface Segments {
  /** Actors that pin the oldest segment once there are more than the store aims at. */
  laggards(): readonly string[]
  segmentCount(): number
}

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
