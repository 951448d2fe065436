import { CAPITAL, classAt, DIGIT, GAP, isWordClass, JOINT } from '../text/unicode.ts'
import type { Spellings } from './spellings.ts'
import { type FoldedText, foldedText, type TokenSink, tokensAt } from './tokens.ts'

// A plain word is one of letters and digits of ASCII, at most 16, between characters that join it with nothing: most words
// of most texts. It is found by its letters as they stand in the text, without a string, in one line of the processor's cache.
//
//   entry [ w0 w1 w2 w3 | word | mask | owner | term ]   32 bytes
//
// w0 … w3: the letters, in small letters, zeros behind the last. `term` is what the index numbered `owner` calls the word in an
// English text. Entries stand where the letters say or behind it, at most 7/8 of them taken; an empty one begins with zero.
const ENTRY_SHIFT = 3
const ENTRY_NUMBERS = 1 << ENTRY_SHIFT
const ENTRIES_AT_FIRST = 256
const WORD = 4
const MASK = 5
const OWNER = 6
const TERM = 7

/** Letters of a plain word at most. */
const PLAIN_CHARS_MAX = 16
/** What the index calls the word is not known here. */
export const UNASKED = -2
/** The index knows nothing of the word: it is a stop word. */
export const NO_TERM = -1

/** Letters become small ones; digits have the bit. */
const SMALL_LETTERS = 0x20202020
const BYTES_AT_FIRST = 4096

const ASCII_END = 0x80
const CURLED_APOSTROPHE = 0x2019
const BLANK = 0x20
const APOSTROPHE = 0x27
const HYPHEN = 0x2d
const COLON = 0x3a
const BACKSLASH = 0x5c
/** A letter that is not one of ASCII, or has an accent. */
const OTHER_LETTER = 0x80

// Kinds of bytes; those of plain words come first.
const SMALL_BYTE = 1
const DIGIT_BYTE = 2
const CAPITAL_BYTE = 4
const GAP_BYTE = 8
/** May join what is before it with what is behind it. */
const MARK_BYTE = 16

const KINDS: Uint8Array = byteKinds()
const KEY_MASKS: Int32Array = keyMasks()
/** A commit id has so many characters, with digits among them. */
const COMMIT_CHARS_MIN = 7

/** Numbers words and tells their masks. */
interface WordNumbers {
  numberOf(text: string, start: number, end: number): number
  maskOf(word: number): number
}

/** Receives the plain word [start, end) of a text. */
export type PlainSink = (text: string, start: number, end: number) => void

/** In a question such a word may be a code. */
export const UNLESS_DIGITS = DIGIT_BYTE

/**
 * Every token of a text of any language, as `eachToken` tells them: plain words to one receiver, all else to the other.
 * `unless`: 0, or UNLESS_DIGITS.
 */
export function eachWord(
  text: string,
  plain: PlainWords,
  unless: number,
  onPlain: PlainSink,
  sink: TokenSink,
): void {
  let folded: FoldedText | null = null
  if (!plain.take(text)) {
    folded = foldedText(text)
    plain.takeFolded(folded)
  }
  const size = folded === null ? text.length : folded.cased.length
  const source = folded?.lower ?? text
  for (let start = plain.nextFrom(0, size); start < size; ) {
    let next = plain.endOf(start, unless)
    if (next > 0) onPlain(source, start, next)
    else {
      folded ??= foldedText(text)
      next = tokensAt(folded, start, sink)
    }
    start = plain.nextFrom(next, size)
  }
}

/**
 * The plain words of the text at hand, and what is known of those that were met before. The next text takes the place of
 * this one.
 */
export class PlainWords {
  #bytes = new Uint8Array(BYTES_AT_FIRST)
  #view = new DataView(this.#bytes.buffer)
  #entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
  #size = 0
  #owner: WeakRef<Spellings> | null = null
  #ownerNumber = 0

