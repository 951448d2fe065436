import { dirname, join } from 'node:path'
import type { Grant, Journal, JournalHealth, JournalRecord } from '../../ports/journal.ts'
import { MAX_KEY_BYTES, recordBytes } from '../binary/record-frame.ts'
import { isDiskFull } from '../files/free-space.ts'
import { removeFromQuarantine } from '../files/quarantine.ts'
import {
  type ActorEntry,
  type ActorIndex,
  heldRanges,
  holdsRecords,
  lastSeqOf,
  noteCovered,
  runHolding,
  type SeqRange,
} from './actor-index.ts'
import type { CommitLane, DurablePosition, LaneOptions } from './commit-lane.ts'
import { JournalFailureError, JournalGapError } from './failure.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import { type ActorPositions, durablePositions, readSpan, spanOf } from './positions.ts'
import { TORN_SUFFIX } from './recovery.ts'
import type { Retention } from './retention.ts'

export interface OpenJournal extends Journal {
  /** 32 hex digits, the same for the life of the data folder. */
  readonly storeId: string
  /** Places of the actor's flushed records from `fromSeq` on: plain data for `readPositions` in a worker. */
  positionsOf(actorKey: string, fromSeq: number): ActorPositions
  /** What is flushed; never more. */
  durable(): DurablePosition
  /** Sequences of the actor that the journal holds, queued ones included, oldest first. */
  heldSeqs(actorKey: string): readonly SeqRange[]
}

/** The journal port over one data folder. Made by `openJournal`. */
export class FileJournal implements OpenJournal {
  readonly storeId: string
  readonly #options: LaneOptions
  readonly #index: ActorIndex
  readonly #retention: Retention
  readonly #lane: CommitLane
  readonly #maxSegments: number
  #closed: Promise<void> | null = null

  constructor(
    options: LaneOptions,
    index: ActorIndex,
    retention: Retention,
    lane: CommitLane,
    maxSegments: number,
  ) {
    this.storeId = options.storeId
    this.#options = options
    this.#index = index
    this.#retention = retention
    this.#lane = lane
    this.#maxSegments = maxSegments
  }

  isSaturated(): boolean {
    return this.#lane.queue.isSaturated
  }

  append(_grant: Grant, record: JournalRecord): Promise<void> {
    const { actorKey, actorSeq, payload } = record
    if (this.#lane.cause !== null) return Promise.reject(this.#lane.cause)
    if (this.#lane.state === 'closed') return refuse('closed', 'the journal is closed')
    const actor = this.#index.entryOf(actorKey)
    const bytes = recordBytes(actor.keyBytes, payload)
    if (bytes > MAX_RECORD_BYTES || actor.keyBytes.length > MAX_KEY_BYTES) {
      return refuse('too_large', `a record of ${bytes} bytes; ${MAX_RECORD_BYTES} is the largest`)
    }
    const expected = Math.max(actor.lastSeq, actor.covered) + 1
    if (actorSeq !== expected) {
      return refuse('conflict', `record ${actorSeq} of ${actorKey} where ${expected} belongs`)
    }
    if (this.isSaturated()) return refuse('overloaded', 'too many bytes wait for the disk')
    actor.lastSeq = actorSeq
    actor.pending += 1
    actor.uncoveredBytes += bytes
    return this.#lane.append({ actor, actorSeq, payload, bytes })
  }

  async *read(_grant: Grant, actorKey: string, fromSeq: number): AsyncGenerator<JournalRecord> {
    const entry = this.#index.get(actorKey)
    if (entry === null) return
    const head = this.#headOf(entry)
    for (let next = fromSeq; next <= Math.min(head, this.#headOf(entry)); ) {
      const run = runHolding(entry, next)
      if (run !== null) {
        const span = spanOf(run, next, Math.min(head, lastSeqOf(run)))
        yield* readSpan(this.#options.files, span)
        next += span.offsets.length
        continue
      }
      const waiting = this.#lane.queue.recordsOf(entry, next)
      if (waiting[0]?.actorSeq !== next) throw new JournalGapError(actorKey, next, foundAfter(entry, next))
      for (const { actorSeq, payload } of waiting) yield { actorKey, actorSeq, payload }
      next += waiting.length
    }
  }

  headOf(actorKey: string): number {
    const entry = this.#index.get(actorKey)
    return entry === null ? 0 : this.#headOf(entry)
  }

  uncoveredBytesOf(actorKey: string): number {
    return this.#index.get(actorKey)?.uncoveredBytes ?? 0
  }

  covered(_grant: Grant, actorKey: string, seq: number): void {
    const entry = this.#index.entryOf(actorKey)
    const waiting = this.#lane.queue.recordsOf(entry, seq + 1)
    noteCovered(
      entry,
      seq,
      waiting.reduce((sum, record) => sum + record.bytes, 0),
    )
    if (this.#lane.state === 'open') this.#retention.review()
  }

  laggards(): readonly string[] {
    return this.#retention.count > this.#maxSegments ? this.#retention.pinning() : []
  }

  rotate(): Promise<void> {
    if (this.#lane.cause !== null) return Promise.reject(this.#lane.cause)
    if (this.#lane.state === 'closed') return refuse('closed', 'the journal is closed')
    return this.#lane.rotate()
  }

  pinnedWith(actorKey: string, seq: number): readonly string[] | null {
    const entry = this.#index.get(actorKey)
    if (entry === null) return []
    if (entry.pending > 0 && entry.lastSeq - entry.pending < seq) return null
    const last = entry.runs.findLast((run) => run.firstSeq <= seq)
    return last === undefined ? [] : this.#retention.pinningUpTo(last.segment.seq)
  }

  async release(_grant: Grant, actorKey: string, seq: number): Promise<number> {
    const released = await this.#retention.release()
    const entry = this.#index.get(actorKey)
    const kept = entry?.runs.find((run) => run.firstSeq <= seq)
    if (kept !== undefined)
      throw new Error(`turn ${kept.firstSeq} of ${actorKey} is still in ${kept.segment.path}`)
    const quarantine = join(dirname(this.#options.folder), 'quarantine')
    await removeFromQuarantine(this.#options.files, quarantine, (name) => name.endsWith(TORN_SUFFIX))
    return released
  }

  actorKeys(): readonly string[] {
    return this.#index.keys()
  }

  positionsOf(actorKey: string, fromSeq: number): ActorPositions {
    const entry = this.#index.get(actorKey)
    return entry === null ? [] : durablePositions(entry, fromSeq)
  }

  durable(): DurablePosition {
    return this.#lane.durable
  }

  heldSeqs(actorKey: string): readonly SeqRange[] {
    const entry = this.#index.get(actorKey)
    return entry === null ? [] : heldRanges(entry)
  }

  health(): JournalHealth {
    return {
      state: this.#lane.state,
      cause: this.#lane.cause?.message ?? null,
      isFull: isDiskFull(this.#lane.cause?.cause),
      segments: this.#retention.count,
      queuedBytes: this.#lane.queue.bytes,
      chainHead: this.#lane.link,
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#lane.close()
    await this.#retention.stop()
    await this.#options.supply.stop(this.#lane.cause !== null)
    await this.#options.io.close()
  }

  #headOf(entry: ActorEntry): number {
    return holdsRecords(entry) ? entry.lastSeq : 0
  }
}

function foundAfter(entry: ActorEntry, seq: number): number | null {
  return entry.runs.find((run) => run.firstSeq > seq)?.firstSeq ?? null
}

function refuse(kind: JournalFailureError['journalFailure'], message: string): Promise<never> {
  return Promise.reject(new JournalFailureError(kind, message))
}
