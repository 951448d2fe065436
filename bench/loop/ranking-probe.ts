import process from 'node:process'
import { RecallView } from '../../src/actor/recall-view.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { systemClock } from '../../src/adapters/system/clock-and-entropy.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { GUIDE_LIMIT_DEFAULT } from '../../src/core/guide/entry.ts'
import { stateFrom } from '../../src/core/model/state-image.ts'
import { type RankJob, rankLimitFor } from '../../src/core/search/rank-job.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { SCOPE } from '../seeded-scope.ts'

export interface RankingProbe {
  readonly memories: number
  /** The job that a guide with this query makes; making it is not part of the ranking. */
  job(queryText: string): RankJob
  rank(job: RankJob): void
}

const CONSUMER = { agentId: 'local-agent', teamId: null }

/** The index that the service builds over a folder it has shut down in order. */
export async function openRankingProbe(dataDir: string): Promise<RankingProbe> {
  const log = pinoLog('warn', process.stderr)
  const store = await openSnapshotStore({ dir: dataDir, files: nodeFiles, log, clock: systemClock() })
  const stored = await store.get(actorKeyOf('default', SCOPE))
  if (stored === null) throw new Error(`there is no snapshot of ${SCOPE} in ${dataDir}`)
  const state = stateFrom(stored.image)
  const view = await RecallView.over(state, new SearchWorkspace(languages))
  return {
    memories: state.memories.size,
    job: (queryText) => view.job(state, view.query(queryText), CONSUMER, rankLimitFor(GUIDE_LIMIT_DEFAULT)),
    rank: (job) => void view.rank(job),
  }
}
