import { DomainError, messageOf } from '../core/base/errors.ts'
import type { Redaction } from '../core/model/erasure.ts'
import { type ActorState, erasuresIn } from '../core/model/state.ts'
import type { ErasureMarks, Removal, Removed, Store, VectorStore } from '../ports/store.ts'
import type { Log } from '../ports/system.ts'
import type { Actor } from './actor.ts'

interface ErasuresParts {
  readonly erasureMarks: ErasureMarks
  readonly log: Log
  /** Takes what the actor has erased off the disk. @throws erase_incomplete */
  readonly purge: (actor: Actor) => Promise<unknown>
  readonly use: (actorKey: string, work: (actor: Actor) => Promise<void>) => Promise<void>
}

/** The actor that erases. */
type Erasing = Pick<Actor, 'key' | 'grant'>

/** The first status that does not promise that a refused request changed nothing. */
const SERVER_ERROR = 500

/**
 * Sees that every erasure is finished on disk, whoever is cut off: an actor is marked before its erasure is recorded,
 * and the mark goes when nothing is left to do. A start goes on with what is marked, and so does whoever loads such an
 * actor. What this process could not finish it tries again.
 */
export class Erasures {
  readonly #parts: ErasuresParts
  /** Requests under way, by actor. */
  readonly #underWay = new Map<string, number>()
  /** Actors of which something may be in the store that no request under way will take out. */
  readonly #unfinished = new Set<string>()
  readonly #resuming = new Map<string, Promise<void>>()
  #isRetrying = false

  constructor(parts: ErasuresParts) {
    this.#parts = parts
  }

  /** Runs an erasure, its turn and its purge. Rejects as `work`. */
  async run<T>(actor: Erasing, work: () => Promise<T>): Promise<T> {
    const { key: actorKey } = actor
    const isFirst = this.#count(actorKey, 1) === 1
    try {
      if (isFirst && (await this.#parts.erasureMarks.has(actorKey))) this.#unfinished.add(actorKey)
      await this.#mark(actor)
      const result = await work()
      this.#unfinished.delete(actorKey)
      return result
    } catch (error) {
      const isRefused = error instanceof DomainError && error.status < SERVER_ERROR
      if (!isRefused) this.#unfinished.add(actorKey)
      throw error
    } finally {
      this.#count(actorKey, -1)
      await this.#unmark(actor)
    }
  }

  /** Whether a request erases now, or what an earlier one left is being finished. */
  isUnderWay(actorKey: string): boolean {
    return this.#underWay.has(actorKey) || this.#resuming.has(actorKey)
  }

  /** Finishes what was begun before this start or by a node that is gone, one actor after the other. Never rejects. @returns what it tried */
  async resume(): Promise<ReadonlySet<string>> {
    const tried = new Set<string>()
    try {
      for await (const key of this.#parts.erasureMarks.marked()) {
        if (this.#underWay.has(key)) continue
        tried.add(key)
        await this.#resumed(key)
      }
    } catch (error) {
      this.#parts.log.error({ cause: messageOf(error) }, 'the marks of erasures could not be read')
    }
    return tried
  }

  /** The actor came into memory: what an earlier owner left unfinished is finished behind it. */
  async loaded(actorKey: string): Promise<void> {
    if (this.isUnderWay(actorKey)) return
    // Where nobody can say, there is at worst nothing to do.
    const isMarked = await this.#parts.erasureMarks.has(actorKey).catch(() => true)
    if (isMarked) void this.#resumed(actorKey)
  }

  /** Finishes what this process or another one could not, for want of room or otherwise, one actor after the other. Never rejects. */
  async retry(): Promise<void> {
    if (this.#isRetrying) return
    this.#isRetrying = true
    const tried = await this.resume()
    const waiting = [...this.#unfinished].filter((key) => !this.#underWay.has(key) && !tried.has(key))
    for (const key of waiting) await this.#resumed(key)
    this.#isRetrying = false
  }

  #resumed(key: string): Promise<void> {
    const known = this.#resuming.get(key)
    if (known !== undefined) return known
    const resuming = this.#finish(key).finally(() => this.#resuming.delete(key))
    this.#resuming.set(key, resuming)
    return resuming
  }

  async #finish(key: string): Promise<void> {
    try {
      await this.#parts.use(key, async (actor) => {
        // Marked, and then cut off before anything was recorded.
        if (erasuresIn(actor.state).length > 0) await this.#parts.purge(actor)
        this.#unfinished.delete(key)
        await this.#unmark(actor)
      })
      this.#parts.log.info({ actor: key }, 'an erasure that was cut off is finished')
    } catch (error) {
      // Its owner looks for marks too.
      if (error instanceof DomainError && error.code === 'not_owner') {
        this.#unfinished.delete(key)
        return
      }
      this.#unfinished.add(key)
      const cause = messageOf(error)
      this.#parts.log.error({ actor: key, cause }, 'an erasure that was cut off is still not finished')
    }
  }

  #count(actorKey: string, change: 1 | -1): number {
    const count = (this.#underWay.get(actorKey) ?? 0) + change
    if (count === 0) this.#underWay.delete(actorKey)
    else this.#underWay.set(actorKey, count)
    return count
  }

  /** Without a mark the erasure itself is still worth doing: only a crash in the middle of it needs a repeat then. */
  async #mark({ key: actorKey, grant }: Erasing): Promise<void> {
    const failed = 'an erasure could not be marked as begun'
    await this.#parts.erasureMarks.put(grant, actorKey).catch(this.#warningOf(actorKey, failed))
  }

