import { DomainError } from '../core/base/errors.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { ActorState } from '../core/model/state.ts'
import type { Embedder, EmbedFailure, EmbedFailureKind } from '../ports/embedder.ts'
import type { ActorVectors, EmbeddedActor, Embeddings } from '../ports/embedding.ts'
import type { VectorRow, VectorStore } from '../ports/store.ts'
import type { Clock, Log, Schedule } from '../ports/system.ts'
import { type EmbeddingTask, VectorView } from './vector-view.ts'

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

/** Texts in one request. */
export const BATCH_MAX = 32
/** Requests that one memory alone may spoil before it is given up, with answers to others between them. */
export const ATTEMPTS_MAX = 4
const PAUSE_MIN_MS = 250
const PAUSE_MAX_MS = 60_000
/** The longest that a provider's own word for a pause is taken. */
const ASKED_PAUSE_MAX_MS = 600_000

/** An actor with vectors of this folder. */
export interface EmbeddingActor extends EmbeddedActor {
  readonly vectors: VectorView | null
}

export interface EmbeddingJobsParts {
  readonly embedder: Embedder
  readonly store: VectorStore
  readonly clock: Clock
  readonly log: Log
  /** For one request. */
  readonly timeoutMs: number
  /** Runs work inside an actor, loading it if need be. */
  readonly use: (actorKey: string, work: (actor: EmbeddingActor) => Promise<void>) => Promise<void>
  readonly delay: Schedule
}

/**
 * Embeds in the background what has no vector yet, one request at a time. What waits is known by the actors: here are
 * only the keys of those that have something waiting. Every attempt reads the texts anew, so that nothing is sent that
 * was erased or suppressed before.
 */
