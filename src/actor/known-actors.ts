import type { Journal } from '../ports/journal.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import type { Actor } from './actor.ts'

/** Which actors there are besides those in memory: how many, and which of them have turns that no snapshot covers. */
export class KnownActors {
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered: Set<string>
  /** Actors in memory that have written nothing yet. */
  readonly #blank = new Set<string>()
  /** Counted once: of a hundred thousand it takes tens of milliseconds. */
  #count: number

  constructor(journal: Journal, snapshots: SnapshotStore) {
    const inJournal = journal.actorKeys()
    this.#count = new Set([...inJournal, ...snapshots.actorKeys()]).size
    this.#uncovered = new Set(inJournal.filter((key) => snapshots.coveredSeqOf(key) < journal.headOf(key)))
  }

  /** Actors that have ever written anything on this node. */
  get count(): number {
    return this.#count
  }

  get uncoveredCount(): number {
    return this.#uncovered.size
  }

  /** The actor came into memory. */
  loaded({ key, state }: Actor): void {
    this.#uncovered.delete(key)
    if (state.seq === 0) this.#blank.add(key)
  }

  /** The actor may have written for the first time. */
  used({ key, state }: Actor): void {
    if (this.#blank.size > 0 && state.seq > 0 && this.#blank.delete(key)) this.#count += 1
  }

  /** The actor leaves memory with turns that only the journal has. */
  leavesUncovered(key: string): void {
    this.#uncovered.add(key)
  }

  /** The actor has left memory. */
  left(actor: Actor): void {
    this.used(actor)
    this.#blank.delete(actor.key)
  }
}
