import { messageOf } from '../core/base/errors.ts'
import type { Residency } from '../ports/residency.ts'
import type { Segments } from '../ports/segments.ts'
import type { Actor } from './actor.ts'
import type { Deadline } from './deadline.ts'
import {
  isCovered,
  isSnapshotDue,
  isSnapshotOverdue,
  isTailShort,
  type SnapshotParts,
  snapshotActor,
} from './snapshotting.ts'

/** Snapshots at once of actors that are due: each takes the serving thread in slices, and requests have to come between. */
const DUE_AT_ONCE = 2

interface ActorSnapshotsParts extends SnapshotParts {
  /** Null: a tail that is left to the journal holds up nobody. */
  readonly segments: Segments | null
}

/** The snapshots that are being made. An actor has at most one under way. */
export class ActorSnapshots {
  readonly #parts: ActorSnapshotsParts
  readonly #underWay = new Map<string, Promise<void>>()
  #due = 0
  #failures = 0

  constructor(parts: ActorSnapshotsParts) {
    this.#parts = parts
  }

  /** Makes a durable snapshot. Nobody else may be making one of this actor: wait for `settled` first. */
  make(actor: Actor): Promise<void> {
    const snapshot = this.#counted(actor).finally(() => this.#underWay.delete(actor.key))
    this.#underWay.set(actor.key, snapshot)
    return snapshot
  }

  /** Snapshots that failed since the last one that was made. */
  get failures(): number {
    return this.#failures
  }

  async #counted(actor: Actor): Promise<void> {
    try {
      await snapshotActor(this.#parts, actor)
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      throw error
    }
  }

  /** Resolves when the one under way has ended, rejects when it failed. */
  async settled(key: string): Promise<void> {
    await this.#underWay.get(key)
  }

  /** Makes one, after the one under way has ended in whatever way. */
  async makeNext(actor: Actor): Promise<void> {
    await this.settled(actor.key).catch(() => undefined)
    await this.make(actor)
  }

  /**
   * Begins one when the journal of the actor has outgrown the last one. Nobody waits for it. While others that are due are
   * being made it is left to the next use of the actor, but not for long.
   */
  makeIfDue(actor: Actor): void {
    if (actor.broken !== null || this.#underWay.has(actor.key) || !isSnapshotDue(this.#parts, actor)) return
    if (this.#due >= DUE_AT_ONCE && !isSnapshotOverdue(this.#parts, actor)) return
    this.#due += 1
    this.make(actor)
      .catch((error: unknown) => this.#logFailure(actor, error))
      .finally(() => {
        this.#due -= 1
      })
  }

  /**
   * Makes one when the last one does not cover the actor, at the end of the process. In a store without segments a short tail
   * stays in the journal: other nodes wait for this one to be gone. Never rejects.
   */
  async makeLast(actor: Actor, isTooLate: () => boolean): Promise<void> {
    try {
      await this.settled(actor.key).catch(() => undefined)
      if (actor.broken !== null || isCovered(this.#parts, actor)) return
      if (this.#parts.segments !== null || !isTailShort(this.#parts, actor)) await this.make(actor)
      else await actor.settled()
    } catch (error) {
      // Told as a whole by whoever set the deadline: the folder was given back meanwhile.
      if (!isTooLate()) this.#logFailure(actor, error)
    }
  }

  #logFailure({ key }: Actor, error: unknown): void {
    this.#parts.log.error(
      { actor: key, cause: messageOf(error) },
      'snapshot failed; the journal still holds everything',
    )
  }
}

/** Snapshots written at the same time while closing. */
const CLOSING_SNAPSHOTS = 8

/**
 * Snapshots every actor in memory that is not covered, once nobody is inside it.
 * @param unfinished gets the keys of all, and loses each that is done
 */
export async function closeActors(
  residency: Residency<Actor>,
  snapshots: ActorSnapshots,
  unfinished: Set<string>,
  isLate: Deadline,
): Promise<void> {
  // A request that leaves meanwhile changes the order of use: the keys are taken first.
  const waiting = [...residency.keys()]
  for (const key of waiting) unfinished.add(key)
  const closeSome = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined && !isLate.passed; key = waiting.pop()) {
      const actor = residency.peek(key)
      if (actor !== undefined) {
        await actor.emptied()
        await snapshots.makeLast(actor, () => isLate.passed)
      }
      unfinished.delete(key)
    }
  }
  await Promise.all(Array.from({ length: CLOSING_SNAPSHOTS }, closeSome))
}
