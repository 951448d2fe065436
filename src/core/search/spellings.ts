import { assert } from '../base/assert.ts'
import { resultOf } from '../base/collections.ts'
import { FNV_PRIME, FNV_START, hashText } from '../base/hash.ts'
import { copySteps, grownTo, isTight, roomyLength, touchSteps } from './growth.ts'

const SLOTS_AT_FIRST = 64
const POOL_CHARS_AT_FIRST = 256
/** Numbers that each new spelling moves after the slots have grown: with less than one they would grow again before all are moved. */
const MOVED_AT_ONCE = 4
/** Numbers that an image moves in one step, and those that take as long as to read a character. */
const MOVED_IN_STEP = 32 * 1024
const MOVED_PER_CHAR = 4

/** The arrays of all spellings, each as long as it is used, but `slots` whole. */
export interface SpellingsImage {
  readonly slots: Int32Array
  readonly hashes: Int32Array
  readonly starts: Int32Array
  readonly chars: Uint16Array
}

/**
 * Numbers for strings: 0, 1, 2 … in order of first sight. No string object is made for a spelling.
 *
 *   slots    [ -, 7, -, 0, … ]   open addressing, number + 1, at most 3/4 full; none for a blank spelling
 *   left     [ 0, 7 ]            half as many: the slots before they grew, until all numbers are moved out of them
 *   hashes   [ h0, h1, … ]       by number, so that growing does not read the spellings again
 *   starts   [ 0, 5, 9, … ]      by number: spelling n is pool[starts[n] .. starts[n + 1])
 *   pool     [ t o k e n … ]     UTF-16 code units
 */
export class Spellings {
  #slots: Int32Array
  /** Spellings for which there are slots. */
  #most: number
  #hashes: Int32Array
  #starts: Int32Array
  #pool: Uint16Array
  #size: number
  /** Slots that are too few, with the numbers before `#leftEnd`, of which those before `#moved` have slots as well. */
  #left: Int32Array | null = null
  #leftEnd = 0
  #moved = 0
  /** Slots for when these are full. */
  #next: Int32Array | null = null

  /** Goes on with the arrays of an image, and writes into them. */
  constructor(image: SpellingsImage | null = null) {
    this.#slots = image?.slots ?? new Int32Array(SLOTS_AT_FIRST)
    this.#most = mostOf(this.#slots)
    this.#hashes = image?.hashes ?? new Int32Array(this.#most)
    this.#starts = image?.starts ?? new Int32Array(this.#most + 1)
    this.#pool = image?.chars ?? new Uint16Array(POOL_CHARS_AT_FIRST)
    this.#size = image?.hashes.length ?? 0
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    const slots = this.#slots.byteLength + (this.#left?.byteLength ?? 0) + (this.#next?.byteLength ?? 0)
    return slots + this.#hashes.byteLength + this.#starts.byteLength + this.#pool.byteLength
  }

  /** The code units of all spellings, and by number where each begins: where the one before it ends. */
  get chars(): Uint16Array {
    return this.#pool
  }

  get starts(): Int32Array {
    return this.#starts
  }

  /** Number of the spelling text[start, end), -1 when it was never added. */
  find(text: string, start: number, end: number): number {
    return this.#seek(text, start, end, hashOf(text, start, end))
  }

