import { fold } from '../text/unicode.ts'
import { ENGLISH, isStopWordOf, LANGUAGES, LATIN_LANGUAGES, languageOfWord, wordMaskOf } from './languages.ts'
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
/** The reading of a word in a query whose language is not told; those in a query of a language stand before it. */
const UNTOLD = 2 * LANGUAGES.length
const READINGS = UNTOLD + 1

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

  /** How an index may spell the word of a query; `told` is the query's language where its words tell it. */
  askedAs(word: number, told: number | null): readonly string[] {
    const reading = told === null ? UNTOLD : LANGUAGES.length + told
    const known = this.#spellings[word * READINGS + reading]
    if (known !== undefined) return known
    // English is asked beside another language: texts without a stop word are indexed as English.
    return this.#read(word, reading, told === null ? LATIN_LANGUAGES : [told, ENGLISH])
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
