import { yieldToLoop } from '../actor/waiting.ts'
import { assert } from '../core/base/assert.ts'
import { embeddedText, sendableText } from '../core/model/embedded-text.ts'
import type { ActorEvent } from '../core/model/events.ts'
import { isSuppressed } from '../core/model/lifecycle.ts'
import type { Consumer, MemoryRecord } from '../core/model/record.ts'
import { type ActorState, audienceClassOf, liveRecord } from '../core/model/state.ts'
import { isVisibleTo } from '../core/model/visibility.ts'
import { nearDocs, Vectors } from '../core/search/knn.ts'
import type { ActorVectors, EmbeddingStatus, VectorQuestion } from '../ports/embedding.ts'
import type { VectorKey, VectorRow, VectorStore } from '../ports/store.ts'

/** Memories whose texts are read between two yields. */
const READ_STEP = 4
/** Heap of an entry beside its vector. */
const ENTRY_BYTES = 120
/** Removed vectors that are not yet worth a rebuild. */
const REMOVED_MIN = 64

/** Why a memory gets no vector: it holds a secret, its writer does not want one, it says nothing. */
export type SkipReason = 'secret' | 'auto_embed_false' | 'no_text'

/** One text that waits for its vector. */
export interface EmbeddingTask extends VectorKey {
  readonly text: string
}

/**
 * The vectors of an actor's memories, kept in step with its events. They are derived: a load reads them from their
 * files, and what has none waits to be embedded. Invariant: every live memory is in exactly one of the lookups below.
 */
export class VectorView implements ActorVectors {
  readonly #state: ActorState
  readonly #docs = new Map<string, number>()
  readonly #missing = new Set<string>()
  readonly #failed = new Map<string, string>()
  readonly #skipped = new Map<string, SkipReason>()
  /** Requests that one memory alone has spoiled. */
  readonly #attempts = new Map<string, number>()
  #vectors: Vectors | null = null
  /** By document; replaced as a whole by a rebuild, so that a question goes on with the numbers it was asked with. */
  #keys: (VectorKey | null)[] = []
  /** What the turn that is being decided writes with the wish that it is not embedded. */
  #unwanted: ReadonlySet<string> = new Set()
  #unwantedRows: VectorRow[] = []

  private constructor(state: ActorState) {
    this.#state = state
  }

