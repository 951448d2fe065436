import { dirname, join } from 'node:path'
import type { Grant, Journal, JournalHealth, JournalRecord, Segments } from '../../ports/store.ts'
import type { Log } from '../../ports/system.ts'
import { MAX_KEY_BYTES, recordBytes } from '../binary/bytes.ts'
import { systemSchedule } from '../files/concurrency.ts'
import { UNWATCHED } from '../files/folder-watch.ts'
import { nodeFiles } from '../files/node-files.ts'
import { refuse } from '../files/store-parts.ts'
import { removeFromQuarantine } from '../files/whole-file.ts'
import {
  DEFAULT_PAD_TO,
  DEFAULT_SEGMENT_BYTES,
  FIRST_LINK,
  FIRST_SEGMENT_BYTES,
  JournalGapError,
  MAX_RECORD_BYTES,
  randomSalt,
  SEGMENT_HEADER_BYTES,
} from './format.ts'
import {
  type Chain,
  type DurablePosition,
  GroupCommitWriter,
  type WriterOptions,
  type WriterSettings,
} from './group-commit-writer.ts'
import { createWorkerIo } from './journal-io.ts'
import { openLayout } from './layout.ts'
import {
  type ActorEntry,
  type ActorIndex,
  type ActorPositions,
  createSegment,
  durablePositions,
  heldRanges,
  holdsRecords,
  lastSeqOf,
  noteCovered,
  readSpan,
  runHolding,
  type SeqRange,
  spanOf,
  turnCrcOf,
} from './record-index.ts'
import { type OnFound, recover, TORN_SUFFIX, trimTornEnds } from './recovery.ts'
import { type BeforeUnlink, Retention } from './retention.ts'
import { prepareSegment, segmentPreallocator } from './segment-preallocator.ts'

export interface JournalOptions extends Partial<WriterSettings> {
  /** The data folder; created when missing. Hold its lock (`acquireLock`) first. */
  readonly dir: string
  readonly log: Log
  /** 64 KiB to 512 MiB, default 64 MiB. The first segment of a start has 1 MiB at most. */
  readonly segmentBytes?: number
  /** Over so many segments actors that pin the oldest are laggards; default 8. */
  readonly maxSegments?: number
  /** Keep a hash chain over the batches, see format.ts. Default false. */
  readonly isChained?: boolean
  /** Keeps what is in a segment elsewhere before the segment is removed. While it rejects, the segment stays. */
  readonly beforeUnlink?: BeforeUnlink
  /** Told where the journal ends before anything is changed: it may refuse by throwing. */
  readonly onFound?: OnFound
}

/** The io is by default a thread of its own. */
const DEFAULTS: Omit<WriterSettings, 'io'> = {
  files: nodeFiles,
  durability: 'sync',
  intervalMs: 100,
  sealIdleMs: 100,
  padTo: DEFAULT_PAD_TO,
  schedule: systemSchedule,
  nowMs: () => Date.now(),
  // Nobody else can reach the folder.
  watch: UNWATCHED,
  onWritten: () => undefined,
}

/**
 * Recovers the journal of a data folder and starts a fresh segment. After it, call `covered` for every actor that
 * has a snapshot (the older one first, where two are kept): sequences continue from there, and old segments may go.
 * Rejects with JournalCorruptError (names file, offset and reason), NewerFileError, or the error of a read
 * or write that failed.
 */
export async function openJournal(options: JournalOptions): Promise<FileJournal> {
  const { dir, log, segmentBytes = DEFAULT_SEGMENT_BYTES, maxSegments = 8 } = options
  const { isChained = false, beforeUnlink = null, onFound = null } = options
  const settings = { ...DEFAULTS, ...options }
  const { files, nowMs } = settings
  const storeId = await openLayout(files, dir)
  const recovered = await recover(files, dir, storeId, { log, onFound })
  const { index, segments, chain: found, freshSeq, tornEnds } = recovered
  const chain: Chain = { ...found, link: isChained ? (found.link ?? FIRST_LINK) : null }
  const folder = join(dir, 'wal')
  const salt = randomSalt()
  const bytes = Math.min(FIRST_SEGMENT_BYTES, segmentBytes)
  const header = { ...chain, storeId, segmentSeq: freshSeq, salt, createdAtMs: nowMs(), bytes }
  const prepared = await prepareSegment(files, folder, freshSeq, bytes, header)
  try {
    await trimTornEnds(files, tornEnds)
  } catch (error) {
    await files.close(prepared.fd)
    throw error
  }
  const segment = createSegment(folder, freshSeq, SEGMENT_HEADER_BYTES)
  const retention = new Retention({
    files,
    folder,
    index,
    log,
    nowMs,
    segments: [...segments, segment],
    beforeUnlink,
  })
  const writerOptions: WriterOptions = {
    ...settings,
    io: options.io ?? createWorkerIo(),
    preallocator: segmentPreallocator(files, folder, segmentBytes, log),
    folder,
    storeId,
    growthBytes: segmentBytes,
    onRotated: (next) => retention.add(next),
  }
  const head = { segment, fd: prepared.fd, bytes: prepared.bytes, salt, end: SEGMENT_HEADER_BYTES }
  const writer = new GroupCommitWriter(writerOptions, head, chain)
  return new FileJournal(writerOptions, index, retention, writer, maxSegments)
}

