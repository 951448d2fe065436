import { languages } from '../../src/adapters/language/languages.ts'
import { isStopWordOf, LANGUAGES, wordMaskOf } from '../../src/core/search/words.ts'

const CODES = ['en', 'de', 'fr', 'es', 'pt', 'ru'] as const

/**
 * Reads words as a user of a search library has it done: cut at what is no letter or digit, in small letters, without the
 * stop words of the language, stemmed. Of other languages the words as they stand, cut by Unicode's rules.
 */
export function readerOf(language: string): (text: string) => string[] {
  const number = CODES.findIndex((code) => code === language)
  if (number < 0 || number >= LANGUAGES.length) return segmentReader(language)
  return (text) => {
    const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
    return words
      .filter((word) => !isStopWordOf(wordMaskOf(word, word), number))
      .map((word) => languages.stem(word, number))
  }
}

function segmentReader(language: string): (text: string) => string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' })
  return (text) =>
    [...segmenter.segment(text.toLowerCase())].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? [segment] : [],
    )
}
