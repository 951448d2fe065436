/** So many of the best other memories of a run say whether the run is what is asked about. */
const OTHERS = 3
const KEPT = OTHERS + 1

/** What the other memories of a run say for one of them. Nothing of it grows with the length of the run alone. */
export class RunEvidence {
  /** All memories of each run that are seen. */
  readonly #lengths: Int32Array
  readonly #sums: Float64Array
  /** The best few scores of each run, in falling order. */
  readonly #best: Float64Array

  /** `lengths`: of each run, how many of its memories are seen. */
  constructor(lengths: readonly number[]) {
    this.#lengths = new Int32Array(lengths)
    this.#sums = new Float64Array(lengths.length)
    this.#best = new Float64Array(lengths.length * KEPT)
  }

  get runs(): number {
    return this.#lengths.length
  }

  /** Each memory once; those that are not added have no score. */
  add(run: number, score: number): void {
    this.#sums[run] = (this.#sums[run] ?? 0) + score
    const best = this.#best
    const first = run * KEPT
    let at = first + OTHERS
    if (score <= (best[at] ?? 0)) return
    for (; at > first && (best[at - 1] ?? 0) < score; at -= 1) best[at] = best[at - 1] ?? 0
    best[at] = score
  }

  /** The mean of the best three but for one with this score, which is of the run. */
  bestBeside(run: number, score: number): number {
    const best = this.#best
    const first = run * KEPT
    const last = first + OTHERS
    const sum = (best[first] ?? 0) + (best[first + 1] ?? 0) + (best[first + 2] ?? 0) + (best[last] ?? 0)
    // Beside one that is among the best, the other three; beside another one the first three.
    return (sum - Math.max(score, best[last] ?? 0)) / OTHERS
  }

  /** The mean of all but for one with this score. */
  meanBeside(run: number, score: number): number {
    const others = (this.#lengths[run] ?? 0) - 1
    return others < 1 ? 0 : ((this.#sums[run] ?? 0) - score) / others
  }

  /** The share of the others: 0 for a memory alone, nearly 1 in a long run. */
  longness(run: number): number {
    const length = this.#lengths[run] ?? 1
    return 1 - 1 / length
  }
}
