import { ENGLISH } from './english.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from './word-class.ts'

/** Text that another text holds in encoded form. */
export interface Decoded {
  readonly text: string
  readonly encoding: 'base64' | 'base32' | 'hex' | 'binary' | 'escapes' | 'rot13' | 'atbash' | 'reversed'
  /** Span in the outer text of the decoded span from `start` to `end`. */
  readonly spanOf: (start: number, end: number) => readonly [number, number]
}

const ESCAPES_MIN = 2
const MARKERS_MIN = 2
const BASE64_MIN = 16
const HEX_MIN = 16
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Everything in the text that decodes to readable text. Linear; what is decoded is never longer than its source. */
export function decodedIn(text: string): Decoded[] {
  return [...runsIn(text), ...escapesIn(text), ...ciphersIn(text)]
}

/** Runs of the base64 alphabet, also wrapped at line ends. */
function runsIn(text: string): Decoded[] {
  const found: Decoded[] = []
  for (let at = 0; at < text.length; ) {
    if (!isRunUnit(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const end = runEnd(text, at)
    const payload = end - at < BASE64_MIN ? null : decodeRun(text.slice(at, end))
    if (payload !== null) {
      const span = [at, end] as const
      found.push({ ...payload, spanOf: () => span })
    }
    at = end
  }
  return [...found, ...spacedBytes(text)]
}

/** The end of a run, over line ends between lines of equal alphabet, with its padding. */
function runEnd(text: string, from: number): number {
  let at = from
  let lineStart = from
  for (;;) {
    while (isRunUnit(text.charCodeAt(at))) at += 1
    const isFull = at - lineStart >= 32 && (at - lineStart) % 4 === 0
    const next = text.startsWith('\r\n', at) ? at + 2 : text.charCodeAt(at) === 0x0a ? at + 1 : at
    if (!isFull || next === at || !isRunUnit(text.charCodeAt(next))) break
    at = next
    lineStart = next
  }
  while (text.charCodeAt(at) === 0x3d) at += 1
  return at
}

function decodeRun(run: string): Pick<Decoded, 'text' | 'encoding'> | null {
  const compact = run.replace(/[\r\n=]+/g, '')
  if (compact.length >= HEX_MIN && compact.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(compact)) {
    const text = readable(hexBytes(compact))
    if (text !== null) return { text, encoding: 'hex' }
  }
  if (/^[A-Z2-7]+$/.test(compact)) {
    const text = readable(packedBytes(compact, BASE32, 5))
    if (text !== null) return { text, encoding: 'base32' }
  }
  const text = readable(packedBytes(compact.replaceAll('-', '+').replaceAll('_', '/'), BASE64, 6))
  return text === null ? null : { text, encoding: 'base64' }
}

/** `69 67 6e`, `0x69 0x67`, `01101001 01100111`: bytes with one mark between them. */
function spacedBytes(text: string): Decoded[] {
  const found: Decoded[] = []
  for (let at = 0; at < text.length; ) {
    const first = byteAt(text, at)
    if (first === null || isRunUnit(text.charCodeAt(at - 1))) {
      at += 1
      continue
    }
    const bytes: number[] = []
    let end = at
    for (let next = byteAt(text, at); next !== null && next.digits === first.digits; next = byteAt(text, end + 1)) {
      bytes.push(next.value)
      end = next.end
      if (!' ,:-\n'.includes(text.charAt(end))) break
    }
    const payload = bytes.length < 8 ? null : readable(bytes)
    if (payload !== null) {
      const span = [at, end] as const
      found.push({ text: payload, encoding: first.digits === 8 ? 'binary' : 'hex', spanOf: () => span })
    }
    at = Math.max(end, at + 1)
  }
  return found
}

function byteAt(text: string, at: number): { value: number; digits: number; end: number } | null {
  const from = text.startsWith('0x', at) ? at + 2 : at
  const bits = text.slice(at, at + 8)
  if (/^[01]{8}$/.test(bits) && !isRunUnit(text.charCodeAt(at + 8))) return { value: Number.parseInt(bits, 2), digits: 8, end: at + 8 }
  const high = hexValue(text.charCodeAt(from))
  const low = hexValue(text.charCodeAt(from + 1))
  if (high === -1 || low === -1 || isRunUnit(text.charCodeAt(from + 2))) return null
  return { value: high * 16 + low, digits: 2, end: from + 2 }
}

const ESCAPE_START = /[%\\&=]/
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' }

/** The text with `%20`, `\x20`, `\u0020`, `\n`, `&#32;`, `&lt;` and `=20` read as what they stand for. */
function escapesIn(text: string): Decoded[] {
  if (!ESCAPE_START.test(text)) return []
  const parts: string[] = []
  const starts: number[] = []
  let escapes = 0
  let decodedChars = 0
  const offsets: number[] = []
  for (let at = 0; at < text.length; ) {
    const escape = escapeAt(text, at)
    const character = escape?.character ?? text.charAt(at)
    if (escape !== null) escapes += 1
    parts.push(character)
    for (let unit = 0; unit < character.length; unit++) offsets.push(at)
    starts.push(decodedChars)
    decodedChars += character.length
    at = escape?.end ?? at + 1
  }
  if (escapes < ESCAPES_MIN) return []
  const end = text.length
  return [
    {
      text: parts.join(''),
      encoding: 'escapes',
      spanOf: (from, to) => [offsets[from] ?? 0, offsets[to] ?? end],
    },
  ]
}

function escapeAt(text: string, at: number): { character: string; end: number } | null {
  const code = text.charCodeAt(at)
  if (code === 0x25 || code === 0x3d) return hexEscape(text, at + 1, 2)
  if (code === 0x26) return entityAt(text, at)
  if (code !== 0x5c) return null
  const next = text.charAt(at + 1)
  if (next === 'n' || next === 'r') return { character: '\n', end: at + 2 }
  if (next === 't') return { character: '\t', end: at + 2 }
  if (next === '"' || next === "'") return { character: next, end: at + 2 }
  if (next === 'x') return hexEscape(text, at + 2, 2)
  if (next !== 'u') return null
  if (text.charAt(at + 2) !== '{') return hexEscape(text, at + 2, 4)
  const close = text.slice(at + 3, at + 10).indexOf('}')
  const inner = close < 1 ? null : hexEscape(text, at + 3, close)
  return inner === null ? null : { character: inner.character, end: inner.end + 1 }
}

function hexEscape(text: string, from: number, digits: number): { character: string; end: number } | null {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = hexValue(text.charCodeAt(at))
    if (digit === -1) return null
    value = value * 16 + digit
  }
  return value > 0x10ffff ? null : { character: String.fromCodePoint(value), end: from + digits }
}

function entityAt(text: string, at: number): { character: string; end: number } | null {
  const match = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/i.exec(text.slice(at, at + 12))
  if (match === null) return null
  const [whole, decimal, hex, name] = match
  const value = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : null
  const character = value === null ? NAMED[(name ?? '').toLowerCase()] : value > 0x10ffff ? undefined : String.fromCodePoint(value)
  return character === undefined ? null : { character, end: at + whole.length }
}

const MARKER_CLASSES = DISREGARD | ORDERS | LIMITS | PRIOR | REVEAL | SENSITIVE
const FUNCTION_WORDS = 'please this that with your from have will would should the and you all'
const CIPHERS = [
  { encoding: 'rot13', apply: (text: string) => substituted(text, rot13) },
  { encoding: 'atbash', apply: (text: string) => substituted(text, atbash) },
  { encoding: 'reversed', apply: (text: string) => [...text].reverse().join('') },
] as const
const markers = new Map<string, number>()
for (const word of markerWords()) {
  for (const [at, cipher] of CIPHERS.entries()) {
    const hidden = cipher.apply(word)
    if (hidden !== word) markers.set(hidden, (markers.get(hidden) ?? 0) | (1 << at))
  }
}
for (const word of markerWords()) markers.delete(word)

/** The whole text read through a cipher, when two or more of its words are words of orders in that cipher. */
function ciphersIn(text: string): Decoded[] {
  const counts = CIPHERS.map(() => 0)
  for (const match of text.matchAll(/[A-Za-z]{3,24}/g)) {
    const mask = markers.get(match[0].toLowerCase())
    if (mask === undefined) continue
    for (const at of counts.keys()) if ((mask & (1 << at)) !== 0) counts[at] = (counts[at] ?? 0) + 1
  }
  const length = text.length
  return CIPHERS.filter((_, at) => (counts[at] ?? 0) >= MARKERS_MIN).map(({ encoding, apply }) => ({
    text: apply(text),
    encoding,
    spanOf: (start, end) => (encoding === 'reversed' ? [length - end, length - start] : [start, end]),
  }))
}

function markerWords(): string[] {
  const words = ENGLISH.filter(([mask]) => (mask & MARKER_CLASSES) !== 0).flatMap(([, entries]) => entries.split(/\s+/))
  const long = words.filter((word) => /^[a-z]{5,}$/.test(word))
  return [...new Set([...long, ...FUNCTION_WORDS.split(' ')])]
}

function substituted(text: string, map: (code: number, base: number) => number): string {
  return text.replace(/[A-Za-z]/g, (letter) => {
    const code = letter.charCodeAt(0)
    return String.fromCharCode(map(code, code < 0x61 ? 0x41 : 0x61))
  })
}

function rot13(code: number, base: number): number {
  return ((code - base + 13) % 26) + base
}

function atbash(code: number, base: number): number {
  return base + 25 - (code - base)
}

function hexBytes(digits: string): number[] {
  const bytes: number[] = []
  for (let at = 0; at + 1 < digits.length; at += 2) {
    bytes.push(hexValue(digits.charCodeAt(at)) * 16 + hexValue(digits.charCodeAt(at + 1)))
  }
  return bytes
}

function packedBytes(letters: string, alphabet: string, bitsPerLetter: number): number[] {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  for (const letter of letters) {
    buffer = ((buffer << bitsPerLetter) | alphabet.indexOf(letter)) & 0xffff
    bits += bitsPerLetter
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  return bytes
}

/** The bytes as UTF-8, null when they are not text that a person could read. */
function readable(bytes: readonly number[]): string | null {
  let plain = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte >= 0xc2) plain += 1
    else if (byte < 0x80) {
      if (at > 16 && plain < at * 0.8) return null
    } else plain += 1
  }
  if (bytes.length < 6 || plain < bytes.length * 0.95) return null
  return utf8(bytes)
}

/** UTF-8 by hand, because the domain has no decoder; null at the first wrong byte. */
function utf8(bytes: readonly number[]): string | null {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0
    const extra = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    if (extra === -1 || at + extra >= bytes.length) return null
    let codePoint = extra === 0 ? first : first & (0x3f >> extra)
    for (let offset = 1; offset <= extra; offset++) {
      const next = bytes[at + offset] ?? 0
      if ((next & 0xc0) !== 0x80) return null
      codePoint = (codePoint << 6) | (next & 0x3f)
    }
    if (codePoint > 0x10ffff) return null
    parts.push(String.fromCodePoint(codePoint))
    at += extra + 1
  }
  return parts.join('')
}

function isRunUnit(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x2b || code === 0x2f || code === 0x2d || code === 0x5f
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
