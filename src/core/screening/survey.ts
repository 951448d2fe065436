import { markerMask, PIECE_MAX, PIECE_MIN } from './ciphers.ts'
import { hexByteAt } from './folding.ts'

// One pass over a text that tells which searches are worth a pass of their own, and where its runs are: unbroken units
// that base64, base32, hexadecimal digits and keys are written in.

// Signs in `Survey.signs`: the text has at least one of each.
/** `:` or `=`. */
export const ASSIGN = 1 << 0
/** `<` or `[`. */
export const BRACKET = 1 << 1
/** `%`, `&`, `=` or a backslash. */
export const ESCAPE = 1 << 2
/** `!` or `<`. */
export const PICTURE = 1 << 4
/** Neither printable ASCII nor white space. */
export const UNUSUAL = 1 << 5
/** Greater than all signs: units of runs. */
const LETTER = 1 << 6
const RUN = 1 << 7

export interface Survey {
  readonly signs: number
  /** Start and end of every run of eight units or more, one after the other. */
  readonly longRuns: readonly number[]
  /** Units of the longest of these, 0 without any. */
  readonly longest: number
  /** Start and end of every run that reads as one byte: `69`, `0x69`, `01101001`. */
  readonly byteRuns: readonly number[]
  /** For every word that is one of orders in a cipher: a bit for each such cipher. */
  readonly markers: readonly number[]
}

const LONG_MIN = 8
const BITS = 8
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const UNITS: readonly (readonly [number, string])[] = [
  [ASSIGN, ':='],
  [BRACKET, '<['],
  [ESCAPE, '%&=\\'],
  [PICTURE, '!<'],
  [LETTER, LETTERS + LETTERS.toUpperCase()],
  [RUN, '0123456789+/-_'],
]
const kinds = new Uint8Array(0x80)
for (let code = 0; code < kinds.length; code++) {
  const isUsual = (code >= 0x20 && code < 0x7f) || (code >= 0x09 && code <= 0x0d)
  const of = UNITS.filter(([, units]) => units.includes(String.fromCharCode(code)))
  kinds[code] = of.reduce((all, [kind]) => all | kind, isUsual ? 0 : UNUSUAL)
}

/** Linear. */
export function surveyOf(text: string): Survey {
  const longRuns: number[] = []
  const byteRuns: number[] = []
  const markers: number[] = []
  let signs = 0
  let longest = 0
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at)
    if (kind < LETTER) {
      signs |= kind
      at += 1
      continue
    }
    const start = at
    let letters = at
    for (let next = kind; next >= LETTER; next = kindAt(text, at)) {
      at += 1
      if (next === LETTER) continue
      addMarkers(markers, text, letters, at - 1)
      letters = at
    }
    addMarkers(markers, text, letters, at)
    if (at - start >= LONG_MIN) {
      longRuns.push(start, at)
      if (at - start > longest) longest = at - start
    }
    if (byteAt(text, start, at) !== -1) byteRuns.push(start, at)
  }
  return { signs, longRuns, longest, byteRuns, markers }
}

/** Beyond the end of a text as beyond ASCII: no unit of a run. Nothing is read beyond an end, which is slow. */
function kindAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : kinds.length
  return code < kinds.length ? (kinds[code] ?? UNUSUAL) : UNUSUAL
}

/** The value of the byte that a run is, two hexadecimal digits, also after `0x`, or eight bits; -1 for none. */
export function byteAt(text: string, start: number, end: number): number {
  const units = end - start
  if (units === BITS) return bitsAt(text, start)
  const isHex = units === 2 || (units === 4 && text.startsWith('0x', start))
  return isHex ? hexByteAt(text, end - 2) : -1
}

function bitsAt(text: string, start: number): number {
  let value = 0
  for (let at = start; at < start + BITS; at++) {
    const bit = text.charCodeAt(at) - 0x30
    if (bit !== 0 && bit !== 1) return -1
    value = value * 2 + bit
  }
  return value
}

/** Letters alone; more of them than a word has are read in pieces. */
function addMarkers(markers: number[], text: string, start: number, end: number): void {
  for (let from = start; end - from >= PIECE_MIN; from += PIECE_MAX) {
    const mask = markerMask(text, from, Math.min(end, from + PIECE_MAX))
    if (mask !== 0) markers.push(mask)
  }
}
