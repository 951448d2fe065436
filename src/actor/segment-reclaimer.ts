import { messageOf } from '../core/base/errors.ts'
import type { Journal } from '../ports/journal.ts'
import type { Log } from '../ports/log.ts'
import type { Ownership } from '../ports/ownership.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import type { Segments } from '../ports/store.ts'

export interface SegmentReclaimerDeps {
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly ownership: Ownership
  /** Null: there is nothing to reclaim. */
  readonly segments: Segments | null
  readonly log: Log
  /** Loads the actor if need be and makes a durable snapshot of it. */
  readonly snapshot: (actorKey: string) => Promise<void>
}

/** Uses of actors between two looks at a journal that stays over its budget. */
const USES_BETWEEN_LOOKS = 1_000

/**
 * Keeps idle actors from pinning old journal segments. A segment is held until two snapshots cover it; an actor that
 * is never written again would never get its second. Reading its snapshot back whole, with every checksum and the
 * digest of the state, stands for it: what the second copy guards against is damage.
 */
export class SegmentReclaimer {
  readonly #parts: SegmentReclaimerDeps
  #running: Promise<void> | null = null
  #usesUntilLook = 0
  #isStopped = false

  constructor(parts: SegmentReclaimerDeps) {
    this.#parts = parts
  }

  /** Looks at the journal now and then; cheap while it is within its budget. */
  nudge(): void {
    if (this.#isStopped || this.#running !== null || --this.#usesUntilLook > 0) return
    const { segments } = this.#parts
    const laggards = segments?.laggards() ?? []
    if (segments === null || laggards.length === 0) return
    this.#running = this.#relieve(segments, laggards).finally(() => {
      this.#running = null
      this.#usesUntilLook = USES_BETWEEN_LOOKS
    })
  }

  /** Begins nothing more: a start finds the same segments. */
  stop(): void {
    this.#isStopped = true
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #relieve(segments: Segments, first: readonly string[]): Promise<void> {
    // Freeing the oldest segment shows who holds the next one; a round that frees nothing ends it.
    let laggards = first
    for (let before = Infinity; laggards.length > 0; laggards = segments.laggards()) {
      const count = segments.segmentCount()
      if (count >= before) return
      before = count
      for (const key of laggards) {
        if (this.#isStopped) return
        await this.#cover(key)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #cover(key: string): Promise<void> {
    const { journal, snapshots, ownership, log } = this.#parts
    try {
      if (snapshots.coveredSeqOf(key) < journal.headOf(key)) return await this.#parts.snapshot(key)
      const stored = await snapshots.get(key)
      if (stored === null || stored.seq < journal.headOf(key)) return await this.#parts.snapshot(key)
      journal.covered(await ownership.acquire(key), key, stored.seq)
    } catch (error) {
      if (this.#isStopped) return
      const cause = messageOf(error)
      log.error({ actor: key, cause }, 'an idle actor keeps journal segments: its snapshot failed')
    }
  }
}
