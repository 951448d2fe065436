import type { Spellings } from './spellings.ts'

/** Shorter words are not taken for mistyped: too many others are one letter away. UTF-16 code units. */
export const MISTYPED_CHARS_MIN = 5
const TERM_CHARS_MIN = MISTYPED_CHARS_MIN - 1
const HEADS_AT_FIRST = 64
/** Digits and the joints of identifiers come before it, the letters of words do not. */
const FIRST_LETTER = 0x61
/** Sets ends of words apart from beginnings. */
const AT_END = 0x9e3779b1

/**
 * Finds words that are one slip away: one letter more, less or other, or two neighbours swapped (optimal string
 * alignment, distance 1). A slip spares the first two letters or the last two, so each word stands in two lists, by
 * its length and either pair, and only those lists are compared.
 *
 *   heads  [ -, 14, … ]     by hash of length and pair: the last entry + 1
 *   next   [ 0, 3, … ]      by entry: the one before it in the list + 1; entry = 2 × word, + 1 for the last pair
 */
export class NearTerms {
  readonly #terms: Spellings
  #heads = new Int32Array(HEADS_AT_FIRST)
  #next = new Int32Array(HEADS_AT_FIRST * 2)
  /** Terms before this one are in the lists. */
  #entered = 0

  constructor(terms: Spellings) {
    this.#terms = terms
  }

  get bytes(): number {
    return this.#heads.byteLength + this.#next.byteLength
  }

  /** Terms one slip away from a word of small letters, in no order; the word itself is not one of them. */
  near(word: string): readonly number[] {
    if (word.length < MISTYPED_CHARS_MIN || !isWord(word)) return []
    this.#enterNew()
    const found: number[] = []
    for (let length = word.length - 1; length <= word.length + 1; length += 1) {
      this.#eachIn(startKey(length, word.charCodeAt(0), word.charCodeAt(1)), (term) => {
        if (this.#startsAs(term, word) && this.#isNear(term, length, word)) found.push(term)
      })
      const [left, right] = [word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1)]
      this.#eachIn(endKey(length, left, right), (term) => {
        if (!this.#startsAs(term, word) && this.#isNear(term, length, word)) found.push(term)
      })
    }
    return found
  }

  /** Takes a term out of the lists, which must be spelled still. */
  forget(term: number): void {
    if (term >= this.#entered) return
    this.#eachKeyOf(term, (entry, key) => this.#unlink(entry, key))
  }

  #eachIn(key: number, take: (term: number) => void): void {
    let entry = this.#heads[key & (this.#heads.length - 1)] ?? 0
    for (; entry !== 0; entry = this.#next[entry - 1] ?? 0) take((entry - 1) >>> 1)
  }

  #startsAs(term: number, word: string): boolean {
    const terms = this.#terms
    return terms.codeAt(term, 0) === word.charCodeAt(0) && terms.codeAt(term, 1) === word.charCodeAt(1)
  }

  #isNear(term: number, length: number, word: string): boolean {
    const terms = this.#terms
    if (terms.lengthOf(term) !== length) return false
    let same = 0
    while (same < length && terms.codeAt(term, same) === word.charCodeAt(same)) same += 1
    const shift = word.length - length
    let tail = length - 1
    while (tail >= same && terms.codeAt(term, tail) === word.charCodeAt(tail + shift)) tail -= 1
    if (shift !== 0) return tail < same + (shift === 1 ? 0 : 1)
    if (tail <= same) return tail === same
    return (
      tail === same + 1 &&
      terms.codeAt(term, same) === word.charCodeAt(tail) &&
      terms.codeAt(term, tail) === word.charCodeAt(same)
    )
  }

  #enterNew(): void {
    const { size } = this.#terms
    if (size * 2 > this.#next.length) {
      const wider = new Int32Array(Math.max(size * 2, this.#next.length * 2))
      wider.set(this.#next)
      this.#next = wider
    }
    if (size > this.#heads.length) {
      let heads = this.#heads.length
      while (heads < size) heads *= 2
      this.#heads = new Int32Array(heads)
      this.#entered = 0
    }
    for (; this.#entered < size; this.#entered += 1) this.#enter(this.#entered)
  }

  #enter(term: number): void {
    this.#eachKeyOf(term, (entry, key) => this.#push(entry, key))
  }

  /** Both entries of a word; neither for anything else. */
  #eachKeyOf(term: number, take: (entry: number, key: number) => void): void {
    const terms = this.#terms
    const length = terms.lengthOf(term)
    if (length < TERM_CHARS_MIN) return
    for (let at = 0; at < length; at += 1) if (terms.codeAt(term, at) < FIRST_LETTER) return
    take(term * 2, startKey(length, terms.codeAt(term, 0), terms.codeAt(term, 1)))
    take(term * 2 + 1, endKey(length, terms.codeAt(term, length - 2), terms.codeAt(term, length - 1)))
  }

  #push(entry: number, key: number): void {
    const at = key & (this.#heads.length - 1)
    this.#next[entry] = this.#heads[at] ?? 0
    this.#heads[at] = entry + 1
  }

  #unlink(entry: number, key: number): void {
    const next = this.#next
    const head = key & (this.#heads.length - 1)
    const behind = next[entry] ?? 0
    next[entry] = 0
    if (this.#heads[head] === entry + 1) {
      this.#heads[head] = behind
      return
    }
    let at = (this.#heads[head] ?? 0) - 1
    while (at >= 0 && next[at] !== entry + 1) at = (next[at] ?? 0) - 1
    if (at >= 0) next[at] = behind
  }
}

function isWord(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (word.charCodeAt(at) < FIRST_LETTER) return false
  return true
}

function startKey(length: number, left: number, right: number): number {
  let hash = Math.imul(left, 0x85ebca6b) ^ Math.imul(right + (length << 16), 0xc2b2ae35)
  hash ^= hash >>> 15
  return hash >>> 0
}

function endKey(length: number, left: number, right: number): number {
  return (startKey(length, left, right) ^ AT_END) >>> 0
}
