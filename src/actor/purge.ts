import { assert } from '../core/base/assert.ts'
import { DomainError, messageOf } from '../core/base/errors.ts'
import type { Redaction } from '../core/model/erasure.ts'
import type { ActorState } from '../core/model/state.ts'
import type { HistoryRedaction } from '../ports/history.ts'
import type { Grant, Journal } from '../ports/journal.ts'
import type { Log } from '../ports/log.ts'
import type { RecallImages } from '../ports/recall-images.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import type { VectorStore } from '../ports/vectors.ts'
import type { Actor } from './actor.ts'

export interface PurgeParts {
  readonly journal: Journal
  readonly snapshots: SnapshotStore
  readonly recallImages: RecallImages
  readonly redaction: HistoryRedaction
  /** Null: this node has never embedded anything. */
  readonly vectorStore: VectorStore | null
  /** Resolves when no text of the actor is on its way to a provider that was taken before. */
  readonly withdraw: (actorKey: string) => Promise<void>
  readonly grant: Grant
  readonly log: Log
  /** Makes a durable snapshot of an actor as it stands now, loading it if need be, after one that is under way. */
  readonly snapshot: (actorKey: string) => Promise<void>
}

/** The actor that has erased something. */
type Erasing = Pick<Actor, 'key' | 'state' | 'recall'>

/** How many files went or were rewritten. */
export interface Purged {
  readonly snapshots: number
  readonly journalSegments: number
  readonly historyFiles: number
}

/** Actors that are snapshot at the same time to free the segments that an erased memory is in. */
const COVERED_AT_ONCE = 8

/**
 * Takes what an actor has erased out of its index and off the disk: old snapshots, the stored index, then the journal segments of the time before, then what
 * history says. Each step finds out for itself what is left to do, so that a purge which a crash has cut off is
 * finished by the next one. Purges of a node come one after the other; one that waits covers all erasures until it starts.
 */
export class Purge {
  readonly #parts: PurgeParts
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: PurgeParts) {
    this.#parts = parts
  }

  /** Resolves when nothing of it is on disk any more. @throws erase_incomplete */
  async run(actor: Erasing): Promise<Purged> {
    const purge = this.#last.then(() => this.#purge(actor))
    this.#last = purge.catch(() => undefined)
    return purge
  }

  /**
   * Has every turn of actors that are gone go out of the journal, into history. Call it on a journal that was just opened,
   * which has them in complete segments only.
   */
  async freeTurns(actorKeys: ReadonlySet<string>): Promise<void> {
    const { journal, grant } = this.#parts
    const held = (): string | undefined => [...actorKeys].find((key) => journal.headOf(key) > 0)
    if (held() === undefined) return
    await this.#coverAll(journal.actorKeys().filter((key) => !actorKeys.has(key)))
    // The oldest segments go first: every one that is free, whoever is asked for.
    for (let key = held(); key !== undefined; key = held()) {
      await journal.release(grant, key, journal.headOf(key))
    }
  }

  async #purge(actor: Erasing): Promise<Purged> {
    const redaction = redactionOf(actor.state)
    const { untilSeq } = redaction
    let step = 'memory'
    try {
      await actor.recall.swept()
      step = 'vectors'
      await this.#parts.withdraw(actor.key)
      const isLeft = ({ memoryId }: { readonly memoryId: string }) => !actor.state.erasures.has(memoryId)
      const vectorFiles = (await this.#parts.vectorStore?.keepOnly(actor.key, isLeft)) ?? 0
      step = 'snapshots'
      await this.#coverSelf(actor, untilSeq)
      const { snapshots, recallImages, redaction: history, grant, log } = this.#parts
      const dropped = await snapshots.dropBefore(grant, actor.key, untilSeq)
      step = 'index'
      await recallImages.dropBefore(grant, actor.key, untilSeq)
      step = 'journal'
      const segments = await this.#freeJournal(actor.key, untilSeq)
      step = 'history'
      const files = await history.redact(actor.key, redaction)
      const purged = { snapshots: dropped, journalSegments: segments, historyFiles: files }
      log.info(
        { actor: actor.key, erased: redaction.memoryIds.length, ...purged, vectorFiles },
        'erased memory is off the disk',
      )
      return purged
    } catch (error) {
      const cause = messageOf(error)
      this.#parts.log.error({ actor: actor.key, step, cause }, 'an erasure is recorded but not finished')
      throw new DomainError('erase_incomplete', { step })
    }
  }

  /** The actor's newest snapshot is from after its last erasure. */
  async #coverSelf(actor: Erasing, seq: number): Promise<void> {
    const { snapshots, snapshot } = this.#parts
    if (snapshots.coveredSeqOf(actor.key) < seq) await snapshot(actor.key)
    await this.#markTwice(actor.key, seq)
  }

  async #freeJournal(actorKey: string, seq: number): Promise<number> {
    const { journal, grant } = this.#parts
    let holders = journal.pinnedWith(actorKey, seq)
    if (holders === null) {
      await journal.rotate(grant)
      holders = journal.pinnedWith(actorKey, seq)
    }
    assert(holders !== null, 'a fresh segment holds no earlier turn')
    await this.#coverAll(holders)
    return journal.release(grant, actorKey, seq)
  }

  async #coverAll(actorKeys: readonly string[]): Promise<void> {
    const waiting = [...actorKeys]
    const work = async (): Promise<void> => {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await this.#cover(key)
    }
    await Promise.all(Array.from({ length: COVERED_AT_ONCE }, work))
  }

  async #cover(actorKey: string): Promise<void> {
    const { journal, snapshots, snapshot } = this.#parts
    if (snapshots.coveredSeqOf(actorKey) < journal.headOf(actorKey)) await snapshot(actorKey)
    await this.#markTwice(actorKey, 0)
  }

  /** A snapshot that was read back whole stands for the second one, which only guards against damage. */
  async #markTwice(actorKey: string, seqMin: number): Promise<void> {
    const { journal, snapshots, grant } = this.#parts
    const seq = await snapshots.wholeSeqOf(actorKey)
    if (seq === 0 || seq < seqMin) throw new Error(`the snapshot of ${actorKey} cannot be read back`)
    for (let mark = 0; mark < 2; mark += 1) journal.covered(grant, actorKey, seq)
  }
}

function redactionOf({ erasures }: ActorState): Redaction {
  let untilSeq = 0
  for (const { seq } of erasures.values()) untilSeq = Math.max(untilSeq, seq)
  return { memoryIds: [...erasures.keys()], untilSeq }
}
