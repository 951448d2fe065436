// Loads the scope of the benches from a data folder step by step, as a service does that was just started, and sends
// how long each step took.
import process from 'node:process'
import { RecallView } from '../../src/actor/recall-view.ts'
import { digested } from '../../src/actor/snapshotting.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/open-journal.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { openRecallImages } from '../../src/adapters/recall/store.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { indexMaker } from '../../src/app/index-maker.ts'
import { actorKeyOf } from '../../src/core/base/ids.ts'
import { evolve } from '../../src/core/model/evolve.ts'
import { emptyState } from '../../src/core/model/state.ts'
import { stateFrom } from '../../src/core/model/state-image.ts'
import { SearchWorkspace } from '../../src/core/search/workspace.ts'
import { requestsOf, SCOPE } from '../seeded-scope.ts'

const TENANT = 'default'
const GRANT = { shard: 0, epoch: 1 }
/** Made ahead: making it takes longer than answering it. */
const QUERY = requestsOf(2).guide().query_text

/** Milliseconds, and those of them in which a processor was ours: on a busy machine only these mean something. */
export interface Lap {
  readonly wallMs: number
  readonly cpuMs: number
}

export interface RestartParts {
  /** From the start of the process to its first own line: Node and the modules. */
  readonly process: Lap
  /** Opening the journal: scan of every record, a fresh segment. */
  readonly journalScan: Lap
  readonly snapshotRead: Lap
  /** Proving the snapshot against the digest it was given. */
  readonly digest: Lap
  /** State and lookups from the snapshot's rows. */
  readonly state: Lap
  /** Turns that the snapshot does not cover: read, decoded, applied. */
  readonly replay: Lap
  /** Reading the stored index and comparing its checksums; as good as nothing without one. */
  readonly indexRead: Lap
  /** The index from what was read, or from every text. */
  readonly index: Lap
  /** One query, the first of this process. */
  readonly firstQuery: Lap
  readonly isIndexStored: boolean
  /** Memory of the index, texts apart. */
  readonly indexBytes: number
  readonly turns: number
  readonly memories: number
}

async function measure(dataDir: string): Promise<RestartParts> {
  const log = pinoLog('warn', process.stderr)
  const clock = systemClock()
  const lap = stopwatch()
  const modules = lap()
  const journal = await openJournal({ dir: dataDir, log })
  const journalScan = lap()
  const key = actorKeyOf(TENANT, SCOPE)
  const stored = await (await openSnapshotStore({ dir: dataDir, files: nodeFiles, log, clock })).get(key)
  const snapshotRead = lap()
  if (stored !== null) await digested(stored.image)
  const digest = lap()
  const images = await openRecallImages({ dir: dataDir, files: nodeFiles, log, maker: indexMaker() })
  const found = await images.get(key)
  const indexRead = lap()
  const state = stored === null ? emptyState(TENANT, SCOPE) : stateFrom(stored.image)
  const stateLap = lap()
  const codec = createCodec()
  let turns = 0
  for await (const record of journal.read(GRANT, key, state.seq + 1)) {
    evolve(state, codec.decodeTurn(record.payload))
    turns += 1
  }
  const replay = lap()
  const search = new SearchWorkspace(languages)
  const taken = found === null ? null : RecallView.from(found.image, state, search)
  const view = taken ?? (await RecallView.over(state, search))
  const index = lap()
  const consumer = { agentId: 'local-agent', teamId: null }
  view.hitsOf(view.rank(view.job(state, view.query(QUERY), consumer, 200)))
  const firstQuery = lap()
  await journal.close()
  return {
    process: modules,
    journalScan,
    snapshotRead,
    digest,
    state: stateLap,
    replay,
    indexRead,
    index,
    firstQuery,
    isIndexStored: taken !== null,
    indexBytes: view.indexBytes,
    turns,
    memories: state.memories.size,
  }
}

/** The first lap begins with the process. */
function stopwatch(): () => Lap {
  let before = { wallMs: 0, cpuMs: 0 }
  return () => {
    const { user, system } = process.cpuUsage()
    const now = { wallMs: performance.now(), cpuMs: (user + system) / 1_000 }
    const lap = {
      wallMs: tenths(now.wallMs - before.wallMs),
      cpuMs: tenths(now.cpuMs - before.cpuMs),
    }
    before = now
    return lap
  }
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

process.send?.(await measure(process.argv[2] ?? ''))
