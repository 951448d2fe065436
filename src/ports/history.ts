import type { Redaction } from '../core/model/erasure.ts'
import type { JournalRecord } from './journal.ts'

/** Something worth keeping that is no turn: it changes no state. One govern request, for example. */
export interface AuditNote {
  readonly atMs: number
  /** Run that it belongs to; null: none. */
  readonly runId: string | null
  /** Plain msgpack-able value with a `kind`. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Takes out of history what an actor has erased. */
export interface HistoryRedaction {
  /**
   * Rewrites every history file in which turns of the actor say what they may not any more, and removes damaged ones
   * that were set aside. Resolves with the number of files changed or removed when that is durable. Doing it again
   * changes nothing.
   */
  redact(actorKey: string, redaction: Redaction): Promise<number>
}

/**
 * What an actor did, for as long as retention keeps it: turns, in the journal while it holds them and in history
 * files after that, and audit notes. State never depends on it; time travel does.
 */
export interface History {
  /** The record of one turn; null when it is kept no longer, or never was. Includes what is not yet flushed. */
  recordAt(actorKey: string, seq: number): Promise<JournalRecord | null>
  /**
   * Records from `fromSeq` to `toSeq`, in order. Begins later when retention has removed older ones, and has no gap
   * after its first record.
   */
  read(actorKey: string, fromSeq: number, toSeq: number): AsyncIterable<JournalRecord>
  /** Queues a note without waiting for the disk; one that cannot be written is logged and lost. */
  note(actorKey: string, note: AuditNote): void
  /** Notes of an actor, the newest first, at most `max`. Includes what is still queued. */
  notes(actorKey: string, max: number): Promise<readonly AuditNote[]>
}
