import { PLAIN, seeUnit, UNCLEAR, type UnitTable } from './folding.ts'

/** Numbers of words by the spans that spell them: the place of the word in the list, or NOT_LISTED. */
export interface SpanIndex {
  /** The span read in the units of a table; NOT_BY_UNIT when one of its units does not fold alone. */
  numberOf(text: string, start: number, end: number, units: UnitTable): number
  /** A span of printable ASCII units. */
  numberOfAscii(text: string, start: number, end: number): number
}

export const NOT_LISTED = -1
export const NOT_BY_UNIT = -2
const EMPTY = -1
const HASH_START = 0x811c9dc5
const HASH_PRIME = 0x01000193
/** Longer words share a bit. */
const LENGTH_BIT_MAX = 31

/** Finds words of a list where they stand in a text: nothing is cut out to look it up. The words are folded. */
export function createSpanIndex(list: readonly string[]): SpanIndex {
  const capacity = 2 ** Math.ceil(Math.log2(list.length * 4))
  const slots = new Int32Array(capacity).fill(EMPTY)
  const hashes = new Int32Array(capacity)
  /** By the ends of a word, a bit for each length: most words that are not listed share no bit with one that is. */
  const lengths = new Int32Array(1 << 10)
  for (const [number, word] of list.entries()) {
    const hash = hashOf(word, 0, word.length, PLAIN)
    let slot = hash & (capacity - 1)
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (capacity - 1)
    slots[slot] = number
    hashes[slot] = hash
    const ends = endsOf(word, 0, word.length)
    lengths[ends] = (lengths[ends] ?? 0) | lengthBit(word.length)
  }
  const numberAt = (hash: number, text: string, start: number, end: number, units: UnitTable): number => {
    for (let slot = hash & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const number = slots[slot] ?? EMPTY
      if (number === EMPTY) return NOT_LISTED
      if (hashes[slot] === hash && isSpelled(list[number] ?? '', text, start, end, units)) return number
    }
  }
  return {
    numberOf(text, start, end, units) {
      const hash = hashOf(text, start, end, units)
      return hash === NOT_BY_UNIT ? NOT_BY_UNIT : numberAt(hash, text, start, end, units)
    },
    numberOfAscii(text, start, end) {
      if (((lengths[endsOf(text, start, end)] ?? 0) & lengthBit(end - start)) === 0) return NOT_LISTED
      return numberAt(asciiHashOf(text, start, end), text, start, end, PLAIN)
    },
  }
}

/** Not negative (FNV-1a, 31 bits); NOT_BY_UNIT when there is no folding by unit. */
function hashOf(text: string, start: number, end: number, units: UnitTable): number {
  let hash = HASH_START
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    let unit = units[code] ?? UNCLEAR
    if (unit === 0) {
      seeUnit(code)
      unit = units[code] ?? UNCLEAR
    }
    if (unit <= UNCLEAR) return NOT_BY_UNIT
    hash = Math.imul(hash ^ unit, HASH_PRIME)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** The same hash where every unit is known to fold alone. */
function asciiHashOf(text: string, start: number, end: number): number {
  let hash = HASH_START
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (PLAIN[text.charCodeAt(at)] ?? 0), HASH_PRIME)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** Ten bits of the first and the last unit, the same in any case. */
function endsOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
}

function lengthBit(length: number): number {
  return 1 << Math.min(length, LENGTH_BIT_MAX)
}

function isSpelled(word: string, text: string, start: number, end: number, units: UnitTable): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at++) {
    if (units[text.charCodeAt(start + at)] !== word.charCodeAt(at)) return false
  }
  return true
}
