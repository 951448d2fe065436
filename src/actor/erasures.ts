import { DomainError, messageOf } from '../core/base/errors.ts'
import { partsOfActorKey } from '../core/base/ids.ts'
import type { ErasureMarks } from '../ports/erasures.ts'
import type { Log } from '../ports/log.ts'
import type { Actor } from './actor.ts'

export interface ErasuresParts {
  readonly erasureMarks: ErasureMarks
  readonly log: Log
  /** Takes what the actor has erased off the disk. @throws erase_incomplete */
  readonly purge: (actor: Actor) => Promise<unknown>
  readonly use: (tenantId: string, scope: string, work: (actor: Actor) => Promise<void>) => Promise<void>
}

/** The first status that does not promise that a refused request changed nothing. */
const SERVER_ERROR = 500

/**
 * Sees that every erasure is finished on disk, whoever is cut off: an actor is marked before its erasure is recorded,
 * and the mark goes when nothing is left to do. A start goes on with what is marked.
 */
export class Erasures {
  readonly #parts: ErasuresParts
  /** Requests under way, by actor. */
  readonly #underWay = new Map<string, number>()
  /** Actors of which something may be on disk that no request under way will take off. */
  readonly #unfinished: Set<string>
  #isRetrying = false

  constructor(parts: ErasuresParts) {
    this.#parts = parts
    this.#unfinished = new Set(parts.erasureMarks.keys())
  }

  /** Runs an erasure, its turn and its purge. Rejects as `work`. */
  async run<T>(actorKey: string, work: () => Promise<T>): Promise<T> {
    this.#count(actorKey, 1)
    try {
      await this.#mark(actorKey)
      const result = await work()
      this.#unfinished.delete(actorKey)
      return result
    } catch (error) {
      const isRefused = error instanceof DomainError && error.status < SERVER_ERROR
      if (!isRefused) this.#unfinished.add(actorKey)
      throw error
    } finally {
      this.#count(actorKey, -1)
      await this.#unmark(actorKey)
    }
  }

  /** Finishes what an earlier process has begun. Never rejects. */
  resume(): Promise<void> {
    return this.#finish(this.#parts.erasureMarks.keys())
  }

  /** Finishes what this process could not, for want of room or otherwise. Never rejects. */
  async retry(): Promise<void> {
    if (this.#isRetrying) return
    this.#isRetrying = true
    await this.#finish([...this.#unfinished].filter((key) => !this.#underWay.has(key)))
    this.#isRetrying = false
  }

  /** One actor after the other. */
  async #finish(actorKeys: readonly string[]): Promise<void> {
    for (const key of actorKeys) {
      const { tenantId, scope } = partsOfActorKey(key)
      try {
        await this.#parts.use(tenantId, scope, async (actor) => {
          // Marked, and then cut off before anything was recorded.
          if (actor.state.erasures.size > 0) await this.#parts.purge(actor)
        })
        this.#unfinished.delete(key)
        await this.#unmark(key)
        this.#parts.log.info({ actor: key }, 'an erasure that was cut off is finished')
      } catch (error) {
        const cause = messageOf(error)
        this.#parts.log.error({ actor: key, cause }, 'an erasure that was cut off is still not finished')
      }
    }
  }

  #count(actorKey: string, change: 1 | -1): void {
    const count = (this.#underWay.get(actorKey) ?? 0) + change
    if (count === 0) this.#underWay.delete(actorKey)
    else this.#underWay.set(actorKey, count)
  }

  /** Without a mark the erasure itself is still worth doing: only a crash in the middle of it needs a repeat then. */
  async #mark(actorKey: string): Promise<void> {
    await this.#parts.erasureMarks.put(actorKey).catch((error: unknown) => {
      this.#parts.log.warn(
        { actor: actorKey, cause: String(error) },
        'an erasure could not be marked as begun',
      )
    })
  }

  /** A mark that stays costs a start one purge that finds nothing. */
  async #unmark(actorKey: string): Promise<void> {
    if (this.#underWay.has(actorKey) || this.#unfinished.has(actorKey)) return
    await this.#parts.erasureMarks.remove(actorKey).catch((error: unknown) => {
      this.#parts.log.warn(
        { actor: actorKey, cause: String(error) },
        'the mark of an erasure could not be removed',
      )
    })
  }
}
