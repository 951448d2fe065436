import { CAPITAL, classAt, DENSE, fold, GAP, isWordClass } from '../text/unicode.ts'
import { PLAIN_CHARS_MAX } from './plain-words.ts'

/** Longer texts are read as texts of any script are. Characters. */
const CHARS_MAX = 65_536
/** What the key of a last word reads behind a text. */
const PADDING_BYTES = PLAIN_CHARS_MAX

// Kinds of bytes; those of words come first.
export const SMALL_BYTE = 1
export const CAPITAL_BYTE = 2
export const GAP_BYTE = 4
/** May join what is before it with what is behind it. */
export const MARK_BYTE = 8

const BLANK = 0x20
export const APOSTROPHE = 0x27
const CURLED_APOSTROPHE = '\u2019'
const DOTS = '\u2026'
const ASCII_END = 0x80
const LATIN_END = 0xff

// Bytes that are no letters of Latin-1.
const DOTS_BYTE = 0x80
/** What has no byte: its text is not plain. */
const OTHER = 0x81
const UNSEEN = 0x82

/** By byte. */
export const BYTE_KINDS: Uint8Array = byteKinds()

// Filled as characters are first met: those of the basic plane, one byte each.
const byteOfCode = new Uint8Array(0x10000).fill(UNSEEN)

const SURROGATE = /^\p{Cs}$/u

const encoder = new TextEncoder()

/**
 * The text at hand as one byte for each character, where all are of ASCII, letters of Latin-1 or what separates words (dashes,
 * quotes, arrows), for which the bytes of ASCII stand that do the same. Small and capital letters differ in one bit (0x20).
 * Scratch: the next text takes its place.
 */
export class PlainText {
  bytes = new Uint8Array(4_096)
  view = new DataView(this.bytes.buffer)

  /**
   * Answers a text with the same tokens, of which these are the bytes; folding changes none of its lengths. Null: it must be
   * read as texts of any script are.
   */
  read(text: string): string | null {
    const size = text.length
    if (size > CHARS_MAX) return null
    if (size + PADDING_BYTES > this.bytes.length) this.#widen(size + PADDING_BYTES)
    if (encoder.encodeInto(text, this.bytes).written !== size) {
      const found = this.#fill(text)
      if (found === DOTS_BYTE) return this.read(text.replaceAll(DOTS, '...'))
      if (found === OTHER) return null
    }
    this.bytes[size] = 0
    this.bytes[size + 1] = 0
    return text
  }

  /** Blanks what was read last. */
  forget(): void {
    this.bytes.fill(0)
  }

  /** Answers OTHER for a text that is not plain, DOTS_BYTE for one that is when its dots are three characters. */
  #fill(text: string): number {
    const { bytes } = this
    let dots = 0
    let letters = 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const known = byteOfCode[code] ?? UNSEEN
      const byte = known === UNSEEN ? met(code) : known
      bytes[at] = byte
      if (byte < ASCII_END) continue
      if (byte === OTHER) return OTHER
      if (byte === DOTS_BYTE) dots += 1
      else letters += 1
    }
    if (dots === 0) return 0
    // In a text that folding makes longer, accents are lost.
    return letters === 0 ? DOTS_BYTE : OTHER
  }

  #widen(least: number): void {
    this.bytes = new Uint8Array(Math.max(least, this.bytes.length * 2))
    this.view = new DataView(this.bytes.buffer)
  }
}

function met(code: number): number {
  const byte = byteOf(code)
  byteOfCode[code] = byte
  return byte
}

function byteOf(code: number): number {
  if (code < ASCII_END) return code
  const character = String.fromCharCode(code)
  if (character === DOTS) return DOTS_BYTE
  const folded = fold(character)
  const forms = [folded, folded.toLowerCase(), character.normalize('NFC').toLowerCase()]
  if (forms.some((form) => form.length !== 1)) return OTHER
  const characterClass = classAt(folded, 0)
  // As a byte, the last one is the small letter of a capital that there is not.
  if (isWordClass(characterClass)) return code < LATIN_END ? code : OTHER
  if (characterClass === DENSE || SURROGATE.test(character)) return OTHER
  if (folded === CURLED_APOSTROPHE) return APOSTROPHE
  return folded.charCodeAt(0) < ASCII_END ? folded.charCodeAt(0) : BLANK
}

function byteKinds(): Uint8Array {
  const kinds = new Uint8Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    const characterClass = classAt(fold(String.fromCharCode(byte)), 0)
    if (characterClass === CAPITAL) kinds[byte] = CAPITAL_BYTE
    else if (isWordClass(characterClass)) kinds[byte] = SMALL_BYTE
    else kinds[byte] = characterClass === GAP ? GAP_BYTE : MARK_BYTE
  }
  for (const mark of "'\\:") kinds[mark.charCodeAt(0)] = MARK_BYTE
  return kinds
}
