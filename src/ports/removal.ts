import type { Redaction } from '../core/model/erasure.ts'
import type { Grant } from './ownership.ts'

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
