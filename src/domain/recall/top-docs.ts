/** Bounded heap of the best documents: by score, at the same score the newer one. The worst kept lies on top. */
export class TopDocs {
  readonly #limit: number
  readonly #docs: Int32Array
  readonly #scores: Float64Array
  readonly #masks: Uint32Array
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
    this.#docs = new Int32Array(limit)
    this.#scores = new Float64Array(limit)
    this.#masks = new Uint32Array(limit)
  }

  get size(): number {
    return this.#size
  }

  /** Whether there is room for the document, or a worse one to give way. */
  admits(doc: number, score: number): boolean {
    if (this.#size < this.#limit) return true
    if (this.#limit === 0) return false
    const worst = this.#scores[0] ?? 0
    return score > worst || (score === worst && doc > (this.#docs[0] ?? 0))
  }

  /** Keeps a document that `admits` has admitted. */
  add(doc: number, score: number, mask: number): void {
    if (this.#size < this.#limit) {
      this.#size += 1
      this.#rise(this.#size - 1, doc, score, mask)
    } else {
      this.#sink(doc, score, mask)
    }
  }

  /** Empties the heap, the worst document first. */
  drain(visit: (doc: number, score: number, mask: number) => void): void {
    while (this.#size > 0) {
      visit(this.#docs[0] ?? 0, this.#scores[0] ?? 0, this.#masks[0] ?? 0)
      const last = this.#size - 1
      this.#size = last
      this.#sink(this.#docs[last] ?? 0, this.#scores[last] ?? 0, this.#masks[last] ?? 0)
    }
  }

  #rise(from: number, doc: number, score: number, mask: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isWorse(doc, score, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, doc, score, mask)
  }

  #sink(doc: number, score: number, mask: number): void {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.#size) break
      const right = child + 1
      if (right < this.#size && this.#isWorse(this.#docs[right] ?? 0, this.#scores[right] ?? 0, child))
        child = right
      if (this.#isWorse(doc, score, child)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, doc, score, mask)
  }

  #isWorse(doc: number, score: number, other: number): boolean {
    const otherScore = this.#scores[other] ?? 0
    return score < otherScore || (score === otherScore && doc < (this.#docs[other] ?? 0))
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#docs[from] ?? 0, this.#scores[from] ?? 0, this.#masks[from] ?? 0)
  }

  #put(at: number, doc: number, score: number, mask: number): void {
    this.#docs[at] = doc
    this.#scores[at] = score
    this.#masks[at] = mask
  }
}
