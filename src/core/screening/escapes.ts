import { bytesFrom, codePointAt, hexByteAt, hexValue } from './bytes.ts'
import type { Decoded } from './decoded.ts'

const ESCAPES_MIN = 2
/** After `#` a number, or `x` and hexadecimal digits. */
const ENTITY = /&(?:#(x[0-9a-f]{1,6}|\d{1,7})|([a-z]{2,4}));/iy
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

/** An escape and the plain text behind it. */
interface Piece {
  /** Offsets of both in the decoded text. */
  readonly at: number
  readonly plainAt: number
  /** The escape in the source. */
  readonly start: number
  readonly end: number
}

/** What stands before the first escape. */
const FIRST: Piece = { at: 0, plainAt: 0, start: 0, end: 0 }

/** The text with `%20`, `\x20`, `\u0020`, `\n`, `&#32;`, `&lt;` and `=20` read as what they stand for; null without two. */
export function escapesIn(text: string): Decoded | null {
  const parts: string[] = []
  const pieces = [FIRST]
  let { plainAt, end } = FIRST
  for (let start = nextStart(text, end); start !== -1; ) {
    const escape = escapeAt(text, start)
    if (escape !== null) {
      parts.push(text.slice(end, start), escape.characters)
      const at = plainAt + start - end
      plainAt = at + escape.characters.length
      end = escape.end
      pieces.push({ at, plainAt, start, end })
    }
    start = nextStart(text, escape?.end ?? start + 1)
  }
  if (pieces.length <= ESCAPES_MIN) return null
  parts.push(text.slice(end))
  return { text: parts.join(''), encoding: 'escapes', spanOf: (from, to) => spanOf(pieces, from, to) }
}

function spanOf(pieces: readonly Piece[], from: number, to: number): readonly [number, number] {
  const [first, last] = [pieceAt(pieces, from), pieceAt(pieces, to - 1)]
  const start = from < first.plainAt ? first.start : first.end + from - first.plainAt
  return [start, last.end + Math.max(0, to - last.plainAt)]
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
  return pieces[low] ?? FIRST
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
  if (code === 0x25) return characterAt(text, at, '%')
  if (code === 0x3d) return characterAt(text, at, '=')
  if (code === 0x26) return entityAt(text, at)
  const next = text.charAt(at + 1)
  if (next === 'n' || next === 'r') return { characters: '\n', end: at + 2 }
  if (next === 't') return { characters: '\t', end: at + 2 }
  if (next === '"' || next === "'") return { characters: next, end: at + 2 }
  if (next === 'x') return characterAt(text, at, '\\x')
  if (next !== 'u') return null
  if (text.charAt(at + 2) !== '{') return codePointOf(text, at + 2, 4, at + 6)
  const close = text.slice(at + 3, at + 10).indexOf('}')
  return close < 1 ? null : codePointOf(text, at + 3, close, at + 4 + close)
}

/** A character whose bytes each follow the mark: UTF-8, or the first byte alone where it is not. */
function characterAt(text: string, at: number, mark: string): Escape | null {
  const first = hexByteAt(text, at + mark.length)
  if (first === -1) return null
  const units = mark.length + 2
  const count = bytesFrom(first)
  if (count < 2) return { characters: String.fromCharCode(first), end: at + units }
  const bytes = [first]
  for (let next = at + units; bytes.length < count && text.startsWith(mark, next); next += units) {
    bytes.push(hexByteAt(text, next + mark.length))
  }
  const codePoint = codePointAt(bytes, 0)
  if (codePoint === -1) return { characters: String.fromCharCode(first), end: at + units }
  return { characters: String.fromCodePoint(codePoint), end: at + units * bytes.length }
}

/** What so many hexadecimal digits from `from` on stand for. */
function codePointOf(text: string, from: number, digits: number, end: number): Escape | null {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const digit = hexValue(text.charCodeAt(at))
    if (digit === -1) return null
    value = value * 16 + digit
  }
  return characterOf(value, end)
}

function entityAt(text: string, at: number): Escape | null {
  ENTITY.lastIndex = at
  const match = ENTITY.exec(text)
  if (match === null) return null
  const [whole, number, name = ''] = match
  const end = at + whole.length
  if (number !== undefined) return characterOf(Number(`0${number}`), end)
  const characters = NAMED[name.toLowerCase()]
  return characters === undefined ? null : { characters, end }
}

function characterOf(codePoint: number, end: number): Escape | null {
  return codePoint > 0x10ffff ? null : { characters: String.fromCodePoint(codePoint), end }
}
