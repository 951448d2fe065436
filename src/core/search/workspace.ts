import { DocumentReader } from './document-reader.ts'
import { parseQuery, type Query } from './query.ts'
import { Ranker } from './ranker.ts'
import { type Stemmer, Words } from './words.ts'

/**
 * What all indexes of a thread share: the words that were read lately, and the arrays in which documents are read and
 * ranked. Reading and ranking never yield, so one of each is enough.
 */
export class SearchWorkspace {
  readonly #stemmer: Stemmer
  readonly #words: Words
  readonly reader: DocumentReader
  #ranker: Ranker | null = null

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer
    this.#words = new Words(stemmer)
    this.reader = new DocumentReader(this.#words)
  }

  /** For a document that is read in steps, while others are read with `reader`. */
  ownReader(): DocumentReader {
    return new DocumentReader(new Words(this.#stemmer))
  }

  /** Made when it is first needed. */
  get ranker(): Ranker {
    this.#ranker ??= new Ranker()
    return this.#ranker
  }

  query(text: string): Query {
    return parseQuery(text, this.#words)
  }

  /** Forgets every word that was read, of documents and queries alike: nothing else here tells of a text. */
  forgetWords(): void {
    this.#words.forget()
  }
}
