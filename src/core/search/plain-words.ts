// A word as a key: sixteen bytes in four numbers, in small letters, zeros behind the last. Longer words have no key.
//
//   entry [ w0 w1 w2 w3 | form | mask | owner | term ]   32 bytes; mask: see `wordMaskOf`; term: of the index `owner`
//
// Entries stand where the key says or behind it, at most 7/8 of them taken. An empty one has zeros for a word.
const ENTRY_SHIFT = 3
const ENTRY_NUMBERS = 1 << ENTRY_SHIFT
const ENTRIES_AT_FIRST = 256
export const FORM = 4
export const MASK = 5
export const OWNER = 6
export const TERM = 7

/** Bytes of a word that has a key. */
export const PLAIN_CHARS_MAX = 16
/** The index has not said yet how it calls the word. */
export const UNASKED = -2
/** The index knows nothing of the word: it is a stop word. */
export const NO_TERM = -1

const NO_ENTRY = -1
/** Letters become small ones, those of Latin-1 too; digits have the bit. */
const SMALL_LETTERS = 0x20202020
const KEY_MASKS = keyMasks()

/** Where words stand in a text: start and length, or a form and 0 for a word that has one already. */
export const SPAN_NUMBERS = 2
/** What is told of a word: its term in an English text, its form, its entry, and how many times it counts. */
export const MET_NUMBERS = 4

/**
 * Words of letters and digits of ASCII and Latin-1 with their forms, found by their characters without a string for each.
 * `term` is the one that the index which met the word last has for it in an English text, as most texts are.
 */
export class PlainWords {
  #entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
  #size = 0

  /** Entry of the word of `chars` bytes, at most 16, at `start`; below zero when it is not here. Reads 16 bytes. */
  find(text: DataView, start: number, chars: number): number {
    const entries = this.#entries
    const masks = KEY_MASKS
    const last = entries.length - 1
    const mask = chars << 2
    const w0 = (text.getInt32(start, true) | SMALL_LETTERS) & (masks[mask] ?? 0)
    const w1 = (text.getInt32(start + 4, true) | SMALL_LETTERS) & (masks[mask + 1] ?? 0)
    const w2 = (text.getInt32(start + 8, true) | SMALL_LETTERS) & (masks[mask + 2] ?? 0)
    const w3 = (text.getInt32(start + 12, true) | SMALL_LETTERS) & (masks[mask + 3] ?? 0)
    for (let at = hashOf(w0, w1, w2, w3) & last; ; at = (at + ENTRY_NUMBERS) & last) {
      const here = entries[at]
      if (here === w0 && entries[at + 1] === w1 && entries[at + 2] === w2 && entries[at + 3] === w3) return at
      if (here === 0) return NO_ENTRY
    }
  }

  /** Entry of a word that had none. Entries that were found before mean nothing afterwards. */
  put(text: DataView, start: number, chars: number, form: number, mask: number): number {
    if (this.#size * 8 >= (this.#entries.length >>> ENTRY_SHIFT) * 7) this.#grow()
    const entry = new Int32Array(ENTRY_NUMBERS)
    for (let part = 0; part < 4; part += 1) {
      entry[part] =
        (text.getInt32(start + part * 4, true) | SMALL_LETTERS) & (KEY_MASKS[chars * 4 + part] ?? 0)
    }
    entry[FORM] = form
    entry[MASK] = mask
    entry[TERM] = UNASKED
    this.#size += 1
    return place(this.#entries, entry, 0)
  }

  /** The entries as they are until the next `put`. */
  get entries(): Int32Array {
    return this.#entries
  }

  /** Does nothing when the entry is another word's by now. */
  setTerm(entry: number, form: number, owner: number, term: number): void {
    if (this.#entries[entry + FORM] !== form) return
    this.#entries[entry + OWNER] = owner
    this.#entries[entry + TERM] = term
  }

  forget(): void {
    this.#entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
    this.#size = 0
  }

  #grow(): void {
    const from = this.#entries
    const to = new Int32Array(from.length * 2)
    for (let at = 0; at < from.length; at += ENTRY_NUMBERS) if (from[at] !== 0) place(to, from, at)
    this.#entries = to
  }
}

/** Copies the entry at `at` into the first empty one of its word; answers which. */
function place(entries: Int32Array, from: Int32Array, at: number): number {
  const last = entries.length - 1
  let to = hashOf(from[at] ?? 0, from[at + 1] ?? 0, from[at + 2] ?? 0, from[at + 3] ?? 0) & last
  while (entries[to] !== 0) to = (to + ENTRY_NUMBERS) & last
  for (let part = 0; part < ENTRY_NUMBERS; part += 1) entries[to + part] = from[at + part] ?? 0
  return to
}

/** A multiple of ENTRY_NUMBERS. */
function hashOf(w0: number, w1: number, w2: number, w3: number): number {
  const mixed =
    Math.imul(w0, 0x9e3779b1) ^
    Math.imul(w1, 0x85ebca6b) ^
    Math.imul(w2, 0xc2b2ae35) ^
    Math.imul(w3, 0x27d4eb2f)
  return (Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 12) << ENTRY_SHIFT
}

/** By length of a word, four numbers: the bits of its bytes. */
function keyMasks(): Int32Array {
  const masks = new Int32Array((PLAIN_CHARS_MAX + 1) * 4)
  const bytes = new Uint8Array(masks.buffer)
  for (let chars = 1; chars <= PLAIN_CHARS_MAX; chars += 1) bytes.fill(0xff, chars * 16, chars * 16 + chars)
  return masks
}
