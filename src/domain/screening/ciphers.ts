import { textOf } from './bytes.ts'
import type { Decoded } from './decoded.ts'
import { ENGLISH } from './english.ts'
import { PLAIN } from './folding.ts'
import { createSpanIndex } from './span-index.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from './word-class.ts'

const MARKERS_MIN = 2
const MARKER_CLASSES = DISREGARD | ORDERS | LIMITS | PRIOR | REVEAL | SENSITIVE
const FUNCTION_WORDS = 'please this that with your from have will would should the and you all'
const LETTERS_MIN = 3
const LETTERS_MAX = 24
const CIPHERS = [
  { encoding: 'rot13', apply: (text: string) => substituted(text, (letter) => (letter + 13) % 26) },
  { encoding: 'atbash', apply: (text: string) => substituted(text, (letter) => 25 - letter) },
  { encoding: 'reversed', apply: reversed },
] as const

/** What the words of orders look like in a cipher, with a bit for each cipher. */
const markers = hiddenWords()
const markerMasks = Int32Array.from(markers.values())
const markerNumber = createSpanIndex([...markers.keys()])
/** By first and last letter, a bit for each length: few other words share all three with a marker. */
const lengths = new Int32Array(1 << 10)
for (const word of markers.keys()) {
  const ends = endsOf(word, 0, word.length)
  lengths[ends] = (lengths[ends] ?? 0) | (1 << word.length)
}

/** The whole text read through a cipher, when two or more of its words are words of orders in that cipher. */
export function ciphersIn(text: string): Decoded[] {
  const counts = countsOf(text)
  const length = text.length
  return CIPHERS.filter((_, at) => (counts[at] ?? 0) >= MARKERS_MIN).map(({ encoding, apply }) => ({
    text: apply(text),
    encoding,
    spanOf: (start, end) => (encoding === 'reversed' ? [length - end, length - start] : [start, end]),
  }))
}

/** Words of orders by cipher. Runs of letters longer than a word are read in pieces. */
function countsOf(text: string): readonly number[] {
  const counts = CIPHERS.map(() => 0)
  for (let at = 0; at < text.length; ) {
    const start = at
    while (at < text.length && isLetter(text.charCodeAt(at))) at += 1
    for (let from = start; at - from >= LETTERS_MIN; from += LETTERS_MAX) {
      const to = Math.min(at, from + LETTERS_MAX)
      if (((lengths[endsOf(text, from, to)] ?? 0) & (1 << (to - from))) === 0) continue
      const mask = markerMasks[markerNumber(text, from, to, PLAIN)] ?? 0
      for (let cipher = 0; cipher < counts.length; cipher++)
        counts[cipher] = (counts[cipher] ?? 0) + ((mask >> cipher) & 1)
    }
    at += 1
  }
  return counts
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** Ten bits of the first and the last letter, in any case. */
function endsOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
}

function hiddenWords(): ReadonlyMap<string, number> {
  const plain = markerWords()
  const hidden = new Map<string, number>()
  for (const word of plain) {
    for (const [at, { apply }] of CIPHERS.entries())
      hidden.set(apply(word), (hidden.get(apply(word)) ?? 0) | (1 << at))
  }
  for (const word of plain) hidden.delete(word)
  return hidden
}

function markerWords(): readonly string[] {
  const words = ENGLISH.filter(([mask]) => (mask & MARKER_CLASSES) !== 0).flatMap(([, entries]) =>
    entries.split(/\s+/),
  )
  const long = words.filter((word) => /^[a-z]{5,}$/.test(word))
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
