import { messageOf } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import type { Durability, JournalHealth } from '../../ports/store.ts'
import type { Log, Schedule } from '../../ports/system.ts'
import { encodeRecord } from '../binary/bytes.ts'
import { type FolderWatch, isDiskFull } from '../files/folder-watch.ts'
import { StoreFailure } from '../files/store-parts.ts'
import { type Batch, BatchQueue, type QueuedRecord } from './batch-queue.ts'
import {
  BATCH_HEADER_BYTES,
  batchBytes,
  type Expected,
  encodeSegmentHeader,
  expectedAfter,
  finishBatch,
  linkOver,
  randomSalt,
  SEGMENT_HEADER_BYTES,
} from './format.ts'
import type { JournalIo } from './journal-io.ts'
import { createSegment, noteWritten, type Segment } from './record-index.ts'
import type { PreparedSegment, SegmentPreallocator } from './segment-preallocator.ts'

export interface WriteHead {
  readonly segment: Segment
  readonly fd: number
  /** Bytes zero-filled ahead; beyond them the file grows. */
  readonly bytes: number
  readonly salt: number
  end: number
}

/** What is known to be flushed: the segment in use, and how many records it and those before it hold, over the store's life. */
export interface DurablePosition {
  readonly segment: number
  readonly turns: number
}

export interface Chain extends Expected {
  readonly durableSeq: number
  /** The last link of the hash chain; null when none is kept. */
  readonly link: string | null
}

export interface WriterSettings {
  readonly files: Files
  /** Closed with the journal. */
  readonly io: JournalIo
  readonly durability: Durability
  /** Time between flushes with durability `interval`. */
  readonly intervalMs: number
  /** A seal is written after this time without appends. */
  readonly sealIdleMs: number
  /** Batches fill multiples of this: a power of two, 512 to 65536. */
  readonly padTo: number
  readonly schedule: Schedule
  /** Wall clock for the creation time in segment headers and the pause after a failed `beforeUnlink`. */
  readonly nowMs: () => number
  /** Is told of every batch that is written, flushed if the durability says so. */
  readonly onWritten: (records: number, tookMs: number) => void
  /** Nothing is acknowledged that lies where no start will look for it. */
  readonly watch: FolderWatch
}

export interface WriterOptions extends WriterSettings {
  readonly preallocator: SegmentPreallocator
  readonly log: Log
  readonly folder: string
  readonly storeId: string
  /** How far a segment may grow beyond its end while the next one is being prepared. */
  readonly growthBytes: number
  readonly onRotated: (segment: Segment) => void
}

const DONE = Promise.resolve()
/** Above this many unwritten bytes an append waits for the write, whatever the durability. */
const UNWRITTEN_BYTES_MAX = 4 * 1024 * 1024

/**
 * The one writer. A batch at a time goes to disk; what arrives meanwhile is the next batch, so the disk's own
 * latency is the batching window. After the first failure it never writes again: what the disk holds then is for
 * recovery to find out.
 */
export class GroupCommitWriter {
  readonly #options: WriterOptions
  readonly queue = new BatchQueue()
  #head: WriteHead
  #chain: Chain
  #durable: DurablePosition
  #state: JournalHealth['state'] = 'open'
  #cause: StoreFailure | null = null
  #isRunning = false
  /** When the step under way was begun, by a clock that is never set. */
  #stepStartedMs = 0
  /** The last batch held one record: nothing is gained by waiting for others to join the next one. */
  #isAlone = false
  #isDirty = false
  #flushDue = false
  #sealDue = false
  #rotations: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  /** The header of a fresh segment proves what lies before it, as a seal does. */
  #isSealed = true
  #cancelInterval: (() => void) | null = null
  #cancelSeal: (() => void) | null = null
  #onIdle: (() => void)[] = []

