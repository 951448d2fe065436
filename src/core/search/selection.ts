/** Candidates at most: the documents of a window. */
const CANDIDATES_MAX = 1 << 14
const BUCKETS = 1_024
/** Candidates that are put in order though they are too many. */
const SPARE = 512

// Scratch of the thread: nothing here is needed beyond the call that fills it. Of an array that is a constant of the
// module the engine knows place and length; of any other it asks at every step of a loop.
const counts = new Int32Array(BUCKETS)
const chosen = new Int32Array(CANDIDATES_MAX)
const order = new Int32Array(CANDIDATES_MAX)
const keys = new Float64Array(CANDIDATES_MAX)
const remaining = new Int32Array(CANDIDATES_MAX)
// Buckets of the scores: (score - low) * scale.
let low = 0
let scale = 0

/** 0, 1, 2 … */
export const EVERY_PLACE: Int32Array = Int32Array.from({ length: CANDIDATES_MAX }, (_, place) => place)

/** Documents to select from: those at the first `count` of `places`. */
export interface Candidates {
  readonly places: Int32Array
  readonly count: number
  /** By place. */
  readonly scores: Float64Array
  /** By place: the document, or what is in the same order. */
  readonly docs: Int32Array
  /** No score is below the one or above the other. */
  readonly lowest: number
  readonly highest: number
}

/** The last one of a selection. */
export interface Worst {
  readonly score: number
  readonly doc: number
}

/**
 * Writes the places of the best to `into`, the best first: by score, at the same score the newer document. They are found by
 * counting scores, which is several times faster than a heap. `wanted` is at most the number of candidates.
 */
export function selectBest(from: Candidates, wanted: number, into: Int32Array): void {
  if (wanted === 0) return
  countScores(from)
  let size = 0
  let bucket = BUCKETS
  while (size < wanted) {
    bucket -= 1
    const here = counts[bucket] ?? 0
    counts[bucket] = size
    size += here
  }
  if (size > wanted + SPARE) {
    const count = keepBest(from, worstOf(from, wanted), remaining)
    selectBest({ ...from, places: remaining, count }, wanted, into)
    return
  }
  placeFrom(bucket, from)
  putInOrder(size, from.docs)
  for (let number = 0; number < wanted; number += 1) into[number] = order[number] ?? 0
}

/** How many candidates each bucket of scores has. */
function countScores({ scores, places, count, lowest, highest }: Candidates): void {
  const steps = (BUCKETS - 1) / (highest - lowest)
  // Zero where all scores are the same, or as good as that.
  const factor = Number.isFinite(steps) ? steps : 0
  counts.fill(0)
  for (let at = 0; at < count; at += 1) {
    const bucket = (((scores[places[at] ?? 0] ?? 0) - lowest) * factor) | 0
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  low = lowest
  scale = factor
}

/** Candidates of the buckets from `least` on by bucket, the best first, in a bucket the last one first. */
function placeFrom(least: number, { scores, places, count }: Candidates): void {
  const lowest = low
  const factor = scale
  let size = 0
  // Without a branch: no processor guesses which of them are among the best.
  for (let at = 0; at < count; at += 1) {
    const place = places[at] ?? 0
    const bucket = (((scores[place] ?? 0) - lowest) * factor) | 0
    chosen[size] = place
    size += (least - 1 - bucket) >>> 31
  }
  for (let at = size - 1; at >= 0; at -= 1) {
    const place = chosen[at] ?? 0
    const score = scores[place] ?? 0
    const bucket = ((score - lowest) * factor) | 0
    const number = counts[bucket] ?? 0
    order[number] = place
    keys[number] = score
    counts[bucket] = number + 1
  }
}

/** Moves each before those that are worse; they are in the same bucket, so it does not go far. */
function putInOrder(size: number, docs: Int32Array): void {
  for (let number = 1; number < size; number += 1) {
    const score = keys[number] ?? 0
    let at = number
    if (score < (keys[at - 1] ?? 0)) continue
    const place = order[number] ?? 0
    const doc = docs[place] ?? 0
    for (; at > 0; at -= 1) {
      const other = order[at - 1] ?? 0
      const otherScore = keys[at - 1] ?? 0
      if (score < otherScore || (score === otherScore && doc < (docs[other] ?? 0))) break
      order[at] = other
      keys[at] = otherScore
    }
    order[at] = place
    keys[at] = score
  }
}

/** A score that so many of the candidates have or exceed; 0 where they are fewer. Close to the highest such score. */
export function scoreReached(from: Candidates, wanted: number): number {
  countScores(from)
  let reached = 0
  for (let bucket = BUCKETS - 1; bucket > 0; bucket -= 1) {
    reached += counts[bucket] ?? 0
    // One bucket lower, since it is rounded.
    if (reached >= wanted) return low + (bucket - 1) / scale
  }
  return 0
}

/** Number `wanted` of the best: its bucket by counting, then by order inside of that. */
export function worstOf(from: Candidates, wanted: number): Worst {
  const { scores, places, count } = from
  countScores(from)
  let rest = wanted
  let bucket = BUCKETS - 1
  while (rest > (counts[bucket] ?? 0)) {
    rest -= counts[bucket] ?? 0
    bucket -= 1
  }
  let among = 0
  for (let at = 0; at < count; at += 1) {
    const score = scores[places[at] ?? 0] ?? 0
    if ((((score - low) * scale) | 0) !== bucket) continue
    keys[among] = score
    among += 1
  }
  const sorted = keys.subarray(0, among).sort()
  const score = sorted[among - rest] ?? 0
  for (let at = among - 1; at >= 0 && (sorted[at] ?? 0) > score; at -= 1) rest -= 1
  return { score, doc: newest(from, score, rest) }
}

/** Number `wanted` of the documents with this score, the newest first. */
function newest({ scores, places, count, docs }: Candidates, score: number, wanted: number): number {
  let same = 0
  for (let at = 0; at < count; at += 1) {
    const place = places[at] ?? 0
    if (scores[place] !== score) continue
    order[same] = docs[place] ?? 0
    same += 1
  }
  return order.subarray(0, same).sort()[same - wanted] ?? 0
}

/** Writes the places of those that are no worse to `into`, in the order of the list, and answers how many they are. */
export function keepBest(
  { scores, places, count, docs }: Candidates,
  worst: Worst,
  into: Int32Array,
): number {
  let kept = 0
  for (let at = 0; at < count; at += 1) {
    const place = places[at] ?? 0
    const score = scores[place] ?? 0
    if (score < worst.score || (score === worst.score && (docs[place] ?? 0) < worst.doc)) continue
    into[kept] = place
    kept += 1
  }
  return kept
}
