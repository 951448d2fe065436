import type { ActorEvent } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import type { EmbedFailureKind } from '../ports/embedder.ts'
import type { ActorVectors, EmbeddedActor, Embeddings } from '../ports/embedding.ts'
import { EmbeddingJobs, type EmbeddingJobsParts } from './embedding-jobs.ts'
import { VectorView } from './vector-view.ts'

/** What an actor has to do with vectors: loads them, embeds what has none, keeps what must not be embedded. */
export class Embedding implements Embeddings {
  readonly #parts: Omit<EmbeddingJobsParts, 'use'>
  #jobs: EmbeddingJobs | null = null
  /** Writes of rows without vectors that are on their way, by actor. */
  readonly #keeping = new Map<string, Promise<void>>()

  constructor(parts: Omit<EmbeddingJobsParts, 'use'>) {
    this.#parts = parts
  }

  start(use: Parameters<Embeddings['start']>[0]): void {
    this.#jobs = new EmbeddingJobs({
      ...this.#parts,
      use: (actorKey, work) =>
        use(actorKey, ({ key, grant, vectors }) =>
          work({ key, grant, vectors: vectors instanceof VectorView ? vectors : null }),
        ),
    })
  }

  get lastFailure(): EmbedFailureKind | null {
    return this.#jobs?.lastFailure ?? null
  }

  async viewOf(actorKey: string, state: ActorState): Promise<ActorVectors | null> {
    try {
      return await VectorView.over(state, actorKey, this.#parts.store)
    } catch (error) {
      this.#parts.log.error({ actor: actorKey, cause: String(error) }, 'vectors cannot be read')
      return null
    }
  }

  follow(actor: EmbeddedActor, events: readonly ActorEvent[]): void {
    const isWithdrawn = events.some(
      (event) =>
        event.type === 'memory_erased' || (event.type === 'suppression_changed' && event.to !== null),
    )
    if (isWithdrawn) void this.#jobs?.withdraw(actor.key)
    if (actor.vectors?.isBehind === true) this.#jobs?.nudge(actor.key)
  }

  async keepUnwanted({ key, grant, vectors }: EmbeddedActor): Promise<void> {
    const rows = vectors?.takeUnwantedRows() ?? []
    if (rows.length > 0) {
      const { store, log } = this.#parts
      const kept = store.append(grant, key, rows).catch((error: unknown) => {
        log.error({ actor: key, cause: String(error) }, 'what must not be embedded is not on disk')
      })
      this.#keeping.set(key, kept)
      void kept.then(() => this.#keeping.get(key) === kept && this.#keeping.delete(key))
    }
    // Rows of one turn may have been taken along by another one.
    await this.#keeping.get(key)
  }

  async withdraw(actorKey: string): Promise<void> {
    await this.#jobs?.withdraw(actorKey)
  }

  async stop(): Promise<void> {
    await this.#jobs?.stop()
  }
}
