// Bytes out of digits and letters, and text out of bytes: the domain has no decoder of its own.

const UNITS_PER_CALL = 4096

export function bytesOfHex(digits: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at + 1 < digits.length; at += 2) {
    bytes.push(hexValue(digits.charCodeAt(at)) * 16 + hexValue(digits.charCodeAt(at + 1)))
  }
  return bytes
}

/** What ASCII units stand for in an alphabet; of those that are not in it nothing is said. */
export type Alphabet = Uint8Array

/** Letters in the order of their values, and other letters for the last of them. */
export function alphabetOf(letters: string, aliasesOfLast = ''): Alphabet {
  const alphabet = new Uint8Array(0x80)
  const put = (some: string, first: number): void => {
    for (let at = 0; at < some.length; at++) alphabet[some.charCodeAt(at)] = first + at
  }
  put(letters, 0)
  put(aliasesOfLast, letters.length - aliasesOfLast.length)
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
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte >= 0xc2)
      plain += 1
    else if (byte < 0x80) {
      if (at > 16 && plain < at * 0.8) return null
    } else plain += 1
  }
  if (bytes.length < 6 || plain < bytes.length * 0.95) return null
  return utf8(bytes)
}

/** UTF-8 by hand, because the domain has no decoder; null at the first wrong byte. */
export function utf8(bytes: readonly number[]): string | null {
  const units: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    if (first < 0x80) {
      units.push(first)
      at += 1
      continue
    }
    const extra = first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    if (extra === -1 || at + extra >= bytes.length) return null
    let codePoint = first & (0x3f >> extra)
    for (let offset = 1; offset <= extra; offset++) {
      const next = bytes[at + offset] ?? 0
      if ((next & 0xc0) !== 0x80) return null
      codePoint = (codePoint << 6) | (next & 0x3f)
    }
    if (codePoint > 0x10ffff) return null
    if (codePoint < 0x10000) units.push(codePoint)
    else units.push(0xd7c0 + (codePoint >> 10), 0xdc00 + (codePoint & 0x3ff))
    at += extra + 1
  }
  return textOf(units)
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
