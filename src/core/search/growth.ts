import { assert } from '../base/assert.ts'

/** Arrays of so many numbers or more grow by a quarter: twice as many would hold the loop by themselves. */
const LARGE = 256 * 1024
/** Arrays of so many numbers or more are copied in steps. */
const STEPPED_FROM = 1024 * 1024
/** Numbers for which they have room before a document is added: it has hardly ever more terms. */
const ROOM = 256 * 1024
/** Numbers that are copied in one step, and those that take as long as to read a character. */
const STEP_NUMBERS = 256 * 1024
const NUMBERS_PER_CHAR = 32

/** For how many numbers a full array has room when it has grown. */
export function grownTo(full: number, least: number): number {
  return Math.max(least, full < LARGE ? full * 2 : full + (full >>> 2))
}

/** Whether an array has to grow before the next document is added, in steps. */
export function isTight(length: number, used: number): boolean {
  return length >= STEPPED_FROM && length - used < ROOM
}

/** How long it has to be then. */
export function roomyLength(length: number, used: number): number {
  return grownTo(length, used + ROOM)
}

/** Copies all numbers to the front of another array, in steps that say how many characters of text they are worth. */
export function* copySteps<T extends Int32Array | Uint16Array>(from: T, to: T): Generator<number, T> {
  for (let at = 0; at < from.length; at += STEP_NUMBERS) {
    const piece = from.subarray(at, at + STEP_NUMBERS)
    to.set(piece, at)
    yield piece.length / NUMBERS_PER_CHAR
  }
  return to
}

/**
 * Writes to every page of an array of zeros, in steps as those of `copySteps`: the system gives a page when it is first written to,
 * and takes longer for that than a write does. Slots are written to in no order, so that nearly each write would wait for one.
 */
export function* touchSteps(zeros: Int32Array): Generator<number, Int32Array> {
  for (let at = 0; at < zeros.length; at += STEP_NUMBERS) {
    zeros.fill(0, at, at + STEP_NUMBERS)
    yield STEP_NUMBERS / NUMBERS_PER_CHAR
  }
  return zeros
}

const DIRTY_WORDS_AT_FIRST = 64

/** Terms that may have postings of removed documents, a bit for each. */
export class DirtyTerms {
  #bits: Int32Array = new Int32Array(DIRTY_WORDS_AT_FIRST)

  get bytes(): number {
    return this.#bits.byteLength
  }

  add(term: number): void {
    const word = term >>> 5
    if (word >= this.#bits.length) this.#grow(word + 1)
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (term & 31))
  }

  /** All terms below `size`. */
  addAll(size: number): void {
    const whole = size >>> 5
    if (whole >= this.#bits.length) this.#grow(whole + 1)
    this.#bits.fill(-1, 0, whole)
    for (let term = whole * 32; term < size; term += 1) this.add(term)
  }

  delete(term: number): void {
    const word = term >>> 5
    this.#bits[word] = (this.#bits[word] ?? 0) & ~(1 << (term & 31))
  }

  clear(): void {
    this.#bits.fill(0)
  }

  /** The lowest term from `from` on; -1: none. */
  next(from: number): number {
    const bits = this.#bits
    let word = from >>> 5
    let rest = (bits[word] ?? 0) & (-1 << (from & 31))
    while (rest === 0) {
      word += 1
      if (word >= bits.length) return -1
      rest = bits[word] ?? 0
    }
    return word * 32 + 31 - Math.clz32(rest & -rest)
  }

  #grow(least: number): void {
    const bits = new Int32Array(Math.max(least, this.#bits.length * 2))
    bits.set(this.#bits)
    this.#bits = bits
  }
}

const TERMS_AT_FIRST = 64

/** By term: live documents that hold it. */
export class TermDocs {
  #docs: Int32Array

  /** Goes on with the array of an image, and writes into it. */
  constructor(image: Int32Array = new Int32Array(TERMS_AT_FIRST)) {
    this.#docs = image
  }

  get bytes(): number {
    return this.#docs.byteLength
  }

  /** May be replaced by a longer copy when terms are added. */
  get numbers(): Int32Array {
    return this.#docs
  }

  of(term: number): number {
    return this.#docs[term] ?? 0
  }

  change(term: number, by: number): void {
    if (term >= this.#docs.length) {
      const wider = new Int32Array(grownTo(this.#docs.length, term + 1))
      wider.set(this.#docs)
      this.#docs = wider
    }
    const docs = (this.#docs[term] ?? 0) + by
    assert(docs >= 0, 'a document is removed with another text than it was added with')
    this.#docs[term] = docs
  }

  /** Those of the first `terms` terms as they are now, in steps that say how many characters of text they are worth. */
  imageSteps(terms: number): Generator<number, Int32Array> {
    const docs = this.#docs.subarray(0, terms)
    return copySteps(docs, new Int32Array(docs.length))
  }

  /** Whether the array may be full before the next document is; `terms`: how many there are. */
  isTight(terms: number): boolean {
    return isTight(this.#docs.length, terms)
  }

  /** Makes room for the next document, in steps as those of `imageSteps`. */
  *roomSteps(terms: number): Generator<number, void> {
    if (!this.isTight(terms)) return
    this.#docs = yield* copySteps(this.#docs, new Int32Array(roomyLength(this.#docs.length, terms)))
  }
}
