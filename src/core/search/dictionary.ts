import { isStopWordOf, languageOfWord } from './languages.ts'
import { NearTerms } from './near-terms.ts'
import { Spellings, type SpellingsImage } from './spellings.ts'
import { NO_STEM, type WordForms } from './word-forms.ts'

/** No memory ever held the token. */
export const UNKNOWN = -2

let dictionaries = 0

/** Numbers for the terms of one index. */
export class Dictionary {
  /** No other dictionary of the thread has it. */
  readonly number: number
  readonly #words: WordForms
  readonly #terms: Spellings
  #near: NearTerms

  /** Goes on with the terms of an image. */
  constructor(words: WordForms, terms: SpellingsImage | null = null) {
    dictionaries += 1
    this.number = dictionaries
    this.#words = words
    this.#terms = new Spellings(terms)
    this.#near = new NearTerms(this.#terms)
  }

  get size(): number {
    return this.#terms.size
  }

  get bytes(): number {
    return this.#terms.bytes + this.#near.bytes
  }

  /** Calls `take` with the terms of a form in a text of the language, new ones where they are new; a stop word has none. */
  eachTerm(form: number, languageOfText: number, take: (term: number) => void): void {
    const mask = this.#words.maskOf(form)
    const language = languageOfWord(mask, languageOfText)
    if (isStopWordOf(mask, language)) return
    take(this.#termOf(this.#words.firstStem(form, language)))
    const second = this.#words.secondStem(form, language)
    if (second !== NO_STEM) take(this.#termOf(second))
  }

  addTerm(spelling: string): number {
    return this.#terms.add(spelling, 0, spelling.length)
  }

  /** Number of an identifier or a pair of characters. */
  addSpan(text: string, start: number, end: number): number {
    return this.#terms.add(text, start, end)
  }

  findTerm(spelling: string): number {
    const term = this.#terms.find(spelling, 0, spelling.length)
    return term < 0 ? UNKNOWN : term
  }

  /** Terms that a word may be meant for when it was mistyped, by spelling; see NearTerms. */
  nearTerms(word: string): readonly number[] {
    return this.#near.near(word)
  }

  spell(term: number): string {
    return this.#terms.spell(term)
  }

  image(): SpellingsImage {
    return this.#terms.image()
  }

  /** Takes every trace of a term away but its length. What was met may still lead to it: see `forgetMet`. */
  forget(term: number): void {
    this.#terms.blank(term)
  }

  /** Forgets which words were met, in this index or another, and asked for; they are found again as they are met. */
  forgetMet(): void {
    this.#words.forget()
    this.#near = new NearTerms(this.#terms)
  }

  #termOf(stem: number): number {
    return this.#terms.addFrom(this.#words.stems, stem)
  }
}
