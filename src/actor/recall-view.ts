import { assert } from '../core/base/assert.ts'
import { resultOf } from '../core/base/collections.ts'
import type { ActorEvent } from '../core/model/events.ts'
import { recordOf } from '../core/model/evolve.ts'
import { searchedTexts } from '../core/model/memory-fields.ts'
import type { Audience, Consumer, MemoryRecord } from '../core/model/record.ts'
import { type ActorState, audienceClassOf } from '../core/model/state.ts'
import { isVisibleTo } from '../core/model/visibility.ts'
import type { TextHits } from '../core/rerank/signals.ts'
import { type IndexedField, PIECE_CHARS } from '../core/search/document-reader.ts'
import { DocSlots } from '../core/search/documents.ts'
import type { RecallImage } from '../core/search/index-image.ts'
import type { Query } from '../core/search/query.ts'
import type { RankJob } from '../core/search/rank-job.ts'
import type { RankResult } from '../core/search/rank-result.ts'
import { SearchIndex } from '../core/search/search-index.ts'
import type { SearchWorkspace } from '../core/search/workspace.ts'
import type { RelatedText } from '../core/write/similar.ts'
import { Pace, yieldToLoop } from './waiting.ts'

/** Of the texts of one memory so many characters can be found; short ones always. */
const INDEXED_CHARS_MAX = 200_000
/** No longer than this: names, ids, titles. */
const SHORT_CHARS = 256
/** Of a longer text its beginning is looked for. Characters. */
const RELATED_CHARS = 2_000
/** An image is not taken when more than this share of its documents, and more than so many, are gone. */
const GONE_SHARE_MAX = 0.75
const GONE_MAX = 65_536
/**
 * The actor's recall index, kept in step with its events. It is derived: a reload takes it from an image of the same
 * state, or builds it again in the order of ordinals, and answers the same.
 */
export class RecallView {
  readonly #index: SearchIndex
  readonly #docs: DocSlots
  /** By slot: the memory as it was indexed. It is needed again to take its words out. */
  readonly #indexed: (MemoryRecord | null)[]

  private constructor(search: SearchWorkspace, image: RecallImage | null, indexed: (MemoryRecord | null)[]) {
    this.#index = new SearchIndex(search, image?.index)
    this.#docs = new DocSlots(image?.docSlots)
    this.#indexed = indexed
  }

  /** A view of an actor without memories. */
  static empty(search: SearchWorkspace): RecallView {
    return new RecallView(search, null, [])
  }

  /** The view that gave the image when the state was this one; it writes into the image. Null: it is of another state. */
  static from(image: RecallImage, state: ActorState, search: SearchWorkspace): RecallView | null {
    const view = new RecallView(search, image, [...state.memories.values()])
    return view.#index.docCount === state.memories.size - state.erasures.size ? view : null
  }

  static async over(state: ActorState, search: SearchWorkspace): Promise<RecallView> {
    const view = RecallView.empty(search)
    const live = [...state.memories.values()].filter(({ memoryId }) => !state.erasures.has(memoryId))
    const records = live.sort((a, b) => a.ordinal - b.ordinal)
    const pace = new Pace()
    for (const record of records) {
      for (const chars of view.#addSteps(state, record)) if (pace.isDue(chars)) await yieldToLoop()
    }
    return view
  }

  /** Follows events that the state has applied. */
  apply(state: ActorState, events: readonly ActorEvent[]): void {
    for (const event of events) {
      if (event.type === 'memory_written') this.#add(state, recordOf(state, event.draft.memoryId))
      else if (event.type === 'memory_revised') {
        this.#remove(recordOf(state, event.memoryId).slot)
        this.#add(state, recordOf(state, event.memoryId))
      } else if (event.type === 'memory_erased') this.#erase(state, event.memoryIds)
    }
  }

  /** As `apply` and `tidySteps`, in steps that say how many characters they have read. Until the last one nobody may ask. */
  *applySteps(state: ActorState, events: readonly ActorEvent[]): Generator<number, void> {
    for (const event of events) {
      if (event.type === 'memory_written') yield* this.#addSteps(state, recordOf(state, event.draft.memoryId))
      else if (event.type === 'memory_revised') {
        this.#remove(recordOf(state, event.memoryId).slot)
        yield* this.#addSteps(state, recordOf(state, event.memoryId))
        if (this.isOverdue) yield* this.tidySteps()
      } else if (event.type === 'memory_erased') yield* this.#eraseSteps(state, event.memoryIds)
    }
    yield* this.#index.knowTyposSteps()
  }

  /** Whether the first request after a load has nothing long to wait for. */
  get isReady(): boolean {
    return this.#index.isReady
  }

  /** Does what it would wait for, in steps as those of `applySteps`. */
  readySteps(): Generator<number, void> {
    return this.#index.readySteps()
  }

  /** Whether what was written or removed has left more to be done than a turn has time for. */
  get isOverdue(): boolean {
    return this.#index.isOverdue
  }

  /** Does it, in steps as those of `applySteps`. */
  tidySteps(): Generator<number, void> {
    return this.#index.tidySteps()
  }

  /** Whether `settle` has anything to do. */
  get isUnsettled(): boolean {
    return this.#index.isUnsettled
  }

  /** Does now what the next ranking would have to wait for, well under a millisecond. */
  settle(): void {
    this.#index.settle()
  }

  query(text: string): Query {
    return this.#index.query(text)
  }

  /** A ranking over what the consumer may see: nothing else counts, not even in the statistics. */
  job(state: ActorState, query: Query, consumer: Consumer, limit: number): RankJob {
    return this.#job(state, query, (audience) => isVisibleTo(audience, consumer), limit)
  }

  /** Memories of the allowed audiences that share words with a text, as they are spelled, the best match first. Ranked at once. */
  related(
    state: ActorState,
    text: string,
    allows: (audience: Audience) => boolean,
    limit: number,
  ): readonly RelatedText[] {
    const { terms, identifiers } = this.query(text.slice(0, RELATED_CHARS))
    // What nobody wrote so far is no slip of the pen here, and to look for one takes longer than the rest.
    const asWritten = terms.map((term) => (term.isWord ? { ...term, isWord: false } : term))
    const job = this.#job(state, { terms: asWritten, identifiers }, allows, limit)
    const { docs, matchedTerms } = this.rank(job)
    return Array.from(docs).flatMap((doc, place) => {
      const memoryId = this.#memoryOf(doc)
      const sharedWords = matchedTerms[place] ?? 0
      return memoryId === null ? [] : { memoryId, sharedWords, words: terms.length }
    })
  }

  #job(state: ActorState, query: Query, allows: (audience: Audience) => boolean, limit: number): RankJob {
    const allowed = new Uint8Array(state.audiences.size)
    for (const group of state.audiences.values()) allowed[group.number] = allows(group.audience) ? 1 : 0
    return this.#index.job(query, { allowed, limit })
  }

