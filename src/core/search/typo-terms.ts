import type { Spellings } from './spellings.ts'

/** Shorter words are not taken for typos: too many others are one letter away. UTF-16 code units. */
export const TYPO_CHARS_MIN = 5
const TERM_CHARS_MIN = TYPO_CHARS_MIN - 1
/** Digits and the joints of identifiers come before it, the letters of words do not. */
const FIRST_LETTER = 0x61
/** Bits for terms: at least so many for each, between these. A power of two. */
const BITS_PER_TERM = 32
const BITS_MIN = 256
const BITS_MAX = 1 << 20
/** Base of the hash, a polynomial of the letters, and what spreads it over the bits. */
const BASE = 0x01000193
const SPREAD = 0x9e3779b1
/** So many letters have a bit in a mask. */
const LAST_LATIN = FIRST_LETTER + 31
const NO_LETTER = -1
/** Terms read in one step: about a millisecond. */
const ENTERED_STEP = 32 * 1024

/**
 * Finds words that are one slip away: one letter more, less or other, or two neighbours swapped (optimal string
 * alignment, distance 1). Every word that a slip can lead to is tried, which takes no list of words and nothing to be
 * made ahead. Its hash follows from that of the word in a few steps, and one bit tells of nearly all that they are no
 * term; the others are looked up.
 */
export class TypoTerms {
  readonly #terms: Spellings
  /** Letters of all terms that count as words. */
  readonly #letters: number[] = []
  /** Those of them up to LAST_LATIN, as bits. */
  #latin = 0
  /** By hash: whether some term that counts as a word has it (Bloom, 1970, with one hash). */
  #bits = new Int32Array(BITS_MIN / 32)
  /** Terms before this one have been read. */
  #entered = 0
  // The search at hand: the word, the terms found, what the word may have been, by place the hash of the rest of the word
  // from there on, and letters that may stand in a place.
  #word = ''
  #found: number[] = []
  #asked = -1
  #tried = new Uint16Array(0)
  #rests = new Int32Array(0)
  #likely = new Uint16Array(0)

  constructor(terms: Spellings) {
    this.#terms = terms
  }

  get bytes(): number {
    return this.#bits.byteLength
  }

  /** Terms at edit distance 1 from a word of small letters, by spelling; the word itself is not one of them. */
  find(word: string): readonly number[] {
    if (word.length < TYPO_CHARS_MIN || !isWord(word)) return []
    this.#enterNew()
    this.#begin(word)
    const whole = this.#rests[0] ?? 0
    // Of the letters before `at`: their hash, and the weight of the next one.
    let before = 0
    let weight = 1
    for (let at = 0; at <= word.length; at += 1) {
      const rest = this.#rests[at] ?? 0
      this.#tryLetters((before + Math.imul(weight, Math.imul(rest, BASE))) | 0, weight, at, at)
      if (at === word.length) break
      const letter = word.charCodeAt(at)
      const behind = this.#rests[at + 1] ?? 0
      this.#tryLetters((whole - Math.imul(weight, letter)) | 0, weight, at, at + 1)
      if (this.#mayHold((before + Math.imul(weight, behind)) | 0))
        this.#look(at, NO_LETTER, NO_LETTER, at + 1)
      const next = Math.imul(weight, BASE)
      if (at + 1 < word.length) this.#trySwapped(whole, (weight - next) | 0, at)
      before = (before + Math.imul(weight, letter)) | 0
      weight = next
    }
    // The word may be one of a text that is to be forgotten.
    this.#word = ''
    this.#tried.fill(0)
    return this.#found
  }

  #begin(word: string): void {
    if (word.length + 2 > this.#tried.length) {
      this.#tried = new Uint16Array(2 * word.length)
      this.#rests = new Int32Array(2 * word.length)
    }
    if (this.#letters.length > this.#likely.length) this.#likely = new Uint16Array(2 * this.#letters.length)
    this.#word = word
    this.#found = []
    this.#rests[word.length] = 0
    for (let at = word.length - 1; at >= 0; at -= 1) {
      this.#tried[at] = word.charCodeAt(at)
      this.#rests[at] = (Math.imul(this.#rests[at + 1] ?? 0, BASE) + word.charCodeAt(at)) | 0
    }
    this.#asked = this.#terms.findCodes(this.#tried, word.length)
  }

  /** Every letter between the first `kept` and those from `from` on, whose hash is `others`. */
  #tryLetters(others: number, weight: number, kept: number, from: number): void {
    const letters = this.#letters
    const bits = this.#bits
    const into = this.#likely
    const shift = Math.clz32(bits.length) - 4
    // What `mayHold` computes, with all that is the same for every letter done before.
    const first = Math.imul(others, SPREAD)
    const step = Math.imul(weight, SPREAD)
    let count = 0
    // Without a branch: no processor guesses which letters fit.
    for (let number = 0; number < letters.length; number += 1) {
      const letter = letters[number] ?? 0
      const bit = (first + Math.imul(step, letter)) >>> shift
      into[count] = letter
      count += ((bits[bit >>> 5] ?? 0) >>> (bit & 31)) & 1
    }
    for (let number = 0; number < count; number += 1) {
      this.#look(kept, into[number] ?? 0, NO_LETTER, from)
    }
  }

