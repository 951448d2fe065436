import { type DigestLanes, textLanesOf } from '../base/digest.ts'
import { FNV_PRIME, FNV_START, mix32 } from '../base/hash.ts'
import { classAt, DENSE, isWordClass } from '../text/unicode.ts'

// Two spellings of one text. The canonical text keeps capitals and line breaks, because they tell names and statements;
// the normalised text keeps neither, because an echo seldom does.

/**
 * The text without control and invisible characters, in compatibility composition (NFKC), with one kind of quote and
 * dash. Line ends become `\n`. Linear in the length.
 */
export function canonicalText(text: string): string {
  if (!NOT_PLAIN.test(text)) return text
  const visible = text.replace(HIDDEN, '')
  if (!BEYOND_ASCII.test(visible)) return withLineFeeds(visible).replaceAll('`', "'")
  const unified = withUnifiedMarks(withLineFeeds(visible))
  const composed = unified.normalize('NFKC')
  if (composed === unified) return composed
  // A compatibility form may stand for a sign that is unified or hidden itself.
  return withUnifiedMarks(composed.replace(HIDDEN, '')).normalize('NFKC')
}

/**
 * One form for all spellings of a text that differ in capitals, white space, Unicode form, invisible characters, kinds
 * of quotes and dashes, and in punctuation at its two ends (a question mark stays: a question is no statement).
 * Normalising twice changes nothing more. Linear in the length, the whole text.
 */
export function normaliseText(text: string): string {
  return withoutEdges(foldCase(canonicalText(text)).replace(WIDE_SPACES, ' '))
}

/** Small letters, also where a capital stands for two of them. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower)) return lower
  return lower.replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFKC')
}

const BEYOND_ASCII = /[\u0080-\uffff]/
const NOT_PLAIN = /[^\n\x20-\x5f\x61-\x7e]/
const HIDDEN = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+|[^\P{Cc}\s\x85]+/gu
const LINE_ENDS = /\r\n?|[\v\f\x85\u2028\u2029]/g
/** All white space but a single space. */
const WIDE_SPACES = /\s{2,}|[^\S ]/g
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2035\u2039\u203a\u00b4\u02b9\u02bc`]/g
const MARKS = /[`´«»\u02b9\u02bc\u2010-\u203a\u2043\u2212\u300c-\u300f\ufe58\ufe63\uff0d]/
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f]/g
const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g

function withLineFeeds(text: string): string {
  return text.replace(LINE_ENDS, '\n')
}

function withUnifiedMarks(text: string): string {
  if (!MARKS.test(text)) return text
  return text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-')
}

const QUOTES = `"'`
const BULLETS = '-*+•·>|#'
const CLOSERS = ` ."',:;!。，、；：！`
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Cuts bullets, quotes and closing punctuation from both ends, and a pair of brackets around all. */
function withoutEdges(text: string): string {
  let from = 0
  let to = text.length
  for (;;) {
    const size = to - from
    while (to > from && CLOSERS.includes(text.charAt(to - 1))) to -= 1
    while (from < to && (text.charAt(from) === ' ' || QUOTES.includes(text.charAt(from)))) from += 1
    from = afterBullet(text, from, to)
    if (to - from > 1 && BRACKETS[text.charAt(from)] === text.charAt(to - 1)) {
      from += 1
      to -= 1
    }
    if (to - from === size) return text.slice(from, to)
  }
}

/** A bullet is a sign with a space behind it: `- item`, not `-5`, `--force`, `#12`. */
function afterBullet(text: string, from: number, to: number): number {
  let at = from
  while (at < to && BULLETS.includes(text.charAt(at))) at += 1
  return at > from && at < to && text.charAt(at) === ' ' ? at + 1 : from
}

// Signature of a text: 48 bins of 8 bits, four to a word.
//
//   0         1         2                        11
//   +---------+---------+----------- ... --------+---------+
//   | bins    | bins    |                        | bins    |
//   | 0 to 3  | 4 to 7  |                        | 44 - 47 |
//   +---------+---------+----------- ... --------+---------+
//
// A bin is equal in two texts with the probability of their Jaccard similarity (plus 1/256 by chance), whatever the
// sizes of the texts. Each window goes to one bin and the smallest value in a bin wins; a bin that stays empty is filled
// by a further round over the windows (Dahlgaard, Knudsen, Thorup, "Fast Similarity Sketching", 2017). A long text
// costs one round, a short one has few windows.

/** Words of a signature; each is a band of the index. */
export const BANDS = 12
const BINS = BANDS * 4

/** What the index knows of a text: 56 bytes. */
export interface TextSignature {
  /** 64 bits of the normalised text. */
  readonly digest: DigestLanes
  /** `BANDS` words; null for a text without a visible character, which is near nothing. */
  readonly bins: Uint32Array | null
}

/** The signature of a text of any length; equal for all spellings that normalise to the same. Linear. */
export function minHash(text: string): TextSignature {
  const normalised = normaliseText(text)
  const shingles = shinglesOf(normalised)
  const numbers = numbersOf(normalised)
  if (numbers !== 0)
    for (let at = 0; at < shingles.length; at += 1) shingles[at] = (shingles[at] ?? 0) ^ numbers
  return {
    digest: textLanesOf(normalised),
    bins: shingles.length === 0 ? null : binsOf(shingles),
  }
}

/**
 * A hash of the digits of a text, each run apart; 0 where there is none. Texts of other numbers are never near: mixed into all
 * windows it keeps the thousands of one form, `order 12 was shipped`, from meeting each other.
 */
