import { fold } from '../text/unicode.ts'
import { LANGUAGES, wordMaskOf } from './languages.ts'
import { MetTerms } from './met-terms.ts'
import { PlainWords } from './plain-words.ts'
import { Spellings } from './spellings.ts'

/** What the index asks of a language, by its number in LANGUAGES. The same word must always have the same stem. */
export interface Stemmer {
  stem(word: string, language: number): string
}

/** No second stem. */
export const NO_STEM = -1
const UNSET = -2
/** A word has at most two stems in a language: by its spelling with accents, and by that without. */
const STEMS_PER_WORD = 2
/** Numbers kept of a form: the language that it was met in first, and its stems in that. */
const FORM_NUMBERS = 1 + STEMS_PER_WORD
const FORMS_AT_FIRST = 256
/** Words that are kept: some megabytes. Beyond it all are met anew. */
const FORMS_MAX = 65_536

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

type Stems = readonly [first: number, second: number]

/**
 * A cache of words as they are written, with their stems: a word is stemmed once for each language that it is met in. It
 * serves all indexes with the same stemmer, since most scopes speak of the same things, and changes no answer.
 */
export class WordForms {
  readonly #stemmer: Stemmer
  #forms = new Spellings()
  #stems = new Spellings()
  // By form: what `wordMaskOf` tells of it.
  #masks = new Int32Array(FORMS_AT_FIRST)
  // By form: the language that it was met in first, UNSET before that, and its stems. Hardly any word is met in a second one.
  #stemsOfForm = new Int32Array(FORMS_AT_FIRST * FORM_NUMBERS).fill(UNSET)
  // By form and language: stems in further languages.
  #furtherStems = new Map<number, Stems>()

  /** The forms of plain words that were met lately. */
  readonly plain = new PlainWords()
  /** How the indexes that met them call them in an English text. */
  readonly terms = new MetTerms()

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  /** How the stems are spelled. */
  get stems(): Spellings {
    return this.#stems
  }

  /** Makes room when it is full. Numbers that were given before mean nothing afterwards. */
  tidy(): void {
    if (this.#forms.size >= FORMS_MAX) this.forget()
  }

  /** Forgets every word. Numbers that were given before mean nothing afterwards. */
  forget(): void {
    this.#forms = new Spellings()
    this.#stems = new Spellings()
    this.#masks = new Int32Array(FORMS_AT_FIRST)
    this.#stemsOfForm = new Int32Array(FORMS_AT_FIRST * FORM_NUMBERS).fill(UNSET)
    this.#furtherStems = new Map()
    this.plain.forget()
    this.terms.forget()
  }

  /** Number of the word spoken[start, end), as it is written; `folded` is without accents. Both in small letters. */
  formOf(spoken: string, folded: string, start: number, end: number): number {
    const known = this.#forms.size
    const form = this.#forms.add(spoken, start, end)
    if (form < known) return form
    if (form >= this.#masks.length) this.#grow()
    this.#masks[form] = wordMaskOf(spoken.slice(start, end), folded.slice(start, end))
    return form
  }

  /** What `wordMaskOf` tells of a form. */
  maskOf(form: number): number {
    return this.#masks[form] ?? 0
  }

  /** Number of the first stem of a form in a language. */
  firstStem(form: number, language: number): number {
    const at = form * FORM_NUMBERS
    if (this.#stemsOfForm[at] === UNSET) {
      this.#stemsOfForm[at] = language
      this.#stemsOfForm.set(this.#addStems(form, language), at + 1)
    }
    if (this.#stemsOfForm[at] === language) return this.#stemsOfForm[at + 1] ?? NO_STEM
    return this.#inFurther(form, language)[0]
  }

  /** Number of the second one, which most words have not: NO_STEM. Asked for after the first. */
  secondStem(form: number, language: number): number {
    const at = form * FORM_NUMBERS
    if (this.#stemsOfForm[at] === language) return this.#stemsOfForm[at + 2] ?? NO_STEM
    return this.#inFurther(form, language)[1]
  }

  #inFurther(form: number, language: number): Stems {
    const key = form * LANGUAGES.length + language
    const known = this.#furtherStems.get(key)
    if (known !== undefined) return known
    const stems = this.#addStems(form, language)
    this.#furtherStems.set(key, stems)
    return stems
  }

  #addStems(form: number, language: number): Stems {
    const spoken = this.#forms.spell(form)
    const [first = spoken, second] = spellingsOf(spoken, fold(spoken), this.#stemmer, language)
    const added = (stem: string): number => this.#stems.add(stem, 0, stem.length)
    return [added(first), second === undefined ? NO_STEM : added(second)]
  }

  #grow(): void {
    const forms = this.#masks.length * 2
    const masks = new Int32Array(forms)
    masks.set(this.#masks)
    const stems = new Int32Array(forms * FORM_NUMBERS).fill(UNSET)
    stems.set(this.#stemsOfForm)
    this.#masks = masks
    this.#stemsOfForm = stems
  }
}

const formsOfStemmer = new WeakMap<Stemmer, WordForms>()

/** The cache of a stemmer, the same one for all who ask. */
export function wordFormsOf(stemmer: Stemmer): WordForms {
  const known = formsOfStemmer.get(stemmer)
  if (known !== undefined) return known
  const forms = new WordForms(stemmer)
  formsOfStemmer.set(stemmer, forms)
  return forms
}
