import type { Cursor } from './cursor.ts'
import { CLASS_PAGE_DOCS, CLASS_PAGE_SHIFT, REMOVED } from './documents.ts'
import { COUNT_MAX, LENGTHS } from './postings.ts'
import type { RankJob } from './rank-job.ts'
import { type Candidates, EVERY_PLACE, scoreReached, selectBest } from './selection.ts'
import { type BestDocs, TopDocs } from './top-docs.ts'

// BM25 (Robertson and Zaragoza, 2009), the idf with 1 added inside the logarithm so that it is never negative.
/** Saturation of repeated words. */
export const K1 = 0.6
/** How much longer memories must say more; low, because memories are short and say one thing. */
export const B = 0.15

/** Documents per window: its accumulators (8 bytes of score, 4 of matches) stay in the second-level cache. */
export const WINDOW_SHIFT = 14
export const WINDOW_DOCS = 1 << WINDOW_SHIFT

const NO_CLASSES = new Uint16Array(0)

// Scratch of the thread: ranking never yields, so one is enough. Scores and masks are zero between two windows. The
// scans name them once more: a name of the module is read anew for each posting, which makes them a fifth slower.
const scores = new Float64Array(WINDOW_DOCS)
const masks = new Uint32Array(WINDOW_DOCS)
const touched = new Int32Array(WINDOW_DOCS)
const visible = new Int32Array(WINDOW_DOCS)
const selected = new Int32Array(WINDOW_DOCS)
const gains = new Float64Array(256)
let gainsMeanLength = -1
/** The best of several windows, and the best that have an exact identifier. */
export const best = new TopDocs(0)
export const exact = new TopDocs(0)
/** At least the highest score of what `visible` lists. */
let highest = 0

/** What one occurrence pattern (count, length bucket) is worth, before the idf. */
export function fillGains(meanLength: number): void {
  if (meanLength === gainsMeanLength) return
  gainsMeanLength = meanLength
  for (let pattern = 0; pattern < 256; pattern += 1) {
    const count = Math.min(pattern >> 4, COUNT_MAX)
    const length = LENGTHS[pattern & 15] ?? 0
    const norm = meanLength === 0 ? 1 : 1 - B + (B * length) / meanLength
    gains[pattern] = (count * (K1 + 1)) / (count + K1 * norm)
  }
}

/**
 * Adds one term's postings in the window that begins at `base`, without asking which places are new. Answers how many
 * places of the window may be touched now.
 */
export function scanDense(
  cursor: Cursor,
  base: number,
  idf: number,
  bit: number,
  sizeBefore: number,
): number {
  const sums = scores
  const matches = masks
  const worths = gains
  let size = sizeBefore
  do {
    const words = cursor.words
    const end = cursor.end
    let at = cursor.at
    let reached = 0
    for (; at < end; at += 1) {
      const posting = words[at] ?? 0
      const place = (posting >>> 8) - base
      if (place >= WINDOW_DOCS) break
      sums[place] = (sums[place] ?? 0) + idf * (worths[posting & 255] ?? 0)
      matches[place] = (matches[place] ?? 0) | bit
      reached = place + 1
    }
    cursor.at = at
    if (reached > size) size = reached
    if (at < end) break
  } while (cursor.advance())
  return size
}

/** The same, place by place: lists those that are touched now and answers how many they are. */
export function scanSparse(
  cursor: Cursor,
  base: number,
  idf: number,
  bit: number,
  touchedBefore: number,
): number {
  const sums = scores
  const matches = masks
  const worths = gains
  const list = touched
  let count = touchedBefore
  do {
    const words = cursor.words
    const end = cursor.end
    let at = cursor.at
    for (; at < end; at += 1) {
      const posting = words[at] ?? 0
      const place = (posting >>> 8) - base
      if (place >= WINDOW_DOCS) break
      const mask = matches[place] ?? 0
      if (mask === 0) {
        list[count] = place
        count += 1
      }
      matches[place] = mask | bit
      sums[place] = (sums[place] ?? 0) + idf * (worths[posting & 255] ?? 0)
    }
    cursor.at = at
    if (at < end) break
  } while (cursor.advance())
  return count
}

/** Lists the places with a match and answers how many they are. Without a branch: no processor guesses which match. */
function listMatches(size: number): number {
  let count = 0
  for (let place = 0; place < size; place += 1) {
    const mask = masks[place] ?? 0
    touched[count] = place
    count += (mask | -mask) >>> 31
  }
  return count
}

function isAllowed(mark: number, allowed: Uint8Array | null): boolean {
  return mark !== REMOVED && (allowed === null || (allowed[mark - 1] ?? 0) !== 0)
}

/**
 * Offers the window at `base` to the best, and empties it. Windows come in order. The first `size` places may be touched or,
 * unless it is dense, so many are listed.
 */
export function offerWindow(
  job: RankJob,
  base: number,
  size: number,
  isDense: boolean,
  exactMask: number,
): void {
  if (best.isEmpty || exactMask !== 0) {
    const count = listSeen(job, base, size, isDense)
    if (best.isEmpty) best.raise(scoreReached(seen(count), job.limit))
    if (exactMask !== 0) offerExact(base, count, exactMask)
  }
  if (isDense) offerDense(job, base, size)
  else offerTouched(job, base, size)
  clear(size, isDense)
}

