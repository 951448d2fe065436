import type { Store } from '../ports/store.ts'
import type { Actor } from './actor.ts'

/** Which actors there are besides those in memory: how many, and which of them have turns that no snapshot covers. */
export class KnownActors {
  /** Actors that are not in memory and have turns that no snapshot covers. */
  readonly #uncovered = new Set<string>()
  /** Actors in memory that have written nothing yet. */
  readonly #blank = new Set<string>()
  #count: number

  private constructor(count: number) {
    this.#count = count
  }

  /** What the store holds at a start. Actors without a snapshot matter only where they hold segments that others wait for. */
  static async in(
    store: Pick<Store, 'directory' | 'journal' | 'snapshots' | 'segments'>,
  ): Promise<KnownActors> {
    const { directory, journal, snapshots, segments } = store
    const known = new KnownActors(await directory.known())
    if (segments === null) return known
    for await (const key of directory.actors()) {
      if (snapshots.coveredSeqOf(key) < journal.headOf(key)) known.#uncovered.add(key)
    }
    return known
  }

  /** Actors that have ever written anything in the store, as far as this node knows. */
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
