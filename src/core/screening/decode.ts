import {
  alphabetOf,
  bytesFrom,
  bytesOfHex,
  bytesPacked,
  codePointAt,
  type Decoded,
  hexByteAt,
  hexValue,
  isRunUnit,
  readable,
} from './folding.ts'
import { addCiphers, byteAt, ESCAPE, type Survey } from './survey.ts'

const BASE64_MIN = 16
const HEX_MIN = 16
const BYTES_MIN = 8
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const BASE64 = alphabetOf(`${LETTERS}${LETTERS.toLowerCase()}${DIGITS}+/`, '-_')
const BASE32 = alphabetOf(`${LETTERS}234567`)
/** What may stand between two bytes of a row. */
const BETWEEN_BYTES = ' ,:\n'

/**
 * Everything in the text that decodes to readable text; the text itself was decoded from `outer`. Linear; what is
 * decoded is never longer than its source.
 */
export function decodedIn(text: string, survey: Survey, outer: Decoded['encoding'] | null): Decoded[] {
  const found: Decoded[] = []
  addRuns(found, text, survey)
  addByteRows(found, text, survey)
  const unescaped = (survey.signs & ESCAPE) === 0 ? null : escapesIn(text)
  if (unescaped !== null) found.push(unescaped)
  addCiphers(found, text, survey.markers, outer)
  return found
}

/** Runs of the base64 alphabet, also wrapped at line ends. */
function addRuns(found: Decoded[], text: string, { longRuns }: Survey): void {
  let passed = 0
  for (let at = 0; at < longRuns.length; at += 2) {
    const start = longRuns[at] ?? 0
    if (start < passed) continue
    const end = runEnd(text, start, longRuns[at + 1] ?? 0)
    passed = end
    const payload = end - start < BASE64_MIN ? null : decodeRun(text.slice(start, end))
    if (payload === null) continue
    const span = [start, end] as const
    found.push({ ...payload, spanOf: () => span })
  }
}

/** The end of a run, over line ends between lines of equal alphabet, with its padding. */
function runEnd(text: string, start: number, firstLineEnd: number): number {
  let lineStart = start
  let at = firstLineEnd
  for (;;) {
    const isFull = at - lineStart >= 32 && (at - lineStart) % 4 === 0
    const next = text.startsWith('\r\n', at) ? at + 2 : text.charCodeAt(at) === 0x0a ? at + 1 : at
    if (!isFull || next === at || !isRunUnit(text.charCodeAt(next))) break
    at = next
    lineStart = next
    while (isRunUnit(text.charCodeAt(at))) at += 1
  }
  while (text.charCodeAt(at) === 0x3d) at += 1
  return at
}

function decodeRun(run: string): Pick<Decoded, 'text' | 'encoding'> | null {
  const compact = run.replace(/[\r\n=]+/g, '')
  if (compact.length >= HEX_MIN && compact.length % 2 === 0 && /^[0-9a-fA-F]+$/.test(compact)) {
    const text = readable(bytesOfHex(compact))
    if (text !== null) return { text, encoding: 'hex' }
  }
  if (/^[A-Z2-7]+$/.test(compact)) {
    const text = readable(bytesPacked(compact, BASE32, 5))
    if (text !== null) return { text, encoding: 'base32' }
  }
  const text = readable(bytesPacked(compact, BASE64, 6))
  return text === null ? null : { text, encoding: 'base64' }
}

/** `69 67 6e`, `0x69 0x67`, `01101001 01100111`: bytes with one mark between them. */
function addByteRows(found: Decoded[], text: string, { byteRuns }: Survey): void {
  for (let at = 0; at < byteRuns.length; ) {
    const start = byteRuns[at] ?? 0
    const isBits = isBitRun(byteRuns, at)
    const row: number[] = []
    let end = start
    do {
      end = byteRuns[at + 1] ?? 0
      row.push(byteAt(text, byteRuns[at] ?? 0, end))
      at += 2
    } while (
      byteRuns[at] === end + 1 &&
      BETWEEN_BYTES.includes(text.charAt(end)) &&
      isBitRun(byteRuns, at) === isBits
    )
    const payload = row.length < BYTES_MIN ? null : readable(row)
    if (payload === null) continue
    const span = [start, end] as const
    found.push({ text: payload, encoding: isBits ? 'binary' : 'hex', spanOf: () => span })
  }
}

function isBitRun(byteRuns: readonly number[], at: number): boolean {
  return (byteRuns[at + 1] ?? 0) - (byteRuns[at] ?? 0) === 8
}

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
