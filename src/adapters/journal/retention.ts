import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import { type ActorIndex, isFree, isPinning, type Segment } from './actor-index.ts'

/** The segments of the journal, oldest first, and their end: one is unlinked once no actor needs it. */
export class Retention {
  readonly #files: Files
  readonly #folder: string
  readonly #index: ActorIndex
  readonly #log: Log
  readonly #segments: Segment[]
  #running: Promise<void> | null = null

  constructor(files: Files, folder: string, index: ActorIndex, log: Log, segments: readonly Segment[]) {
    this.#files = files
    this.#folder = folder
    this.#index = index
    this.#log = log
    this.#segments = [...segments]
  }

  get count(): number {
    return this.#segments.length
  }

  /** A segment was started; the one before it is complete. */
  add(segment: Segment): void {
    this.#segments.push(segment)
    this.review()
  }

  /** Unlinks in the background what has become free. */
  review(): void {
    const oldest = this.#segments[0]
    if (this.#running !== null || oldest === undefined) return
    if (this.#segments.length < 2 || !isFree(oldest)) return
    this.#running = this.#unlinkFree().finally(() => {
      this.#running = null
    })
  }

  /** Actors that hold the oldest segment. */
  pinning(): readonly string[] {
    const oldest = this.#segments[0]
    if (oldest === undefined || this.#segments.length < 2) return []
    return [...new Set(oldest.runs.filter(isPinning).map((run) => run.actor.key))]
  }

  /** Resolves when no unlink is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  /**
   * One after the other, each durable before the next: a crash must not leave a hole in the sequence. A failure
   * leaves the segment in place; the next review tries again.
   */
  async #unlinkFree(): Promise<void> {
    for (;;) {
      const oldest = this.#segments[0]
      if (oldest === undefined || this.#segments.length < 2 || !isFree(oldest)) return
      try {
        await this.#unlink(oldest.path)
        await this.#files.fsyncDir(this.#folder)
      } catch (error) {
        this.#log.warn({ error, file: oldest.path }, 'a journal segment could not be removed')
        return
      }
      this.#segments.shift()
      this.#index.forget(oldest)
    }
  }

  async #unlink(path: string): Promise<void> {
    if ((await this.#files.stat(path)) !== null) await this.#files.unlink(path)
  }
}
