import type { Redaction } from '../core/model/erasure.ts'
import type { ExposureRecord } from '../core/model/events.ts'
import type { StateImage } from '../core/model/image.ts'
import type { RecallImage } from '../core/search/index-image.ts'
import type { Cluster } from './cluster.ts'

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
  /** Each that has ever written anything once, in no order and never as one list. One that writes for the first time meanwhile may be left out. */
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

/** The largest payload that every engine takes, in bytes. */
export const PAYLOAD_BYTES_MAX = 8 * 1024 * 1024 - 4096

/** One turn of one actor, encoded. */
export interface JournalRecord {
  /** `tenant/scope`, see `actorKeyOf`. */
  readonly actorKey: string
  /** 1, 2, 3 … per actor; belongs to the core, not to the engine. */
  readonly actorSeq: number
  readonly payload: Uint8Array
  /** When it was first written, where a store keeps that beside it; absent: now. */
  readonly atMs?: number
}

/** `sync`: acknowledged means flushed. `interval` and `none` acknowledge before the flush, and say so. */
export const DURABILITIES = ['sync', 'interval', 'none'] as const
export type Durability = (typeof DURABILITIES)[number]

/**
 * How an append that was not acknowledged ended.
 * - conflict: `actorSeq` is not the head of that actor. A bug or a double start: discard the actor.
 * - fenced: the grant is not that of the actor's owner, and nothing was written.
 * - overloaded: the queue is full and nothing was queued; retry later.
 * - too_large: the payload is over `PAYLOAD_BYTES_MAX` and nothing was queued.
 * - in_doubt: the write or flush failed, the record may or may not be on disk; the actor must be discarded and
 *   read again, a caller repeats with its operation id.
 * - closed: the journal is shutting down and nothing was queued.
 * - unavailable: the engine does not answer, and nothing was written; retry soon.
 * - unknown: as in_doubt, but of an engine that may answer again at any moment.
 * - damaged: what is to be read is not there, or not what was written; no repeat changes that.
 * The other ports of a store reject with `fenced` and `unavailable` too.
 */
export type JournalFailureKind =
  | 'conflict'
  | 'fenced'
  | 'overloaded'
  | 'too_large'
  | 'in_doubt'
  | 'closed'
  | 'unavailable'
  | 'unknown'
  | 'damaged'

export interface JournalFailure extends Error {
  readonly journalFailure: JournalFailureKind
  /** With `fenced`: where the owner of the actor is reached, if that is known. */
  readonly owner?: string | null
  /** With `fenced`: the shard of the actor, where there are shards. */
  readonly shard?: number | null
}

export interface JournalHealth {
  readonly state: 'open' | 'poisoned' | 'closed'
  /** Why the journal is poisoned, for operators; null while it is well. */
  readonly cause: string | null
  /** True when it is poisoned because the disk was full: it may be opened again once there is room. */
  readonly isFull: boolean
  /** True when a shared store refused the last write, and would refuse any other: it lacks a right or room, or is read-only. */
  readonly isRefused: boolean
  readonly queuedBytes: number
  /** How long the disk has been busy with the write or flush under way, milliseconds; 0 when none is. */
  readonly writingMs: number
  /** The last link of the hash chain over what was written, 64 hex digits; null when none is kept. */
  readonly chainHead: string | null
}

/**
 * The journal of a node. Appends of one actor are acknowledged in order. `append` queues synchronously, so
 * two calls in a row keep their order without awaiting the first.
 */
export interface Journal {
  /** True while `append` would refuse with `overloaded`; lets a turn be refused before it is committed. */
  isSaturated(): boolean
  /** Resolves when the record is durable (at once unless durability is `sync`). Rejects with a JournalFailure. */
  append(grant: Grant, record: JournalRecord): Promise<void>
  /** Records of one actor from `fromSeq` on, in order, without gaps; includes those not yet flushed. */
  read(grant: Grant, actorKey: string, fromSeq: number): AsyncIterable<JournalRecord>
  /** Highest sequence of an actor that was read, 0 when the journal holds none (they may be in a snapshot). */
  headOf(actorKey: string): number
  /** Bytes of the actor's records above its last `covered` mark: drives the snapshot trigger. */
  uncoveredBytesOf(actorKey: string): number
  /** A durable snapshot covers the actor up to `seq`: what nobody needs any more may go, and turns go on behind it. */
  covered(grant: Grant, actorKey: string, seq: number): void
  health(): JournalHealth
  /** Flush what is queued, seal, stop. Idempotent. */
  close(): Promise<void>
}

