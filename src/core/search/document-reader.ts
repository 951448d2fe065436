import { assert } from '../base/assert.ts'
import { widened } from '../base/collections.ts'
import { eachWord, NO_TERM, type PlainSink, UNASKED } from './plain-words.ts'
import type { Spellings } from './spellings.ts'
import { type TokenSink, WORD } from './tokens.ts'
import { ENGLISH, LanguageVotes, type Words } from './words.ts'

/** A text and how many times it counts: an integer from 1 to 15. */
export interface IndexedField {
  readonly text: string
  readonly weight: number
}

/** A longer text is read in pieces of so many characters, cut behind a blank where one is near. */
export const PIECE_CHARS = 16 * 1024
const BLANK_WITHIN_CHARS = 256
/** Numbers of words that are stemmed and counted in one step. */
const STEP_NUMBERS = 8192
/** Numbers that are listed at most before the room for them is given back. */
const READ_MAX = 262_144
const READ_AT_FIRST = 1024
const READ_NUMBERS = 4
/** A word that is not plain has none. */
const NO_ENTRY = -1

/** Reads documents for all indexes of a workspace: one at a time, in arrays that are used again. */
export class DocumentReader {
  readonly #words: Words
  readonly #counts = new TermCounts()
  readonly #votes = new LanguageVotes()
  /** The words of the document at hand, four numbers each: what its index calls it if it is English, word, entry, weight. */
  #read = new Int32Array(READ_AT_FIRST)
  #readSize = 0

  constructor(words: Words) {
    this.#words = words
  }

  /**
   * The terms of a document with their counts; new ones are added to `terms`. The next document takes their place. All
   * words are read before any is stemmed, because they tell the language; without a vote it is English.
   */
  read(fields: readonly IndexedField[], terms: Spellings): TermCounts {
    this.#words.tidy()
    this.#begin()
    for (const field of fields) {
      for (let at = 0; at < field.text.length; ) at = this.#readPiece(field, at, terms)
    }
    this.#countWords(this.#votes.winner() ?? ENGLISH, terms, 0, this.#readSize)
    return this.#counts
  }

  /** As `read`, in steps that say how many characters they have read. For a reader that reads this document alone. */
  *readSteps(fields: readonly IndexedField[], terms: Spellings): Generator<number, TermCounts> {
    this.#begin()
    for (const field of fields) {
      for (let at = 0; at < field.text.length; ) {
        const from = at
        // One long text of new words fills what has room for many documents.
        if (terms.isTight) yield* terms.roomSteps()
        at = this.#readPiece(field, at, terms)
        yield at - from
      }
    }
    const language = this.#votes.winner() ?? ENGLISH
    for (let at = 0; at < this.#readSize; at += STEP_NUMBERS) {
      if (terms.isTight) yield* terms.roomSteps()
      this.#countWords(language, terms, at, Math.min(this.#readSize, at + STEP_NUMBERS))
      yield PIECE_CHARS
    }
    return this.#counts
  }

  #begin(): void {
    this.#counts.clear()
    this.#votes.clear()
    if (this.#read.length > READ_MAX) this.#read = new Int32Array(READ_AT_FIRST)
    this.#readSize = 0
  }