  /** A mark that stays costs a start one purge that finds nothing. */
  async #unmark({ key: actorKey, grant }: Erasing): Promise<void> {
    if (this.#underWay.has(actorKey) || this.#unfinished.has(actorKey)) return
    const failed = 'the mark of an erasure could not be removed'
    await this.#parts.erasureMarks.remove(grant, actorKey).catch(this.#warningOf(actorKey, failed))
  }

  #warningOf(actor: string, failed: string): (error: unknown) => void {
    return (error) => this.#parts.log.warn({ actor, cause: String(error) }, failed)
  }
}

interface PurgeParts {
  readonly removal: Removal
  /** Null: this node has never embedded anything. */
  readonly vectorStore: VectorStore | null
  /** Resolves when no text of the actor is on its way to a provider that was taken before. */
  readonly withdraw: (actorKey: string) => Promise<void>
  readonly log: Log
  readonly isDiskFull: Store['isDiskFull']
  /** Makes a durable snapshot of an actor as it stands now, loading it if need be, after one that is under way. */
  readonly snapshot: (actorKey: string) => Promise<void>
}

/** The actor that has erased something. */
type Purged = Pick<Actor, 'key' | 'grant' | 'state' | 'recall'>

const DISK_FULL =
  'The erasure is recorded and the memory is gone from every answer. The disk is full: what is left of it in files goes by itself as soon as there is room, without a repeat.'

/**
 * Takes what an actor has erased out of its index, its vectors and then the store. Each step finds out for itself what is
 * left to do, so that a purge which a crash has cut off is finished by the next one. Purges of a node come one after the
 * other; one that waits covers all erasures until it starts.
 */
export class Purge {
  readonly #parts: PurgeParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PurgeParts) {
    this.#parts = parts
  }

  /** Resolves when nothing of it is in the store any more. @throws erase_incomplete */
  async run(actor: Purged): Promise<Removed> {
    const purge = this.#last.then(() => this.#purge(actor))
    this.#last = purge.catch(() => undefined)
    return purge
  }

  async #purge({ key, grant, state, recall }: Purged): Promise<Removed> {
    const { removal, vectorStore, withdraw, snapshot, isDiskFull, log } = this.#parts
    const redaction = redactionOf(state)
    // Nothing was ever erased: the store may hold no snapshot of the actor yet, and nothing has to go.
    if (redaction.untilSeq === 0) return { snapshots: 0, journalSegments: 0, historyFiles: 0 }
    let step = 'memory'
    const began = (next: string): void => {
      step = next
    }
    try {
      await recall.swept()
      began('vectors')
      await withdraw(key)
      const isLeft = ({ memoryId }: { readonly memoryId: string }) => !state.erasures.has(memoryId)
      const vectorFiles = (await vectorStore?.keepOnly(grant, key, isLeft)) ?? 0
      const removed = await removal.erase(grant, key, redaction, { snapshot, began })
      const erased = redaction.memoryIds.length
      const guides = redaction.guides.length
      log.info({ actor: key, erased, guides, ...removed, vectorFiles }, 'erased memory is off the disk')
      return removed
    } catch (error) {
      const cause = messageOf(error)
      log.error({ actor: key, step, cause }, 'an erasure is recorded but not finished')
      if (!isDiskFull(error)) throw new DomainError('erase_incomplete', { step })
      throw new DomainError('erase_incomplete', { step, reason: 'disk_full' }, DISK_FULL)
    }
  }
}

/** All that an actor has erased. */
export function redactionOf(state: ActorState): Redaction {
  const { erasures, erasedGuides, external } = state
  return {
    memoryIds: [...erasures.keys()],
    guides: [...erasedGuides.values()],
    external: [...external.erasures.values()],
    externalKey: external.key,
    untilSeq: erasuresIn(state).reduce((latest, { seq }) => Math.max(latest, seq), 0),
  }
}
