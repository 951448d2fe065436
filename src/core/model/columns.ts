import { assert } from '../base/assert.ts'
import { citesQuestion, questionShare } from '../text/question-share.ts'
import { TOLD_KINDS, type ToldKind, tells } from '../text/told.ts'
import type { Counters, MemoryRecord } from './record.ts'

/**
 * Int32 numbers of a slot: audience class + 1 (0: no live memory) and what its text does, number of its authors, balance of its
 * feedback, the bits of its ordinal. 16 bytes, so that no slot lies in two lines of the processor's cache.
 */
const WIDTH = 4
const CLASS = 0
const AUTHORS = 1
const HELP = 2
const ORDINAL = 3

const ORDINAL_MAX = 2 ** 32 - 1
/** Of the number with the audience class, the low bits: the class. */
const CLASS_BITS = (1 << 17) - 1
/** Above them which share of its text asks, in so many steps. */
const ASKED_SHIFT = 17
const ASKED_STEPS = 7
/** Above these two bits for each of TOLD_KINDS: whether its text tells one was looked at; it does. */
const TOLD_SHIFT = 20
const LOOKED_AT = 1
const TELLS = 2
const TOLD_BITS = 2
/** Above these: it cites a question. */
const CITES = 1 << (TOLD_SHIFT + TOLD_BITS * TOLD_KINDS.length)

const ROOM_AT_FIRST = 64

/**
 * What a ranking asks of every candidate, as plain numbers by slot: of some hundred candidates that lie scattered over
 * the heap it then reads no record but those that it shows. Derived from the records, never stored.
 */
export class MemoryColumns {
  #numbers = new Int32Array(0)
  /** By slot: the key of its text, as its complement, which is never 0; 0: nobody asked. */
  #textKeys = new Int32Array(0)
  readonly #authors: (readonly string[])[] = []
  readonly #authorsNumbers = new Map<string | null, Map<string | null, number>>()

  /** A memory that was written or revised, or read from a snapshot. */
  put(record: MemoryRecord, audienceClass: number): void {
    const { slot, ordinal } = record
    assert(ordinal <= ORDINAL_MAX, 'an actor takes fewer writes than that')
    const end = (slot + 1) * WIDTH
    if (end > this.#numbers.length) {
      this.#numbers = widened(this.#numbers, roomFor(slot + 1, this.#numbers.length / WIDTH) * WIDTH)
    }
    this.#numbers[slot * WIDTH + ORDINAL] = ordinal
    this.#numbers[slot * WIDTH + CLASS] = (audienceClass + 1) | askedBits(record.content.text)
    this.#numbers[slot * WIDTH + AUTHORS] = this.#numberOf(record)
    if (slot < this.#textKeys.length) this.#textKeys[slot] = 0
    this.putHelp(slot, record.counters)
  }

  putHelp(slot: number, { positive, negativeWeak, negativeStrong }: Counters): void {
    this.#numbers[slot * WIDTH + HELP] = positive - negativeWeak - negativeStrong
  }

  /** The memory was erased. */
  remove(slot: number): void {
    this.#numbers[slot * WIDTH + CLASS] = 0
    if (slot < this.#textKeys.length) this.#textKeys[slot] = 0
  }

  /** Number of the audience class, -1: there is no live memory. */
  classOf(slot: number): number {
    return ((this.#numbers[slot * WIDTH + CLASS] ?? 0) & CLASS_BITS) - 1
  }

  /** Which share of its text asks something, in sevenths; more than 0 when it asks anything, all when it cites a question. */
  questionShare(slot: number): number {
    return (((this.#numbers[slot * WIDTH + CLASS] ?? 0) >> ASKED_SHIFT) & ASKED_STEPS) / ASKED_STEPS
  }

  /** Whether what follows may answer it: it asks, and cites no question. */
  awaitsAnswer(slot: number): boolean {
    const known = this.#numbers[slot * WIDTH + CLASS] ?? 0
    return ((known >> ASKED_SHIFT) & ASKED_STEPS) !== 0 && (known & CITES) === 0
  }

  /** Whether its text tells a time, a number or a name. Looked at when it is asked first, which for most memories never happens. */
  tells({ slot, content }: MemoryRecord, kind: ToldKind): boolean {
    const at = slot * WIDTH + CLASS
    const shift = TOLD_SHIFT + TOLD_BITS * TOLD_KINDS.indexOf(kind)
    const known = this.#numbers[at] ?? 0
    if (((known >> shift) & LOOKED_AT) !== 0) return ((known >> shift) & TELLS) !== 0
    const isTold = tells(content.text, kind)
    this.#numbers[at] = known | ((LOOKED_AT | (isTold ? TELLS : 0)) << shift)
    return isTold
  }

  /** A number of 31 bits for the text of a memory, made when it is asked first: always the same way. */
  textKey({ slot }: Pick<MemoryRecord, 'slot'>, make: () => number): number {
    if (slot >= this.#textKeys.length) this.#textKeys = widened(this.#textKeys, this.#numbers.length / WIDTH)
    const known = this.#textKeys[slot] ?? 0
    if (known !== 0) return ~known
    const key = make()
    this.#textKeys[slot] = ~key
    return key
  }

  ordinalOf(slot: number): number {
    return (this.#numbers[slot * WIDTH + ORDINAL] ?? 0) >>> 0
  }

  /** The same number for memories of the same actor name and producer; see `authorNames`. */
  authorsOf(slot: number): number {
    return this.#numbers[slot * WIDTH + AUTHORS] ?? 0
  }

  /** Attributed positives less negatives. */
  helpOf(slot: number): number {
    return this.#numbers[slot * WIDTH + HELP] ?? 0
  }

  /** Actor name and producer that a number of `authorsOf` stands for, those that there are. */
  authorNames(authors: number): readonly string[] {
    return this.#authors[authors] ?? []
  }

  #numberOf({ actorName, producerAgentId }: MemoryRecord): number {
    let ofActor = this.#authorsNumbers.get(actorName)
    if (ofActor === undefined) {
      ofActor = new Map()
      this.#authorsNumbers.set(actorName, ofActor)
    }
    const known = ofActor.get(producerAgentId)
    if (known !== undefined) return known
    ofActor.set(producerAgentId, this.#authors.length)
    return this.#authors.push([actorName, producerAgentId].filter((name) => name !== null)) - 1
  }
}

function askedBits(text: string): number {
  if (citesQuestion(text)) return CITES | (ASKED_STEPS << ASKED_SHIFT)
  return Math.ceil(questionShare(text) * ASKED_STEPS) << ASKED_SHIFT
}

/** How many slots to make room for, so that a growing actor seldom copies. */
export function roomFor(slots: number, before: number): number {
  return Math.max(ROOM_AT_FIRST, slots, Math.floor(before * 1.5))
}

export function widened(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}