  /** The letters at `at` and behind it in each other's place, which weigh so much more there. */
  #trySwapped(whole: number, lighter: number, at: number): void {
    const left = this.#word.charCodeAt(at)
    const right = this.#word.charCodeAt(at + 1)
    if (left !== right && this.#mayHold((whole + Math.imul(right - left, lighter)) | 0)) {
      this.#look(at, right, left, at + 2)
    }
  }

  #mayHold(hash: number): boolean {
    const bit = Math.imul(hash, SPREAD) >>> (Math.clz32(this.#bits.length) - 4)
    return ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  /** Looks up the first `kept` letters, up to two others, and those from `from` on. Several typos may lead to one word. */
  #look(kept: number, first: number, second: number, from: number): void {
    const word = this.#word
    let length = kept
    for (let at = 0; at < kept; at += 1) this.#tried[at] = word.charCodeAt(at)
    if (first !== NO_LETTER) {
      this.#tried[length] = first
      length += 1
    }
    if (second !== NO_LETTER) {
      this.#tried[length] = second
      length += 1
    }
    for (let at = from; at < word.length; at += 1) {
      this.#tried[length] = word.charCodeAt(at)
      length += 1
    }
    const term = this.#terms.findCodes(this.#tried, length)
    if (term >= 0 && term !== this.#asked && !this.#found.includes(term)) this.#keep(term)
  }

  /** Puts it where its spelling comes. */
  #keep(term: number): void {
    const found = this.#found
    let at = found.length
    for (; at > 0; at -= 1) {
      const other = found[at - 1] ?? 0
      if (this.#terms.compare(other, term) < 0) break
      found[at] = other
    }
    found[at] = term
  }

  /** Whether so many terms are new that the next question should not wait for them. */
  get hasManyNew(): boolean {
    return this.#terms.size - this.#entered > ENTERED_STEP
  }

  /** Reads the terms that are new in steps, for whoever has added many. */
  *enterSteps(): Generator<void> {
    while (this.#entered < this.#terms.size) {
      this.#enterNew(ENTERED_STEP)
      yield
    }
  }

  #enterNew(most = Infinity): void {
    const { size } = this.#terms
    if (this.#entered === size) return
    const bitsNow = this.#bits.length * 32
    if (bitsNow < BITS_MAX && bitsNow < size * BITS_PER_TERM) {
      let bits = bitsNow
      while (bits < BITS_MAX && bits < size * BITS_PER_TERM) bits *= 2
      this.#bits = new Int32Array(bits / 32)
      this.#entered = 0
    }
    const { chars, starts } = this.#terms
    const end = Math.min(size, this.#entered + most)
    this.#readTerms(chars, starts, this.#entered, end)
    this.#entered = end
  }

  /** One plain loop: what is new may be a large index that was just read, and the code not yet compiled. */
  #readTerms(chars: Uint16Array, starts: Int32Array, from: number, to: number): void {
    const bits = this.#bits
    const shift = Math.clz32(bits.length) - 4
    let latin = 0
    for (let term = from; term < to; term += 1) {
      const start = starts[term] ?? 0
      const end = starts[term + 1] ?? 0
      if (end - start < TERM_CHARS_MIN) continue
      let at = start
      while (at < end && (chars[at] ?? 0) >= FIRST_LETTER) at += 1
      if (at < end) continue
      let hash = 0
      for (at = end - 1; at >= start; at -= 1) {
        const letter = chars[at] ?? 0
        if (letter <= LAST_LATIN) latin |= 1 << (letter - FIRST_LETTER)
        else if (!this.#letters.includes(letter)) this.#letters.push(letter)
        hash = (Math.imul(hash, BASE) + letter) | 0
      }
      const bit = Math.imul(hash, SPREAD) >>> shift
      bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
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
