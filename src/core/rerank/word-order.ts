import { eachFirstWord, FIRST_WORDS_MAX } from '../text/first-words.ts'

/** Different words of a question, numbered 1, 2, 3 …, a bit each. */
const ASKED_MAX = 30
/** One word of a pair has so many characters at least: two short ones stand together in any text. */
const TELLING_CHARS = 4
/** More pairs say no more. */
export const PAIRS_ENOUGH = 3

/** None of the words of the question. */
const NONE = 0
/** Of the number of a pair, the low bits: its second word. */
const SECOND_BITS = 8

/**
 * The pairs of neighbouring words of a question. A text that has both in the same order, with at most one word between
 * them, more often says the same of them than one where they are scattered.
 */
export class WordPairs {
  /** By word: its number. */
  readonly #numbers = new Uint8Array(256)
  /** By number of a word: which words follow it in the question, a bit each. */
  readonly #followers = new Int32Array(ASKED_MAX + 1)
  #asked = 0
  #areAny = false

  constructor(question: string) {
    let before = NONE
    let charsBefore = 0
    eachFirstWord(question, (word, chars) => {
      const number = this.#numberOf(word)
      const isTelling = Math.max(chars, charsBefore) >= TELLING_CHARS
      if (isTelling && before !== NONE && number !== NONE) {
        this.#followers[before] = (this.#followers[before] ?? 0) | (1 << number)
        this.#areAny = true
      }
      before = number
      charsBefore = chars
    })
  }

  /** Whether there is any pair to look for. */
  get areAny(): boolean {
    return this.#areAny
  }

  /** How many of the pairs a text has, PAIRS_ENOUGH at most. Its first words stand in a place of a list, 0 behind the last. */
  countIn(words: Uint8Array, from: number): number {
    const numbers = this.#numbers
    const followers = this.#followers
    let count = 0
    let before = NONE
    let beforeThat = NONE
    // Those that were found, before the last that counts.
    let found = NONE
    let foundBefore = NONE
    for (let at = from; at < from + FIRST_WORDS_MAX && words[at] !== 0; at += 1) {
      const number = numbers[words[at] ?? 0] ?? NONE
      if (number !== NONE && (before | beforeThat) !== NONE) {
        const next = (before << SECOND_BITS) | number
        if ((((followers[before] ?? 0) >> number) & 1) !== 0 && next !== found && next !== foundBefore) {
          count += 1
          foundBefore = found
          found = next
        }
        const over = (beforeThat << SECOND_BITS) | number
        if ((((followers[beforeThat] ?? 0) >> number) & 1) !== 0 && over !== found && over !== foundBefore) {
          count += 1
          foundBefore = found
          found = over
        }
        if (count >= PAIRS_ENOUGH) return PAIRS_ENOUGH
      }
      beforeThat = before
      before = number
    }
    return count
  }

  /** The number of a word of the question, from now on if it had none; NONE: there are enough of them. */
  #numberOf(word: number): number {
    const known = this.#numbers[word] ?? NONE
    if (known !== NONE || this.#asked === ASKED_MAX) return known
    this.#asked += 1
    this.#numbers[word] = this.#asked
    return this.#asked
  }
}