  /** Counts identifiers and lists words of the piece that begins at `from`. Answers where the next one begins. */
  #readPiece({ text, weight }: IndexedField, from: number, terms: Spellings): number {
    assert(Number.isInteger(weight) && weight > 0, 'a field weight must be a positive integer')
    const end = endOfPiece(text, from)
    this.#readText(from === 0 && end === text.length ? text : text.slice(from, end), weight, terms)
    return end
  }

  #readText(text: string, weight: number, terms: Spellings): void {
    const { plain } = this.#words
    const owner = plain.ownerOf(terms)
    const onPlain: PlainSink = (source, start, end) => {
      const entry = plain.entryOf(source, start, end, this.#words)
      this.#votes.add(plain.maskAt(entry))
      this.#list(plain.termAt(entry, owner), plain.wordAt(entry), entry, weight)
    }
    eachWord(text, plain, 0, onPlain, this.#sinkOf(weight, terms))
  }

  #sinkOf(weight: number, terms: Spellings): TokenSink {
    return (source, start, end, kind) => {
      if (kind !== WORD) {
        this.#counts.add(terms.add(source.lower, start, end), weight)
        return
      }
      const word = this.#words.numberOf(source.spoken, start, end)
      this.#votes.add(this.#words.maskOf(word))
      this.#list(UNASKED, word, NO_ENTRY, weight)
    }
  }

  #list(term: number, word: number, entry: number, weight: number): void {
    const at = this.#readSize
    if (at === this.#read.length) this.#read = widened(this.#read, at * 2)
    this.#read[at] = term
    this.#read[at + 1] = word
    this.#read[at + 2] = entry
    this.#read[at + 3] = weight
    this.#readSize = at + READ_NUMBERS
  }

  #countWords(language: number, terms: Spellings, from: number, to: number): void {
    for (let at = from; at < to; at += READ_NUMBERS) {
      const term = this.#read[at] ?? UNASKED
      if (term === UNASKED || language !== ENGLISH) this.#countSpellings(language, terms, at)
      else if (term !== NO_TERM) this.#counts.add(term, this.#read[at + 3] ?? 0)
    }
  }

  #countSpellings(language: number, terms: Spellings, at: number): void {
    const word = this.#read[at + 1] ?? 0
    const spellings = this.#words.indexedAs(word, language)
    let term = NO_TERM
    for (const spelling of spellings) {
      term = terms.add(spelling, 0, spelling.length)
      this.#counts.add(term, this.#read[at + 3] ?? 0)
    }
    const entry = this.#read[at + 2] ?? NO_ENTRY
    if (entry === NO_ENTRY || language !== ENGLISH || spellings.length > 1) return
    this.#words.plain.setTerm(entry, word, this.#words.plain.ownerOf(terms), term)
  }
}

const BLANKS = ' \n\t'

function endOfPiece(text: string, from: number): number {
  const most = from + PIECE_CHARS
  if (most >= text.length) return text.length
  for (let end = most; end > most - BLANK_WITHIN_CHARS; end -= 1) {
    if (BLANKS.includes(text.charAt(end - 1))) return end
  }
  // Not between the two halves of a character.
  return (text.charCodeAt(most) & 0xfc00) === 0xdc00 ? most - 1 : most
}

const ROOM_AT_FIRST = 64
/** Twice the room of the list at least. */
const SLOTS_AT_FIRST = 256

/** The terms of one text with their weighted counts, in order of first occurrence. */
export class TermCounts {
  // By hash of the term, then the next free one: its place + 1.
  #slots = new Int32Array(SLOTS_AT_FIRST)
  #terms = new Int32Array(ROOM_AT_FIRST)
  #counts = new Int32Array(ROOM_AT_FIRST)
  #size = 0
  #length = 0

  /** Number of distinct terms. */
  get size(): number {
    return this.#size
  }

  /** Sum of all counts. */
  get length(): number {
    return this.#length
  }

  /** Room that a long text took is given back by and by. */
  clear(): void {
    const { length } = this.#slots
    if (length > SLOTS_AT_FIRST && this.#size * 8 < length) this.#slots = new Int32Array(length / 2)
    else this.#slots.fill(0)
    this.#size = 0
    this.#length = 0
  }

  add(term: number, weight: number): void {
    this.#length += weight
    const mask = this.#slots.length - 1
    let slot = hashOf(term) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] ?? 0) - 1
      if (this.#terms[place] !== term) continue
      this.#counts[place] = (this.#counts[place] ?? 0) + weight
      return
    }
    this.#slots[slot] = this.#size + 1
    if (this.#size === this.#terms.length) this.#grow()
    this.#terms[this.#size] = term
    this.#counts[this.#size] = weight
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#spread()
  }

  termAt(place: number): number {
    return this.#terms[place] ?? 0
  }

  countAt(place: number): number {
    return this.#counts[place] ?? 0
  }

  #grow(): void {
    this.#terms = widened(this.#terms, this.#terms.length * 2)
    this.#counts = widened(this.#counts, this.#counts.length * 2)
  }

  #spread(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let place = 0; place < this.#size; place += 1) {
      let slot = hashOf(this.#terms[place] ?? 0) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = place + 1
    }
  }
}

/** Terms are numbered in order: neighbours must not be neighbours. */
function hashOf(term: number): number {
  const mixed = Math.imul(term, 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}
