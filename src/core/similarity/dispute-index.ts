import { assert } from '../base/assert.ts'
import { widened } from '../base/collections.ts'
import {
  areWhole,
  mayAlwaysDispute,
  mayBeDisputed,
  mayBeTold,
  mayConcern,
  mayDispute,
  restMax,
} from './dispute-meeting.ts'
import { O, type Outline, type TextOutline } from './dispute-outline.ts'
import { CONTEXT_SHARE_MIN } from './dispute-pair.ts'

/** Words of statements looked at in one question; where more would have to be, nothing is ruled out. */
const LOOKS_MAX = 4_096
const NONE = -1
/** In place of the marks of a statement; none has these. */
const OTHER_WORDS = O.isRecord | O.isStanding
/** Of a word that was taken out. */
const GONE = 0
const WORDS_AT_FIRST = 64
/** Of each word, beside each other: a bucket is followed through all of the index, and each jump waits for memory. */
const CELLS = 3
const NEXT = 1
const STATEMENT = 2
const WORDS_PER_BUCKET = 4
/** Of a question, by the low bits of a word. */
const ASKED_BITS = 2_048
const STATEMENTS_AT_FIRST = 16
/** From so many words on, those that were taken out make room when they are the most. */
const COMPACTED_FROM = 4_096

/**
 * Tells which texts one that is said now may dispute, so that most of what is said is compared with nothing. It holds the
 * outlines of what earlier texts state.
 *
 *   cells   [ hash, next, statement, … ]   by word, with the next word in the same bucket; the words of a statement, and
 *                                          statements of a text, stand together; behind them stand the words that the
 *                                          text has besides, in no bucket
 *   heads   [ word, … ]                    by bucket; a bucket holds four words or less, in the mean
 *
 * The later of two statements in dispute has only a few words alone, so that of its rarest ones, one more than those, the
 * earlier has at least one: no others are looked up. A write splits as many buckets as keep them short (linear hashing,
 * Litwin, 1980).
 *
 * Invariant: of a text that was taken out no hash stays.
 */
export class DisputeIndex {
  #cells = new Int32Array(WORDS_AT_FIRST * CELLS)
  #words = 0
  #goneWords = 0
  /** By statement: its first word, what its outline says, whose it is. */
  #starts = new Int32Array(STATEMENTS_AT_FIRST + 1)
  #marks = new Int32Array(STATEMENTS_AT_FIRST)
  #owners = new Int32Array(STATEMENTS_AT_FIRST)
  #statements = 0
  /** By text: how many different words it has, at the least. */
  #wordCounts = new Int32Array(STATEMENTS_AT_FIRST)
  /** By text: the languages that it may be in. */
  #languages = new Int32Array(STATEMENTS_AT_FIRST)
  /** By text: its first statement. */
  #first = new Int32Array(STATEMENTS_AT_FIRST).fill(NONE)
  #heads = new Int32Array(WORDS_AT_FIRST / WORDS_PER_BUCKET).fill(NONE)
  /** By bucket: words in it, those that were taken out counted. */
  #sizes = new Int32Array(WORDS_AT_FIRST / WORDS_PER_BUCKET)
  #buckets = this.#heads.length
  /** The greatest power of two that is not above. */
  #low = this.#heads.length
  /** A bit for each word of the statement that is asked about: most others are told from those without a look at each. */
  readonly #asked = new Int32Array(ASKED_BITS / 32)

