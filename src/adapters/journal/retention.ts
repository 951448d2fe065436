import type { WriterOptions } from './group-commit-writer.ts'
import { type ActorIndex, isFree, isPinning, type Segment } from './record-index.ts'

/** A complete segment that no actor needs any more; its last batch ends where it is flushed to. */
export type FreeSegment = Pick<Segment, 'seq' | 'path' | 'flushedEnd'>

export type BeforeUnlink = (segment: FreeSegment) => Promise<void>

export interface RetentionOptions extends Pick<WriterOptions, 'files' | 'folder' | 'log' | 'nowMs'> {
  readonly index: ActorIndex
  /** Oldest first. */
  readonly segments: readonly Segment[]
  /** Null: free segments are simply removed. */
  readonly beforeUnlink: BeforeUnlink | null
}

/** After `beforeUnlink` has failed reviews do nothing for this time: each try may read a whole segment. */
const PAUSE_MS = 10_000

/** The segments of the journal, oldest first, and their end: one is unlinked once no actor needs it. */
export class Retention {
  readonly #options: RetentionOptions
  readonly #segments: Segment[]
  #running: Promise<void> | null = null
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #isStopped = false
  #unlinked = 0
  /** The segment that `beforeUnlink` has let go: it is asked once, also when the unlink fails. */
  #letGo: Segment | null = null

  constructor(options: RetentionOptions) {
    this.#options = options
    this.#segments = [...options.segments]
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
    if (this.#running !== null || this.#oldestFree() === null) return
    const leftMs = this.#pausedUntilMs - this.#options.nowMs()
    // A clock that was ahead may have been set back.
    if (leftMs > 0 && leftMs <= PAUSE_MS) return
    this.#running = this.#unlinkFree().finally(() => {
      this.#running = null
    })
  }

  /** Unlinks now what is free, also after a failure, and answers how many went. Rejects when a free segment has to stay. */
  async release(): Promise<number> {
    const before = this.#unlinked
    await this.#idle()
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY
    this.review()
    await this.#idle()
    const oldest = this.#oldestFree()
    if (oldest !== null) throw new Error(`the journal segment ${oldest.path} could not be removed`)
    return this.#unlinked - before
  }

  /** Actors that hold a segment up to `seq`. Null when that is the one being written. */
  pinningUpTo(seq: number): readonly string[] | null {
    const active = this.#segments.at(-1)
    if (active === undefined || seq >= active.seq) return null
    const segments = this.#segments.filter((segment) => segment.seq <= seq)
    return [...new Set(segments.flatMap(({ runs }) => runs.filter(isPinning).map((run) => run.actor.key)))]
  }

  pinning(): readonly string[] {
    return this.pinningUpTo(this.#segments[0]?.seq ?? 0) ?? []
  }

  /** No further `beforeUnlink` is called; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /**
   * One after the other, each durable before the next: a crash must not leave a hole in the sequence. A failure
   * leaves the segment in place; a later review tries again.
   */
  async #unlinkFree(): Promise<void> {
    for (let oldest = this.#oldestFree(); oldest !== null; oldest = this.#oldestFree()) {
      if (this.#letGo !== oldest && !(await this.#isReady(oldest))) return
      this.#letGo = oldest
      try {
        const { files, folder } = this.#options
        if ((await files.stat(oldest.path)) !== null) await files.unlink(oldest.path)
        await files.fsyncDir(folder)
      } catch (error) {
        this.#options.log.warn({ error, file: oldest.path }, 'a journal segment could not be removed')
        return
      }
      this.#segments.shift()
      this.#unlinked += 1
      this.#options.index.forget(oldest)
    }
  }

  async #idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  #oldestFree(): Segment | null {
    const oldest = this.#segments[0]
    return oldest === undefined || this.#segments.length < 2 || !isFree(oldest) ? null : oldest
  }

  async #isReady({ seq, path, flushedEnd, runs }: Segment): Promise<boolean> {
    const { beforeUnlink, log, nowMs } = this.#options
    if (beforeUnlink === null || runs.length === 0) return true
    if (this.#isStopped) return false
    try {
      await beforeUnlink({ seq, path, flushedEnd })
      return true
    } catch (error) {
      this.#pausedUntilMs = nowMs() + PAUSE_MS
      log.warn({ error, file: path }, 'a journal segment could not be archived and stays')
      return false
    }
  }
}