  /** Takes a text that folding leaves as it is; false when it is another one. */
  take(text: string): boolean {
    const bytes = this.#bytesFor(text.length)
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code >= ASCII_END || code === BACKSLASH) return false
      bytes[at] = code
    }
    return true
  }

  /** Takes a text of any kind. */
  takeFolded(text: FoldedText): void {
    const { cased, lower, spoken } = text
    const bytes = this.#bytesFor(cased.length)
    for (let at = 0; at < cased.length; at += 1) {
      const code = cased.charCodeAt(at)
      if (code >= ASCII_END) bytes[at] = byteOf(cased, at, code)
      else bytes[at] = spoken.charCodeAt(at) === lower.charCodeAt(at) ? code : OTHER_LETTER
    }
  }

  /** Where the next token begins from `at` on, or the end of a text of `size` characters. */
  nextFrom(at: number, size: number): number {
    const bytes = this.#bytes
    let start = at
    while (start < size && (KINDS[bytes[start] ?? 0] ?? 0) >= GAP_BYTE) start += 1
    return start
  }

  /** End of the plain word that begins at `start`; 0 when what begins there is no plain word, or has one of `unless` in it. */
  endOf(start: number, unless: number): number {
    const bytes = this.#bytes
    let kind = KINDS[bytes[start] ?? 0] ?? 0
    let seen = kind & DIGIT_BYTE
    let end = start
    while (kind !== 0 && kind < GAP_BYTE) {
      end += 1
      kind = KINDS[bytes[end] ?? 0] ?? 0
      seen |= kind
    }
    const chars = end - start
    if (kind === 0 || chars > PLAIN_CHARS_MAX) return 0
    if (kind === MARK_BYTE && KINDS[bytes[end + 1] ?? 0] !== GAP_BYTE) return 0
    if ((seen & (CAPITAL_BYTE | unless)) !== 0) return 0
    if ((seen & DIGIT_BYTE) !== 0 && chars >= COMMIT_CHARS_MIN) return 0
    // Behind two hyphens it may be a flag.
    return bytes[start - 1] === HYPHEN && bytes[start - 2] === HYPHEN ? 0 : end
  }

  /** Entry of the plain word [start, end) of the text at hand, where `text` has it too. Those found before may mean nothing afterwards. */
  entryOf(text: string, start: number, end: number, words: WordNumbers): number {
    const known = this.#find(start, end - start)
    if (known >= 0) return known
    const spoken = text.slice(start, end).toLowerCase()
    const word = words.numberOf(spoken, 0, spoken.length)
    return this.#put(start, end - start, word, words.maskOf(word))
  }

  /** Below zero: it was not met before. */
  #find(start: number, chars: number): number {
    const view = this.#view
    const entries = this.#entries
    const last = entries.length - 1
    const mask = chars << 2
    const w0 = (view.getInt32(start, true) | SMALL_LETTERS) & (KEY_MASKS[mask] ?? 0)
    const w1 = (view.getInt32(start + 4, true) | SMALL_LETTERS) & (KEY_MASKS[mask + 1] ?? 0)
    const w2 = (view.getInt32(start + 8, true) | SMALL_LETTERS) & (KEY_MASKS[mask + 2] ?? 0)
    const w3 = (view.getInt32(start + 12, true) | SMALL_LETTERS) & (KEY_MASKS[mask + 3] ?? 0)
    for (let at = hashOf(w0, w1, w2, w3) & last; ; at = (at + ENTRY_NUMBERS) & last) {
      const here = entries[at]
      if (here === w0 && entries[at + 1] === w1 && entries[at + 2] === w2 && entries[at + 3] === w3) return at
      if (here === 0) return -1
    }
  }

  #put(start: number, chars: number, word: number, mask: number): number {
    if (this.#size * 8 >= (this.#entries.length >>> ENTRY_SHIFT) * 7) this.#grow()
    const entry = new Int32Array(ENTRY_NUMBERS)
    for (let part = 0; part < 4; part += 1) {
      const letters = this.#view.getInt32(start + part * 4, true) | SMALL_LETTERS
      entry[part] = letters & (KEY_MASKS[chars * 4 + part] ?? 0)
    }
    entry[WORD] = word
    entry[MASK] = mask
    entry[TERM] = UNASKED
    this.#size += 1
    return placed(this.#entries, entry, 0)
  }

  /** Its number among the words. */
  wordAt(entry: number): number {
    return this.#entries[entry + WORD] ?? 0
  }

  /** What `wordMaskOf` tells of it. */
  maskAt(entry: number): number {
    return this.#entries[entry + MASK] ?? 0
  }

  /** What the index numbered `owner` calls it in an English text, NO_TERM or UNASKED. */
  termAt(entry: number, owner: number): number {
    return this.#entries[entry + OWNER] === owner ? (this.#entries[entry + TERM] ?? UNASKED) : UNASKED
  }

  /** Does nothing when the entry is another word's by now. */
  setTerm(entry: number, word: number, owner: number, term: number): void {
    if (this.#entries[entry + WORD] !== word) return
    this.#entries[entry + OWNER] = owner
    this.#entries[entry + TERM] = term
  }

  /** Number of an index by its terms, above 0: another one than before when another index was asked for since. */
  ownerOf(terms: Spellings): number {
    if (this.#owner?.deref() !== terms) {
      this.#owner = new WeakRef(terms)
      this.#ownerNumber += 1
    }
    return this.#ownerNumber
  }

  /** Forgets the text at hand and every word. */
  forget(): void {
    this.#bytes.fill(0)
    this.#entries = new Int32Array(ENTRIES_AT_FIRST * ENTRY_NUMBERS)
    this.#size = 0
    this.#owner = null
  }

  /** Room for so many bytes and for what is read behind the last word. */
  #bytesFor(size: number): Uint8Array {
    const least = size + PLAIN_CHARS_MAX
    if (least > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(least, this.#bytes.length * 2))
      this.#view = new DataView(this.#bytes.buffer)
    }
    this.#bytes[size] = BLANK
    this.#bytes[size + 1] = BLANK
    return this.#bytes
  }

  #grow(): void {
    const from = this.#entries
    const to = new Int32Array(from.length * 2)
    for (let at = 0; at < from.length; at += ENTRY_NUMBERS) if (from[at] !== 0) placed(to, from, at)
    this.#entries = to
  }
}