/** The journal port over one data folder. Made by `openJournal`. */
export class FileJournal implements Journal, Segments {
  /** 32 hex digits, the same for the life of the data folder. */
  readonly storeId: string
  readonly #options: WriterOptions
  readonly #index: ActorIndex
  readonly #retention: Retention
  readonly #writer: GroupCommitWriter
  readonly #maxSegments: number
  #closed: Promise<void> | null = null

  constructor(
    options: WriterOptions,
    index: ActorIndex,
    retention: Retention,
    writer: GroupCommitWriter,
    maxSegments: number,
  ) {
    this.storeId = options.storeId
    this.#options = options
    this.#index = index
    this.#retention = retention
    this.#writer = writer
    this.#maxSegments = maxSegments
  }

  isSaturated(): boolean {
    return this.#writer.queue.isSaturated
  }

  append(_grant: Grant, record: JournalRecord): Promise<void> {
    const { actorKey, actorSeq, payload } = record
    if (this.#writer.cause !== null) return Promise.reject(this.#writer.cause)
    if (this.#writer.state === 'closed') return refuse('closed', 'the journal is closed')
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
    return this.#writer.append({ actor, actorSeq, payload, bytes })
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
      const waiting = this.#writer.queue.recordsOf(entry, next)
      if (waiting[0]?.actorSeq !== next) {
        const behind = entry.runs.find((each) => each.firstSeq > next)
        throw new JournalGapError(actorKey, next, behind?.firstSeq ?? null)
      }
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
    const waiting = this.#writer.queue.recordsOf(entry, seq + 1)
    noteCovered(
      entry,
      seq,
      waiting.reduce((sum, record) => sum + record.bytes, 0),
    )
    if (this.#writer.state === 'open') this.#retention.review()
  }

  laggards(): readonly string[] {
    return this.#retention.count > this.#maxSegments ? this.#retention.pinning() : []
  }

  /** Completes the segment being written and starts the next one: nothing queued before lies in that. Rejects when it cannot be written. */
  rotate(): Promise<void> {
    return this.#writer.rotate()
  }

  /**
   * Actors whose snapshots have to cover more before every segment can go that holds a turn of the actor up to `seq`,
   * itself included. Null while such a turn lies in the segment being written or waits for the disk.
   */
  pinnedWith(actorKey: string, seq: number): readonly string[] | null {
    const entry = this.#index.get(actorKey)
    if (entry === null) return []
    if (entry.pending > 0 && entry.lastSeq - entry.pending < seq) return null
    const last = entry.runs.findLast((run) => run.firstSeq <= seq)
    return last === undefined ? [] : this.#retention.pinningUpTo(last.segment.seq)
  }

  /**
   * Removes those segments, each after it went to history, and what the journal has set aside of torn ends. Resolves
   * with the number of segments when that is durable; rejects when one has to stay.
   */
  async release(actorKey: string, seq: number): Promise<number> {
    const released = await this.#retention.release()
    const entry = this.#index.get(actorKey)
    const kept = entry?.runs.find((run) => run.firstSeq <= seq)
    if (kept !== undefined)
      throw new Error(`turn ${kept.firstSeq} of ${actorKey} is still in ${kept.segment.path}`)
    const { files, folder } = this.#options
    await removeFromQuarantine({ files, dir: dirname(folder) }, (name) => name.endsWith(TORN_SUFFIX))
    return released
  }

  segmentCount(): number {
    return this.#retention.count
  }

  /** Every actor with records in the journal or in a snapshot that it was told of. */
  actorKeys(): Iterable<string> {
    return this.#index.keys()
  }

  positionsOf(actorKey: string, fromSeq: number, toSeq?: number): ActorPositions {
    const entry = this.#index.get(actorKey)
    return entry === null ? [] : durablePositions(entry, fromSeq, toSeq)
  }

  /** What is flushed; never more. */
  durable(): DurablePosition {
    return this.#writer.durable
  }

  /** Checksum of a turn, by which snapshots are told from those of a copy of the store; null: it is not held any more. */
  turnCrcOf(actorKey: string, seq: number): Promise<number | null> {
    return turnCrcOf(this.#options.files, this.#index.get(actorKey), seq)
  }

  /** Sequences of the actor that the journal holds, queued ones included, oldest first. */
  heldSeqs(actorKey: string): readonly SeqRange[] {
    const entry = this.#index.get(actorKey)
    return entry === null ? [] : heldRanges(entry)
  }

  health(): JournalHealth {
    return this.#writer.health()
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#writer.close()
    await this.#retention.stop()
    await this.#options.preallocator.stop(this.#writer.cause !== null)
    await this.#options.io.close()
  }

  #headOf(entry: ActorEntry): number {
    return holdsRecords(entry) ? entry.lastSeq : 0
  }
}
