import type { RankJob } from '../src/core/search/rank-job.ts'
import type { RankResult } from '../src/core/search/rank-result.ts'
import { Ranker } from '../src/core/search/ranker.ts'

const ranker = new Ranker()

/** Ranks in a thread. The clone of a job already has its final form, the large parts shared; so has the answer. */
export default function rankTask(job: RankJob): RankResult {
  return ranker.rank(job)
}
