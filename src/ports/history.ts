import type { JournalRecord } from './journal.ts'
import type { Grant } from './ownership.ts'

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