/** Stands for a character that is not of ASCII: it separates words, is an apostrophe, or belongs to a word. */
function byteOf(text: string, at: number, code: number): number {
  if (classAt(text, at) !== GAP) return OTHER_LETTER
  return code === CURLED_APOSTROPHE ? APOSTROPHE : BLANK
}

/** By byte; 0: a letter that makes a word no plain one. */
function byteKinds(): Uint8Array {
  const kinds = new Uint8Array(256)
  for (let byte = 0; byte < ASCII_END; byte += 1) {
    const characterClass = classAt(String.fromCharCode(byte), 0)
    if (characterClass === CAPITAL) kinds[byte] = CAPITAL_BYTE
    else if (characterClass === DIGIT) kinds[byte] = DIGIT_BYTE
    else if (isWordClass(characterClass)) kinds[byte] = SMALL_BYTE
    else
      kinds[byte] = characterClass === JOINT || byte === APOSTROPHE || byte === COLON ? MARK_BYTE : GAP_BYTE
  }
  return kinds
}

/** By length of a word, four numbers: the bits of its bytes. */
function keyMasks(): Int32Array {
  const bytes = new Uint8Array((PLAIN_CHARS_MAX + 1) * PLAIN_CHARS_MAX)
  for (let chars = 1; chars <= PLAIN_CHARS_MAX; chars += 1)
    bytes.fill(0xff, chars * PLAIN_CHARS_MAX, chars * PLAIN_CHARS_MAX + chars)
  const view = new DataView(bytes.buffer)
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(at * 4, true))
}

/** Copies the entry at `at` into the first empty one of its word; answers which. */
function placed(entries: Int32Array, from: Int32Array, at: number): number {
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
