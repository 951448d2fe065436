import { assert } from '../base/assert.ts'
import { widened } from '../base/collections.ts'
import type { Subject } from '../similarity/dispute.ts'
import { eachFirstWord, FIRST_WORDS_MAX } from '../text/first-words.ts'
import { citesQuestion, questionShare, TOLD_KINDS, type ToldKind, tells } from '../text/told.ts'
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
const CITES_SHIFT = TOLD_SHIFT + TOLD_BITS * TOLD_KINDS.length
const CITES = 1 << CITES_SHIFT
/** Above it two bits: of which of SUBJECTS it is, plus one; 0: nobody asked. */
const SUBJECT_SHIFT = CITES_SHIFT + 1
const SUBJECT_MASK = 3
const SUBJECTS: readonly Subject[] = ['none', 'open', 'named']

const ROOM_AT_FIRST = 64
/** What has no word has this one: alone it stands in no order. */
const NO_WORD = 1

/**
 * What a ranking asks of every candidate, as plain numbers by slot: of some hundred candidates that lie scattered over
 * the heap it then reads no record but those that it shows. Derived from the records, never stored.
 */
export class MemoryColumns {
  #numbers = new Int32Array(0)
  /** By slot: the key of its text, as its complement, which is never 0; 0: nobody asked. */
  #textKeys = new Int32Array(0)
  /** By slot: the first words of its text, a byte each, which is one line of the processor's cache; 0 first: nobody asked. */
  #firstWords = new Uint8Array(0)
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
    this.#forgetText(slot)
    this.putHelp(slot, record.counters)
  }

  putHelp(slot: number, { positive, negativeWeak, negativeStrong }: Counters): void {
    this.#numbers[slot * WIDTH + HELP] = positive - negativeWeak - negativeStrong
  }

  /** The memory was erased. */
  remove(slot: number): void {
    this.#numbers[slot * WIDTH + CLASS] = 0
    this.#forgetText(slot)
  }

  #forgetText(slot: number): void {
    if (slot < this.#textKeys.length) this.#textKeys[slot] = 0
    const from = slot * FIRST_WORDS_MAX
    if (from < this.#firstWords.length) this.#firstWords.fill(0, from, from + FIRST_WORDS_MAX)
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

  /** How its text is compared with others, read when it is asked first: always the same way. */
  subjectOf({ slot }: Pick<MemoryRecord, 'slot'>, read: () => Subject): Subject {
    const at = slot * WIDTH + CLASS
    const known = ((this.#numbers[at] ?? 0) >> SUBJECT_SHIFT) & SUBJECT_MASK
    const told = known === 0 ? undefined : SUBJECTS[known - 1]
    if (told !== undefined) return told
    const subject = read()
    this.#numbers[at] = (this.#numbers[at] ?? 0) | ((SUBJECTS.indexOf(subject) + 1) << SUBJECT_SHIFT)
    return subject
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

  /** The list in which the first words of a slot stand, from its FIRST_WORDS_MAX-fold on. They are read when they are asked for first. */
  firstWords(slot: number, textOf: (slot: number) => string): Uint8Array {
    let at = slot * FIRST_WORDS_MAX
    if (at >= this.#firstWords.length) {
      const before = this.#firstWords
      this.#firstWords = new Uint8Array(Math.max(slot + 1, this.#numbers.length / WIDTH) * FIRST_WORDS_MAX)
      this.#firstWords.set(before)
    }
    const words = this.#firstWords
    if (words[at] !== 0) return words
    words[at] = NO_WORD
    eachFirstWord(textOf(slot), (word) => {
      words[at] = word
      at += 1
    })
    return words
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
function roomFor(slots: number, before: number): number {
  return Math.max(ROOM_AT_FIRST, slots, Math.floor(before * 1.5))
}

/** Int32 numbers of a slot, each plus one, 0 for none: its run, and the memories of the run before and after it. */
const SLOT_WIDTH = 3
const RUN = 0
const BEFORE = 1
const AFTER = 2

/**
 * Int32 numbers of a share, which is what a run has of one audience: the number of the audience class, how many memories, and
 * the next share of the run plus one (0: there is none). The first share of a run has the last memory of all of it, too.
 */
const SHARE_WIDTH = 4
const SHARE_CLASS = 0
const COUNT = 1
const NEXT_SHARE = 2
const LAST = 3

/**
 * The memories of each run, in order of first writing, and how many of them each audience sees. Each memory is in the run that
 * its record names now, or in none. A ranking asks who stands beside hundreds of them: plain numbers by slot, since the
 * memories of a run mostly have slots that are near to each other.
 */
export class RunLines {
  /** The number of a run is that of its first share. */
  readonly #numbers = new Map<string, number>()
  /** By share: the run, of a first one. */
  readonly #runIds: string[] = []
  #shares = new Int32Array(0)
  #slots = new Int32Array(0)

  /** Ids of the runs that have memories, in order of their first ones. */
  keys(): Iterable<string> {
    return this.#numbers.keys()
  }

  /** How many runs have memories. */
  get size(): number {
    return this.#numbers.size
  }

  /** The memories of a run, in order of first writing. */
  slotsOf(runId: string): readonly number[] {
    const run = this.#numbers.get(runId)
    const slots: number[] = []
    for (let at = run === undefined ? -1 : this.#lastOf(run); at >= 0; at = this.before(at)) slots.push(at)
    return slots.reverse()
  }

  /** Number of the run that a memory belongs to; -1: none. */
  runOf(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + RUN] ?? 0) - 1
  }

  /** The memory of the same run that was first written before it; -1: it is the first one. */
  before(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + BEFORE] ?? 0) - 1
  }

  /** The memory of the same run that was first written after it; -1: it is the last one. */
  after(slot: number): number {
    return (this.#slots[slot * SLOT_WIDTH + AFTER] ?? 0) - 1
  }

  /** How many memories of a run, by its number, have an audience that is seen. `isSeen`: 1 for each such audience class. */
  countSeen(run: number, isSeen: Uint8Array): number {
    let count = 0
    for (let share = run; share >= 0; share = this.#nextShare(share))
      if (isSeen[this.#share(share, SHARE_CLASS)] === 1) count += this.#share(share, COUNT)
    return count
  }

  /** Puts a memory into a run, and takes it out of the one where it was. */
  join(runId: string, audienceClass: number, slot: number): void {
    const before = this.runOf(slot)
    if (before >= 0 && this.#runIds[before] === runId) return
    this.leave(audienceClass, slot)
    if ((slot + 1) * SLOT_WIDTH > this.#slots.length) {
      const room = roomFor(slot + 1, this.#slots.length / SLOT_WIDTH)
      this.#slots = widened(this.#slots, room * SLOT_WIDTH)
    }
    const known = this.#numbers.get(runId)
    const run = known ?? this.#newShare(runId, audienceClass)
    this.#numbers.set(runId, run)
    this.#slots[slot * SLOT_WIDTH + RUN] = run + 1
    // Only a revision that names another run comes in anywhere but behind the last.
    let last = this.#lastOf(run)
    let next = -1
    for (; last > slot; last = this.before(last)) next = last
    this.#link(run, last, slot)
    this.#link(run, slot, next)
    const share = this.#shareOf(run, audienceClass)
    this.#shares[share * SHARE_WIDTH + COUNT] = this.#share(share, COUNT) + 1
  }

  /** Takes a memory out of its run; one that is in none changes nothing. */
  leave(audienceClass: number, slot: number): void {
    const run = this.runOf(slot)
    if (run < 0) return
    this.#link(run, this.before(slot), this.after(slot))
    this.#slots.fill(0, slot * SLOT_WIDTH, (slot + 1) * SLOT_WIDTH)
    const share = this.#shareOf(run, audienceClass)
    this.#shares[share * SHARE_WIDTH + COUNT] = this.#share(share, COUNT) - 1
    if (this.#lastOf(run) >= 0) return
    this.#numbers.delete(this.#runIds[run] ?? '')
    this.#runIds[run] = ''
  }

  /** Puts two memories of a run beside each other; -1 stands for its begin and its end. */
  #link(run: number, before: number, after: number): void {
    if (before >= 0) this.#slots[before * SLOT_WIDTH + AFTER] = after + 1
    if (after >= 0) this.#slots[after * SLOT_WIDTH + BEFORE] = before + 1
    else this.#shares[run * SHARE_WIDTH + LAST] = before + 1
  }

  #lastOf(run: number): number {
    return this.#share(run, LAST) - 1
  }

  #share(share: number, field: number): number {
    return this.#shares[share * SHARE_WIDTH + field] ?? 0
  }

  #nextShare(share: number): number {
    return this.#share(share, NEXT_SHARE) - 1
  }

  /** The share of an audience in a run, from now on if there was none. */
  #shareOf(run: number, audienceClass: number): number {
    let share = run
    while (this.#share(share, SHARE_CLASS) !== audienceClass) {
      const next = this.#nextShare(share)
      if (next < 0) {
        const added = this.#newShare('', audienceClass)
        this.#shares[share * SHARE_WIDTH + NEXT_SHARE] = added + 1
        return added
      }
      share = next
    }
    return share
  }

  #newShare(runId: string, audienceClass: number): number {
    const share = this.#runIds.push(runId) - 1
    if ((share + 1) * SHARE_WIDTH > this.#shares.length) {
      const room = roomFor(share + 1, this.#shares.length / SHARE_WIDTH)
      this.#shares = widened(this.#shares, room * SHARE_WIDTH)
    }
    this.#shares[share * SHARE_WIDTH + SHARE_CLASS] = audienceClass
    return share
  }
}