function numbersOf(normalised: string): number {
  let hash = 0
  let wasDigit = false
  for (let at = 0; at < normalised.length; at += 1) {
    const code = normalised.charCodeAt(at)
    const isDigit = code >= 0x30 && code <= 0x39
    if (isDigit) hash = Math.imul((wasDigit ? hash : hash + FNV_START) ^ code, FNV_PRIME)
    wasDigit = isDigit
  }
  return hash === 0 ? 0 : mix32(hash)
}

/** Estimate of the Jaccard similarity of two signatures, 0 to 1, by how many bins are equal; standard deviation at most 0.073 (0.058 at 0.8). */
export function estimateFrom(equalBins: number): number {
  return Math.max(0, (equalBins / BINS - 1 / 256) / (1 - 1 / 256))
}

/** How many of the four bytes of two words are equal. */
export function equalBytes(a: number, b: number): number {
  const difference = a ^ b
  if (difference === 0) return 4
  let equal = 0
  if ((difference & 0xff) === 0) equal += 1
  if ((difference & 0xff00) === 0) equal += 1
  if ((difference & 0xff0000) === 0) equal += 1
  if ((difference & 0xff000000) === 0) equal += 1
  return equal
}

const EMPTY = 0xffffffff
/** Repeated windows change no signature. Of more windows than these they are taken out before the rounds. */
const SORTED_MIN = 64
const ROUND_STEP = 0x9e3779b9

/** The bins of one signature while they are filled. */
interface Filling {
  readonly smallest: Uint32Array
  /** By bin: the round that filled it, plus one; 0: it is empty. A later round leaves it alone. */
  readonly filledIn: Uint8Array
}

function binsOf(shingles: Uint32Array): Uint32Array {
  const filling: Filling = { smallest: new Uint32Array(BINS).fill(EMPTY), filledIn: new Uint8Array(BINS) }
  const empty = BINS - fillRound(filling, shingles, 0)
  if (empty > 0) fillRest(filling, shingles.length > SORTED_MIN ? distinct(shingles) : shingles, empty)
  const signature = new Uint32Array(BANDS)
  for (let bin = 0; bin < BINS; bin += 1)
    signature[bin >> 2] = ((signature[bin >> 2] ?? 0) << 8) | ((filling.smallest[bin] ?? 0) & 0xff)
  return signature
}

/** A text with empty bins has a few hundred distinct windows at most, so the rounds are short. */
function fillRest(filling: Filling, shingles: Uint32Array, empty: number): void {
  let left = empty
  // After as many rounds as bins, each round fills one bin for certain.
  for (let round = 1; round < BINS && left > 0; round += 1) left -= fillRound(filling, shingles, round)
  if (left === 0) return
  for (let bin = 0; bin < BINS; bin += 1) {
    if (filling.filledIn[bin] === 0) filling.smallest[bin] = smallestOf(shingles, BINS + bin)
  }
}

/** How many bins it fills that were empty. */
function fillRound({ smallest, filledIn }: Filling, shingles: Uint32Array, round: number): number {
  const salt = Math.imul(round, ROUND_STEP)
  let count = 0
  for (let at = 0; at < shingles.length; at += 1) {
    const mixed = mix32((shingles[at] ?? 0) ^ salt)
    const bin = ((mixed >>> 16) * BINS) >>> 16
    const filled = filledIn[bin] ?? 0
    if (filled === 0) {
      filledIn[bin] = round + 1
      count += 1
    } else if (filled !== round + 1) continue
    const value = valueOf(mixed)
    if (value < (smallest[bin] ?? 0)) smallest[bin] = value
  }
  return count
}

function smallestOf(shingles: Uint32Array, round: number): number {
  const salt = Math.imul(round, ROUND_STEP)
  let smallest = EMPTY
  for (const shingle of shingles) smallest = Math.min(smallest, valueOf(mix32(shingle ^ salt)))
  return smallest
}

/** Independent of the bin; below `EMPTY`. */
function valueOf(mixed: number): number {
  return mix32(Math.imul(mixed, 0x27d4eb2f) ^ ROUND_STEP) >>> 1
}

/** Words in a window; a character of a script without spaces counts as a word. */
const WINDOW_WORDS = 3
/** Texts of fewer words are compared by windows of characters: three slips of the hand would change most windows of words. */
const SHORT_TEXT_WORDS = 25
const WINDOW_CHARS = 3

/**
 * 32-bit hashes of the overlapping windows of a normalised text, in order, with repetitions. Windows of three words
 * without regard to punctuation; of three characters for texts of fewer than 25 words, and for those that have no
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

const SPACE = 0x20

/** Of the letters and digits, and one space for whatever parts them; of all signs where there is no word. */
function characterWindows(normalised: string): Uint32Array {
  const codes = new Uint16Array(normalised.length + 2)
  codes[0] = SPACE
  let size = 1
  for (let at = 0; at < normalised.length; at += 1) {
    const here = classAt(normalised, at)
    const code = isWordClass(here) || here === DENSE ? normalised.charCodeAt(at) : SPACE
    if (code !== SPACE || codes[size - 1] !== SPACE) codes[size++] = code
  }
  if (size === 1) for (; size <= normalised.length; size += 1) codes[size] = normalised.charCodeAt(size - 1)
  if (codes[size - 1] !== SPACE) codes[size++] = SPACE
  return windowsOf(codes.subarray(0, size))
}

function windowsOf(codes: Uint16Array): Uint32Array {
  const windows = new Uint32Array(codes.length - WINDOW_CHARS + 1)
  for (let at = 0; at < windows.length; at += 1) {
    const first = Math.imul(FNV_START ^ (codes[at] ?? 0), FNV_PRIME)
    const second = Math.imul(first ^ (codes[at + 1] ?? 0), FNV_PRIME)
    windows[at] = mix32(Math.imul(second ^ (codes[at + 2] ?? 0), FNV_PRIME))
  }
  return windows
}
