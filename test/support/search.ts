import { languages } from '../../src/adapters/language/languages.ts'
import type { RankJob } from '../../src/core/search/rank-job.ts'
import type { RankResult } from '../../src/core/search/rank-result.ts'
import { type IndexImage, SearchIndex } from '../../src/core/search/search-index.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'

/** One workspace for the indexes of a test, as a service has one for all actors. */
export const search = new SearchWorkspace(languages)

export function createIndex(image: IndexImage | null = null): SearchIndex {
  return new SearchIndex(search, image)
}

export function rank(job: RankJob): RankResult {
  return search.ranker.rank(job)
}

/** Live documents that hold a word, as a ranking over all of them is told. */
export function docsWith(index: SearchIndex, word: string): number {
  return index.job(search.query(word), { allowed: null, limit: 1 }).terms[2] ?? 0
}

/** The terms that an index can spell. */
export function spelledIn({ terms: { hashes, starts, chars } }: IndexImage): readonly string[] {
  const spelled = Array.from(hashes, (_, term) =>
    String.fromCharCode(...chars.subarray(starts[term], starts[term + 1])),
  )
  return spelled.filter((each) => !/^\0+$/.test(each))
}
