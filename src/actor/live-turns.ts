import type { Turn } from '../core/model/events.ts'
import type { Grant } from '../ports/store.ts'
import { yieldToLoop } from './waiting.ts'

/**
 * Why nothing more will come.
 * - shutting_down: the service closes.
 * - not_owner: another node may write the actor, and tells of it.
 */
export type ListeningEnd = 'shutting_down' | 'not_owner'

/** What a listener is told. */
export interface TurnListener {
  /** A turn of its actor is durable. Called in the order of turns, behind the replies. */
  told(turn: Turn): void
  /** By which the actor is held whose turns it is told; null: it can be lost to nobody. */
  readonly grant: Grant | null
  /** Nothing more will come. */
  ended(why: ListeningEnd): void
}

/**
 * Who follows which actor. A turn without a listener costs one look at a size.
 *
 * Invariant: a listener is told of every turn that became durable after it came, once, and of none before it is durable.
 */
export class LiveTurns {
  readonly #listeners = new Map<string, Set<TurnListener>>()
  #waiting: (readonly [actorKey: string, turn: Turn])[] = []
  #isClosed = false

  /** A turn is durable. Whoever waits for its answer is not kept waiting. */
  durable(actorKey: string, turn: Turn): void {
    if (this.#listeners.size === 0 || !this.#listeners.has(actorKey)) return
    this.#waiting.push([actorKey, turn])
    if (this.#waiting.length === 1) void this.#tellLater()
  }

  /** @returns what ends it */
  listen(actorKey: string, listener: TurnListener): () => void {
    if (this.#isClosed) {
      listener.ended('shutting_down')
      return () => {}
    }
    const others = this.#listeners.get(actorKey) ?? new Set()
    this.#listeners.set(actorKey, others.add(listener))
    return () => {
      others.delete(listener)
      if (others.size === 0 && this.#listeners.get(actorKey) === others) this.#listeners.delete(actorKey)
    }
  }

  /** Whether anybody listens to an actor that is held by the grant. */
  isFollowed(grant: Grant): boolean {
    return this.#heldBy(grant).length > 0
  }

  /** The grant is another node's, or anybody's: who listens to its actors is told what was durable before, and then the end. */
  lost(grant: Grant): void {
    if (this.#listeners.size === 0) return
    this.#tell()
    for (const listener of this.#heldBy(grant)) listener.ended('not_owner')
  }

  close(): void {
    this.#isClosed = true
    for (const listeners of this.#listeners.values())
      for (const each of listeners) each.ended('shutting_down')
    this.#listeners.clear()
  }

  #heldBy({ shard, epoch }: Grant): readonly TurnListener[] {
    const all = [...this.#listeners.values()].flatMap((listeners) => [...listeners])
    return all.filter(({ grant }) => grant?.shard === shard && grant.epoch === epoch)
  }

  async #tellLater(): Promise<void> {
    await yieldToLoop()
    this.#tell()
  }

  #tell(): void {
    const turns = this.#waiting
    this.#waiting = []
    for (const [actorKey, turn] of turns) {
      for (const listener of this.#listeners.get(actorKey) ?? []) listener.told(turn)
    }
  }
}
