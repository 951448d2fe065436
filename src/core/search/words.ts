import { otherFormsOf } from '../text/short-forms.ts'
import { fold } from '../text/unicode.ts'
import {
  ENGLISH,
  everydayWordsOf,
  isStopWordOf,
  LANGUAGES,
  LATIN_LANGUAGES,
  languageOfWord,
  wordMaskOf,
} from './languages.ts'
import { Spellings } from './spellings.ts'

/** What the index asks of a language, by its number in LANGUAGES. The same word must always have the same stem. */
export interface Stemmer {
  stem(word: string, language: number): string
}

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

/** Words that are kept: ten megabytes or so. Beyond that all are read anew. */
const WORDS_MAX = 65_536
// Readings of a word, a language each: in a document, in a query that is surely in it, in one that may be in another.
const ASKED = LANGUAGES.length
const ASKED_UNSURE = 2 * LANGUAGES.length
const READINGS = 3 * LANGUAGES.length

/**
 * Words as they are written, with their stems: stemming a word takes longer than all else that is done with it. A cache
 * that serves all indexes of a workspace, since most scopes speak of the same things, and changes no answer.
 */
export class Words {
  readonly #stemmer: Stemmer
  #numbers = new Spellings()
  // By word: what `wordMaskOf` tells of it.
  #masks: number[] = []
  // By word and reading, READINGS for each word: the spellings, where they were asked for.
  #spellings: (readonly string[] | undefined)[] = []
  // By language, the first spellings of its everyday words, where they were asked for.
  readonly #everyday: (ReadonlySet<string> | undefined)[] = []

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  /** Makes room when it is full. Numbers that were given before mean nothing afterwards. */
  tidy(): void {
    if (this.#numbers.size >= WORDS_MAX) this.forget()
  }

  /** Forgets every word. Numbers that were given before mean nothing afterwards. */
  forget(): void {
    this.#numbers = new Spellings()
    this.#masks = []
    this.#spellings = []
  }

  /** Number of the word text[start, end), with its accents and in small letters. */
  numberOf(text: string, start: number, end: number): number {
    const word = this.#numbers.add(text, start, end)
    if (word === this.#masks.length) {
      const spoken = this.#numbers.spell(word)
      this.#masks.push(wordMaskOf(spoken, fold(spoken)))
      for (let reading = 0; reading < READINGS; reading += 1) this.#spellings.push(undefined)
    }
    return word
  }

  /** What `wordMaskOf` tells of a word. */
  maskOf(word: number): number {
    return this.#masks[word] ?? 0
  }

  /** Under which spellings a document in the language has the word; none for a stop word. */
  indexedAs(word: number, language: number): readonly string[] {
    return this.#spellings[word * READINGS + language] ?? this.#read(word, language, [language])
  }

  /** How an index may spell the word of a query; `told` is the language that its words tell, surely or not. */
  askedAs(word: number, told: number, isSure: boolean): readonly string[] {
    const reading = (isSure ? ASKED : ASKED_UNSURE) + told
    const known = this.#spellings[word * READINGS + reading]
    if (known !== undefined) return known
    // English is asked beside another language: texts without a stop word are indexed as English.
    return this.#read(word, reading, isSure ? [told, ENGLISH] : [told, ...LATIN_LANGUAGES])
  }

  /** How an index may spell the short or the long form of the word of a query. */
  otherFormsAsked(word: number, told: number): readonly string[] {
    const forms = otherFormsOf(fold(this.#numbers.spell(word)))
    return forms.map((form) => this.#stemmer.stem(form, languageOfWord(this.maskOf(word), told)))
  }

  /** Whether a word of a query is one that any text may hold. */
  isEveryday(word: number, told: number): boolean {
    const [first] = this.askedAs(word, told, true)
    return first !== undefined && this.#everydayOf(languageOfWord(this.maskOf(word), told)).has(first)
  }

  #everydayOf(language: number): ReadonlySet<string> {
    const known = this.#everyday[language]
    if (known !== undefined) return known
    const spellings = new Set(
      everydayWordsOf(language).flatMap((word) => spellingsOf(word, fold(word), this.#stemmer, language)),
    )
    this.#everyday[language] = spellings
    return spellings
  }

  /** The first of the languages is that of the text. */
  #read(word: number, reading: number, languages: readonly number[]): readonly string[] {
    const found = new Set<string>()
    const mask = this.maskOf(word)
    const [ofText = ENGLISH] = languages
    const own = languageOfWord(mask, ofText)
    if (!isStopWordOf(mask, own)) {
      const spoken = this.#numbers.spell(word)
      for (const language of own === ofText ? languages : [own]) {
        for (const spelling of spellingsOf(spoken, fold(spoken), this.#stemmer, language)) found.add(spelling)
      }
    }
    const spellings = [...found]
    this.#spellings[word * READINGS + reading] = spellings
    return spellings
  }
}