  /** The view of an actor, with what the store holds of it. */
  static async over(state: ActorState, actorKey: string, store: VectorStore): Promise<VectorView> {
    const view = new VectorView(state)
    for (const { memoryId } of state.records) {
      if (!state.erasures.has(memoryId)) view.#missing.add(memoryId)
    }
    if (view.#missing.size > 0) await store.load(actorKey, (row) => view.#take(row))
    return view
  }

  counts(): Readonly<Record<EmbeddingStatus, number>> {
    return {
      pending: this.#missing.size,
      ready: this.#docs.size,
      failed: this.#failed.size,
      skipped: this.#skipped.size,
    }
  }

  statusOf(memoryId: string): { readonly status: EmbeddingStatus; readonly reason: string | null } {
    if (this.#docs.has(memoryId)) return { status: 'ready', reason: null }
    const failure = this.#failed.get(memoryId)
    if (failure !== undefined) return { status: 'failed', reason: failure }
    const skip = this.#skipped.get(memoryId)
    return skip === undefined ? { status: 'pending', reason: null } : { status: 'skipped', reason: skip }
  }

  get isBehind(): boolean {
    return this.#missing.size > 0
  }

  weightBytes(): number {
    const entries = this.#docs.size + this.#missing.size + this.#failed.size + this.#skipped.size
    return (this.#vectors?.bytes ?? 0) + entries * ENTRY_BYTES
  }

  unwanted(memoryIds: ReadonlySet<string>): void {
    this.#unwanted = memoryIds
  }

  takeUnwantedRows(): readonly VectorRow[] {
    return this.#unwantedRows.splice(0)
  }

  apply(events: readonly ActorEvent[]): void {
    for (const event of events) {
      if (event.type === 'memory_written') this.#begin(event.draft.memoryId)
      else if (event.type === 'memory_revised') {
        this.#forget(event.memoryId)
        this.#begin(event.memoryId)
      } else if (event.type === 'memory_erased') {
        for (const memoryId of event.memoryIds) this.#forget(memoryId)
      }
    }
    this.#unwanted = new Set()
  }

  /** Up to `most` texts that wait and may be sent now; others are served while they are read. */
  async waiting(most: number, nowMs: number): Promise<readonly EmbeddingTask[]> {
    const tasks: EmbeddingTask[] = []
    let read = 0
    for (const memoryId of this.#missing) {
      if (tasks.length === most) break
      const record = liveRecord(this.#state, memoryId)
      if (record === undefined || !this.#missing.has(memoryId) || isSuppressed(record.facets, nowMs)) continue
      const text = record.findings.includes('secret') ? null : sendableText(embeddedText(record))
      if (text === null) this.#skip(memoryId, 'secret')
      else if (text === '') this.#skip(memoryId, 'no_text')
      else tasks.push({ ...keyOf(record), text })
      if (++read % READ_STEP === 0) await yieldToLoop()
    }
    return tasks
  }

  /** Those of them that may still be sent: not erased, revised or suppressed meanwhile. */
  sendable(tasks: readonly EmbeddingTask[], nowMs: number): readonly EmbeddingTask[] {
    return tasks.filter((task) => {
      const record = this.#currentOf(task)
      return record !== null && this.#missing.has(task.memoryId) && !isSuppressed(record.facets, nowMs)
    })
  }

  /** Takes vectors of memories that still say what was embedded; answers those rows. */
  put(rows: readonly VectorRow[]): readonly VectorRow[] {
    return rows.filter((row) => this.#take(row))
  }

  /**
   * One more request that this memory alone has spoiled; with `most` of them it is given up until it is revised or loaded.
   * `isKnown`: it is not counted.
   */
  spoiled(key: VectorKey, reason: string, most: number, isKnown: boolean): void {
    const { memoryId } = key
    if (this.#currentOf(key) === null || !this.#missing.has(memoryId)) return
    const attempts = (this.#attempts.get(memoryId) ?? 0) + (isKnown ? 0 : 1)
    this.#attempts.set(memoryId, attempts)
    // It goes to the end, so that others come first.
    this.#missing.delete(memoryId)
    if (attempts < most) this.#missing.add(memoryId)
    else this.#settle(memoryId, () => this.#failed.set(memoryId, reason))
  }

  visibleTo(consumer: Consumer): number {
    return this.#vectors?.visible(this.#allowed(consumer)) ?? 0
  }

  question(query: Float32Array, consumer: Consumer, limit: number): VectorQuestion | null {
    if (this.#vectors === null) return null
    if (this.#vectors.dimensions !== query.length) {
      // What answers now makes vectors of another length: those that are here will never be asked again.
      this.#beginAnew(query.length)
      return null
    }
    const job = this.#vectors.job(query, this.#allowed(consumer), limit)
    const keys = this.#keys
    return {
      job,
      hitsOf: (result) =>
        nearDocs(result).flatMap(({ doc, deviations, isRelevant }) => {
          const key = keys[doc] ?? null
          if (key === null || this.#currentOf(key) === null) return []
          return [{ memoryId: key.memoryId, deviations, isAboveFloor: isRelevant }]
        }),
    }
  }

  #allowed(consumer: Consumer): Uint8Array {
    const allowed = new Uint8Array(this.#state.audiences.size)
    for (const { number, audience } of this.#state.audiences.values()) {
      allowed[number] = isVisibleTo(audience, consumer) ? 1 : 0
    }
    return allowed
  }

  #begin(memoryId: string): void {
    const record = this.#state.memories.get(memoryId)
    assert(record !== undefined, `memory ${memoryId} is not in the state`)
    this.#missing.add(memoryId)
    if (!this.#unwanted.has(memoryId)) return
    const row = { ...keyOf(record), vector: null }
    this.#take(row)
    this.#unwantedRows.push(row)
  }

  #take(row: VectorRow): boolean {
    const record = this.#currentOf(row)
    if (record === null) return false
    const { memoryId, vector } = row
    this.#removeVector(memoryId)
    this.#settle(memoryId, () => {
      if (vector === null) this.#skipped.set(memoryId, 'auto_embed_false')
      else this.#addVector(record, vector)
    })
    return true
  }

  #addVector(record: MemoryRecord, vector: Float32Array): void {
    if (this.#vectors?.dimensions !== vector.length) this.#beginAnew(vector.length)
    assert(this.#vectors !== null, 'there is a place for vectors of this length')
    const doc = this.#vectors.add(vector, audienceClassOf(this.#state, record.audience).number)
    this.#keys.push(keyOf(record))
    this.#docs.set(record.memoryId, doc)
  }

  /** Vectors of two lengths are not comparable: the older ones are made again. */
  #beginAnew(dimensions: number): void {
    for (const memoryId of this.#docs.keys()) this.#missing.add(memoryId)
    this.#docs.clear()
    this.#keys = []
    this.#vectors = new Vectors(dimensions)
  }

  #forget(memoryId: string): void {
    this.#removeVector(memoryId)
    this.#settle(memoryId, () => undefined)
  }

  /** Takes a memory out of every lookup but that of vectors, and puts it where it belongs. */
  #settle(memoryId: string, place: () => void): void {
    this.#missing.delete(memoryId)
    this.#failed.delete(memoryId)
    this.#skipped.delete(memoryId)
    this.#attempts.delete(memoryId)
    place()
  }

  #skip(memoryId: string, reason: SkipReason): void {
    this.#settle(memoryId, () => this.#skipped.set(memoryId, reason))
  }

  #removeVector(memoryId: string): void {
    const doc = this.#docs.get(memoryId)
    if (doc === undefined || this.#vectors === null) return
    this.#vectors.remove(doc)
    this.#docs.delete(memoryId)
    this.#keys[doc] = null
    const { size, live } = this.#vectors
    if (size - live > Math.max(REMOVED_MIN, live)) this.#rebuild(this.#vectors)
  }

  #rebuild(old: Vectors): void {
    const fresh = new Vectors(old.dimensions)
    const keys: VectorKey[] = []
    for (const [doc, key] of this.#keys.entries()) {
      const record = key === null ? undefined : this.#state.memories.get(key.memoryId)
      if (key === null || record === undefined) continue
      this.#docs.set(
        key.memoryId,
        fresh.add(old.of(doc), audienceClassOf(this.#state, record.audience).number),
      )
      keys.push(key)
    }
    this.#vectors = fresh
    this.#keys = keys
  }

  /** The record, as long as it is the one that a key means. */
  #currentOf({ memoryId, ordinal, updatedAtMs }: VectorKey): MemoryRecord | null {
    const record = liveRecord(this.#state, memoryId)
    return record?.ordinal === ordinal && record.updatedAtMs === updatedAtMs ? record : null
  }
}

function keyOf({ memoryId, ordinal, updatedAtMs }: MemoryRecord): VectorKey {
  return { memoryId, ordinal, updatedAtMs }
}
