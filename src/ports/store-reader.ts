import type { ExposureRecord } from '../core/model/events.ts'
import type { AuditNote, JournalRecord, StoredSnapshot, VectorRow } from './store.ts'

/** What a store holds, by kind: the names under which sizes are told. */
export const STORED_KINDS = ['turns', 'snapshots', 'exposures', 'notes', 'vectors'] as const
export type StoredKind = (typeof STORED_KINDS)[number]

export interface StoredSizes {
  /** That are kept. */
  readonly turns: number
  readonly bytes: Readonly<Record<StoredKind, number>>
}

/**
 * All that is durable of a store, for whoever only looks: it takes no grant, and nobody who serves from the store notices.
 * What a service writes meanwhile may be seen in part.
 */
export interface StoreReader {
  /** Where it is, for people: never with a password. */
  readonly place: string
  readonly storeId: string
  /** Each of them once. */
  actors(): AsyncIterable<string>
  /** The last turn of an actor that is told anywhere, 0 for one that has written nothing. */
  headOf(actorKey: string): Promise<number>
  /** The newest snapshot that is whole. */
  snapshot(actorKey: string): Promise<StoredSnapshot | null>
  /** Turns from one on, in order. Begins later when older ones are kept no longer, and has no gap after its first. */
  turns(actorKey: string, fromSeq: number): AsyncIterable<JournalRecord>
  /** Every exposure set that is there, the newest first. */
  exposures(actorKey: string): AsyncIterable<ExposureRecord>
  /** Every audit note, the oldest first. */
  notes(actorKey: string): Promise<readonly AuditNote[]>
  /** The newest row of each memory: of the model that is configured, and those that want no vector. */
  vectors(actorKey: string): Promise<readonly VectorRow[]>
  /** Whether something that the actor erased may still be there. */
  isErasing(actorKey: string): Promise<boolean>
  sizes(): Promise<StoredSizes>
  close(): Promise<void>
}
