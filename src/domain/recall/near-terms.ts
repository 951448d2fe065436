import type { Spellings } from './spellings.ts'

/** Shorter words are not taken for mistyped: too many others are one letter away. UTF-16 code units. */
export const MISTYPED_CHARS_MIN = 5
const TERM_CHARS_MIN = MISTYPED_CHARS_MIN - 1
/** Digits and the joints of identifiers come before it, the letters of words do not. */
const FIRST_LETTER = 0x61
/** Stand for what is before the first letter of a word and behind the last one. */
const START = 0
const END = 1
/** Bits for pairs of neighbouring letters: several for each term, between these. A power of two. */
const BITS_PER_TERM = 4
const BITS_MIN = 256
const BITS_MAX = 65_536
const PAIR_FACTOR = 0x9e3b
/** So many letters have a bit in a mask. */
const LAST_LATIN = FIRST_LETTER + 31

/**
 * Finds words that are one slip away: one letter more, less or other, or two neighbours swapped (optimal string
 * alignment, distance 1). Every word that a slip can lead to is looked up, which takes no list of words and nothing to be
 * made ahead; of the letters that a slip may bring only those are tried that stand beside these neighbours in some term.
 */
export class NearTerms {
  readonly #terms: Spellings
  /** Letters of all terms that count as words. */
  readonly #letters: number[] = []
  /** Those of them up to LAST_LATIN, as bits. */
  #latin = 0
  /** By hash of two neighbours: whether some term has them. */
  #pairs = new Int32Array(BITS_MIN / 32)
  /** Terms before this one have been read. */
  #entered = 0
  // The search at hand: the word, what it may have been, and the terms found.
  #word: Uint16Array = new Uint16Array(0)
  #tried: Uint16Array = new Uint16Array(0)
  #found: number[] = []
  #asked = -1

  constructor(terms: Spellings) {
    this.#terms = terms
  }

  get bytes(): number {
    return this.#pairs.byteLength
  }

  /** Terms one slip away from a word of small letters, by spelling; the word itself is not one of them. */
  near(word: string): readonly number[] {
    if (word.length < MISTYPED_CHARS_MIN || !isWord(word)) return []
    this.#enterNew()
    this.#word = codesOf(word)
    this.#tried = new Uint16Array(word.length + 1)
    this.#asked = this.#terms.findCodes(this.#word, word.length)
    this.#found = []
    for (let at = 0; at <= word.length; at += 1) {
      this.#tryMore(at)
      if (at === word.length) break
      this.#tryOther(at)
      this.#tryLess(at)
      if (at > 0) this.#trySwapped(at)
    }
    const found = this.#found
    return found.length > 1 ? found.sort((a, b) => this.#terms.compare(a, b)) : found
  }

  /** One letter more before the one at `at`. */
  #tryMore(at: number): void {
    const word = this.#word
    this.#tried.set(word.subarray(0, at))
    this.#tried.set(word.subarray(at), at + 1)
    this.#tryLetters(at, this.#letterAt(at), word.length + 1)
  }

  /** Another letter at `at`. */
  #tryOther(at: number): void {
    this.#tried.set(this.#word)
    this.#tryLetters(at, this.#letterAt(at + 1), this.#word.length)
  }

  /** Every letter that may stand at `at`, before the letter `right`. */
  #tryLetters(at: number, right: number, length: number): void {
    const letters = this.#letters
    const pairs = this.#pairs
    const mask = pairs.length * 32 - 1
    const left = Math.imul(this.#letterAt(at - 1), PAIR_FACTOR)
    for (let number = 0; number < letters.length; number += 1) {
      const letter = letters[number] ?? 0
      const before = (left + letter) & mask
      if (((pairs[before >>> 5] ?? 0) & (1 << (before & 31))) === 0) continue
      const behind = (Math.imul(letter, PAIR_FACTOR) + right) & mask
      if (((pairs[behind >>> 5] ?? 0) & (1 << (behind & 31))) === 0) continue
      this.#tried[at] = letter
      this.#look(length)
    }
  }

  /** Without the letter at `at`. */
  #tryLess(at: number): void {
    const word = this.#word
    if (!this.#hasPair(this.#letterAt(at - 1), this.#letterAt(at + 1))) return
    this.#tried.set(word.subarray(0, at))
    this.#tried.set(word.subarray(at + 1), at)
    this.#look(word.length - 1)
  }

  /** With the letter at `at` before the one that is before it. */
  #trySwapped(at: number): void {
    const [left, right] = [this.#letterAt(at - 1), this.#letterAt(at)]
    if (left === right || !this.#hasPair(right, left)) return
    const tried = this.#tried
    tried.set(this.#word)
    tried[at - 1] = right
    tried[at] = left
    this.#look(this.#word.length)
  }

  #letterAt(at: number): number {
    if (at < 0) return START
    return this.#word[at] ?? END
  }

  /** Several slips may lead to one word, and a letter for itself to the word asked for. */
  #look(length: number): void {
    const term = this.#terms.findCodes(this.#tried, length)
    if (term >= 0 && term !== this.#asked && !this.#found.includes(term)) this.#found.push(term)
  }

  #hasPair(left: number, right: number): boolean {
    const bit = this.#bitOf(left, right)
    return ((this.#pairs[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  #bitOf(left: number, right: number): number {
    return (Math.imul(left, PAIR_FACTOR) + right) & (this.#pairs.length * 32 - 1)
  }

  #enterNew(): void {
    const { size } = this.#terms
    const most = this.#pairs.length * 32
    if (most < BITS_MAX && most < size * BITS_PER_TERM) {
      let bits = most
      while (bits < BITS_MAX && bits < size * BITS_PER_TERM) bits *= 2
      this.#pairs = new Int32Array(bits / 32)
      this.#entered = 0
    }
    const { chars, starts } = this.#terms
    this.#readTerms(chars, starts, this.#entered, size)
    this.#entered = size
  }

  /** One plain loop: what is new may be a large index that was just read, and the code not yet compiled. */
  #readTerms(chars: Uint16Array, starts: Int32Array, from: number, to: number): void {
    const pairs = this.#pairs
    const mask = pairs.length * 32 - 1
    let latin = 0
    for (let term = from; term < to; term += 1) {
      const start = starts[term] ?? 0
      const end = starts[term + 1] ?? 0
      if (end - start < TERM_CHARS_MIN) continue
      let at = start
      while (at < end && (chars[at] ?? 0) >= FIRST_LETTER) at += 1
      if (at < end) continue
      let left = START
      for (at = start; at < end; at += 1) {
        const letter = chars[at] ?? 0
        if (letter <= LAST_LATIN) latin |= 1 << (letter - FIRST_LETTER)
        else if (!this.#letters.includes(letter)) this.#letters.push(letter)
        const bit = (Math.imul(left, PAIR_FACTOR) + letter) & mask
        pairs[bit >>> 5] = (pairs[bit >>> 5] ?? 0) | (1 << (bit & 31))
        left = letter
      }
      const bit = (Math.imul(left, PAIR_FACTOR) + END) & mask
      pairs[bit >>> 5] = (pairs[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
    for (let rest = latin & ~this.#latin; rest !== 0; rest &= rest - 1) {
      this.#letters.push(FIRST_LETTER + 31 - Math.clz32(rest & -rest))
    }
    this.#latin |= latin
  }
}

function isWord(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) < FIRST_LETTER) return false
  return true
}

function codesOf(word: string): Uint16Array {
  const codes = new Uint16Array(word.length)
  for (let at = 0; at < word.length; at += 1) codes[at] = word.charCodeAt(at)
  return codes
}
