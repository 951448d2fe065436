import { assert } from '../base/assert.ts'
import { mix32 } from '../base/hash.ts'
import { BANDS, equalBytes, estimateFrom, type TextSignature } from './text-signature.ts'

/** An entry that may be near, with the estimate of its similarity. */
export interface NearHit {
  readonly id: number
  /** 0 to 1, see `estimateFrom`. */
  readonly similarity: number
}

/** How far an estimate may lie below the wanted similarity and still be answered: three standard deviations at 0.8. */
export const ESTIMATE_SLACK = 0.175

/** Words of a row: the signature, then the two halves of the digest. */
const ROW_WORDS = BANDS + 2
/** Chains of a row: one a band, one for the digest and one for the id. */
const CHAINS = BANDS + 2
const DIGEST_CHAIN = BANDS
const ID_CHAIN = BANDS + 1
const ROWS_AT_FIRST = 4
const BUCKETS_PER_ROW = CHAINS / 2
const NONE = -1

/**
 * Finds equal and similar texts by their signatures, in time of the number of texts that share a band with them.
 *
 *   words   [ sig 0 … sig 11, digest low, digest high | … ]   by row
 *   heads   [ node, … ]                                       by bucket; a bucket holds two nodes or less, in the mean
 *   next    [ node, … ]                                       by node = row * 14 + chain
 *
 * A row is found through each of its 12 bands (4 bins must be equal), its digest and its id. Two texts of similarity s
 * share a band with probability 1 - (1 - s^4)^12: 0.998 at 0.8, 0.54 at 0.5, 0.02 at 0.2.
 *
 * A write splits as many buckets as keep them short (linear hashing, Litwin, 1980): no write waits for all rows to be
 * linked anew. What grows is copied, which takes 40 ns a row.
 *
 * Invariant: rows 0 … size - 1 are live and in every chain of theirs; a removal moves the last row into the gap and
 * zeroes what it leaves, so nothing of a removed text stays.
 */
export class NearIndex {
  #size = 0
  #ids = new Int32Array(ROWS_AT_FIRST)
  #words = new Uint32Array(ROWS_AT_FIRST * ROW_WORDS)
  /** 1 when the row has a signature. */
  #hasBands = new Uint8Array(ROWS_AT_FIRST)
  /** Number of the last query that met the row. */
  #met = new Int32Array(ROWS_AT_FIRST)
  #next = new Int32Array(ROWS_AT_FIRST * CHAINS)
  #heads = new Int32Array(ROWS_AT_FIRST * BUCKETS_PER_ROW).fill(NONE)
  /** Buckets in use, and the greatest power of two that is not above. */
  #buckets = this.#heads.length
  #low = powerUpTo(this.#heads.length)
  #query = 0

