import { PLAIN, seeUnit, UNCLEAR, type UnitTable } from './folding.ts'

/**
 * The number of the word that a span of a text spells in the units of a table: its place in the list, -1 for none, -2
 * when a unit of the span does not fold alone.
 */
export type SpanIndex = (text: string, start: number, end: number, units: UnitTable) => number

export const NOT_LISTED = -1
export const NOT_BY_UNIT = -2
const EMPTY = -1

/** Finds words of a list where they stand in a text: nothing is cut out to look it up. The words are folded. */
export function createSpanIndex(list: readonly string[]): SpanIndex {
  const capacity = 2 ** Math.ceil(Math.log2(list.length * 4))
  const slots = new Int32Array(capacity).fill(EMPTY)
  const hashes = new Int32Array(capacity)
  for (const [number, word] of list.entries()) {
    const hash = hashOf(word, 0, word.length, PLAIN)
    let slot = hash & (capacity - 1)
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (capacity - 1)
    slots[slot] = number
    hashes[slot] = hash
  }
  return (text, start, end, units) => {
    const hash = hashOf(text, start, end, units)
    if (hash === NOT_BY_UNIT) return NOT_BY_UNIT
    for (let slot = hash & (capacity - 1); ; slot = (slot + 1) & (capacity - 1)) {
      const number = slots[slot] ?? EMPTY
      if (number === EMPTY) return NOT_LISTED
      if (hashes[slot] === hash && isSpelled(list[number] ?? '', text, start, end, units)) return number
    }
  }
}

/** Not negative (FNV-1a, 31 bits); NOT_BY_UNIT when there is no folding by unit. */
function hashOf(text: string, start: number, end: number, units: UnitTable): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    let unit = units[code] ?? UNCLEAR
    if (unit === 0) {
      seeUnit(code)
      unit = units[code] ?? UNCLEAR
    }
    if (unit <= UNCLEAR) return NOT_BY_UNIT
    hash = Math.imul(hash ^ unit, 0x01000193)
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

function isSpelled(word: string, text: string, start: number, end: number, units: UnitTable): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at++) {
    if (units[text.charCodeAt(start + at)] !== word.charCodeAt(at)) return false
  }
  return true
}
