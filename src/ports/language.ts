/** What recall needs to know of human language; pure, so that index and query always agree. */
export interface Language {
  /** Stem of a lower-case word in a language, by its number in LANGUAGES; the word itself when it is none of its words. */
  stem(word: string, language: number): string
}
