import type { Decoded } from './decoded.ts'
import { ENGLISH } from './english.ts'
import { DISREGARD, LIMITS, ORDERS, PRIOR, REVEAL, SENSITIVE } from './word-class.ts'

const MARKERS_MIN = 2
const MARKER_CLASSES = DISREGARD | ORDERS | LIMITS | PRIOR | REVEAL | SENSITIVE
const FUNCTION_WORDS = 'please this that with your from have will would should the and you all'
const CIPHERS = [
  { encoding: 'rot13', apply: (text: string) => substituted(text, rot13) },
  { encoding: 'atbash', apply: (text: string) => substituted(text, atbash) },
  { encoding: 'reversed', apply: (text: string) => Array.from(text).reverse().join('') },
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
export function ciphersIn(text: string): Decoded[] {
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
  const words = ENGLISH.filter(([mask]) => (mask & MARKER_CLASSES) !== 0).flatMap(([, entries]) =>
    entries.split(/\s+/),
  )
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
