import { assert } from '../base/assert.ts'
import { ENGLISH, LanguageVotes } from './languages.ts'
import type { Spellings } from './spellings.ts'
import { TermCounts } from './term-counts.ts'
import { eachToken, WORD } from './tokens.ts'
import type { Words } from './words.ts'

/** A text and how many times it counts: an integer from 1 to 15. */
export interface IndexedField {
  readonly text: string
  readonly weight: number
}

/** Words of a document that are listed at most before the room for them is given back. */
const LISTED_WORDS_MAX = 65_536

/** Reads documents for all indexes of a workspace: one at a time, in arrays that are used again. */
export class DocumentReader {
  readonly #words: Words
  readonly #counts = new TermCounts()
  readonly #votes = new LanguageVotes()
  // The words of the document at hand, each with the weight of its field.
  #read: number[] = []
  #weights: number[] = []

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
    for (const field of fields) this.#readField(field, terms)
    this.#countWords(this.#votes.winner() ?? ENGLISH, terms)
    return this.#counts
  }

  #begin(): void {
    this.#counts.clear()
    this.#votes.clear()
    if (this.#read.length > LISTED_WORDS_MAX) {
      this.#read = []
      this.#weights = []
    }
    this.#read.length = 0
    this.#weights.length = 0
  }

  /** Counts identifiers and lists words. */
  #readField({ text, weight }: IndexedField, terms: Spellings): void {
    assert(Number.isInteger(weight) && weight > 0, 'a field weight must be a positive integer')
    eachToken(text, (source, start, end, kind) => {
      if (kind !== WORD) {
        this.#counts.add(terms.add(source.lower, start, end), weight)
        return
      }
      const word = this.#words.numberOf(source.spoken, start, end)
      this.#votes.add(this.#words.maskOf(word))
      this.#read.push(word)
      this.#weights.push(weight)
    })
  }

  #countWords(language: number, terms: Spellings): void {
    for (let at = 0; at < this.#read.length; at += 1) {
      const weight = this.#weights[at] ?? 0
      for (const spelling of this.#words.indexedAs(this.#read[at] ?? 0, language)) {
        this.#counts.add(terms.add(spelling, 0, spelling.length), weight)
      }
    }
  }
}
