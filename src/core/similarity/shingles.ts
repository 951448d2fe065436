import { classAt, DENSE, isWordClass } from '../text/unicode.ts'

/** Words in a window; a character of a script without spaces counts as a word. */
const WINDOW_WORDS = 3
/** Texts of fewer words are compared by windows of characters: one word more would change most windows of words. */
const SHORT_TEXT_WORDS = 8
const WINDOW_CHARS = 3

/**
 * 32-bit hashes of the overlapping windows of a normalised text, in order, with repetitions. Windows of three words
 * without regard to punctuation; of three characters for texts of fewer than eight words, and for those that have no
 * word at all. Empty for the empty text alone. Linear in the length.
 */
export function shinglesOf(normalised: string): Uint32Array {
  if (normalised === '') return new Uint32Array(0)
  const words = wordHashes(normalised)
  return words.length < SHORT_TEXT_WORDS ? characterWindows(normalised) : wordWindows(words)
}

/** The distinct numbers of a list, in ascending order. */
export function distinct(numbers: Uint32Array): Uint32Array {
  const sorted = numbers.toSorted()
  let size = 0
  for (let at = 0; at < sorted.length; at += 1) {
    const number = sorted[at] ?? 0
    if (size > 0 && sorted[size - 1] === number) continue
    sorted[size] = number
    size += 1
  }
  return sorted.subarray(0, size)
}

/** Shared share of two ascending lists of distinct numbers, 0 to 1; two empty lists are equal. */
export function jaccard(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let atA = 0, atB = 0; atA < a.length && atB < b.length; ) {
    const left = a[atA] ?? 0
    const right = b[atB] ?? 0
    if (left === right) shared += 1
    if (left <= right) atA += 1
    if (right <= left) atB += 1
  }
  const all = a.length + b.length - shared
  return all === 0 ? 1 : shared / all
}

/** Spreads a 32-bit number over all 32 bits (the finaliser of MurmurHash3, public domain). */
export function mix32(number: number): number {
  let mixed = number ^ (number >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

function wordHashes(text: string): Uint32Array {
  const hashes = new Uint32Array(text.length)
  let size = 0
  for (let at = 0; at < text.length; ) {
    const here = classAt(text, at)
    if (!isWordClass(here) && here !== DENSE) {
      at += 1
      continue
    }
    let hash = FNV_START
    let next = here
    do {
      hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
      at += 1
      next = at < text.length ? classAt(text, at) : 0
      // A dense character ends its word, but not between the two halves of a pair.
    } while (here === DENSE ? (text.charCodeAt(at) & 0xfc00) === 0xdc00 : isWordClass(next))
    hashes[size] = hash
    size += 1
  }
  return hashes.subarray(0, size)
}

// The factors make a window tell the order of what stands in it.
const FIRST = 0x9e3779b1
const SECOND = 0x85ebca77

/** In the place of the words: a window is written where no later one begins. */
function wordWindows(words: Uint32Array): Uint32Array {
  const count = words.length - WINDOW_WORDS + 1
  for (let at = 0; at < count; at += 1) {
    const first = Math.imul(words[at] ?? 0, FIRST)
    words[at] = mix32(Math.imul(first ^ (words[at + 1] ?? 0), SECOND) ^ (words[at + 2] ?? 0))
  }
  return words.subarray(0, count)
}

const NO_WORD = /[^\p{L}\p{M}\p{N}]+/gu

function characterWindows(normalised: string): Uint32Array {
  const words = normalised.replace(NO_WORD, ' ').trim()
  const text = ` ${words === '' ? normalised : words} `
  const windows = new Uint32Array(text.length - WINDOW_CHARS + 1)
  for (let at = 0; at < windows.length; at += 1) {
    let hash = FNV_START
    for (let char = at; char < at + WINDOW_CHARS; char += 1)
      hash = Math.imul(hash ^ text.charCodeAt(char), FNV_PRIME)
    windows[at] = mix32(hash)
  }
  return windows
}
