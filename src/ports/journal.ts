import type { Grant } from './ownership.ts'

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
