const K1 = 1.2
const B = 0.75

/** BM25 as the textbooks have it, without any trick: a yardstick. */
export class Bm25 {
  readonly #counts = new Map<string, Map<number, number>>()
  readonly #lengths: readonly number[]
  readonly #meanLength: number

  /** Documents as their words. */
  constructor(docs: readonly (readonly string[])[]) {
    this.#lengths = docs.map((words) => words.length)
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / docs.length
    for (const [doc, words] of docs.entries()) {
      for (const word of words) {
        const counts = this.#counts.get(word) ?? new Map<number, number>()
        this.#counts.set(word, counts.set(doc, (counts.get(doc) ?? 0) + 1))
      }
    }
  }

  /** Places of the documents that have a word of the query, best first; at the same score the earlier one. */
  search(words: readonly string[], limit: number): readonly number[] {
    const scores = new Map<number, number>()
    for (const word of new Set(words)) {
      const counts = this.#counts.get(word)
      if (counts === undefined) continue
      const idf = Math.log(1 + (this.#lengths.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [doc, count] of counts) {
        const length = (this.#lengths[doc] ?? 0) / this.#meanLength
        const gain = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
        scores.set(doc, (scores.get(doc) ?? 0) + idf * gain)
      }
    }
    return [...scores]
      .sort(([docA, a], [docB, b]) => b - a || docA - docB)
      .slice(0, limit)
      .map(([doc]) => doc)
  }
}
