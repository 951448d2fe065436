import { assert } from '../core/base/assert.ts'
import type { CompactRecord } from '../core/model/compact-record.ts'
import type { ActorEvent } from '../core/model/events.ts'
import type { Audience } from '../core/model/record.ts'
import type { ActorState } from '../core/model/state.ts'
import { type DisputeReading, disputeOf } from '../core/similarity/dispute.ts'
import { DisputeIndex } from '../core/similarity/dispute-index.ts'
import { outlineOfText, type TextOutline } from '../core/similarity/dispute-outline.ts'
import { languageOf } from '../core/similarity/dispute-translated.ts'
import { isNearDuplicate, NEAR_SEARCH_MIN } from '../core/similarity/near-duplicate.ts'
import { type NearHit, NearIndex } from '../core/similarity/near-index.ts'
import { minHash, type TextSignature } from '../core/similarity/text-signature.ts'
import { isStatement } from '../core/write/dispute.ts'
import {
  type Disputed,
  type Prepared,
  type RelatedText,
  type Similar,
  saidText,
} from '../core/write/similar.ts'
import type { RecallView } from './recall-view.ts'
import { RecentReadings } from './recent-readings.ts'
import { Pace, yieldToLoop } from './waiting.ts'

/** To sign a memory takes as long as to read so many characters more. */
const MEMORY_CHARS = 100
/** From so many on the index gets its room at once: what grows on the way would be copied again and again. */
const RESERVED_FROM = 10_000
/** Texts read for one answer. */
const READ_MAX = 32
/** Characters read for one answer after the first text, the asked one counted each time: a few milliseconds. */
const READ_CHARS_MAX = 40_000
/** A text less than half as long has not the same words. */
const LENGTH_SHARE_MIN = 0.5
/** Signatures kept between a question and the write that follows it. */
const SIGNATURES_MAX = 300
/** Memories read for disputes beside each question after a load: about half a millisecond. */
const OUTLINED_STEP = 16
/** Texts compared to tell whether one may dispute any. */
const DISPUTED_MAX = 16

/** What the index has for a signature, each text once. Invariant: dropped before the index changes. */
interface Found {
  readonly signature: TextSignature
  readonly exact: readonly string[]
  readonly near: readonly NearHit[]
}

/**
 * Finds equal and nearly equal texts among the memories of an actor, kept in step with its events. It is derived: a
 * reload signs the texts again and answers the same. Each memory stands with the text that `saidText` gives.
 *
 * Signing takes longer than loading, and a guide needs none of it: the view is behind after a load and catches up in
 * steps. Invariant: exactly the memories with a slot below `#signed` are in the index, erased ones apart; likewise the
 * index of disputes and `#outlined`.
 */
export class SimilarView {
  readonly #state: ActorState
  readonly #index = new NearIndex()
  #signatures = new Map<string, TextSignature>()
  readonly #readings = new RecentReadings()
  readonly #disputes = new DisputeIndex()
  /** Of the texts in the index, also of those that were taken out. */
  readonly #languages = new Set<number>()
  #outlined = 0
  /** No memory in the index of disputes was observed later. */
  #observedMs = Number.NEGATIVE_INFINITY
  /** The text that was outlined last: it is asked about first, and then written. */
  #lastOutlined: { readonly text: string; readonly outline: TextOutline } | null = null
  /** What the index last answered: a turn asks about a text for itself and again for what it confirms. */
  #found: Found | null = null
  #signed = 0
  #catchingUp: Promise<void> | null = null

  constructor(state: ActorState) {
    this.#state = state
  }

  /** Whether every memory is signed. */
  get isCaughtUp(): boolean {
    return this.#signed === this.#state.records.length
  }

