import { messageOf } from '../core/base/errors.ts'
import type { Log } from '../ports/system.ts'
import type { Actor } from './actor.ts'

/** Time without a load after which loaded actors get what they still owe. */
const QUIET_MS = 200
/** While loads go on an actor gets it when it has stayed for one such period and the rest of the one before. */
const PERIOD_MS = 5_000

/**
 * What a load leaves for later: to compare the digest of its snapshot, and to print its texts. Both take longer than the
 * load. They wait until nobody is loading, so that an actor which leaves again soon has cost neither, and go one actor
 * after the other.
 */
export class PostLoadChecks {
  readonly #log: Log
  readonly #isLoading: () => boolean
  /** In which period each actor came. */
  readonly #waiting = new Map<Actor, number>()
  #last: Promise<void> = Promise.resolve()
  #quiet: NodeJS.Timeout | null = null
  #periods: NodeJS.Timeout | null = null
  #period = 0

  constructor(log: Log, isLoading: () => boolean) {
    this.#log = log
    this.#isLoading = isLoading
  }

  /** An actor was loaded. */
  add(actor: Actor): void {
    this.#waiting.set(actor, this.#period)
    if (this.#quiet === null) this.#quiet = setTimeout(() => this.#look(), QUIET_MS).unref()
    else this.#quiet.refresh()
    this.#periods ??= setInterval(() => this.#turn(), PERIOD_MS).unref()
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

  #look(): void {
    if (this.#isLoading()) {
      this.#quiet?.refresh()
      return
    }
    this.#rest()
    this.#begin(this.#period)
  }

  #turn(): void {
    this.#begin(this.#period - 1)
    this.#period += 1
  }

  /** Serves those that came in the period or before. */
  #begin(period: number): void {
    this.#last = this.#last.then(async () => {
      // No list of them: it would keep in memory those that leave meanwhile.
      let left = this.#waiting.size
      for (const [actor, cameIn] of this.#waiting) {
        if (left === 0) break
        left -= 1
        if (cameIn > period) continue
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
      const cause = messageOf(error)
      this.#log.error({ actor: actor.key, cause }, 'actor is not what its snapshot says')
    }
  }

  #rest(): void {
    if (this.#quiet !== null) clearTimeout(this.#quiet)
    if (this.#periods !== null) clearInterval(this.#periods)
    this.#quiet = null
    this.#periods = null
  }
}