export class EmbeddingJobs {
  readonly #parts: EmbeddingJobsParts
  readonly #waiting = new Set<string>()
  #inFlight: {
    readonly actorKey: string
    readonly stop: AbortController
    readonly done: Promise<void>
  } | null = null
  #running: Promise<void> | null = null
  #cancelPause: (() => void) | null = null
  #failuresInRow = 0
  #batch = BATCH_MAX
  #lastFailure: EmbedFailureKind | null = null
  /** Memories that failed alone since the last answer: once more says nothing of them, the provider may be down. */
  readonly #suspects = new Set<string>()
  #isStopped = false

  constructor(parts: EmbeddingJobsParts) {
    this.#parts = parts
  }

  /** Why the last request gave nothing; null when it did. */
  get lastFailure(): EmbedFailureKind | null {
    return this.#lastFailure
  }

  /** The actor has memory without vectors. */
  nudge(actorKey: string): void {
    if (this.#isStopped) return
    this.#waiting.add(actorKey)
    if (this.#cancelPause === null) this.#start()
  }

  /** Resolves when no text of the actor is on its way any more; what waits is read anew afterwards. */
  async withdraw(actorKey: string): Promise<void> {
    if (this.#inFlight?.actorKey !== actorKey) return
    this.#inFlight.stop.abort()
    await this.#inFlight.done
  }

  /** Resolves when nothing is sent any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelPause?.()
    this.#cancelPause = null
    this.#inFlight?.stop.abort()
    await this.#running
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null
      // Something may have come while the last one ended.
      if (this.#cancelPause === null && this.#waiting.size > 0 && !this.#isStopped) this.#start()
    })
  }

  async #run(): Promise<void> {
    for (const actorKey of this.#waiting) {
      if (this.#isStopped) return
      this.#waiting.delete(actorKey)
      const pauseMs = await this.#turn(actorKey)
      if (pauseMs > 0 && !this.#isStopped) return this.#pause(pauseMs)
    }
  }

  #pause(ms: number): void {
    this.#cancelPause = this.#parts.delay(() => {
      this.#cancelPause = null
      this.#start()
    }, ms)
  }

  /** One request for one actor; answers how long to wait before the next, 0 for not at all. */
  async #turn(actorKey: string): Promise<number> {
    let pauseMs = 0
    try {
      await this.#parts.use(actorKey, async (actor) => {
        if (actor.vectors !== null) pauseMs = await this.#embedSome(actor, actor.vectors)
      })
    } catch (error) {
      if (this.#isStopped || (error instanceof DomainError && error.code === 'shutting_down')) return 0
      this.#parts.log.warn({ actor: actorKey, cause: String(error) }, 'memory could not be embedded')
      // An actor that cannot be loaded here asks again when somebody has loaded it; one that is busy is tried later.
      if (!(error instanceof DomainError) || error.code === 'not_owner') return 0
      this.#waiting.add(actorKey)
      return this.#backOff(null)
    }
    return pauseMs
  }

  async #embedSome(actor: EmbeddingActor, view: VectorView): Promise<number> {
    const { clock } = this.#parts
    const waiting = await view.waiting(this.#batch, clock.nowMs())
    const tasks = this.#isStopped ? [] : view.sendable(waiting, clock.nowMs())
    if (tasks.length === 0) return 0
    const stop = new AbortController()
    const sending = this.#send(actor, view, tasks, stop.signal)
    const done = sending.then(
      () => undefined,
      () => undefined,
    )
    this.#inFlight = { actorKey: actor.key, stop, done }
    try {
      await sending
    } catch (error) {
      if (!isEmbedFailure(error)) throw error
      this.#waiting.add(actor.key)
      return this.#afterFailure(error, view, tasks)
    } finally {
      this.#inFlight = null
    }
    if (view.isBehind) this.#waiting.add(actor.key)
    return 0
  }

  async #send(
    { key: actorKey, grant }: EmbeddingActor,
    view: VectorView,
    tasks: readonly EmbeddingTask[],
    signal: AbortSignal,
  ): Promise<void> {
    const { embedder, store, timeoutMs, log } = this.#parts
    const texts = tasks.map(({ text }) => text)
    const vectors = await embedder.embed(texts, { timeoutMs, signal })
    this.#failuresInRow = 0
    this.#lastFailure = null
    this.#suspects.clear()
    this.#batch = Math.min(BATCH_MAX, this.#batch * 2)
    const rows = tasks.map(({ memoryId, ordinal, updatedAtMs }, at): VectorRow => {
      return { memoryId, ordinal, updatedAtMs, vector: vectors[at] ?? null }
    })
    const taken = view.put(rows.filter(({ vector }) => vector !== null))
    if (taken.length === 0) return
    // Without a wait since the rows were found to be wanted: an erasure that comes now waits for this write.
    await store.append(grant, actorKey, taken).catch((error: unknown) => {
      log.warn(
        { actor: actorKey, cause: String(error) },
        'vectors are not on disk: they are made again after a restart',
      )
    })
  }

  #afterFailure(failure: EmbedFailure, view: VectorView, tasks: readonly EmbeddingTask[]): number {
    const { embedFailure: kind, message, retryAfterMs } = failure
    if (kind === 'stopped') return 0
    this.#lastFailure = kind
    const { log, embedder } = this.#parts
    log.warn({ provider: embedder.provider, kind, cause: message, texts: tasks.length }, 'embedding failed')
    const mayBeTheText = kind === 'refused' || kind === 'malformed' || kind === 'failing' || kind === 'late'
    const [only] = tasks
    if (mayBeTheText && tasks.length > 1) this.#batch = Math.ceil(tasks.length / 2)
    // A provider that does not answer in time is slow for all; whoever refuses a single text refuses it for good.
    if (mayBeTheText && kind !== 'late' && tasks.length === 1 && only !== undefined) {
      const isKnown = this.#suspects.has(only.memoryId)
      this.#suspects.add(only.memoryId)
      view.spoiled(only, kind, kind === 'refused' ? 1 : ATTEMPTS_MAX, isKnown)
    }
    return this.#backOff(retryAfterMs)
  }

  /** Twice as long after each failure, and never shorter than the provider asks. */
  #backOff(askedMs: number | null): number {
    const ownMs = Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** Math.min(this.#failuresInRow, 20))
    this.#failuresInRow += 1
    return Math.max(ownMs, Math.min(ASKED_PAUSE_MAX_MS, askedMs ?? 0))
  }
}

export function isEmbedFailure(error: unknown): error is EmbedFailure {
  return error instanceof Error && 'embedFailure' in error && 'retryAfterMs' in error
}
