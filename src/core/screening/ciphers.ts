import { type Decoded, textOf } from './folding.ts'
import { createSpanIndex, NOT_LISTED } from './span-index.ts'
import { ENGLISH, entriesOf } from './vocabulary.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from './word-class.ts'

/** Letters of the words that are looked at. */
export const PIECE_MIN = 3
export const PIECE_MAX = 24
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