  constructor(options: WriterOptions, head: WriteHead, chain: Chain) {
    this.#options = options
    this.#head = head
    this.#chain = chain
    this.#durable = { segment: head.segment.seq, turns: chain.firstLsn - 1 }
    this.#follow(head)
    // While it closes, what is still to be acknowledged asks for itself.
    options.watch.onLost((error) => {
      if (this.#state === 'open') this.#poison(error)
    })
  }

  get state(): JournalHealth['state'] {
    return this.#state
  }

  get cause(): StoreFailure | null {
    return this.#cause
  }

  get durable(): DurablePosition {
    return this.#durable
  }

  health(): JournalHealth {
    const isWriting = this.#isRunning && this.#stepStartedMs > 0
    return {
      state: this.#state,
      cause: this.#cause?.message ?? null,
      isFull: isDiskFull(this.#cause?.cause),
      isRefused: false,
      queuedBytes: this.queue.bytes,
      writingMs: isWriting ? performance.now() - this.#stepStartedMs : 0,
      chainHead: this.#chain.link,
    }
  }

  /** Queues a record; resolves as the durability promises, later when too much waits to be written. The caller has checked state, sequence and size. */
  append(record: QueuedRecord): Promise<void> {
    const batch = this.queue.add(record)
    this.#kick()
    // Without a flush to wait for, a caller in this process could append forever before the disk gets a turn.
    const isWaiting = this.#options.durability === 'sync' || this.queue.bytes > UNWRITTEN_BYTES_MAX
    return isWaiting ? batch.done : DONE
  }

  /** Starts the next segment once what is queued now is written. Rejects with the failure that poisoned the writer. */
  async rotate(): Promise<void> {
    await this.queue.written()
    if (this.#cause !== null) throw this.#cause
    if (this.#state !== 'open') throw new StoreFailure('closed', 'the journal is closed')
    await new Promise<void>((resolve, reject) => {
      this.#rotations.push({ resolve, reject })
      this.#kick()
    })
  }

  /** Writes what is queued, flushes, seals. A failure on the way poisons, it does not reject. */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#state = 'closed'
      this.#sealDue = true
      this.#kick()
    }
    if (this.#isRunning) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
    this.#cancelTimers()
    await this.#options.files.close(this.#head.fd)
  }

  /**
   * A lone writer's record goes to the disk at once: while it is written its own turn is applied and indexed. Where several
   * writers are about, the records of this turn of the event loop are gathered first. Any of them joins the next batch
   * anyhow, so this is a matter of time, not of order.
   */
  #kick(): void {
    if (this.#isRunning || this.#cause !== null) return
    this.#isRunning = true
    if (this.#isAlone) void this.#drain()
    else setImmediate(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        this.#stepStartedMs = performance.now()
        if (this.#flushDue) await this.#flush()
        if (this.#rotations.length > 0) await this.#rotateNow()
        const batch = this.queue.take()
        if (batch !== null) await this.#commit(batch)
        else if (this.#sealDue) await this.#seal()
        else break
      }
    } catch (error) {
      this.#poison(error)
    }
    this.#isRunning = false
    this.#stepStartedMs = 0
    for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #commit(batch: Batch): Promise<void> {
    const bytes = batchBytes(batch.bodyBytes, this.#options.padTo)
    const head = this.#hasRoom(bytes) ? this.#head : await this.#rotate()
    this.#options.preallocator.begin(head.segment.seq + 1)
    const out = this.#options.io.reserve(bytes)
    let at = BATCH_HEADER_BYTES
    for (const { actor, actorSeq, payload } of batch.records) {
      at = encodeRecord(out, at, actor.keyBytes, actorSeq, payload)
    }
    let offset = head.end + BATCH_HEADER_BYTES
    await this.#writeBatch(head, batch.bodyBytes, batch.records.length, this.#options.durability === 'sync')
    const looking = this.#options.watch.confirmed()
    if (looking !== null) await looking
    // The loss of the folder was told while the disk was working.
    if (this.#cause !== null) throw this.#cause
    for (const { actor, actorSeq, bytes: size } of batch.records) {
      noteWritten(actor, head.segment, actorSeq, offset, size)
      actor.pending -= 1
      offset += size
    }
    this.#isSealed = false
    this.#isAlone = batch.records.length === 1
    this.queue.settle(batch)
    batch.resolve()
    this.#options.onWritten(batch.records.length, performance.now() - this.#stepStartedMs)
    this.#armTimers()
  }

  #hasRoom(bytes: number): boolean {
    const { end, bytes: size } = this.#head
    if (end === SEGMENT_HEADER_BYTES || end + bytes <= size) return true
    return this.#options.preallocator.isPreparing && end + bytes <= size + this.#options.growthBytes
  }

  async #writeBatch(head: WriteHead, bodyLen: number, recordCount: number, flush: boolean): Promise<void> {
    const { io, padTo } = this.#options
    const { durableSeq, link } = this.#chain
    const bytes = batchBytes(bodyLen, padTo)
    const header = { ...this.#chain, bodyLen, recordCount, salt: head.salt }
    const out = io.reserve(bytes)
    const headerCrc = finishBatch(out, header, padTo)
    const nextLink =
      link === null ? null : linkOver(link, out.bytes.subarray(0, BATCH_HEADER_BYTES + bodyLen))
    await io.write(head.fd, head.end, bytes, flush)
    head.end += bytes
    this.#chain = { ...expectedAfter({ ...header, headerCrc }), durableSeq, link: nextLink }
    this.#isDirty = true
    if (flush) this.#noteFlushed()
  }

  async #flush(): Promise<void> {
    this.#flushDue = false
    if (!this.#isDirty) return
    await this.#options.io.write(this.#head.fd, 0, 0, true)
    this.#noteFlushed()
  }

  #noteFlushed(): void {
    this.#isDirty = false
    this.#head.segment.flushedEnd = this.#head.end
    this.#chain = { ...this.#chain, durableSeq: this.#chain.batchSeq - 1 }
    this.#durable = { segment: this.#head.segment.seq, turns: this.#chain.firstLsn - 1 }
  }

  /** An empty batch: proves the last one durable, so that later damage to it is not taken for a torn write. */
  async #seal(): Promise<void> {
    this.#sealDue = false
    await this.#flush()
    if (this.#isSealed) return
    await this.#writeBatch(this.#head, 0, 0, true)
    this.#isSealed = true
  }

  /** Flushes the segment that is full, then starts the next: header first, flushed before any batch. */
  async #rotate(): Promise<WriteHead> {
    const { files, io, preallocator, folder, storeId, nowMs, onRotated } = this.#options
    const full = this.#head
    const prepared: PreparedSegment = await preallocator.take(full.segment.seq + 1)
    await this.#flush()
    const salt = randomSalt()
    const block = io.reserve(SEGMENT_HEADER_BYTES).bytes.subarray(0, SEGMENT_HEADER_BYTES)
    const { seq: segmentSeq, bytes } = prepared
    encodeSegmentHeader(block, { ...this.#chain, storeId, segmentSeq, salt, createdAtMs: nowMs(), bytes })
    const segment = createSegment(folder, segmentSeq, SEGMENT_HEADER_BYTES)
    this.#head = { segment, fd: prepared.fd, bytes, salt, end: SEGMENT_HEADER_BYTES }
    await files.close(full.fd)
    await io.write(prepared.fd, 0, SEGMENT_HEADER_BYTES, true)
    this.#isSealed = true
    this.#durable = { ...this.#durable, segment: segment.seq }
    this.#follow(this.#head)
    onRotated(segment)
    return this.#head
  }

  #follow({ segment, fd, bytes }: WriteHead): void {
    this.#options.watch.follow(segment.path, fd, bytes)
  }

  async #rotateNow(): Promise<void> {
    // A segment without a batch has nothing to be rid of.
    if (this.#head.end > SEGMENT_HEADER_BYTES) await this.#rotate()
    for (const { resolve } of this.#rotations.splice(0)) resolve()
  }

  #armTimers(): void {
    const { durability, intervalMs, sealIdleMs, schedule } = this.#options
    if (durability === 'interval' && this.#cancelInterval === null) {
      this.#cancelInterval = schedule(() => {
        this.#cancelInterval = null
        this.#flushDue = true
        this.#kick()
      }, intervalMs)
    }
    if (durability !== 'none' && this.#cancelSeal === null) this.#armSeal(sealIdleMs)
  }

  /** Looks again after the idle time; seals when no batch was written meanwhile. */
  #armSeal(idleMs: number): void {
    const seen = this.#chain.batchSeq
    this.#cancelSeal = this.#options.schedule(() => {
      this.#cancelSeal = null
      if (this.#chain.batchSeq !== seen || this.#isRunning) {
        this.#armSeal(idleMs)
      } else {
        this.#sealDue = true
        this.#kick()
      }
    }, idleMs)
  }

  #cancelTimers(): void {
    this.#cancelInterval?.()
    this.#cancelSeal?.()
    this.#cancelInterval = null
    this.#cancelSeal = null
  }

  #poison(error: unknown): void {
    if (this.#cause !== null) return
    const text = messageOf(error)
    const cause = new StoreFailure('in_doubt', `the journal stopped writing: ${text}`, {
      cause: error,
    })
    this.#state = 'poisoned'
    this.#cause = cause
    this.#cancelTimers()
    this.#options.preallocator.halt()
    this.#options.log.error({ error, batchSeq: this.#chain.batchSeq }, 'journal poisoned')
    for (const { reject } of this.#rotations.splice(0)) reject(cause)
    for (const batch of this.queue.clear()) {
      for (const { actor } of batch.records) {
        actor.pending = 0
        actor.lastSeq = actor.writtenSeq
      }
      batch.reject(cause)
    }
  }
}
