import { type DigestLanes, textLanesOf } from '../base/digest.ts'
import { normaliseText } from './canonical-text.ts'
import { distinct, mix32, shinglesOf } from './shingles.ts'

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
export interface TextPrint {
  /** 64 bits of the normalised text. */
  readonly digest: DigestLanes
  /** `BANDS` words; null for a text without a visible character, which is near nothing. */
  readonly signature: Uint32Array | null
}

/** The print of a text of any length; equal for all spellings that normalise to the same. Linear. */
export function printOf(text: string): TextPrint {
  const normalised = normaliseText(text)
  const shingles = shinglesOf(normalised)
  return {
    digest: textLanesOf(normalised),
    signature: shingles.length === 0 ? null : signatureOf(shingles),
  }
}

/** Estimate of the Jaccard similarity of two signatures, 0 to 1; standard deviation at most 0.073 (0.058 at 0.8). */
export function estimateOf(a: Uint32Array, b: Uint32Array): number {
  let equal = 0
  for (let band = 0; band < BANDS; band += 1) equal += equalBytes(a[band] ?? 0, b[band] ?? 0)
  return estimateFrom(equal)
}

/** The estimate that goes with a number of equal bins. */
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
interface Bins {
  readonly smallest: Uint32Array
  /** By bin: the round that filled it, plus one; 0: it is empty. A later round leaves it alone. */
  readonly filledIn: Uint8Array
}

function signatureOf(shingles: Uint32Array): Uint32Array {
  const bins: Bins = { smallest: new Uint32Array(BINS).fill(EMPTY), filledIn: new Uint8Array(BINS) }
  const empty = BINS - fillRound(bins, shingles, 0)
  if (empty > 0) fillRest(bins, shingles.length > SORTED_MIN ? distinct(shingles) : shingles, empty)
  const signature = new Uint32Array(BANDS)
  for (let bin = 0; bin < BINS; bin += 1)
    signature[bin >> 2] = ((signature[bin >> 2] ?? 0) << 8) | ((bins.smallest[bin] ?? 0) & 0xff)
  return signature
}

/** A text with empty bins has a few hundred distinct windows at most, so the rounds are short. */
function fillRest(bins: Bins, shingles: Uint32Array, empty: number): void {
  let left = empty
  // After as many rounds as bins, each round fills one bin for certain.
  for (let round = 1; round < BINS && left > 0; round += 1) left -= fillRound(bins, shingles, round)
  if (left === 0) return
  for (let bin = 0; bin < BINS; bin += 1) {
    if (bins.filledIn[bin] === 0) bins.smallest[bin] = smallestOf(shingles, BINS + bin)
  }
}

/** How many bins it fills that were empty. */
function fillRound({ smallest, filledIn }: Bins, shingles: Uint32Array, round: number): number {
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