  /** Ranks at once. */
  rank(job: RankJob): RankResult {
    return this.#index.rank(job)
  }

  /** Hits by slot. A document that was replaced since the job was made has none. */
  hitsOf(result: RankResult): TextHits {
    const { docs, scores, coverage, matchedTerms, flags, masks, termShares } = result
    return { slots: this.#docs.slotsOf(docs), scores, coverage, matchedTerms, flags, masks, termShares }
  }

  /** Estimate of the heap of the index, in bytes. */
  get indexBytes(): number {
    return this.#index.bytes + this.#docs.bytes
  }

  /** Resolves when nothing in the index tells any more which words an erased memory had. */
  async swept(): Promise<void> {
    for (; this.#index.isSweeping; await yieldToLoop()) this.#index.sweep()
  }

  /**
   * Everything as it is now, at little cost; later events leave it as it is. Null when building again is better, and
   * until an erasure is swept.
   */
  image(): RecallImage | null {
    return resultOf(this.imageSteps())
  }

  /** As `image`, in steps as those of `applySteps`. Nothing may be applied before the last one. */
  *imageSteps(): Generator<number, RecallImage | null> {
    if (this.#index.isSweeping) return null
    const gone = this.#index.numbered - this.#index.docCount
    if (gone > GONE_MAX && gone > this.#index.numbered * GONE_SHARE_MAX) return null
    const index = yield* this.#index.imageSteps()
    return { index, docSlots: this.#docs.image() }
  }

  /** Null once another document took its place. */
  #memoryOf(doc: number): string | null {
    return this.#indexed[this.#docs.slotOf(doc)]?.memoryId ?? null
  }

  /** Answers the characters that it read. */
  #add(state: ActorState, record: MemoryRecord): number {
    const fields = fieldsOf(record)
    const visibilityClass = audienceClassOf(state, record.audience).number
    this.#keep(record, this.#index.add({ fields: found(fields), visibilityClass }))
    return charsOf(fields)
  }

  *#addSteps(state: ActorState, record: MemoryRecord): Generator<number, void> {
    if (this.#index.isTight) yield* this.#index.roomSteps()
    const fields = fieldsOf(record)
    const chars = charsOf(fields)
    if (chars <= PIECE_CHARS) {
      yield this.#add(state, record)
      return
    }
    const visibilityClass = audienceClassOf(state, record.audience).number
    this.#keep(record, yield* this.#index.addSteps({ fields: found(fields), visibilityClass }))
  }

  #keep(record: MemoryRecord, doc: number): void {
    this.#docs.add(doc, record.slot)
    while (this.#indexed.length < record.slot) this.#indexed.push(null)
    this.#indexed[record.slot] = record
  }

  /** Every word that only these memories had is forgotten at once; `swept` sees to the rest. */
  #erase(state: ActorState, memoryIds: readonly string[]): void {
    const steps = this.#eraseSteps(state, memoryIds)
    while (steps.next().done !== true);
  }

  *#eraseSteps(state: ActorState, memoryIds: readonly string[]): Generator<number, void> {
    for (const memoryId of memoryIds) {
      const { slot } = recordOf(state, memoryId)
      this.#remove(slot)
      this.#indexed[slot] = null
      if (this.isOverdue) yield* this.tidySteps()
    }
    yield* this.tidySteps()
    yield* this.#index.forgetRemovedSteps()
  }

  #remove(slot: number): void {
    const record = this.#indexed[slot] ?? null
    assert(record !== null, `the memory in slot ${slot} is not indexed`)
    this.#index.remove(this.#docs.remove(slot), found(fieldsOf(record)))
  }
}

/** The texts of a memory. A word of its title, the first one, counts twice. */
function fieldsOf(record: MemoryRecord): readonly IndexedField[] {
  return searchedTexts(record).flatMap((text, at) =>
    text === null || (text === '' && at > 0) ? [] : { text, weight: at === 0 ? 2 : 1 },
  )
}

function charsOf(fields: readonly IndexedField[]): number {
  return fields.reduce((sum, field) => sum + field.text.length, 0)
}

/** What of them can be found: the short ones, and of the others the beginning, in their order. */
function found(fields: readonly IndexedField[]): readonly IndexedField[] {
  if (charsOf(fields) <= INDEXED_CHARS_MAX) return fields
  let left = INDEXED_CHARS_MAX
  return fields.flatMap(({ text, weight }) => {
    if (text.length <= SHORT_CHARS) return { text, weight }
    const kept = text.slice(0, left)
    left -= kept.length
    return kept === '' ? [] : { text: kept, weight }
  })
}
