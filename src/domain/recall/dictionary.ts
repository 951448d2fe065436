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

const FORMS_AT_FIRST = 16
const NO_NUMBERS = new Int32Array(0)

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
  #forms = new Spellings()
  readonly #terms: Spellings
  #near: NearTerms
  // By form: what `wordMaskOf` tells of it.
  #masks: Int32Array = NO_NUMBERS
  // By language, then by form: its term + 1, 0 until it is asked for. Most scopes know one language or two.
  readonly #firstTerms: Int32Array[] = LANGUAGES.map(() => NO_NUMBERS)
  // The same: a second term + 1, 0 for none.
  readonly #secondTerms: Int32Array[] = LANGUAGES.map(() => NO_NUMBERS)

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
    const termsOfForms = [...this.#firstTerms, ...this.#secondTerms]
    const forms = termsOfForms.reduce((sum, each) => sum + each.byteLength, this.#masks.byteLength)
    return forms + this.#forms.bytes + this.#terms.bytes + this.#near.bytes
  }

  /** Number of a word as it is written. */
  formOf(text: FoldedText, start: number, end: number): number {
    const known = this.#forms.size
    const form = this.#forms.add(text.spoken, start, end)
    if (form < known) return form
    this.#masks = holding(this.#masks, form)
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
    if ((this.#firstTerms[language]?.[form] ?? 0) === 0) this.#stem(form, language)
    take((this.#firstTerms[language]?.[form] ?? 0) - 1)
    const second = this.#secondTerms[language]?.[form] ?? 0
    if (second !== 0) take(second - 1)
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

  /** The terms; forms are found again as they are met. */
  image(): SpellingsImage {
    return this.#terms.image()
  }

  /** Takes every trace of a term away but its length. What was met may still lead to it: see `forgetMet`. */
  forget(term: number): void {
    this.#terms.blank(term)
  }

  /** Forgets which words were met and asked for; they are found again as they are met. */
  forgetMet(): void {
    this.#forms = new Spellings()
    this.#masks = NO_NUMBERS
    this.#firstTerms.fill(NO_NUMBERS)
    this.#secondTerms.fill(NO_NUMBERS)
    this.#near = new NearTerms(this.#terms)
  }

  #stem(form: number, language: number): void {
    const spoken = this.#forms.spell(form)
    const [first = spoken, second] = spellingsOf(spoken, fold(spoken), this.#stemmer, language)
    putAt(this.#firstTerms, language, form, this.addTerm(first) + 1)
    if (second !== undefined) putAt(this.#secondTerms, language, form, this.addTerm(second) + 1)
  }
}

function putAt(lists: Int32Array[], list: number, place: number, number: number): void {
  const wide = holding(lists[list] ?? NO_NUMBERS, place)
  wide[place] = number
  lists[list] = wide
}

/** The numbers with room for one at `place`. */
function holding(numbers: Int32Array, place: number): Int32Array {
  if (place < numbers.length) return numbers
  let size = Math.max(FORMS_AT_FIRST, numbers.length)
  while (size <= place) size *= 2
  const wider = new Int32Array(size)
  wider.set(numbers)
  return wider
}
