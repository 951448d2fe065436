import { ENGLISH, isStopWordOf, LATIN_LANGUAGES, languageOfWord, wordMaskOf } from './languages.ts'
import { type Stemmer, spellingsOf } from './word-forms.ts'

/** A word of queries. */
export interface KnownWord {
  /** What `wordMaskOf` tells of it. */
  readonly mask: number
  /** The language of the query that it was last in, NOT_TOLD, or NOT_ASKED. Few words are asked for in several. */
  askedIn: number
  /** Its spellings there. */
  spellings: readonly string[]
}

/** Words of one half; the older half is dropped when the younger one is full. */
const HALF_WORDS_MAX = 4_096
/** Longer words come once. */
const KEPT_CHARS_MAX = 24
const NOT_TOLD = -1
const NOT_ASKED = -2
const NO_SPELLINGS: readonly string[] = []

/**
 * Words that were asked for lately, with their stems: stemming takes longer than ranking in a small scope. Words come
 * again and again in queries, so few are enough.
 */
export class KnownWords {
  readonly #stemmer: Stemmer
  #younger = new Map<string, KnownWord>()
  #older = new Map<string, KnownWord>()

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  wordOf(spoken: string, folded: string): KnownWord {
    if (spoken.length > KEPT_CHARS_MAX) return newWord(spoken, folded)
    // Both are as long, and there is no blank in the folded one.
    const key = spoken === folded ? spoken : `${spoken} ${folded}`
    const known = this.#younger.get(key)
    if (known !== undefined) return known
    const word = this.#older.get(key) ?? newWord(spoken, folded)
    if (this.#younger.size === HALF_WORDS_MAX) {
      this.#older = this.#younger
      this.#younger = new Map()
    }
    this.#younger.set(key, word)
    return word
  }

  /** As the index may spell the word; empty for a stop word. `told` is the language of the query where its words tell it. */
  spellingsOf(word: KnownWord, spoken: string, folded: string, told: number | null): readonly string[] {
    const language = told ?? NOT_TOLD
    if (word.askedIn !== language) {
      word.spellings = wordSpellings(word.mask, spoken, folded, told, this.#stemmer)
      word.askedIn = language
    }
    return word.spellings
  }

  forget(): void {
    this.#younger.clear()
    this.#older.clear()
  }
}

function newWord(spoken: string, folded: string): KnownWord {
  return { mask: wordMaskOf(spoken, folded), askedIn: NOT_ASKED, spellings: NO_SPELLINGS }
}

/** English is asked beside another language: texts without a stop word are indexed as English. */
function wordSpellings(
  mask: number,
  spoken: string,
  folded: string,
  told: number | null,
  stemmer: Stemmer,
): readonly string[] {
  const own = languageOfWord(mask, told ?? ENGLISH)
  if (isStopWordOf(mask, own)) return []
  const asked = own !== (told ?? ENGLISH) ? [own] : told === null ? LATIN_LANGUAGES : [own, ENGLISH]
  const found = new Set<string>()
  for (const language of asked) {
    for (const spelling of spellingsOf(spoken, folded, stemmer, language)) found.add(spelling)
  }
  return [...found]
}
