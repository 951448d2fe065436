import { messageOf } from '../core/base/errors.ts'
import type { Log } from '../ports/log.ts'
import type { Grant } from '../ports/ownership.ts'
import type { Residency } from '../ports/residency.ts'
import type { Segments } from '../ports/store.ts'
import type { Actor } from './actor.ts'
import { type Deadline, deadline } from './deadline.ts'
import type { KnownActors } from './known-actors.ts'
import { type ActorSnapshots, isCovered, isTailShort, type SnapshotParts } from './snapshotting.ts'

export interface LeavingParts extends SnapshotParts {
  readonly residency: Residency<Actor>
  readonly segments: Segments | null
  readonly log: Log
  readonly known: KnownActors
  readonly made: ActorSnapshots
  /** Whether a request asked for the actor and has not left it. */
  readonly isWanted: (actorKey: string) => boolean
  /** Whether it has something to do that its node has to finish. */
  readonly hasToStay: (actorKey: string) => boolean
  /** Resolves when nothing that was begun behind the requests is under way for the actor. */
  readonly withdraw: (actorKey: string) => Promise<void>
  /** The actor is gone from memory, and all that it knows is durable. */
  readonly left: (actor: Actor) => void
}

/**
 * Actors on their way out of memory. Requests that come meanwhile wait for the end, and then load the actor again, or are told who
 * owns it by then.
 */
export class LeavingActors {
  readonly #parts: LeavingParts
  readonly #leaving = new Map<string, Promise<void>>()

  constructor(parts: LeavingParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#leaving.size
  }

  has(key: string): boolean {
    return this.#leaving.has(key)
  }

  /** Resolves when the actor is not on its way out any more; it may have stayed. Never rejects. */
  async ended(key: string): Promise<void> {
    await this.#leaving.get(key)
  }

  /** Resolves when one of them is not on its way out any more. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#leaving.values())
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#leaving.values())
  }

  /** An actor that cannot be trusted. What it has queued must reach the disk, or fail, before anybody reads the disk again. */
  discard(actor: Actor): void {
    const settled = actor.settled().catch(() => undefined)
    this.#follow(
      actor,
      settled.then(() => this.#parts.left(actor)),
    )
  }

  /** Sends out those that are too many, but for those that a request asks for. */
  evictOverflow(): void {
    const { residency, isWanted } = this.#parts
    // Those on their way out count as gone, or every request meanwhile would send one more after them.
    const isPinned = (key: string): boolean => isWanted(key) && !this.#leaving.has(key)
    for (const key of residency.overflow(isPinned)) {
      const actor = residency.peek(key)
      if (actor !== undefined && !this.#leaving.has(key)) this.#follow(actor, this.#secured(actor))
    }
  }

  /** Snapshots what an actor of the grant could not leave to the journal, while requests are served. False: not now. */
  async prepare(grant: Grant): Promise<boolean> {
    const { made, hasToStay, log } = this.#parts
    try {
      for (const actor of this.#actorsOf(grant)) {
        if (hasToStay(actor.key)) return false
        if (!this.#mayLeave(actor)) await made.makeNext(actor)
      }
      return true
    } catch (error) {
      log.warn({ shard: grant.shard, cause: messageOf(error) }, 'a shard cannot move: a snapshot failed')
      return false
    }
  }

  /** Lets nobody in any more, and the actors of the grant out. False: one of them took longer, and has stayed. */
  async leave(grant: Grant, patienceMs: number): Promise<boolean> {
    const isLate = deadline(patienceMs)
    try {
      const leaving = this.#actorsOf(grant).map((actor) => {
        const underWay = this.#leaving.get(actor.key)
        return underWay === undefined
          ? this.#sentOut(actor, isLate)
          : underWay.then(() => this.#sentOut(actor, isLate))
      })
      return (await Promise.all(leaving)).every((hasLeft) => hasLeft)
    } finally {
      isLate.cancel()
    }
  }

  /** Resolves with whether the actor is gone. */
  #sentOut(actor: Actor, isLate: Deadline): Promise<boolean> {
    if (this.#parts.residency.peek(actor.key) !== actor) return Promise.resolve(true)
    const left = this.#drained(actor, isLate)
    this.#follow(actor, left)
    return left
  }

  #follow(actor: Actor, leaving: Promise<unknown>): void {
    const followed = leaving.then(() => {
      if (this.#leaving.get(actor.key) === followed) this.#leaving.delete(actor.key)
    })
    this.#leaving.set(actor.key, followed)
  }

  #actorsOf(grant: Grant): readonly Actor[] {
    const { residency } = this.#parts
    return [...residency.keys()].flatMap((key) => {
      const actor = residency.peek(key)
      return actor?.isHeldBy(grant) === true ? [actor] : []
    })
  }

  /** Those inside finish what they do; nobody comes in, as the actor is on its way out from now on. */
  async #drained(actor: Actor, isLate: Deadline): Promise<boolean> {
    await Promise.race([this.#parts.withdraw(actor.key), isLate.promise])
    while (!actor.isEmpty) {
      await Promise.race([actor.emptied(), isLate.promise])
      if (isLate.passed) return false
    }
    return this.#secured(actor)
  }

  /** Nobody is inside. Resolves with whether it is gone; never rejects. */
  async #secured(actor: Actor): Promise<boolean> {
    const { made, left, log } = this.#parts
    try {
      await made.settled(actor.key)
      if (actor.broken === null && !isCovered(this.#parts, actor)) await this.#secure(actor)
      left(actor)
      return true
    } catch (error) {
      const cause = messageOf(error)
      log.error({ actor: actor.key, cause }, 'snapshot failed; the actor stays in memory')
      return false
    }
  }

  /** Resolves when the actor may leave. */
  async #secure(actor: Actor): Promise<void> {
    const { made, known, segments } = this.#parts
    if (!this.#mayLeave(actor)) return made.make(actor)
    await actor.settled()
    if (segments !== null) known.leavesUncovered(actor.key)
  }

  /**
   * Whether it may leave without a snapshot. Where turns share segments as many may be away with a tail as are in memory: an erasure
   * has to cover them all.
   */
  #mayLeave(actor: Actor): boolean {
    const { known, residency, segments } = this.#parts
    if (actor.broken !== null || isCovered(this.#parts, actor)) return true
    const mayKeepTail = segments === null || known.uncoveredCount < residency.count()
    return mayKeepTail && isTailShort(this.#parts, actor)
  }
}
