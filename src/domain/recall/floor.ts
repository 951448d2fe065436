import { FLAG_EXACT, FLAG_INFORMATIVE, type RankResult } from './rank.ts'

/** One hit of a ranking. */
export interface RankedDoc {
  readonly doc: number
  readonly score: number
  readonly matchedTerms: number
  /** 0 … 1, see RankResult. */
  readonly coverage: number
  readonly isExact: boolean
  readonly isInformative: boolean
}

/** Coverage from which an informative match passes. Calibrated as docs/recall.md says. */
export const FLOOR_COVERAGE = 0.3

/**
 * The relevance floor: whether a hit on its own shows that the memory is about what is asked. Weaker hits stay in the
 * list; they may fill it once one hit passes.
 */
export function passesFloor(hit: RankedDoc): boolean {
  if (hit.isExact) return true
  return hit.isInformative && hit.coverage >= FLOOR_COVERAGE
}

/** The hits of a result as objects, best first. */
export function rankedDocs(result: RankResult): RankedDoc[] {
  return Array.from(result.docs, (doc, place) => {
    const flags = result.flags[place] ?? 0
    return {
      doc,
      score: result.scores[place] ?? 0,
      matchedTerms: result.matchedTerms[place] ?? 0,
      coverage: result.coverage[place] ?? 0,
      isExact: (flags & FLAG_EXACT) !== 0,
      isInformative: (flags & FLAG_INFORMATIVE) !== 0,
    }
  })
}