function offerDense(job: RankJob, base: number, size: number): void {
  const sums = scores
  let least = leastWanted()
  for (let place = 0; place < size; place += 1) {
    // Hardly any is wanted: four in one step, as long as none of them is.
    while (
      place + 3 < size &&
      (sums[place] ?? 0) < least &&
      (sums[place + 1] ?? 0) < least &&
      (sums[place + 2] ?? 0) < least &&
      (sums[place + 3] ?? 0) < least
    ) {
      place += 4
    }
    if (place === size) return
    if ((sums[place] ?? 0) < least) continue
    least = offer(job, base, place)
  }
}

function offerTouched(job: RankJob, base: number, count: number): void {
  let least = leastWanted()
  for (let at = 0; at < count; at += 1) {
    const place = touched[at] ?? 0
    if ((scores[place] ?? 0) < least) continue
    least = offer(job, base, place)
  }
}

/** Answers what is wanted afterwards. */
function offer(job: RankJob, base: number, place: number): number {
  const mark = marksAt(job, base)[marksFrom(base) + place] ?? REMOVED
  if (isAllowed(mark, job.allowed)) best.add(base + place, scores[place] ?? 0, masks[place] ?? 0)
  return leastWanted()
}

/** What has no match has no score. Of documents that come in order the later one is better at the same score. */
function leastWanted(): number {
  return Math.max(best.worstScore, Number.MIN_VALUE)
}

/** Offers what has an exact identifier of those that the consumer sees. */
function offerExact(base: number, count: number, exactMask: number): void {
  for (let at = 0; at < count; at += 1) {
    const place = visible[at] ?? 0
    const mask = masks[place] ?? 0
    const score = scores[place] ?? 0
    if ((mask & exactMask) !== 0 && exact.admits(base + place, score)) exact.add(base + place, score, mask)
  }
}

/**
 * Writes the best of the window to `into` and answers how many they are; what has an exact identifier is offered to `exact`.
 * Empties the window. For an index of one window; `size` as for `offerWindow`.
 */
export function selectWindow(
  job: RankJob,
  size: number,
  isDense: boolean,
  exactMask: number,
  into: BestDocs,
): number {
  const count = listSeen(job, 0, size, isDense)
  const wanted = Math.min(count, job.limit)
  selectBest(seen(count), wanted, selected)
  for (let number = 0; number < wanted; number += 1) {
    const place = selected[number] ?? 0
    into.docs[number] = place
    into.scores[number] = scores[place] ?? 0
    into.masks[number] = masks[place] ?? 0
  }
  if (exactMask !== 0) offerExact(0, count, exactMask)
  clear(size, isDense)
  return wanted
}

/** A window lies in one page. */
function marksAt(job: RankJob, base: number): Uint16Array {
  return job.classes[base >>> CLASS_PAGE_SHIFT] ?? NO_CLASSES
}

function marksFrom(base: number): number {
  return base & (CLASS_PAGE_DOCS - 1)
}

/** Those that `listSeen` has listed. */
function seen(count: number): Candidates {
  return { places: visible, count, scores, docs: EVERY_PLACE, lowest: 0, highest }
}

/** Lists the places with a match that the consumer sees, and answers how many they are; `size` as for `offerWindow`. */
function listSeen(job: RankJob, base: number, size: number, isDense: boolean): number {
  const marks = marksAt(job, base)
  const from = marksFrom(base)
  if (isDense && job.allowed === null) return listDense(size, marks, from)
  return listVisible(isDense ? listMatches(size) : size, marks, from, job.allowed)
}

/** Lists the places with a match that are not removed, and answers how many they are. Without a branch, as `listMatches`. */
function listDense(size: number, marks: Uint16Array, from: number): number {
  let count = 0
  let most = 0
  for (let place = 0; place < size; place += 1) {
    const mask = masks[place] ?? 0
    const score = scores[place] ?? 0
    visible[count] = place
    count += ((mask | -mask) & -(marks[from + place] ?? REMOVED)) >>> 31
    if (score > most) most = score
  }
  highest = most
  return count
}

/** Lists those of the touched places that the consumer sees, and answers how many they are. */
function listVisible(
  touchedCount: number,
  marks: Uint16Array,
  from: number,
  allowed: Uint8Array | null,
): number {
  let count = 0
  let most = 0
  for (let at = 0; at < touchedCount; at += 1) {
    const place = touched[at] ?? 0
    const score = scores[place] ?? 0
    if (!isAllowed(marks[from + place] ?? REMOVED, allowed)) continue
    visible[count] = place
    count += 1
    if (score > most) most = score
  }
  highest = most
  return count
}

function clear(size: number, isDense: boolean): void {
  if (isDense) {
    scores.fill(0, 0, size)
    masks.fill(0, 0, size)
    return
  }
  for (let at = 0; at < size; at += 1) {
    const place = touched[at] ?? 0
    scores[place] = 0
    masks[place] = 0
  }
}
