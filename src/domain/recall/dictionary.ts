import { Spellings } from './spellings.ts'
import { isStopWord } from './stop-words.ts'
import { type FoldedText, WORD } from './tokens.ts'

/** What the index asks of a language. The same word must always have the same stem. */
export interface Stemmer {
  stem(word: string): string
}

/** The token is a stop word: neither indexed nor asked for. */
export const STOPPED = -1
/** No memory ever held the token. */
export const UNKNOWN = -2

/** Spelling under which a word is indexed; null for a stop word. */
export function termOfWord(word: string, stemmer: Stemmer): string | null {
  return isStopWord(word) ? null : stemmer.stem(word)
}

/**
 * Numbers for terms. A word is stemmed once, when its form is first seen; the forms are a cache and can be dropped.
 */
export class Dictionary {
  readonly #stemmer: Stemmer
  readonly #forms = new Spellings()
  readonly #terms = new Spellings()
  // By form: its term, or STOPPED.
  #termOfForm = new Int32Array(64)

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
  }

  get size(): number {
    return this.#terms.size
  }

  get bytes(): number {
    return this.#forms.bytes + this.#terms.bytes + this.#termOfForm.byteLength
  }

  /** Term number of a token, a new one when it is new, or STOPPED. */
  add(text: FoldedText, start: number, end: number, kind: number): number {
    if (kind !== WORD) return this.#terms.add(text.lower, start, end)
    const known = this.#forms.size
    const form = this.#forms.add(text.lower, start, end)
    if (form < known) return this.#termOfForm[form] ?? STOPPED
    const spelling = termOfWord(text.lower.slice(start, end), this.#stemmer)
    const term = spelling === null ? STOPPED : this.addTerm(spelling)
    if (form >= this.#termOfForm.length) {
      const wider = new Int32Array(this.#termOfForm.length * 2)
      wider.set(this.#termOfForm)
      this.#termOfForm = wider
    }
    this.#termOfForm[form] = term
    return term
  }

  /** Term number of a token that some memory held, STOPPED or UNKNOWN; adds nothing. */
  find(text: FoldedText, start: number, end: number, kind: number): number {
    if (kind !== WORD) return this.findTerm(text.lower.slice(start, end))
    const form = this.#forms.find(text.lower, start, end)
    if (form >= 0) return this.#termOfForm[form] ?? STOPPED
    const spelling = termOfWord(text.lower.slice(start, end), this.#stemmer)
    return spelling === null ? STOPPED : this.findTerm(spelling)
  }

  addTerm(spelling: string): number {
    return this.#terms.add(spelling, 0, spelling.length)
  }

  findTerm(spelling: string): number {
    const term = this.#terms.find(spelling, 0, spelling.length)
    return term < 0 ? UNKNOWN : term
  }

  spell(term: number): string {
    return this.#terms.spell(term)
  }
}
