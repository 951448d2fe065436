import { hexValue, utf8 } from './bytes.ts'
import type { Decoded } from './decoded.ts'

const ESCAPES_MIN = 2
const ESCAPE_START = /[%\\&=]/g
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

/** The text with `%20`, `\x20`, `\u0020`, `\n`, `&#32;`, `&lt;` and `=20` read as what they stand for. */
export function escapesIn(text: string): Decoded[] {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const copy = (from: number, to: number): void => {
    parts.push(text.slice(from, to))
    for (let at = from; at < to; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
  }
  let escapes = 0
  let from = 0
  for (let at = nextStart(text, 0); at !== -1; ) {
    const escape = escapeAt(text, at)
    if (escape !== null) {
      copy(from, at)
      parts.push(escape.characters)
      for (let unit = 0; unit < escape.characters.length; unit++) {
        starts.push(at)
        ends.push(escape.end)
      }
      escapes += Math.max(1, escape.characters.length)
      from = escape.end
    }
    at = nextStart(text, escape?.end ?? at + 1)
  }
  if (escapes < ESCAPES_MIN) return []
  copy(from, text.length)
  const spanOf = (start: number, end: number): readonly [number, number] => [
    starts[start] ?? 0,
    ends[end - 1] ?? 0,
  ]
  return [{ text: parts.join(''), encoding: 'escapes', spanOf }]
}

function nextStart(text: string, from: number): number {
  ESCAPE_START.lastIndex = from
  return ESCAPE_START.exec(text)?.index ?? -1
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
  const bytes: number[] = []
  let end = at
  while (bytes.length < BYTES_MAX && text.startsWith(mark, end)) {
    const high = hexValue(text.charCodeAt(end + mark.length))
    const low = hexValue(text.charCodeAt(end + mark.length + 1))
    if (high === -1 || low === -1) break
    bytes.push(high * 16 + low)
    end += mark.length + 2
  }
  if (bytes.length === 0) return null
  return { characters: utf8(bytes) ?? String.fromCharCode(...bytes), end }
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
