import { type Decoded, hexByteAt, textOf } from './folding.ts'
import { createSpanIndex, NOT_LISTED } from './lexicon.ts'
import { ENGLISH, entriesOf } from './vocabulary.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from './word-class.ts'

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

// Words of orders that are written in a cipher.

/** Letters of the words that are looked at. */
const PIECE_MIN = 3
const PIECE_MAX = 24
const MARKERS_MIN = 2
const MARKER_CLASSES = DISREGARD | ORDERS | LIMITS | PRIOR | REVEAL | SENSITIVE
const FUNCTION_WORDS = 'please this that with your from have will would should the and you all'
const CIPHERS = [
  { encoding: 'rot13', apply: (text: string) => substituted(text, (letter) => (letter + 13) % 26) },
  { encoding: 'atbash', apply: (text: string) => substituted(text, (letter) => 25 - letter) },
  { encoding: 'reversed', apply: reversed },
] as const

/** What the words of orders look like in a cipher, with a bit for each cipher. */
const hidden = hiddenWords()
const hiddenMasks = [...hidden.values()]
const hiddenIndex = createSpanIndex([...hidden.keys()])

/** A bit for each cipher in which the letters are a word of orders; mostly 0. */
export function markerMask(text: string, start: number, end: number): number {
  const number = hiddenIndex.numberOfAscii(text, start, end)
  return number === NOT_LISTED ? 0 : (hiddenMasks[number] ?? 0)
}

/** The whole text read through a cipher, when two or more of its words are words of orders in that cipher. */
export function addCiphers(
  found: Decoded[],
  text: string,
  markers: readonly number[],
  outer: Decoded['encoding'] | null,
): void {
  if (markers.length < MARKERS_MIN) return
  const length = text.length
  for (const [at, { encoding, apply }] of CIPHERS.entries()) {
    // Each of them undoes itself: the text within was read already.
    if (encoding === outer) continue
    if (markers.filter((mask) => (mask & (1 << at)) !== 0).length < MARKERS_MIN) continue
    const spanOf = (start: number, end: number) =>
      encoding === 'reversed' ? ([length - end, length - start] as const) : ([start, end] as const)
    found.push({ text: apply(text), encoding, spanOf })
  }
}

/** No word of orders is another one in a cipher, nor are two of them alike in two ciphers. */
function hiddenWords(): ReadonlyMap<string, number> {
  const plain = markerWords()
  return new Map(CIPHERS.flatMap(({ apply }, at) => plain.map((word) => [apply(word), 1 << at] as const)))
}

function markerWords(): readonly string[] {
  const words = entriesOf(ENGLISH).filter(([mask]) => (mask & MARKER_CLASSES) !== 0)
  const long = words.map(([, word]) => word).filter((word) => /^[a-z]{5,}$/.test(word))
  return [...new Set([...long, ...FUNCTION_WORDS.split(' ')])]
}

/** The text with the place in the alphabet of every letter changed, its case kept. */
function substituted(text: string, change: (letter: number) => number): string {
  const units: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const first = code < 0x61 ? 0x41 : 0x61
    units.push(isLetter(code) ? first + change(code - first) : code)
  }
  return textOf(units)
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** The characters in reverse order, pairs of surrogates kept. */
function reversed(text: string): string {
  const units: number[] = []
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at)
    const before = text.charCodeAt(at - 1)
    if ((code & 0xfc00) === 0xdc00 && (before & 0xfc00) === 0xd800) {
      units.push(before)
      at -= 1
    }
    units.push(code)
  }
  return textOf(units)
}
