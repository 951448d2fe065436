import type { ActorEvent } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Embedder, EmbedFailureKind } from '../ports/embedder.ts'
import type { Log } from '../ports/log.ts'
import type { VectorStore } from '../ports/vectors.ts'
import type { Actor } from './actor.ts'
import { EmbeddingJobs, type EmbeddingJobsParts } from './embedding-jobs.ts'
import { VectorView } from './vector-view.ts'

/** What embeds memory in the background. */
export interface EmbeddingParts {
  readonly embedder: Embedder
  /** For one request. */
  readonly timeoutMs: number
}

interface NodeParts {
  /** Null: nothing is embedded. */
  readonly embedding: EmbeddingParts | null
  /** Null only without `embedding`. */
  readonly vectorStore: VectorStore | null
  readonly clock: Clock
  readonly log: Log
}

/** What an actor has to do with vectors: loads them, embeds what has none, keeps what must not be embedded. */
export class Embedding {
  readonly #store: VectorStore
  readonly #log: Log
  readonly #jobs: EmbeddingJobs
  /** Writes of rows without vectors that are on their way, by actor. */
  readonly #keeping = new Map<string, Promise<void>>()

  private constructor(store: VectorStore, parts: EmbeddingJobsParts) {
    this.#store = store
    this.#log = parts.log
    this.#jobs = new EmbeddingJobs(parts)
  }

  /** Null: nothing is embedded. */
  static of(parts: NodeParts, use: EmbeddingJobsParts['use']): Embedding | null {
    const { embedding, vectorStore: store, clock, log } = parts
    return embedding === null || store === null
      ? null
      : new Embedding(store, { ...embedding, store, clock, log, use })
  }

  /** Why the last request gave nothing; null when it did. */
  get lastFailure(): EmbedFailureKind | null {
    return this.#jobs.lastFailure
  }

  /** The vectors of an actor that is loaded. Null when they cannot be read: which memory must not be embedded is not known then. */
  async viewOf(actorKey: string, state: ActorState): Promise<VectorView | null> {
    try {
      return await VectorView.over(state, actorKey, this.#store)
    } catch (error) {
      this.#log.error({ actor: actorKey, cause: String(error) }, 'vectors cannot be read')
      return null
    }
  }

  /** What has no vector yet is embedded in the background; what the events withdraw is not sent again. */
  follow(actor: Actor, events: readonly ActorEvent[]): void {
    const isWithdrawn = events.some(
      (event) =>
        event.type === 'memory_erased' || (event.type === 'suppression_changed' && event.to !== null),
    )
    if (isWithdrawn) void this.#jobs.withdraw(actor.key)
    if (actor.vectors?.isBehind === true) this.#jobs.nudge(actor.key)
  }

  /**
   * Resolves when it is on disk which memories of earlier turns are not to be embedded. A disk that fails says so in the
   * log: the memory is written, and whoever wrote it cannot take that back.
   */
  async keepUnwanted({ key, grant, vectors }: Actor): Promise<void> {
    const rows = vectors?.takeUnwantedRows() ?? []
    if (rows.length > 0) {
      const kept = this.#store.append(grant, key, rows).catch((error: unknown) => {
        this.#log.error({ actor: key, cause: String(error) }, 'what must not be embedded is not on disk')
      })
      this.#keeping.set(key, kept)
      void kept.then(() => this.#keeping.get(key) === kept && this.#keeping.delete(key))
    }
    // Rows of one turn may have been taken along by another one.
    await this.#keeping.get(key)
  }

  /** Resolves when no text of the actor is on its way to a provider that was taken before. */
  withdraw(actorKey: string): Promise<void> {
    return this.#jobs.withdraw(actorKey)
  }

  stop(): Promise<void> {
    return this.#jobs.stop()
  }
}