  /** Resolves when every memory is signed; others are served meanwhile. A question asked before waits for none. */
  async caughtUp(): Promise<void> {
    if (this.isCaughtUp) return
    this.#catchingUp ??= this.#catchUpInSteps().finally(() => {
      this.#catchingUp = null
    })
    await this.#catchingUp
  }

  /** Follows events that the state has applied. */
  apply(events: readonly ActorEvent[]): void {
    for (const event of events) this.#follow(event)
    this.#signatures = new Map()
  }

  /** As `apply`, in steps that say how many characters they have read. */
  *applySteps(events: readonly ActorEvent[]): Generator<number, void> {
    for (const event of events) {
      this.#follow(event)
      if (event.type !== 'memory_written' && event.type !== 'memory_revised') continue
      const memoryId = event.type === 'memory_written' ? event.draft.memoryId : event.memoryId
      yield saidText(this.#recordOf(memoryId)).length
    }
    this.#signatures = new Map()
  }

  exact(text: string, prepared?: Prepared): readonly string[] {
    this.#catchUp(Infinity)
    const signature = prepared?.signature ?? this.#minHash(text)
    return signature.bins === null ? [] : this.#foundBy(signature).exact
  }

  nearDuplicates(text: string, holds: (memoryId: string) => boolean, prepared?: Prepared): readonly string[] {
    this.#catchUp(Infinity)
    const signature = prepared?.signature ?? this.#minHash(text)
    const compare = prepared?.isNearDuplicate ?? isNearDuplicate
    const found: string[] = []
    let chars = 0
    let read = 0
    for (const { id: slot } of this.#foundBy(signature).near) {
      const record = this.#recordAt(slot)
      if (!holds(record.memoryId)) continue
      const other = saidText(record)
      if (!isOfLikeLength(text, other)) continue
      chars += text.length + other.length
      read += 1
      if (read > READ_MAX || (read > 1 && chars > READ_CHARS_MAX)) break
      if (compare(text, other)) found.push(record.memoryId)
    }
    return found
  }

  /** Estimate of its share of the heap, in bytes. */
  weightBytes(): number {
    return this.#index.bytes + this.#disputes.bytes + this.#readings.weightBytes()
  }

  reading(text: string): DisputeReading {
    return this.#readings.of(text)
  }

  #follow(event: ActorEvent): void {
    if (event.type === 'memory_written') {
      // While the view is behind, its own steps will come to the memory.
      const { slot } = this.#recordOf(event.draft.memoryId)
      if (slot === this.#signed) this.#catchUp(1)
      if (slot === this.#outlined) this.#outlineMore(1)
    } else if (event.type === 'memory_revised') {
      const record = this.#recordOf(event.memoryId)
      this.#disputes.remove(record.slot)
      if (record.slot < this.#outlined) this.#outline(record)
      if (record.slot >= this.#signed) return
      this.#remove(record.slot)
      this.#add(record)
    } else if (event.type === 'memory_erased') {
      for (const memoryId of event.memoryIds) {
        const { slot } = this.#recordOf(memoryId)
        this.#remove(slot)
        this.#disputes.remove(slot)
      }
      this.#readings.forget()
      this.#lastOutlined = null
    }
  }

  /** By the outlines; where only few meet the text, these are compared. */
  disputedBy(text: string, saidMs: number): Disputed | null {
    if (this.#outlined < this.#state.records.length) {
      this.#outlineMore(OUTLINED_STEP)
      return null
    }
    if (saidMs < this.#observedMs) return null
    const outline = this.#outlineOf(text)
    const slots = this.#disputes.mayDispute(outline, DISPUTED_MAX + 1)
    if (slots === null || slots.size > DISPUTED_MAX)
      return {
        isNone: false,
        mayBe: (memoryId) => this.#disputes.mayDisputeText(outline, this.#recordOf(memoryId).slot),
      }
    const disputed = new Set<string>()
    const later = this.reading(text)
    for (const slot of slots) {
      const { memoryId, content } = this.#recordAt(slot)
      if (disputeOf(this.reading(content.text), later) !== null) disputed.add(memoryId)
    }
    return { isNone: disputed.size === 0, mayBe: (memoryId) => disputed.has(memoryId) }
  }

  /** By the index of disputes; none where too many texts share its words. */
  inOtherLanguages(text: string, allows: (audience: Audience) => boolean): readonly RelatedText[] {
    const own = languageOf(this.reading(text))
    if ([...this.#languages].every((known) => (known & own) !== 0)) return []
    const isAllowed = (slot: number): boolean => allows(this.#recordAt(slot).audience)
    const slots = this.#disputes.mayDispute(this.#outlineOf(text), DISPUTED_MAX, isAllowed) ?? []
    return [...slots]
      .filter((slot) => (this.#disputes.languagesOf(slot) & own) === 0)
      .map((slot) => ({ memoryId: this.#recordAt(slot).memoryId, sharedWords: 1, words: 1 }))
  }

  #outlineMore(most: number): void {
    const end = Math.min(this.#state.records.length, this.#outlined + most)
    for (; this.#outlined < end; this.#outlined++) this.#outline(this.#recordAt(this.#outlined))
  }

  #outline(record: CompactRecord): void {
    if (this.#state.erasures.has(record.memoryId) || !isStatement(record)) return
    const outline = this.#outlineOf(record.content.text)
    this.#disputes.add(record.slot, outline)
    if (outline.outlines.length > 0) this.#languages.add(outline.languages)
    this.#observedMs = Math.max(this.#observedMs, record.observedAtMs)
  }

  #outlineOf(text: string): TextOutline {
    if (this.#lastOutlined?.text !== text)
      this.#lastOutlined = { text, outline: outlineOfText(this.reading(text)) }
    return this.#lastOutlined.outline
  }

  async #catchUpInSteps(): Promise<void> {
    const { length } = this.#state.records
    if (length - this.#signed >= RESERVED_FROM) this.#index.reserve(length)
    const pace = new Pace()
    while (this.#signed < this.#state.records.length) {
      const chars = saidText(this.#recordAt(this.#signed)).length
      this.#catchUp(1)
      if (pace.isDue(MEMORY_CHARS + chars)) await yieldToLoop()
    }
  }

  #catchUp(most: number): void {
    const end = Math.min(this.#state.records.length, this.#signed + most)
    for (; this.#signed < end; this.#signed++) this.#add(this.#recordAt(this.#signed))
  }

  #add(record: CompactRecord): void {
    if (this.#state.erasures.has(record.memoryId)) return
    const signature = this.#minHash(saidText(record))
    if (signature.bins === null) return
    this.#found = null
    this.#index.add(record.slot, signature)
  }

  #remove(slot: number): void {
    this.#found = null
    this.#index.remove(slot)
  }

  #foundBy(signature: TextSignature): Found {
    if (this.#found?.signature === signature) return this.#found
    const exact = this.#index.exact(signature)
    const equal = new Set(exact)
    const found = {
      signature,
      exact: exact.map((slot) => this.#recordAt(slot).memoryId),
      near: this.#index.near(signature, NEAR_SEARCH_MIN).filter(({ id }) => !equal.has(id)),
    }
    this.#found = found
    return found
  }

  #minHash(text: string): TextSignature {
    const known = this.#signatures.get(text)
    if (known !== undefined) return known
    const signature = minHash(text)
    if (this.#signatures.size >= SIGNATURES_MAX) this.#signatures = new Map()
    this.#signatures.set(text, signature)
    return signature
  }

  #recordAt(slot: number): CompactRecord {
    const record = this.#state.records[slot]
    assert(record !== undefined, `no memory has slot ${slot}`)
    return record
  }

  #recordOf(memoryId: string): CompactRecord {
    const record = this.#state.memories.get(memoryId)
    assert(record !== undefined, `memory ${memoryId} is not in the state`)
    return record
  }
}

function isOfLikeLength(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= LENGTH_SHARE_MIN * Math.max(a.length, b.length)
}

/** Both views of an actor as one answer to what its turns ask. */
export function similarIn(state: ActorState, texts: SimilarView, recall: RecallView): Similar {
  return {
    exact: (text, prepared) => texts.exact(text, prepared),
    nearDuplicates: (text, holds, prepared) => texts.nearDuplicates(text, holds, prepared),
    related: (text, allows, limit) => recall.related(state, text, allows, limit),
    inOtherLanguages: (text, allows) => texts.inOtherLanguages(text, allows),
    reading: (text) => texts.reading(text),
    disputedBy: (text, saidMs) => texts.disputedBy(text, saidMs),
  }
}