  get size(): number {
    return this.#size
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    const columns = [this.#ids, this.#words, this.#hasBands, this.#met, this.#next, this.#heads]
    return columns.reduce((sum, column) => sum + column.byteLength, 0)
  }

  /** Makes room for so many rows, so that nothing is copied on the way there. */
  reserve(rows: number): void {
    if (rows > this.#ids.length) this.#resize(rows)
  }

  has(id: number): boolean {
    return this.#rowOf(id) !== NONE
  }

  /** Adds an id, an integer of 31 bits that is not in the index. */
  add(id: number, text: TextSignature): void {
    assert(Number.isInteger(id) && id >= 0 && id <= 0x7fffffff, 'an id of the near index out of range')
    assert(!this.has(id), 'an id is twice in the near index')
    if (this.#size === this.#ids.length) this.#resize(Math.ceil(this.#size * 1.5))
    const row = this.#size
    this.#size += 1
    this.#ids[row] = id
    const from = row * ROW_WORDS
    if (text.bins !== null) this.#words.set(text.bins, from)
    this.#words[from + BANDS] = text.digest.low
    this.#words[from + BANDS + 1] = text.digest.high
    this.#hasBands[row] = text.bins === null ? 0 : 1
    this.#link(row)
    while (this.#buckets < this.#size * BUCKETS_PER_ROW) this.#split()
  }

  /** Takes an id out; false when it is not in the index. Afterwards all answers are as if it had never been added. */
  remove(id: number): boolean {
    const row = this.#rowOf(id)
    if (row === NONE) return false
    this.#unlink(row)
    this.#size -= 1
    if (row !== this.#size) this.#move(this.#size, row)
    this.#words.fill(0, this.#size * ROW_WORDS, (this.#size + 1) * ROW_WORDS)
    this.#ids[this.#size] = 0
    if (this.#ids.length > ROWS_AT_FIRST && this.#size * 4 < this.#ids.length)
      this.#resize(Math.max(ROWS_AT_FIRST, this.#size * 2))
    return true
  }

  /** Ids of the texts that normalise to the same, the newest (highest) first. */
  exact(text: TextSignature): number[] {
    const { low, high } = text.digest
    const found: number[] = []
    for (let node = this.#head(DIGEST_CHAIN, low); node !== NONE; node = this.#next[node] ?? NONE) {
      const row = Math.trunc(node / CHAINS)
      if (node !== row * CHAINS + DIGEST_CHAIN) continue
      const from = row * ROW_WORDS + BANDS
      if (this.#words[from] === low && this.#words[from + 1] === high) found.push(this.#ids[row] ?? 0)
    }
    return found.sort((a, b) => b - a)
  }

  /**
   * The texts that may have at least the similarity `minimum` (0 to 1): every one found whose estimate is at most
   * `ESTIMATE_SLACK` below it. The most similar first, then the highest id. At 0.8 and above it misses less than 1 %.
   */
  near(text: TextSignature, minimum: number): NearHit[] {
    const { bins } = text
    if (bins === null) return []
    const query = this.#nextQuery()
    const found: NearHit[] = []
    for (let band = 0; band < BANDS; band += 1) {
      const word = bins[band] ?? 0
      for (let node = this.#head(band, word); node !== NONE; node = this.#next[node] ?? NONE) {
        const row = Math.trunc(node / CHAINS)
        // Numbers that are at hand come before those that have to be fetched.
        if (node !== row * CHAINS + band || this.#met[row] === query) continue
        if (this.#words[row * ROW_WORDS + band] !== word) continue
        this.#met[row] = query
        const similarity = this.#estimate(row, bins)
        if (similarity >= minimum - ESTIMATE_SLACK) found.push({ id: this.#ids[row] ?? 0, similarity })
      }
    }
    return found.sort((a, b) => b.similarity - a.similarity || b.id - a.id)
  }

  #estimate(row: number, bins: Uint32Array): number {
    const from = row * ROW_WORDS
    let equal = 0
    for (let band = 0; band < BANDS; band += 1)
      equal += equalBytes(this.#words[from + band] ?? 0, bins[band] ?? 0)
    return estimateFrom(equal)
  }

  #nextQuery(): number {
    if (this.#query === 0x7fffffff) {
      this.#met.fill(0)
      this.#query = 0
    }
    this.#query += 1
    return this.#query
  }

  #head(chain: number, word: number): number {
    return this.#heads[this.#bucket(chain, word)] ?? NONE
  }

  #bucket(chain: number, word: number): number {
    const bucket = mix32(word ^ Math.imul(chain + 1, 0x9e3779b9)) & (2 * this.#low - 1)
    // One that is not in use yet is still a part of the one that will be split for it.
    return bucket < this.#buckets ? bucket : bucket - this.#low
  }

  #rowOf(id: number): number {
    for (let node = this.#head(ID_CHAIN, id); node !== NONE; node = this.#next[node] ?? NONE) {
      const row = Math.trunc(node / CHAINS)
      if (this.#ids[row] === id && node === row * CHAINS + ID_CHAIN) return row
    }
    return NONE
  }

  #firstChain(row: number): number {
    return this.#hasBands[row] === 1 ? 0 : DIGEST_CHAIN
  }

  #bucketOf(row: number, chain: number): number {
    const word = chain === ID_CHAIN ? this.#ids[row] : this.#words[row * ROW_WORDS + chain]
    return this.#bucket(chain, word ?? 0)
  }

  #link(row: number): void {
    for (let chain = this.#firstChain(row); chain < CHAINS; chain += 1) {
      const bucket = this.#bucketOf(row, chain)
      const node = row * CHAINS + chain
      this.#next[node] = this.#heads[bucket] ?? NONE
      this.#heads[bucket] = node
    }
  }

  #unlink(row: number): void {
    for (let chain = this.#firstChain(row); chain < CHAINS; chain += 1) {
      const bucket = this.#bucketOf(row, chain)
      const node = row * CHAINS + chain
      const next = this.#next[node] ?? NONE
      let before = this.#heads[bucket] ?? NONE
      if (before === node) {
        this.#heads[bucket] = next
        continue
      }
      while (this.#next[before] !== node) before = this.#next[before] ?? NONE
      this.#next[before] = next
    }
  }

  #move(from: number, to: number): void {
    this.#unlink(from)
    this.#ids[to] = this.#ids[from] ?? 0
    this.#words.copyWithin(to * ROW_WORDS, from * ROW_WORDS, (from + 1) * ROW_WORDS)
    this.#hasBands[to] = this.#hasBands[from] ?? 0
    this.#met[to] = this.#met[from] ?? 0
    this.#link(to)
  }

  #resize(rows: number): void {
    this.#ids = resized(this.#ids, new Int32Array(rows))
    this.#words = resized(this.#words, new Uint32Array(rows * ROW_WORDS))
    this.#hasBands = resized(this.#hasBands, new Uint8Array(rows))
    this.#met = resized(this.#met, new Int32Array(rows))
    this.#next = resized(this.#next, new Int32Array(rows * CHAINS))
    const heads = new Int32Array(rows * BUCKETS_PER_ROW)
    if (this.#size > 0 && heads.length > this.#heads.length) {
      this.#heads = resized(this.#heads, heads)
      return
    }
    this.#heads = heads.fill(NONE)
    this.#buckets = heads.length
    this.#low = powerUpTo(heads.length)
    for (let row = 0; row < this.#size; row += 1) this.#link(row)
  }

  /** Takes one more bucket into use, with the nodes that belong there. */
  #split(): void {
    const from = this.#buckets - this.#low
    let node = this.#heads[from] ?? NONE
    this.#heads[from] = NONE
    this.#heads[this.#buckets] = NONE
    this.#buckets += 1
    while (node !== NONE) {
      const next = this.#next[node] ?? NONE
      const row = Math.trunc(node / CHAINS)
      const bucket = this.#bucketOf(row, node - row * CHAINS)
      this.#next[node] = this.#heads[bucket] ?? NONE
      this.#heads[bucket] = node
      node = next
    }
    if (this.#buckets === 2 * this.#low) this.#low = this.#buckets
  }
}

function powerUpTo(count: number): number {
  return 2 ** Math.floor(Math.log2(count))
}

function resized<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from)
  return to
}
