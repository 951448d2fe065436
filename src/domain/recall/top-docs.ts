/** Documents held between two cuts, several times what is usually kept: a cut takes a few nanoseconds for each. */
const ROOM = 2_048
const BUCKETS = 1_024
/** Documents that are put in order though they are too many. */
const SPARE = 512

// Scratch of the thread: nothing here is needed beyond the call that fills it.
const counts = new Int32Array(BUCKETS)

/**
 * The best documents of many: by score, at the same score the newer one. It takes whatever comes until it is full, and
 * then finds the worst that stays by counting, which is faster than keeping an order all the time.
 */
export class TopDocs {
  #limit = 0
  #docs = new Int32Array(0)
  #scores = new Float64Array(0)
  #masks = new Uint32Array(0)
  #keys = new Float64Array(0)
  #order = new Int32Array(0)
  #size = 0
  // The worst that stayed at the last cut: nothing below it can be among the best.
  #worstScore = 0
  #worstDoc = -1
  // Buckets of the scores: (score - low) * scale.
  #low = 0
  #scale = 0

  constructor(limit: number) {
    this.#makeRoom(ROOM)
    this.clear(limit)
  }

  /** Forgets all documents, to be used again. */
  clear(limit: number): void {
    while (this.#docs.length < 2 * limit) this.#makeRoom(this.#docs.length * 2)
    this.#limit = limit
    this.#size = 0
    this.#worstScore = limit === 0 ? Infinity : -Infinity
    this.#worstDoc = -1
  }

  /** False: the document is not among the best. */
  admits(doc: number, score: number): boolean {
    return score > this.#worstScore || (score === this.#worstScore && doc > this.#worstDoc)
  }

  /** Takes a document that `admits` has admitted. */
  add(doc: number, score: number, mask: number): void {
    if (this.#size === this.#docs.length) this.#cut()
    const at = this.#size
    this.#docs[at] = doc
    this.#scores[at] = score
    this.#masks[at] = mask
    this.#size = at + 1
  }

  /** Puts the best in order and answers how many they are: number 0 is the best. */
  settle(): number {
    const wanted = Math.min(this.#size, this.#limit)
    this.#countScores()
    let placed = 0
    let bucket = BUCKETS
    while (placed < wanted) {
      bucket -= 1
      const here = counts[bucket] ?? 0
      counts[bucket] = placed
      placed += here
    }
    if (placed > wanted + SPARE) {
      this.#cut()
      return this.settle()
    }
    // What is worse goes behind, where nobody looks: faster than asking of each whether it does.
    counts.fill(placed, 0, bucket)
    this.#place()
    this.#putInOrder(placed)
    return wanted
  }

  docAt(number: number): number {
    return this.#docs[this.#order[number] ?? 0] ?? 0
  }

  scoreAt(number: number): number {
    return this.#keys[number] ?? 0
  }

  maskAt(number: number): number {
    return this.#masks[this.#order[number] ?? 0] ?? 0
  }

  /** Documents by bucket, the best first, in a bucket the last one first. */
  #place(): void {
    const scores = this.#scores
    const order = this.#order
    const keys = this.#keys
    const low = this.#low
    const scale = this.#scale
    const next = counts
    for (let at = this.#size - 1; at >= 0; at -= 1) {
      const score = scores[at] ?? 0
      const bucket = ((score - low) * scale) | 0
      const number = next[bucket] ?? 0
      order[number] = at
      keys[number] = score
      next[bucket] = number + 1
    }
  }

  /** Moves each before those that are worse; they are in the same bucket, so it does not go far. */
  #putInOrder(placed: number): void {
    const order = this.#order
    const keys = this.#keys
    for (let number = 1; number < placed; number += 1) {
      const score = keys[number] ?? 0
      let at = number
      if (score < (keys[at - 1] ?? 0)) continue
      const place = order[number] ?? 0
      const doc = this.#docs[place] ?? 0
      for (; at > 0; at -= 1) {
        const other = order[at - 1] ?? 0
        const otherScore = keys[at - 1] ?? 0
        if (score < otherScore || (score === otherScore && doc < (this.#docs[other] ?? 0))) break
        order[at] = other
        keys[at] = otherScore
      }
      order[at] = place
      keys[at] = score
    }
  }

  /** How many documents each bucket of scores has. */
  #countScores(): void {
    const scores = this.#scores
    const size = this.#size
    let low = Infinity
    let high = -Infinity
    for (let at = 0; at < size; at += 1) {
      const score = scores[at] ?? 0
      if (score < low) low = score
      if (score > high) high = score
    }
    const steps = (BUCKETS - 1) / (high - low)
    // Zero where all scores are the same, or as good as that.
    const scale = Number.isFinite(steps) ? steps : 0
    this.#low = low
    this.#scale = scale
    const here = counts
    here.fill(0)
    for (let at = 0; at < size; at += 1) {
      const bucket = (((scores[at] ?? 0) - low) * scale) | 0
      here[bucket] = (here[bucket] ?? 0) + 1
    }
  }

  #makeRoom(room: number): void {
    this.#docs = new Int32Array(room)
    this.#scores = new Float64Array(room)
    this.#masks = new Uint32Array(room)
    this.#keys = new Float64Array(room)
    this.#order = new Int32Array(room)
  }

  /** Drops all but the best `limit`. */
  #cut(): void {
    this.#findWorst()
    let kept = 0
    for (let at = 0; at < this.#size; at += 1) {
      const score = this.#scores[at] ?? 0
      const doc = this.#docs[at] ?? 0
      if (score < this.#worstScore || (score === this.#worstScore && doc < this.#worstDoc)) continue
      this.#docs[kept] = doc
      this.#scores[kept] = score
      this.#masks[kept] = this.#masks[at] ?? 0
      kept += 1
    }
    this.#size = kept
  }

  /** Which of the documents is number `limit` of the best: its bucket by counting, then by order inside of that. */
  #findWorst(): void {
    this.#countScores()
    let wanted = this.#limit
    let bucket = BUCKETS - 1
    while (wanted > (counts[bucket] ?? 0)) {
      wanted -= counts[bucket] ?? 0
      bucket -= 1
    }
    let among = 0
    for (let at = 0; at < this.#size; at += 1) {
      const score = this.#scores[at] ?? 0
      if ((((score - this.#low) * this.#scale) | 0) !== bucket) continue
      this.#keys[among] = score
      among += 1
    }
    const sorted = this.#keys.subarray(0, among).sort()
    const worst = sorted[among - wanted] ?? 0
    this.#worstScore = worst
    for (let at = among - 1; at >= 0 && (sorted[at] ?? 0) > worst; at -= 1) wanted -= 1
    this.#worstDoc = this.#newest(wanted, worst)
  }

  /** Number `wanted` of the documents with this score, the newest first. */
  #newest(wanted: number, score: number): number {
    let same = 0
    for (let at = 0; at < this.#size; at += 1) {
      if (this.#scores[at] !== score) continue
      this.#order[same] = this.#docs[at] ?? 0
      same += 1
    }
    return this.#order.subarray(0, same).sort()[same - wanted] ?? 0
  }
}
