import type { Grant } from '../../ports/ownership.ts'

/** Turns of one shard that are stored together, or not at all. */
export interface Batch {
  readonly grant: Grant
  readonly turns: readonly [QueuedTurn, ...QueuedTurn[]]
}

export interface QueuedTurn {
  readonly actorKey: string
  readonly seq: number
  readonly payload: Uint8Array
  /** When it was first written; null: now. */
  readonly atMs: number | null
}

interface Waiting extends QueuedTurn {
  readonly grant: Grant
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const BATCH_TURNS_MAX = 1_000
const BATCH_BYTES_MAX = 8 * 1024 * 1024

/** What one shard has to write: one batch in flight, and what came since then waits for it. */
export class ShardQueue {
  readonly #write: (batch: Batch) => Promise<void>
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null

  constructor(write: (batch: Batch) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the turn is stored; rejects as the write of its batch. */
  add(grant: Grant, turn: QueuedTurn): Promise<void> {
    const stored = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ grant, ...turn, resolve, reject })
    })
    this.#running ??= this.#run()
    return stored
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    for (let turns = this.#next(); turns !== null; turns = this.#next()) {
      try {
        await this.#write({ grant: turns[0].grant, turns })
        for (const turn of turns) turn.resolve()
      } catch (error) {
        for (const turn of turns) turn.reject(error)
        this.#refuseFollowers(turns, error)
      }
    }
    this.#running = null
  }

  #next(): [Waiting, ...Waiting[]] | null {
    const first = this.#waiting[0]
    if (first === undefined) return null
    let bytes = 0
    const end = this.#waiting.findIndex(({ grant, payload }, at) => {
      bytes += payload.length
      return grant.epoch !== first.grant.epoch || at >= BATCH_TURNS_MAX || (at > 0 && bytes > BATCH_BYTES_MAX)
    })
    const [, ...more] = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
    return [first, ...more]
  }

  /** A turn that was decided on top of one that was not stored may not be stored either. */
  #refuseFollowers(failed: readonly Waiting[], error: unknown): void {
    const actors = new Set(failed.map(({ actorKey }) => actorKey))
    const followers = this.#waiting.filter(({ actorKey }) => actors.has(actorKey))
    this.#waiting = this.#waiting.filter(({ actorKey }) => !actors.has(actorKey))
    for (const turn of followers) turn.reject(error)
  }
}
