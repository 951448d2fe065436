/** What recall needs to know of human language; pure, so that index and query always agree. */
export interface Language {
  /** Stem of a lower-case word; the word itself when the language is not known. */
  stem(word: string): string
}