/** Something worth keeping that is no turn: it changes no state. One govern request, for example. */
export interface AuditNote {
  readonly atMs: number
  /** Run that it belongs to; null: none. */
  readonly runId: string | null
  /** Plain msgpack-able value with a `kind`. */
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * What an actor did, for as long as retention keeps it: turns, whether the journal still holds
 * them or not, and audit notes. State never depends on it; time travel does.
 */
export interface History {
  /** The record of one turn; null when it is kept no longer, or never was. Includes what is not yet flushed. */
  recordAt(actorKey: string, seq: number): Promise<JournalRecord | null>
  /**
   * Records from `fromSeq` to `toSeq`, in order. Begins later when retention has removed older ones, and has no gap
   * after its first record.
   */
  read(actorKey: string, fromSeq: number, toSeq: number): AsyncIterable<JournalRecord>
  /** Queues a note without waiting for it; one that cannot be written is logged and lost. */
  note(grant: Grant, actorKey: string, note: AuditNote): void
  /** Notes of an actor, the newest first, at most `max`. Includes what is still queued. */
  notes(actorKey: string, max: number): Promise<readonly AuditNote[]>
  /** Resolves when no note waits. */
  settled(): Promise<void>
}

/** The right of this node to write an actor: constant for the local files, a lease with an epoch for a shared engine. */
export interface Grant {
  readonly shard: number
  readonly epoch: number
}

/** Who holds actors in memory by grants, and is asked before one goes back. */
export interface Holder {
  /** Whether somebody waits for what is written by the grant, although nothing of it need be in memory. */
  isFollowed(grant: Grant): boolean
  /** Before a grant goes to another node by plan: resolves when little is left to do. False: it cannot go now. */
  prepare(grant: Grant): Promise<boolean>
  /** Lets nobody in, and resolves with true when nothing of the grant is in memory; with false when it stays after all. */
  leave(grant: Grant, patienceMs: number): Promise<boolean>
  /** The grant went back: others may write by the next one. */
  givenBack(grant: Grant): void
}

/**
 * Which actors this node may write. A grant fences: once `acquire` has resolved, what an earlier owner acknowledged can be
 * read and nothing more of it is taken. So an actor is acquired before anything of it is read.
 */
export interface Ownership {
  /**
   * Takes the actor, or confirms that this node has it. Rejects with a JournalFailure: `fenced` while another node holds it,
   * with that node's address if it is known; `unavailable` when nobody can tell.
   */
  acquire(actorKey: string): Promise<Grant>
  /** The grant by which this node holds the actor now; null: it does not. Never waits. */
  held(actorKey: string): Grant | null
  /** Has `listener` told of every grant that this node has lost: what it knows of those actors may be out of date. */
  onLost(listener: (grant: Grant) => void): void
  /** Has `holder` asked before a grant goes back. Without one none goes to another node by plan. */
  attach(holder: Holder): void
  /** A request has found its actor by the grant. */
  used(grant: Grant): void
  /** This node needs the actor no longer: another one may take it. Nobody waits for it. */
  release(grant: Grant, actorKey: string): void
}

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

/** What a store needs of whoever holds the actors in memory. */
export interface RemovalHelp {
  /** Makes a durable snapshot of an actor as it stands now, loading it if need be, after one that is under way. */
  snapshot(actorKey: string): Promise<void>
  /** Told before each step, for the answer and the log. */
  began(step: string): void
}

/** How many pieces went or were rewritten. */
export interface Removed {
  readonly snapshots: number
  readonly journalSegments: number
  readonly historyFiles: number
  /** Until when copies that the store does not reach may hold what was erased; absent: there are none. */
  readonly copiesUntilMs?: number
}

/** Takes out of the store what an actor has erased. */
export interface Removal {
  /**
   * Resolves when no snapshot, stored index, journal or history of the actor says what it erased. Each step finds out for
   * itself what is left to do: doing it again finishes what was cut off, and then changes nothing. Rejects when something
   * has to stay.
   */
  erase(grant: Grant, actorKey: string, redaction: Redaction, help: RemovalHelp): Promise<Removed>
}

/** The recall index of an actor as it was when its state was that of one snapshot. */
export interface StoredRecallImage {
  readonly seq: number
  /** Digest of that state: no other state has this index. */
  readonly stateHash: string
  readonly image: RecallImage
}

/**
 * Recall indexes of actors, so that a load need not read every text again. They are derived: one that is missing or
 * damaged is built again, and nothing waits for one to be durable.
 */
export interface RecallImages {
  /** Begins to store an image in place of the actor's last one. A failure is logged; what was stored may stay. */
  keep(grant: Grant, actorKey: string, stored: StoredRecallImage): void
  /**
   * The stored image in memory of its own, its pages shared memory. Null when there is none that this program can use.
   * Never rejects.
   */
  get(actorKey: string): Promise<StoredRecallImage | null>
  /**
   * Removes every image of the actor but one that is known to be of turn `seq` or a later one, drafts too. Resolves when
   * that is durable; rejects when one has to stay.
   */
  dropBefore(grant: Grant, actorKey: string, seq: number): Promise<void>
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}

/** Which writing of a memory a row is about: the next revision has another ordinal and moment. */
export interface VectorKey {
  readonly memoryId: string
  readonly ordinal: number
  readonly updatedAtMs: number
}

export interface VectorRow extends VectorKey {
  /** Of length 1; null: whoever wrote the memory does not want it to be embedded. */
  readonly vector: Float32Array | null
}

/**
 * Stored vectors of memories, by actor. They are derived: what is missing or damaged is embedded again, except that a
 * row without vector says that nothing may be.
 */
export interface VectorStore {
  /** Every row of the actor in the order of writing; vectors of another model are left out. */
  load(actorKey: string, take: (row: VectorRow) => void): Promise<void>
  /** Resolves when durable. */
  append(grant: Grant, actorKey: string, rows: readonly VectorRow[]): Promise<void>
  /** Takes every other row out of the store. Resolves with the number of pieces rewritten when that is durable. */
  keepOnly(grant: Grant, actorKey: string, keeps: (key: VectorKey) => boolean): Promise<number>
}
