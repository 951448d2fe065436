import { normaliseText } from './canonical-text.ts'
import { type Reading, readText } from './reading.ts'
import { distinct, jaccard, shinglesOf } from './shingles.ts'

/** Jaccard similarity of the windows of two texts from which on one is a near copy of the other. */
export const NEAR_DUPLICATE_MIN = 0.8

/** Exact Jaccard similarity of the windows (`shinglesOf`) of two texts, 0 to 1; 1 when they normalise to the same. */
export function similarityOf(a: string, b: string): number {
  const left = normaliseText(a)
  const right = normaliseText(b)
  if (left === right) return 1
  return jaccard(distinct(shinglesOf(left)), distinct(shinglesOf(right)))
}

/**
 * Whether two texts say the same in nearly the same words: similar by `NEAR_DUPLICATE_MIN` and with the same facts.
 * Symmetric; true for every text and itself, and for spellings of one text.
 */
export function isNearDuplicate(a: string, b: string): boolean {
  const left = normaliseText(a)
  const right = normaliseText(b)
  if (left === right) return true
  if (jaccard(distinct(shinglesOf(left)), distinct(shinglesOf(right))) < NEAR_DUPLICATE_MIN) return false
  return sharesFacts(a, b)
}

/**
 * Whether two texts have the same numbers (with units), dates, versions, paths, symbols, addresses, names, negations,
 * outcomes and opposites, each as often. Capitals are evidence only: a word that either text writes as a name must be
 * as frequent in the other, in whatever letters.
 */
export function sharesFacts(a: string, b: string): boolean {
  const left = readText(a)
  const right = readText(b)
  const names = new Set([...left.names, ...right.names])
  return sameCounts(countsOf(left, names), countsOf(right, names))
}

function countsOf(reading: Reading, names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const statement of reading.statements) {
    for (const fact of statement.facts) count(`fact ${fact}`)
    for (const word of statement.words) if (names.has(word)) count(`name ${word}`)
  }
  return counts
}

function sameCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false
  for (const [key, count] of a) if (b.get(key) !== count) return false
  return true
}
