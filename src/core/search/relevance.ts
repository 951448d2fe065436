import { FLAG_EXACT, FLAG_INFORMATIVE, type RankResult } from './rank-result.ts'

/** One hit of a ranking. */
export interface RankedDoc {
  readonly doc: number
  readonly score: number
  readonly matchedTerms: number
  /** 0 … 1, see RankResult. */
  readonly coverage: number
  /** See RankResult. */
  readonly information: number
  readonly isExact: boolean
  readonly isInformative: boolean
}

// How the numbers were found: docs/recall.md, Calibration.

/** Coverage that passes on its own: nearly all that was asked is there, however common its words are. */
export const COVERAGE_ALONE = 0.6
/** Coverage that passes with one informative term. */
export const COVERAGE_INFORMATIVE = 0.5
/** Coverage that passes with an informative term and any second one. */
export const COVERAGE_SECONDED = 0.375
/** Information that passes with an informative term: for long queries, of which no memory covers much. */
export const INFORMATION_ALONE = 2.2

/**
 * Whether a hit on its own shows that the memory is about what is asked. Weaker hits stay in the
 * list; they may fill it once one hit passes.
 */
export function isRelevant(hit: RankedDoc): boolean {
  if (hit.isExact || hit.coverage >= COVERAGE_ALONE) return true
  if (!hit.isInformative) return false
  if (hit.coverage >= COVERAGE_INFORMATIVE || hit.information >= INFORMATION_ALONE) return true
  return hit.matchedTerms > 1 && hit.coverage >= COVERAGE_SECONDED
}

/** The hits of a result as objects, best first. */
export function rankedDocs(result: RankResult): RankedDoc[] {
  return Array.from(result.docs, (_, place) => rankedDoc(result, place))
}

/** The hit in a place of the result, 0 is the best. */
export function rankedDoc(result: RankResult, place: number): RankedDoc {
  const flags = result.flags[place] ?? 0
  return {
    doc: result.docs[place] ?? 0,
    score: result.scores[place] ?? 0,
    matchedTerms: result.matchedTerms[place] ?? 0,
    coverage: result.coverage[place] ?? 0,
    information: result.information[place] ?? 0,
    isExact: (flags & FLAG_EXACT) !== 0,
    isInformative: (flags & FLAG_INFORMATIVE) !== 0,
  }
}
