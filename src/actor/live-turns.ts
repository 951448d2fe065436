import type { Turn } from '../core/model/events.ts'
import { yieldToLoop } from './yield-to-loop.ts'

/** What a listener is told. */
export interface TurnListener {
  /** A turn of its actor is durable. Called in the order of turns, behind the replies. */
  told(turn: Turn): void
  /** Nothing more will come: the actors are closed. */
  ended(): void
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
      listener.ended()
      return () => {}
    }
    const others = this.#listeners.get(actorKey) ?? new Set()
    this.#listeners.set(actorKey, others.add(listener))
    return () => {
      others.delete(listener)
      if (others.size === 0 && this.#listeners.get(actorKey) === others) this.#listeners.delete(actorKey)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const listeners of this.#listeners.values()) for (const each of listeners) each.ended()
    this.#listeners.clear()
  }

  async #tellLater(): Promise<void> {
    await yieldToLoop()
    const turns = this.#waiting
    this.#waiting = []
    for (const [actorKey, turn] of turns) {
      for (const listener of this.#listeners.get(actorKey) ?? []) listener.told(turn)
    }
  }
}
