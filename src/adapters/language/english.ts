import { stemmer } from '@orama/stemmers/english'
import type { Language } from '../../ports/language.ts'
import { IRREGULAR_ENGLISH } from './irregular.ts'

// Longer words are no English words, and the stemmer's patterns take their time on them.
const WORD_CHARS_MAX = 32
const ENGLISH_LETTERS = /^[a-z]+$/

/**
 * English by Porter's stemmer, irregular forms by table. Words with digits or with other letters are left as they
 * are, so texts of other languages lose nothing; a second language is a second `Language` chosen in its place.
 */
export const english: Language = {
  stem(word) {
    if (word.length > WORD_CHARS_MAX || !ENGLISH_LETTERS.test(word)) return word
    return stemmer(IRREGULAR_ENGLISH.get(word) ?? word)
  },
}
