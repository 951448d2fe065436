import type { MemoryColumns } from '../model/columns.ts'
import type { CandidateColumns } from './candidate-columns.ts'

const WORD_BITS = 5
const WORD = 1 << WORD_BITS

// Scratch of the thread, as the columns: a bit for each ordinal, and for each word of bits the candidates in words before.
let isTaken = new Int32Array(0)
let taken = new Int32Array(0)

/** Of an actor: all that were given are below `nextOrdinal`. */
interface Ordinals {
  readonly columns: Pick<MemoryColumns, 'ordinalOf'>
  readonly nextOrdinal: number
}

/**
 * Numbers candidates by age, by counting how many ordinals below theirs are taken: no two memories have the same one. Of
 * some hundred it takes a quarter of the time of a radix sort.
 */
export function numberByAge(
  { columns, nextOrdinal }: Ordinals,
  candidates: Pick<CandidateColumns, 'size' | 'slots' | 'age'>,
): void {
  const { size, slots, age } = candidates
  const words = (nextOrdinal >>> WORD_BITS) + 1
  if (words > isTaken.length) {
    isTaken = new Int32Array(words * 2)
    taken = new Int32Array(words * 2)
  }
  // Bound here: a variable of the module is read again at every step of a loop.
  const bits = isTaken
  const before = taken
  bits.fill(0, 0, words)
  for (let place = 0; place < size; place += 1) {
    const ordinal = columns.ordinalOf(slots[place] ?? 0)
    age[place] = ordinal
    bits[ordinal >>> WORD_BITS] = (bits[ordinal >>> WORD_BITS] ?? 0) | (1 << (ordinal % WORD))
  }
  let count = 0
  for (let word = 0; word < words; word += 1) {
    const ofWord = bits[word] ?? 0
    // Most are, of many memories.
    if (ofWord === 0) continue
    before[word] = count
    count += bitsIn(ofWord)
  }
  for (let place = 0; place < size; place += 1) {
    const ordinal = (age[place] ?? 0) >>> 0
    const word = ordinal >>> WORD_BITS
    const older = (bits[word] ?? 0) & ((1 << (ordinal % WORD)) - 1)
    age[place] = (before[word] ?? 0) + bitsIn(older) + 1
  }
}

/** Ones among 32 bits: added up in pairs, fours and bytes. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
