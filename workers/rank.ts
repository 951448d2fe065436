import { rank } from '../src/core/search/rank.ts'
import type { RankJob } from '../src/core/search/rank-job.ts'
import { ownResult, type RankResult } from '../src/core/search/rank-result.ts'

/** Ranks in a thread. The clone of a job already has its final form, the large parts shared; so has the answer. */
export default function rankTask(job: RankJob): RankResult {
  return ownResult(rank(job))
}
