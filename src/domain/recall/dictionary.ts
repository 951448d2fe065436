import { fold } from './characters.ts'
import { isStopWordOf, LANGUAGES, languageOfWord, wordMaskOf } from './languages.ts'
import { NearTerms } from './near-terms.ts'
import { Spellings, type SpellingsImage } from './spellings.ts'
import type { FoldedText } from './tokens.ts'

/** What the index asks of a language, by its number in LANGUAGES. The same word must always have the same stem. */
export interface Stemmer {
  stem(word: string, language: number): string
}

/** No memory ever held the token. */
export const UNKNOWN = -2

/** No second term. */
const NONE = -1
const UNSET = -3
/** A word has at most two terms in a language: by its spelling with accents, and by that without. */
const TERMS_PER_WORD = 2
const FORMS_AT_FIRST = 16
/** Of an entry of a map from numbers to pairs. */
const FURTHER_BYTES = 80
/** Numbers kept of a form: the language that it was met in first, and its terms in that. */
const FORM_NUMBERS = 1 + TERMS_PER_WORD

/**
 * Spellings under which a word is indexed in a language: its stem with the accents that it is written with, and its
 * stem without them where that is another. Both without accents, so that either way of writing finds the other.
 */
export function spellingsOf(
  spoken: string,
  folded: string,
  stemmer: Stemmer,
  language: number,
): readonly string[] {
  const stem = stemmer.stem(folded, language)
  if (spoken === folded) return [stem]
  const accented = fold(stemmer.stem(spoken, language))
  return accented === stem ? [stem] : [accented, stem]
}

/**
 * Numbers for terms. A word is stemmed once for each language that it is met in; the forms are a cache and can be
 * dropped.
 */
export class Dictionary {
  readonly #stemmer: Stemmer
  readonly #forms = new Spellings()
  readonly #terms: Spellings
  readonly #near: NearTerms
  // By form: what `wordMaskOf` tells of it.
  #masks = new Int32Array(FORMS_AT_FIRST)
  // By form: the language that it was met in first, UNSET before that, and its terms. Hardly any word is met in a second one.
  #termsOfForm = new Int32Array(FORMS_AT_FIRST * FORM_NUMBERS).fill(UNSET)
  // By form and language: terms of what is met in further languages.
  readonly #furtherTerms = new Map<number, readonly [first: number, second: number]>()

  /** Goes on with the terms of an image. */
  constructor(stemmer: Stemmer, terms: SpellingsImage | null = null) {
    this.#stemmer = stemmer
    this.#terms = new Spellings(terms)
    this.#near = new NearTerms(this.#terms)
  }

  get size(): number {
    return this.#terms.size
  }

  get bytes(): number {
    const ofForms = this.#masks.byteLength + this.#termsOfForm.byteLength
    const further = this.#furtherTerms.size * FURTHER_BYTES
    return this.#forms.bytes + ofForms + further + this.#terms.bytes + this.#near.bytes
  }

  /** Number of a word as it is written. */
  formOf(text: FoldedText, start: number, end: number): number {
    const known = this.#forms.size
    const form = this.#forms.add(text.spoken, start, end)
    if (form < known) return form
    if (form >= this.#masks.length) this.#growForms()
    this.#masks[form] = wordMaskOf(text.spoken.slice(start, end), text.lower.slice(start, end))
    return form
  }

  /** What `wordMaskOf` tells of a form. */
  maskOf(form: number): number {
    return this.#masks[form] ?? 0
  }

  /** Calls `take` with the terms of a form in a text of the language, new ones where they are new; a stop word has none. */
  eachTerm(form: number, languageOfText: number, take: (term: number) => void): void {
    const mask = this.maskOf(form)
    const language = languageOfWord(mask, languageOfText)
    if (isStopWordOf(mask, language)) return
    const at = form * FORM_NUMBERS
    if (this.#termsOfForm[at] === UNSET) {
      const [first, second] = this.#addTermsOf(form, language)
      this.#termsOfForm[at] = language
      this.#termsOfForm[at + 1] = first
      this.#termsOfForm[at + 2] = second
    }
    if (this.#termsOfForm[at] === language) {
      take(this.#termsOfForm[at + 1] ?? NONE)
      const second = this.#termsOfForm[at + 2] ?? NONE
      if (second !== NONE) take(second)
      return
    }
    const [first, second] = this.#furtherTermsOf(form, language)
    take(first)
    if (second !== NONE) take(second)
  }

  #furtherTermsOf(form: number, language: number): readonly [first: number, second: number] {
    const key = form * LANGUAGES.length + language
    const known = this.#furtherTerms.get(key)
    if (known !== undefined) return known
    const terms = this.#addTermsOf(form, language)
    this.#furtherTerms.set(key, terms)
    return terms
  }

  #addTermsOf(form: number, language: number): readonly [first: number, second: number] {
    const spoken = this.#forms.spell(form)
    const [first = spoken, second] = spellingsOf(spoken, fold(spoken), this.#stemmer, language)
    return [this.addTerm(first), second === undefined ? NONE : this.addTerm(second)]
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
    const found = this.#near.near(word).map((term) => ({ term, spelling: this.spell(term) }))
    return found.sort((a, b) => (a.spelling < b.spelling ? -1 : 1)).map(({ term }) => term)
  }

  spell(term: number): string {
    return this.#terms.spell(term)
  }

  /** The terms; forms are found again as they are met. */
  image(): SpellingsImage {
    return this.#terms.image()
  }

  #growForms(): void {
    const forms = this.#masks.length * 2
    const masks = new Int32Array(forms)
    masks.set(this.#masks)
    const terms = new Int32Array(forms * FORM_NUMBERS).fill(UNSET)
    terms.set(this.#termsOfForm)
    this.#masks = masks
    this.#termsOfForm = terms
  }
}
