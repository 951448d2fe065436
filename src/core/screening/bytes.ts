// Bytes out of digits and letters, and text out of bytes: the domain has no decoder of its own.

const UNITS_PER_CALL = 4096
/** How much of readable text is not controls. */
const PLAIN_SHARE = 0.95
/** The least code point of a character of so many bytes; what is less has a shorter form. */
const LEAST_OF = [0, 0, 0x80, 0x800, 0x10000]

/** Bytes of hexadecimal digits, two for each. */
export function bytesOfHex(digits: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at < digits.length; at += 2) bytes.push(hexByteAt(digits, at))
  return bytes
}

/** What units stand for in an alphabet; of those that are not in it nothing is said. */
type Alphabet = readonly number[]

/** Letters in the order of their values, and other letters for the last of them. */
export function alphabetOf(letters: string, aliasesOfLast = ''): Alphabet {
  const alphabet: number[] = []
  for (const [value, letter] of Array.from(letters).entries()) alphabet[letter.charCodeAt(0)] = value
  for (const [at, letter] of Array.from(aliasesOfLast).entries()) {
    alphabet[letter.charCodeAt(0)] = letters.length - aliasesOfLast.length + at
  }
  return alphabet
}

/** Bytes of letters that stand for `bitsPerLetter` bits each; a rest of bits is dropped. */
export function bytesPacked(letters: string, alphabet: Alphabet, bitsPerLetter: number): number[] {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  for (let at = 0; at < letters.length; at++) {
    buffer = ((buffer << bitsPerLetter) | (alphabet[letters.charCodeAt(at)] ?? 0)) & 0xffff
    bits += bitsPerLetter
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  return bytes
}

/** The bytes as UTF-8, null when they are not text that a person could read. */
export function readable(bytes: readonly number[]): string | null {
  let plain = 0
  for (const byte of bytes) if (isPlain(byte)) plain += 1
  return plain < bytes.length * PLAIN_SHARE ? null : utf8(bytes)
}

/** Neither a control nor a delete; units of letters beyond ASCII count one by one. */
function isPlain(byte: number): boolean {
  return (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d
}

/** UTF-8 by hand, because the domain has no decoder; null at the first wrong byte. */
function utf8(bytes: readonly number[]): string | null {
  const units: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const codePoint = codePointAt(bytes, at)
    if (codePoint === -1) return null
    at += bytesFrom(bytes[at] ?? 0)
    if (codePoint < 0x10000) units.push(codePoint)
    else units.push(0xd7c0 + (codePoint >> 10), 0xdc00 + (codePoint & 0x3ff))
  }
  return textOf(units)
}

/** How many bytes a character has that begins with this one, as far as that is UTF-8; 0 when none can begin with it. */
export function bytesFrom(first: number): number {
  if (first < 0x80) return 1
  if (first < 0xc0) return 0
  if (first < 0xe0) return 2
  return first < 0xf0 ? 3 : 4
}

/** The code point whose bytes of UTF-8 begin at `at`; -1 when they are wrong. */
export function codePointAt(bytes: readonly number[], at: number): number {
  const first = bytes[at] ?? 0
  const count = bytesFrom(first)
  if (count === 0) return -1
  let codePoint = first & (0x7f >> (count - 1))
  for (let next = at + 1; next < at + count; next++) {
    const byte = bytes[next] ?? 0
    if ((byte & 0xc0) !== 0x80) return -1
    codePoint = (codePoint << 6) | (byte & 0x3f)
  }
  const isShortest = codePoint >= (LEAST_OF[count] ?? 0)
  return isShortest && (codePoint & 0x1ff800) !== 0xd800 && codePoint <= 0x10ffff ? codePoint : -1
}

/** The units as a text, in parts, because a call takes only so many arguments. */
export function textOf(units: readonly number[]): string {
  let text = ''
  for (let from = 0; from < units.length; from += UNITS_PER_CALL) {
    text += String.fromCharCode(...units.slice(from, from + UNITS_PER_CALL))
  }
  return text
}

/** A unit of the base64 alphabets, of hexadecimal digits and of identifiers. */
export function isRunUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2b || code === 0x2f || code === 0x2d || code === 0x5f
}

/** The value of a hexadecimal digit, -1 for any other unit. */
export function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** The byte that two hexadecimal digits are, -1 for anything else. */
export function hexByteAt(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at))
  const low = hexValue(text.charCodeAt(at + 1))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

/** Text that another text holds in encoded form. */
export interface Decoded {
  readonly text: string
  readonly encoding: 'base64' | 'base32' | 'hex' | 'binary' | 'escapes' | 'rot13' | 'atbash' | 'reversed'
  /** Span in the outer text of the decoded span from `start` to `end`. */
  readonly spanOf: (start: number, end: number) => readonly [number, number]
}
