import { assert } from '../base/assert.ts'
import { copySteps, grownTo, isTight, roomyLength } from './growth.ts'

const TERMS_AT_FIRST = 64

/** By term: live documents that hold it. */
export class TermDocs {
  #docs: Int32Array

  /** Goes on with the array of an image, and writes into it. */
  constructor(image: Int32Array = new Int32Array(TERMS_AT_FIRST)) {
    this.#docs = image
  }

  get bytes(): number {
    return this.#docs.byteLength
  }

  /** May be replaced by a longer copy when terms are added. */
  get numbers(): Int32Array {
    return this.#docs
  }

  of(term: number): number {
    return this.#docs[term] ?? 0
  }

  change(term: number, by: number): void {
    if (term >= this.#docs.length) {
      const wider = new Int32Array(grownTo(this.#docs.length, term + 1))
      wider.set(this.#docs)
      this.#docs = wider
    }
    const docs = (this.#docs[term] ?? 0) + by
    assert(docs >= 0, 'a document is removed with another text than it was added with')
    this.#docs[term] = docs
  }

  /** Those of the first `terms` terms as they are now, in steps that say how many characters of text they are worth. */
  imageSteps(terms: number): Generator<number, Int32Array> {
    const docs = this.#docs.subarray(0, terms)
    return copySteps(docs, new Int32Array(docs.length))
  }

  /** Whether the array may be full before the next document is; `terms`: how many there are. */
  isTight(terms: number): boolean {
    return isTight(this.#docs.length, terms)
  }

  /** Makes room for the next document, in steps as those of `imageSteps`. */
  *roomSteps(terms: number): Generator<number, void> {
    if (!this.isTight(terms)) return
    this.#docs = yield* copySteps(this.#docs, new Int32Array(roomyLength(this.#docs.length, terms)))
  }
}
