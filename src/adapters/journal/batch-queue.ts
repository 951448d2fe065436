import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS, MAX_QUEUE_BYTES, MAX_RECORD_BYTES } from './format.ts'
import type { ActorEntry } from './record-index.ts'

export interface QueuedRecord {
  readonly actor: ActorEntry
  readonly actorSeq: number
  readonly payload: Uint8Array
  /** As framed. */
  readonly bytes: number
}

/** Records that are written and flushed together. They share one promise: they end together as well. */
export interface Batch {
  readonly records: QueuedRecord[]
  bodyBytes: number
  readonly done: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

function createBatch(): Batch {
  let resolve = (): void => undefined
  let reject = (_error: Error): void => undefined
  const done = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Whoever was promised an answer holds `done` as well; alone it must not end the process.
  done.catch(() => undefined)
  return { records: [], bodyBytes: 0, done, resolve, reject }
}

/** What waits for the disk, in order, already cut into batches; the batch in flight is counted until it is settled. */
export class BatchQueue {
  readonly #batches: Batch[] = []
  #open: Batch | null = null
  #inFlight: Batch | null = null
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** True while there is no room for the largest record, so that no accepted one can exceed the limit. */
  get isSaturated(): boolean {
    return this.#bytes > MAX_QUEUE_BYTES - MAX_RECORD_BYTES
  }

  add(record: QueuedRecord): Batch {
    let batch = this.#open
    const fits =
      batch !== null &&
      batch.records.length < MAX_BATCH_RECORDS &&
      batch.bodyBytes + record.bytes <= MAX_BATCH_BYTES
    if (batch === null || !fits) {
      batch = createBatch()
      this.#batches.push(batch)
      this.#open = batch
    }
    batch.records.push(record)
    batch.bodyBytes += record.bytes
    this.#bytes += record.bytes
    return batch
  }

  /** The oldest batch, now in flight: it takes no further record. Null when nothing waits. */
  take(): Batch | null {
    const batch = this.#batches.shift() ?? null
    if (batch !== null && batch === this.#open) this.#open = null
    this.#inFlight = batch
    return batch
  }

  /** Resolves when everything that is queued now is written; rejects as it does. */
  async written(): Promise<void> {
    await this.#all().at(-1)?.done
  }

  settle(batch: Batch): void {
    this.#inFlight = null
    this.#bytes -= batch.bodyBytes
  }

  /** Empties the queue and returns all of it, the batch in flight first. */
  clear(): readonly Batch[] {
    const batches = this.#all()
    this.#batches.length = 0
    this.#open = null
    this.#inFlight = null
    this.#bytes = 0
    return batches
  }

  /** Records of one actor from `fromSeq` on that are not written yet, in order. */
  recordsOf(actor: ActorEntry, fromSeq: number): readonly QueuedRecord[] {
    if (actor.pending === 0) return []
    return this.#all().flatMap((batch) =>
      batch.records.filter((record) => record.actor === actor && record.actorSeq >= fromSeq),
    )
  }

  #all(): readonly Batch[] {
    return this.#inFlight === null ? [...this.#batches] : [this.#inFlight, ...this.#batches]
  }
}
