import {
  ENGLISH_WORDS,
  EVERYDAY_ENGLISH,
  EVERYDAY_FRENCH,
  EVERYDAY_GERMAN,
  EVERYDAY_PORTUGUESE,
  EVERYDAY_RUSSIAN,
  EVERYDAY_SPANISH,
  FRENCH_WORDS,
  GERMAN_WORDS,
  PORTUGUESE_WORDS,
  RUSSIAN_WORDS,
  SPANISH_WORDS,
} from '../text/everyday-words.ts'
import { fold } from '../text/unicode.ts'

/** Languages whose words are stemmed, by number. A text in none of them is indexed by its words as they stand. */
export const LANGUAGES = ['english', 'german', 'french', 'spanish', 'portuguese', 'russian'] as const
export type LanguageName = (typeof LANGUAGES)[number]

/** What a text counts as whose words tell nothing: identifiers and technical words are mostly English. */
export const ENGLISH = 0
const RUSSIAN = 5
export const LATIN_LANGUAGES: readonly number[] = LANGUAGES.map((_, number) => number).filter(
  (n) => n !== RUSSIAN,
)
const LISTS = [ENGLISH_WORDS, GERMAN_WORDS, FRENCH_WORDS, SPANISH_WORDS, PORTUGUESE_WORDS, RUSSIAN_WORDS]

const EVERYDAY_LISTS = [
  EVERYDAY_ENGLISH,
  EVERYDAY_GERMAN,
  EVERYDAY_FRENCH,
  EVERYDAY_SPANISH,
  EVERYDAY_PORTUGUESE,
  EVERYDAY_RUSSIAN,
]

const LANGUAGE_BITS = (1 << RUSSIAN) - 1

const CYRILLIC_FIRST = 0x400
const CYRILLIC_LAST = 0x52f

const masks: ReadonlyMap<string, number> = masksOf(LISTS)

/** Set in the mask of a word whose letters tell its language, whatever stands around it. */
const CYRILLIC_BIT = 1 << 16

/** A bit for each language in which the word says nothing, and what its letters tell. In small letters, not empty. */
export function wordMaskOf(spoken: string, folded: string): number {
  const code = spoken.charCodeAt(0)
  const isCyrillic = code >= CYRILLIC_FIRST && code <= CYRILLIC_LAST
  return (masks.get(spoken) ?? 0) | (masks.get(folded) ?? 0) | (isCyrillic ? CYRILLIC_BIT : 0)
}

export function isStopWordOf(mask: number, language: number): boolean {
  return (mask & (1 << language)) !== 0
}

/** Words of a language that any text may hold: sharing one says little. As written. */
export function everydayWordsOf(language: number): readonly string[] {
  return (EVERYDAY_LISTS[language] ?? '').split(/\s+/).filter((word) => word !== '')
}

/** The language of a word: of a Cyrillic one Russian, of another that of its text. */
export function languageOfWord(mask: number, ofText: number): number {
  return (mask & CYRILLIC_BIT) === 0 ? ofText : RUSSIAN
}

/** Tells the language of a text by its stop words. */
export class LanguageVotes {
  // By the languages of which a word is a stop word: how many words.
  readonly #words = new Int32Array(LANGUAGE_BITS + 1)
  readonly #votes = new Int32Array(RUSSIAN)

  clear(): void {
    this.#words.fill(0)
  }

  /** Counts a word. Without a branch: which words are stop words cannot be guessed. */
  add(mask: number): void {
    const languages = mask & LANGUAGE_BITS
    this.#words[languages] = (this.#words[languages] ?? 0) + 1
  }

  /** The language with most votes, at a tie the first; null without a vote. Russian is told by its letters alone. */
  winner(): number | null {
    this.#count()
    const most = Math.max(...this.#votes)
    return most === 0 ? null : this.#votes.indexOf(most)
  }

  /** Whether one language has most votes: a short question may be in either of two. */
  isSure(): boolean {
    const winner = this.winner()
    return winner !== null && this.#votes.lastIndexOf(this.#votes[winner] ?? 0) === winner
  }

  #count(): void {
    const votes = this.#votes.fill(0)
    for (let languages = 1; languages <= LANGUAGE_BITS; languages += 1) {
      const words = this.#words[languages] ?? 0
      for (let rest = words === 0 ? 0 : languages; rest !== 0; rest &= rest - 1) {
        const language = 31 - Math.clz32(rest & -rest)
        votes[language] = (votes[language] ?? 0) + words
      }
    }
  }
}

/** By word as written and with its accents folded. */
function masksOf(lists: readonly string[]): Map<string, number> {
  const found = new Map<string, number>()
  for (const [language, list] of lists.entries()) {
    for (const word of list.split(/\s+/)) {
      if (word === '') continue
      for (const form of new Set([word, fold(word)])) {
        found.set(form, (found.get(form) ?? 0) | (1 << language))
      }
    }
  }
  return found
}
