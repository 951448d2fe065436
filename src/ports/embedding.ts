import type { ActorEvent } from '../core/model/events.ts'
import type { Consumer } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import type { NearHit } from '../core/rerank/signals.ts'
import type { KnnResult, VectorJob } from '../core/search/knn.ts'
import type { EmbedFailureKind } from './embedder.ts'
import type { Grant, VectorRow } from './store.ts'

export type EmbeddingStatus = 'pending' | 'ready' | 'failed' | 'skipped'

/** One question to the vectors of an actor. */
export interface VectorQuestion {
  readonly job: VectorJob
  /** What was found, on the state of now: a memory that was revised or erased since is left out. */
  readonly hitsOf: (result: KnnResult) => readonly NearHit[]
}

/** The vectors of an actor's memories, kept in step with its events. */
export interface ActorVectors {
  /** How many memories stand where. */
  counts(): Readonly<Record<EmbeddingStatus, number>>
  statusOf(memoryId: string): { readonly status: EmbeddingStatus; readonly reason: string | null }
  /** Whether memories wait to be embedded. */
  readonly isBehind: boolean
  /** Estimate of their share of the heap. */
  weightBytes(): number
  /** Before a turn is decided: which of the memories that it writes are not to be embedded. */
  unwanted(memoryIds: ReadonlySet<string>): void
  /** Rows that must be durable before the answer that promises them leaves; each is handed out once. */
  takeUnwantedRows(): readonly VectorRow[]
  /** Follows events that the state has applied. */
  apply(events: readonly ActorEvent[]): void
  /** How many vectors the consumer sees. */
  visibleTo(consumer: Consumer): number
  /** A question over what the consumer may see; null when the vector has another length than those of the actor. */
  question(query: Float32Array, consumer: Consumer, limit: number): VectorQuestion | null
}

/** An actor as far as its memories are embedded. */
export interface EmbeddedActor {
  readonly key: string
  readonly grant: Grant
  /** Null: they cannot be read. */
  readonly vectors: ActorVectors | null
}

/** What embeds memory, behind the turns. */
export interface Embeddings {
  /** `use` runs work inside an actor, loading it if need be. Called once, before anything else. */
  start(use: (actorKey: string, work: (actor: EmbeddedActor) => Promise<void>) => Promise<void>): void
  /** Why the last request gave nothing; null when it did. */
  readonly lastFailure: EmbedFailureKind | null
  /** The vectors of an actor that is loaded. Null when they cannot be read: which memory must not be embedded is not known then. */
  viewOf(actorKey: string, state: ActorState): Promise<ActorVectors | null>
  /** What has no vector yet is embedded in the background; what the events withdraw is not sent again. */
  follow(actor: EmbeddedActor, events: readonly ActorEvent[]): void
  /**
   * Resolves when it is durable which memories of earlier turns are not to be embedded. A store that fails says so in the
   * log: the memory is written, and whoever wrote it cannot take that back.
   */
  keepUnwanted(actor: EmbeddedActor): Promise<void>
  /** Resolves when no text of the actor is on its way to a provider that was taken before. */
  withdraw(actorKey: string): Promise<void>
  /** Resolves when nothing is sent any more. */
  stop(): Promise<void>
}
