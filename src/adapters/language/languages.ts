import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { LANGUAGES, type LanguageName } from '../../core/search/languages.ts'
import type { Stemmer } from '../../core/search/words.ts'
import { IRREGULAR_ENGLISH } from './irregular.ts'

// Longer words are no words of a language, and the stemmers' patterns take their time on them.
const WORD_CHARS_MAX = 32
const LATIN_LETTERS = /^[a-z\u00df-\u00f6\u00f8-\u00ff\u0153]+$/
const CYRILLIC_LETTERS = /^[\u0430-\u044f\u0451]+$/

/** Snowball stemmers, irregular English forms by table. */
const STEMMERS: Readonly<Record<LanguageName, (word: string) => string>> = {
  english: (word) => english(IRREGULAR_ENGLISH.get(word) ?? word),
  german,
  french,
  spanish,
  portuguese,
  russian,
}
const BY_NUMBER = LANGUAGES.map((name) => STEMMERS[name])

/**
 * Stems of six languages. Words with digits or with letters of another script are left as they are, so texts of other
 * languages lose nothing.
 */
export const languages: Stemmer = {
  stem(word, language) {
    const stemmer = BY_NUMBER[language]
    if (stemmer === undefined || word.length > WORD_CHARS_MAX) return word
    const letters = LANGUAGES[language] === 'russian' ? CYRILLIC_LETTERS : LATIN_LETTERS
    return letters.test(word) ? stemmer(word) : word
  },
}
