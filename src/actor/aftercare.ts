import type { Log } from '../ports/log.ts'
import type { Actor } from './actor.ts'

/** Time without a load after which loaded actors get what they still owe. */
const QUIET_MS = 200
/** While loads go on an actor that stays gets it after this time. */
const LATEST_MS = 10_000

/**
 * What a load leaves for later: to compare the digest of its snapshot, and to print its texts. Both take longer than the
 * load. They wait until nobody is loading, so that an actor which leaves again soon has cost neither, and go one actor
 * after the other.
 */
export class Aftercare {
  readonly #log: Log
  readonly #waiting = new Set<Actor>()
  #last: Promise<void> = Promise.resolve()
  #quiet: NodeJS.Timeout | null = null
  #latest: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  /** An actor was loaded. */
  add(actor: Actor): void {
    this.#waiting.add(actor)
    if (this.#quiet === null) this.#quiet = setTimeout(() => this.#begin(), QUIET_MS).unref()
    else this.#quiet.refresh()
    this.#latest ??= setTimeout(() => this.#begin(), LATEST_MS).unref()
  }

  /** The actor has left memory. */
  drop(actor: Actor): void {
    this.#waiting.delete(actor)
  }

  /** Begins nothing more. */
  stop(): void {
    this.#rest()
    this.#waiting.clear()
  }

  #begin(): void {
    this.#rest()
    this.#last = this.#last.then(async () => {
      // No list of them: it would keep in memory those that leave meanwhile.
      let left = this.#waiting.size
      for (const actor of this.#waiting) {
        if (left === 0) break
        left -= 1
        this.#waiting.delete(actor)
        await this.#serve(actor)
      }
    })
  }

  async #serve(actor: Actor): Promise<void> {
    try {
      await actor.verified()
      await actor.similarReady()
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      this.#log.error({ actor: actor.key, cause }, 'actor is not what its snapshot says')
    }
  }

  #rest(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet)
    if (this.#latest !== null) clearTimeout(this.#latest)
    this.#quiet = null
    this.#latest = null
  }
}