  /** Number of the spelling in the first `length` code units, -1 when it was never added. */
  findCodes(codes: Uint16Array, length: number): number {
    let hash = FNV_START
    for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (codes[at] ?? 0), FNV_PRIME)
    hash = mixed(hash)
    const found = this.#seekCodes(this.#slots, codes, length, hash)
    return found >= 0 || this.#left === null ? found : this.#seekCodes(this.#left, codes, length, hash)
  }

  #seekCodes(slots: Int32Array, codes: Uint16Array, length: number, hash: number): number {
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0) return -1
      if (this.#hashes[number] === hash && this.#hasCodes(number, codes, length)) return number
    }
  }

  /** Below zero when the first spelling comes first, by code units. */
  compare(first: number, second: number): number {
    const shorter = Math.min(this.lengthOf(first), this.lengthOf(second))
    for (let at = 0; at < shorter; at += 1) {
      const difference = this.codeAt(first, at) - this.codeAt(second, at)
      if (difference !== 0) return difference
    }
    return this.lengthOf(first) - this.lengthOf(second)
  }

  /** Number of the spelling text[start, end), a new one when it is new. */
  add(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end)
    const found = this.#seek(text, start, end, hash)
    if (found >= 0) return found
    const number = this.#append(hash, end - start)
    const to = (this.#starts[number] ?? 0) - start
    for (let at = start; at < end; at += 1) this.#pool[to + at] = text.charCodeAt(at)
    return number
  }

  /** Spelling of a number that `add` gave. */
  spell(number: number): string {
    assert(number >= 0 && number < this.#size, 'a spelling number out of range')
    return String.fromCharCode(...this.#pool.subarray(this.#starts[number], this.#starts[number + 1]))
  }

  /** Takes every trace of a spelling away but its length. Its number is never given again. */
  blank(number: number): void {
    if (this.#isBlank(number)) return
    if (number < this.#moved || number >= this.#leftEnd) this.#displace(this.#slots, number)
    if (this.#left !== null && number < this.#leftEnd) this.#displace(this.#left, number)
    this.#hashes[number] = 0
    this.#pool.fill(0, this.#starts[number], this.#starts[number + 1])
  }

  /** What is spelled now; later changes leave it as it is. */
  image(): SpellingsImage {
    return resultOf(this.imageSteps())
  }

  /** As `image`, in steps that say how many characters of text they are worth. Nothing may be changed before the last one. */
  *imageSteps(): Generator<number, SpellingsImage> {
    while (this.#left !== null) {
      this.#move(this.#moved + MOVED_IN_STEP)
      yield MOVED_IN_STEP / MOVED_PER_CHAR
    }
    const size = this.#size
    const chars = this.#pool.subarray(0, this.#starts[size])
    return {
      slots: yield* copySteps(this.#slots, new Int32Array(this.#slots.length)),
      hashes: yield* copySteps(this.#hashes.subarray(0, size), new Int32Array(size)),
      starts: this.#starts.subarray(0, size + 1),
      chars: yield* copySteps(chars, new Uint16Array(chars.length)),
    }
  }

  /** Whether arrays that take long to be copied may be full before the next document is. */
  get isTight(): boolean {
    return (
      isTight(this.#hashes.length, this.#size) ||
      isTight(this.#pool.length, this.#starts[this.#size] ?? 0) ||
      this.#areSlotsTight
    )
  }

  get #areSlotsTight(): boolean {
    return this.#next === null && isTight(this.#most, this.#size)
  }

  /** Makes room for the next document, in steps as those of `imageSteps`. */
  *roomSteps(): Generator<number, void> {
    if (isTight(this.#hashes.length, this.#size)) {
      const room = roomyLength(this.#hashes.length, this.#size)
      this.#hashes = yield* copySteps(this.#hashes, new Int32Array(room))
      this.#starts = yield* copySteps(this.#starts, new Int32Array(room + 1))
    }
    const chars = this.#starts[this.#size] ?? 0
    if (isTight(this.#pool.length, chars))
      this.#pool = yield* copySteps(this.#pool, new Uint16Array(roomyLength(this.#pool.length, chars)))
    if (this.#areSlotsTight) this.#next = yield* touchSteps(new Int32Array(this.#slots.length * 2))
  }

  /** UTF-16 code units of a spelling. */
  lengthOf(number: number): number {
    return (this.#starts[number + 1] ?? 0) - (this.#starts[number] ?? 0)
  }

  /** Code unit at a place of a spelling. */
  codeAt(number: number, place: number): number {
    return this.#pool[(this.#starts[number] ?? 0) + place] ?? 0
  }

  #seek(text: string, start: number, end: number, hash: number): number {
    const found = this.#seekIn(this.#slots, text, start, end, hash)
    return found >= 0 || this.#left === null ? found : this.#seekIn(this.#left, text, start, end, hash)
  }

  #seekIn(slots: Int32Array, text: string, start: number, end: number, hash: number): number {
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1
      if (number < 0) return -1
      if (this.#hashes[number] === hash && this.#isSpelled(number, text, start, end)) return number
    }
  }

  #isSpelled(number: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - from !== end - start) return false
    for (let at = start; at < end; at += 1) {
      if (this.#pool[from + at - start] !== text.charCodeAt(at)) return false
    }
    return true
  }

  /** Its characters are written by the caller. */
  #append(hash: number, length: number): number {
    if (this.#size === this.#most) this.#growSlots()
    if (this.#size === this.#hashes.length) this.#growNumbers()
    if (this.#left !== null) this.#move(this.#moved + MOVED_AT_ONCE)
    const number = this.#size
    const to = (this.#starts[number] ?? 0) + length
    if (to > this.#pool.length) this.#growPool(to)
    this.#hashes[number] = hash
    this.#starts[number + 1] = to
    this.#size = number + 1
    this.#place(number, hash)
    return number
  }

  /** No spelling begins with a zero. */
  #isBlank(number: number): boolean {
    return this.lengthOf(number) > 0 && this.codeAt(number, 0) === 0
  }

  /** Empties the slot of a number, and moves up those behind it that were pushed away from their own (Knuth, 6.4 R). */
  #displace(slots: Int32Array, number: number): void {
    const mask = slots.length - 1
    let hole = (this.#hashes[number] ?? 0) & mask
    while (slots[hole] !== number + 1) hole = (hole + 1) & mask
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = (this.#hashes[(slots[slot] ?? 0) - 1] ?? 0) & mask
      // Whether the way from its home to where it is leads past the hole.
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue
      slots[hole] = slots[slot] ?? 0
      hole = slot
    }
    slots[hole] = 0
  }

  #hasCodes(number: number, codes: Uint16Array, length: number): boolean {
    if (this.lengthOf(number) !== length) return false
    for (let at = 0; at < length; at += 1) if (this.codeAt(number, at) !== codes[at]) return false
    return true
  }

  #place(number: number, hash: number): void {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = number + 1
  }

  #growSlots(): void {
    this.#move(this.#leftEnd)
    this.#left = this.#slots
    this.#leftEnd = this.#size
    this.#moved = 0
    this.#slots = this.#next ?? new Int32Array(this.#slots.length * 2)
    this.#next = null
    this.#most = mostOf(this.#slots)
  }

  /** Arrays that came from an image may be full before the slots are. */
  #growNumbers(): void {
    const room = Math.min(this.#most, grownTo(this.#size, SLOTS_AT_FIRST))
    this.#hashes = widened(this.#hashes, new Int32Array(room))
    this.#starts = widened(this.#starts, new Int32Array(room + 1))
  }

  /** Gives slots to all numbers before this one. Millions at once would take a tenth of a second: each new spelling moves some. */
  #move(to: number): void {
    if (this.#left === null) return
    const end = Math.min(to, this.#leftEnd)
    for (let number = this.#moved; number < end; number += 1) {
      if (!this.#isBlank(number)) this.#place(number, this.#hashes[number] ?? 0)
    }
    this.#moved = end
    if (end < this.#leftEnd) return
    this.#left = null
    this.#leftEnd = 0
    this.#moved = 0
  }

  #growPool(chars: number): void {
    this.#pool = widened(this.#pool, new Uint16Array(grownTo(this.#pool.length, chars)))
  }
}

/** Spellings for which there are slots. */
function mostOf(slots: Int32Array): number {
  return (slots.length * 3) / 4
}

function widened<T extends Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}

// Mixed, because slots are taken from the low bits.
function hashOf(text: string, start: number, end: number): number {
  return mixed(hashText(text, FNV_START, start, end))
}

function mixed(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 0
}
