import { FLAG_DOUBTED, FLAG_EXACT, FLAG_STRONG, type RankResult } from '../../src/core/search/rank-result.ts'

/** One hit of a ranking. */
interface RankedDoc {
  readonly doc: number
  readonly score: number
  readonly matchedTerms: number
  /** 0 … 1, see RankResult. */
  readonly coverage: number
  readonly isExact: boolean
  readonly isStrong: boolean
  readonly isDoubted: boolean
}

/** The hits of a result as objects, best first. */
export function rankedDocs(result: RankResult): RankedDoc[] {
  return Array.from(result.docs, (_, place) => rankedDoc(result, place))
}

/** The hit in a place of the result, 0 is the best. */
function rankedDoc(result: RankResult, place: number): RankedDoc {
  const flags = result.flags[place] ?? 0
  return {
    doc: result.docs[place] ?? 0,
    score: result.scores[place] ?? 0,
    matchedTerms: result.matchedTerms[place] ?? 0,
    coverage: result.coverage[place] ?? 0,
    isExact: (flags & FLAG_EXACT) !== 0,
    isStrong: (flags & FLAG_STRONG) !== 0,
    isDoubted: (flags & FLAG_DOUBTED) !== 0,
  }
}