  /** Bytes of the arrays. */
  get bytes(): number {
    const words = [this.#cells, this.#heads, this.#sizes, this.#starts, this.#marks, this.#owners]
    const columns = [...words, this.#first, this.#wordCounts, this.#languages]
    return columns.reduce((sum, column) => sum + column.byteLength, 0)
  }

  /** Adds what a text states. Ids are small and come in order. */
  add(id: number, { outlines, words, size, languages }: TextOutline): void {
    assert((this.#first[id] ?? NONE) === NONE, 'a text is twice in the index of disputes')
    const disputable = outlines.filter(mayBeDisputed)
    if (disputable.length === 0) return
    if (id >= this.#first.length) {
      const room = this.#first.length
      const wanted = Math.ceil(Math.max(id + 1, room) * 1.5)
      this.#first = widened(this.#first, wanted).fill(NONE, room)
      this.#wordCounts = widened(this.#wordCounts, wanted)
      this.#languages = widened(this.#languages, wanted)
    }
    this.#first[id] = this.#statements
    this.#wordCounts[id] = size
    this.#languages[id] = languages
    for (const { keys, marks } of disputable) this.#addStatement(id, keys, marks)
    const others = words.filter((word) => !disputable.some(({ keys }) => keys.includes(word)))
    if (others.length > 0) this.#addStatement(id, others, OTHER_WORDS)
    while (this.#buckets * WORDS_PER_BUCKET < this.#words) this.#split()
  }

  /** The languages that a text in the index may be in, a bit each. */
  languagesOf(id: number): number {
    return this.#languages[id] ?? 0
  }

  /** Takes a text out, when it is in the index. */
  remove(id: number): void {
    const first = this.#first[id] ?? NONE
    if (first === NONE) return
    this.#first[id] = NONE
    for (let at = first; at < this.#statements && this.#owners[at] === id; at += 1) {
      const [start, end] = [this.#starts[at] ?? 0, this.#starts[at + 1] ?? 0]
      for (let word = start; word < end; word += 1) this.#cells[word * CELLS] = GONE
      this.#owners[at] = NONE
      this.#marks[at] = 0
      this.#goneWords += end - start
    }
    if (this.#words >= COMPACTED_FROM && this.#goneWords * 2 > this.#words) this.#compact()
  }

  /**
   * The texts with a statement that one of these may dispute, said later: all with which it is in dispute are among them,
   * up to `most` of those that `allows` takes. Null where too many have words in common with it to tell.
   */
  mayDispute(
    text: TextOutline,
    most = Number.POSITIVE_INFINITY,
    allows: (id: number) => boolean = () => true,
  ): ReadonlySet<number> | null {
    const { outlines, words } = text
    const isOfSameContext = this.#contextTest(text)
    const questions = outlines.map((outline) => ({
      outline,
      rarest: this.#rarest(outline.keys, restMax(outline) + 1),
    }))
    // Known before the first look: most of the time would go into questions that are given up.
    let looks = 0
    for (const { rarest } of questions) for (const key of rarest) looks += this.#sizeOf(key)
    if (looks > LOOKS_MAX) return null
    const met = new Set<number>()
    for (const { outline, rarest } of questions) {
      if (rarest.length === 0) continue
      this.#askAbout(outline, words)
      for (const key of rarest) {
        let next = NONE
        for (let word = this.#heads[this.#bucketOf(key)] ?? NONE; word !== NONE; word = next) {
          next = this.#cells[word * CELLS + NEXT] ?? NONE
          if (this.#cells[word * CELLS] !== key) continue
          const statement = this.#cells[word * CELLS + STATEMENT] ?? 0
          const id = this.#owners[statement] ?? NONE
          if (met.has(id) || !this.#mayMeet(statement, outline, words, isOfSameContext) || !allows(id))
            continue
          met.add(id)
          if (met.size === most) return met
        }
      }
    }
    return met
  }

  /** Whether one text is among those, however many words others have in common with it. */
  mayDisputeText(text: TextOutline, id: number): boolean {
    const { outlines, words } = text
    const isOfSameContext = this.#contextTest(text)
    return outlines.some((outline) => {
      if (restMax(outline) < 0) return false
      this.#askAbout(outline, words)
      for (let at = this.#first[id] ?? NONE; at < this.#statements && this.#owners[at] === id; at += 1)
        if (this.#marks[at] !== OTHER_WORDS && this.#mayMeet(at, outline, words, isOfSameContext)) return true
      return false
    })
  }

  #contextTest({ words, size }: TextOutline): (id: number) => boolean {
    let own: ReadonlySet<number> | null = null
    return (id) => {
      own ??= new Set(words)
      return this.#isOfSameContext(id, own, size)
    }
  }

  /** Whether a statement in the index may be in dispute with one of a text that has these words. */
  #mayMeet(
    statement: number,
    outline: Outline,
    words: readonly number[],
    isOfSameContext: (id: number) => boolean,
  ): boolean {
    const mark = this.#marks[statement] ?? 0
    if (!mayConcern(mark, outline)) return false
    const start = this.#starts[statement] ?? 0
    const end = this.#starts[statement + 1] ?? 0
    const shared = this.#sharedIn(start, end, outline.keys)
    if (mayAlwaysDispute(mark, outline, shared)) return true
    if (outline.news !== 0) {
      const told = this.#sharedIn(start, end, words)
      if (mayBeTold(mark, end - start, outline, told, shared)) return true
    }
    if (!mayDispute(mark, end - start - shared, outline, shared)) return false
    return areWhole(mark, outline) || isOfSameContext(this.#owners[statement] ?? NONE)
  }

  #askAbout({ keys, news }: Outline, words: readonly number[]): void {
    this.#asked.fill(0)
    this.#ask(keys)
    if (news !== 0) this.#ask(words)
  }

  #ask(keys: readonly number[]): void {
    for (const key of keys) this.#asked[placeOf(key)] = (this.#asked[placeOf(key)] ?? 0) | (1 << key)
  }

  /** How many of the words of a statement are among some that are asked about. */
  #sharedIn(start: number, end: number, keys: readonly number[]): number {
    let shared = 0
    for (let word = start; word < end; word += 1) {
      const key = this.#keyOf(word)
      if (((this.#asked[placeOf(key)] ?? 0) & (1 << key)) !== 0 && keys.includes(key)) shared += 1
    }
    return shared
  }

  /** Whether a text may share as many words with this one as the guard `sameContext` wants; a word may count twice. */
  #isOfSameContext(id: number, own: ReadonlySet<number>, size: number): boolean {
    const least = CONTEXT_SHARE_MIN * Math.min(size, this.#wordCounts[id] ?? 0)
    let shared = 0
    for (let at = this.#first[id] ?? NONE; at < this.#statements && this.#owners[at] === id; at += 1) {
      const end = this.#starts[at + 1] ?? 0
      for (let word = this.#starts[at] ?? 0; word < end; word += 1)
        if (own.has(this.#keyOf(word))) shared += 1
      if (shared >= least) return true
    }
    return false
  }

  #rarest(keys: readonly number[], count: number): readonly number[] {
    if (count >= keys.length) return keys
    const sizes = keys.map((key) => this.#sizeOf(key))
    const rarest: number[] = []
    // So few that to find the least again and again is faster than to put all in order.
    while (rarest.length < count) {
      let least = 0
      for (let at = 1; at < sizes.length; at += 1) if ((sizes[at] ?? 0) < (sizes[least] ?? 0)) least = at
      rarest.push(keys[least] ?? GONE)
      sizes[least] = Number.POSITIVE_INFINITY
    }
    return rarest
  }

  /** Words in the bucket of a word. */
  #sizeOf(key: number): number {
    return this.#sizes[this.#bucketOf(key)] ?? 0
  }

  #addStatement(id: number, keys: readonly number[], marks: number): void {
    const statement = this.#statements
    if (statement === this.#owners.length) {
      const room = Math.ceil(statement * 1.5)
      this.#starts = widened(this.#starts, room + 1)
      this.#marks = widened(this.#marks, room)
      this.#owners = widened(this.#owners, room)
    }
    this.#marks[statement] = marks
    this.#owners[statement] = id
    for (const key of keys) this.#addWord(key, statement, marks !== OTHER_WORDS)
    this.#statements = statement + 1
    this.#starts[statement + 1] = this.#words
  }

  #addWord(key: number, statement: number, isLinked: boolean): void {
    const word = this.#words
    if (word * CELLS === this.#cells.length) this.#cells = widened(this.#cells, Math.ceil(word * 1.5) * CELLS)
    this.#cells[word * CELLS] = key
    this.#cells[word * CELLS + STATEMENT] = statement
    this.#words = word + 1
    if (isLinked) this.#link(word, key)
  }

  #link(word: number, key: number): void {
    const bucket = this.#bucketOf(key)
    this.#cells[word * CELLS + NEXT] = this.#heads[bucket] ?? NONE
    this.#heads[bucket] = word
    this.#sizes[bucket] = (this.#sizes[bucket] ?? 0) + 1
  }

  #keyOf(word: number): number {
    return this.#cells[word * CELLS] ?? GONE
  }

  #bucketOf(key: number): number {
    const bucket = key & (2 * this.#low - 1)
    // One that is not in use yet is still a part of the one that will be split for it.
    return bucket < this.#buckets ? bucket : bucket - this.#low
  }

  /** Takes one more bucket into use, with the words that belong there. */
  #split(): void {
    if (this.#buckets === this.#heads.length) {
      const room = Math.ceil(this.#buckets * 1.5)
      this.#heads = widened(this.#heads, room)
      this.#sizes = widened(this.#sizes, room)
    }
    const from = this.#buckets - this.#low
    let word = this.#heads[from] ?? NONE
    this.#empty(from)
    this.#empty(this.#buckets)
    this.#buckets += 1
    while (word !== NONE) {
      const next = this.#cells[word * CELLS + NEXT] ?? NONE
      const key = this.#keyOf(word)
      if (key !== GONE) this.#link(word, key)
      word = next
    }
    if (this.#buckets === 2 * this.#low) this.#low = this.#buckets
  }

  #empty(bucket: number): void {
    this.#heads[bucket] = NONE
    this.#sizes[bucket] = 0
  }

  /** Moves what is left together and links it anew. */
  #compact(): void {
    const [starts, marks, owners, statements] = [this.#starts, this.#marks, this.#owners, this.#statements]
    this.#words = 0
    this.#goneWords = 0
    this.#statements = 0
    this.#first.fill(NONE)
    this.#heads.fill(NONE)
    this.#sizes.fill(0)
    for (let at = 0; at < statements; at += 1) {
      const [owner, mark] = [owners[at] ?? NONE, marks[at] ?? 0]
      if (owner === NONE) continue
      if (this.#first[owner] === NONE) this.#first[owner] = this.#statements
      const [start = 0, end = 0] = [starts[at], starts[at + 1]]
      this.#addStatement(
        owner,
        Array.from({ length: end - start }, (_, word) => this.#keyOf(start + word)),
        mark,
      )
    }
    this.#cells.fill(GONE, this.#words * CELLS)
  }
}

function placeOf(key: number): number {
  return (key >>> 5) & (ASKED_BITS / 32 - 1)
}
