import { DROPPED, PLAIN, type UnitTable, unitOf } from './folding.ts'

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

/** Finds words of a list where they stand in a text: nothing is cut out to look it up. The words are folded. */
export function createSpanIndex(list: readonly string[]): SpanIndex {
  const capacity = 2 ** Math.ceil(Math.log2(list.length * 4))
  const mask = capacity - 1
  const slots = new Int32Array(capacity).fill(EMPTY)
  /** By the ends of a word, a bit for each length: most words that are not listed share no bit with one that is. */
  const lengths = new Int32Array(capacity)
  for (const [number, word] of list.entries()) {
    let slot = hashOf(word, 0, word.length, PLAIN) & mask
    while (slots[slot] !== EMPTY) slot = (slot + 1) & mask
    slots[slot] = number
    const ends = endsOf(word, 0, word.length) & mask
    lengths[ends] = (lengths[ends] ?? 0) | lengthBit(word.length)
  }
  const numberOf = (text: string, start: number, end: number, units: UnitTable): number => {
    const hash = hashOf(text, start, end, units)
    if (hash === NOT_BY_UNIT) return NOT_BY_UNIT
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0
      if (number === EMPTY) return NOT_LISTED
      if (isSpelled(list[number] ?? '', text, start, end, units)) return number
    }
  }
  return {
    numberOf,
    numberOfAscii(text, start, end) {
      const isLike = ((lengths[endsOf(text, start, end) & mask] ?? 0) & lengthBit(end - start)) !== 0
      return isLike ? numberOf(text, start, end, PLAIN) : NOT_LISTED
    },
  }
}

/** Not negative (FNV-1a, 31 bits); NOT_BY_UNIT when there is no folding by unit. */
function hashOf(text: string, start: number, end: number, units: UnitTable): number {
  let hash = HASH_START
  for (let at = start; at < end; at++) {
    const unit = unitOf(units, text.charCodeAt(at))
    if (unit <= DROPPED) return NOT_BY_UNIT
    hash = Math.imul(hash ^ unit, HASH_PRIME)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

/** Ten bits of the first and the last unit, the same in any case. */
function endsOf(text: string, start: number, end: number): number {
  return ((text.charCodeAt(start) & 31) << 5) | (text.charCodeAt(end - 1) & 31)
}

/** Lengths that are 32 apart share a bit. */
function lengthBit(length: number): number {
  return 1 << length
}

function isSpelled(word: string, text: string, start: number, end: number, units: UnitTable): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at++) {
    if (units[text.charCodeAt(start + at)] !== word.charCodeAt(at)) return false
  }
  return true
}
