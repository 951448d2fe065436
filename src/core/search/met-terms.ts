import { UNASKED } from './plain-words.ts'

// An entry stands where the hash of form and owner says; a later one with that hash takes its place.
//
//   entry [ form | owner | term | - ]   16 bytes; owner 0: empty
const ENTRY_SHIFT = 2
const ENTRY_NUMBERS = 1 << ENTRY_SHIFT
const OWNER = 1
const TERM = 2
const ENTRIES_AT_FIRST = 256
/** A megabyte. */
const ENTRIES_MAX = 65_536

/**
 * How indexes call the words that they met lately: where writes to several scopes alternate, the one owner that an entry of
 * `PlainWords` has room for is always another one.
 */
export class MetTerms {
  #entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
  #size = 0

  /** The term of a form in an index, UNASKED when that was not met lately. */
  termOf(form: number, owner: number): number {
    const at = this.#placeOf(form, owner)
    const isKnown = this.#entries[at] === form && this.#entries[at + OWNER] === owner
    return isKnown ? (this.#entries[at + TERM] ?? UNASKED) : UNASKED
  }

  /** `owner`: number of a dictionary, above 0. */
  put(form: number, owner: number, term: number): void {
    if (this.#size * 4 > this.#entries.length >>> ENTRY_SHIFT) this.#grow()
    const at = this.#placeOf(form, owner)
    if (this.#entries[at + OWNER] === 0) this.#size += 1
    this.#entries[at] = form
    this.#entries[at + OWNER] = owner
    this.#entries[at + TERM] = term
  }

  forget(): void {
    this.#entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
    this.#size = 0
  }

  #placeOf(form: number, owner: number): number {
    const mixed = Math.imul(form, 0x9e3779b1) ^ Math.imul(owner, 0x85ebca6b)
    return (
      ((Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 12) << ENTRY_SHIFT) & (this.#entries.length - 1)
    )
  }

  #grow(): void {
    const from = this.#entries
    if (from.length >= ENTRIES_MAX * ENTRY_NUMBERS) return
    this.#entries = new Int32Array(from.length * 2)
    this.#size = 0
    for (let at = 0; at < from.length; at += ENTRY_NUMBERS) {
      const owner = from[at + OWNER] ?? 0
      if (owner !== 0) this.put(from[at] ?? 0, owner, from[at + TERM] ?? UNASKED)
    }
  }
}
