import { hexValue, utf8 } from './bytes.ts'
import type { Decoded } from './decoded.ts'

const ESCAPES_MIN = 2
const BYTES_MAX = 64
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** What stands for something else, and where it ends. */
interface Escape {
  readonly characters: string
  readonly end: number
}

/** A piece of the decoded text, and where it comes from: as it stands, or as one escape. */
interface Piece {
  /** Offset in the decoded text. */
  readonly at: number
  readonly start: number
  readonly end: number
  readonly isEscape: boolean
}

/** The text with `%20`, `\x20`, `\u0020`, `\n`, `&#32;`, `&lt;` and `=20` read as what they stand for; null without two. */
export function escapesIn(text: string): Decoded | null {
  const first = nextStart(text, 0)
  return first === -1 ? null : decodedFrom(text, first)
}

function decodedFrom(text: string, first: number): Decoded | null {
  const parts: string[] = []
  const pieces: Piece[] = []
  let decodedChars = 0
  const add = (characters: string, start: number, end: number, isEscape: boolean): void => {
    if (characters === '') return
    parts.push(characters)
    pieces.push({ at: decodedChars, start, end, isEscape })
    decodedChars += characters.length
  }
  let escapes = 0
  let from = 0
  for (let at = first; at !== -1; ) {
    const escape = escapeAt(text, at)
    if (escape !== null) {
      add(text.slice(from, at), from, at, false)
      add(escape.characters, at, escape.end, true)
      escapes += escape.characters.length
      from = escape.end
    }
    at = nextStart(text, escape?.end ?? at + 1)
  }
  if (escapes < ESCAPES_MIN) return null
  add(text.slice(from), from, text.length, false)
  return { text: parts.join(''), encoding: 'escapes', spanOf: (start, end) => spanOf(pieces, start, end) }
}

function spanOf(pieces: readonly Piece[], start: number, end: number): readonly [number, number] {
  const [first, last] = [pieceAt(pieces, start), pieceAt(pieces, end - 1)]
  return [
    first.isEscape ? first.start : first.start + start - first.at,
    last.isEscape ? last.end : last.start + end - last.at,
  ]
}

/** The piece that holds a unit of the decoded text. */
function pieceAt(pieces: readonly Piece[], unit: number): Piece {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle]?.at ?? 0) <= unit) low = middle
    else high = middle - 1
  }
  return pieces[low] ?? { at: 0, start: 0, end: 0, isEscape: true }
}

/** The next unit that can begin an escape, -1 for none. */
function nextStart(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x25 || code === 0x26 || code === 0x3d || code === 0x5c) return at
  }
  return -1
}

function escapeAt(text: string, at: number): Escape | null {
  const code = text.charCodeAt(at)
  if (code === 0x25) return bytesAt(text, at, '%')
  if (code === 0x3d) return bytesAt(text, at, '=')
  if (code === 0x26) return entityAt(text, at)
  const next = text.charAt(at + 1)
  if (next === 'n' || next === 'r') return { characters: '\n', end: at + 2 }
  if (next === 't') return { characters: '\t', end: at + 2 }
  if (next === '"' || next === "'") return { characters: next, end: at + 2 }
  if (next === 'x') return bytesAt(text, at, '\\x')
  if (next !== 'u') return null
  if (text.charAt(at + 2) !== '{') return codePointAt(text, at + 2, 4)
  const close = text.slice(at + 3, at + 10).indexOf('}')
  const inner = close < 1 ? null : codePointAt(text, at + 3, close)
  return inner === null ? null : { characters: inner.characters, end: inner.end + 1 }
}

/** A row of bytes, each after the mark: UTF-8, or one character a byte where it is not. */
function bytesAt(text: string, at: number, mark: string): Escape | null {
  const first = byteAt(text, at + mark.length)
  if (first === -1) return null
  let end = at + mark.length + 2
  if (first < 0x80 && !text.startsWith(mark, end)) return { characters: String.fromCharCode(first), end }
  const bytes = [first]
  while (bytes.length < BYTES_MAX && text.startsWith(mark, end)) {
    const byte = byteAt(text, end + mark.length)
    if (byte === -1) break
    bytes.push(byte)
    end += mark.length + 2
  }
  return { characters: utf8(bytes) ?? String.fromCharCode(...bytes), end }
}

function byteAt(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at))
  const low = hexValue(text.charCodeAt(at + 1))
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

function codePointAt(text: string, from: number, digits: number): Escape | null {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = hexValue(text.charCodeAt(at))
    if (digit === -1) return null
    value = value * 16 + digit
  }
  return value > 0x10ffff ? null : { characters: String.fromCodePoint(value), end: from + digits }
}

function entityAt(text: string, at: number): Escape | null {
  const match = /^&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/i.exec(text.slice(at, at + 12))
  if (match === null) return null
  const [whole, decimal, hex, name] = match
  const end = at + whole.length
  if (name !== undefined) {
    const characters = NAMED[name.toLowerCase()]
    return characters === undefined ? null : { characters, end }
  }
  const value = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return value > 0x10ffff ? null : { characters: String.fromCodePoint(value), end }
}
