// Loads the scope of the benches from a data folder step by step, as a service does that was just started, and sends
// how long each step took.
import process from 'node:process'
import { RecallView } from '../../src/actor/recall-view.ts'
import { digested } from '../../src/actor/snapshotting.ts'
import { createCodec } from '../../src/adapters/codec/codec.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { openJournal } from '../../src/adapters/journal/open-journal.ts'
import { languages } from '../../src/adapters/language/languages.ts'
import { openSnapshotStore } from '../../src/adapters/snapshot/store.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { pinoLog } from '../../src/adapters/system/log.ts'
import { actorKeyOf } from '../../src/domain/ids.ts'
import { evolve } from '../../src/domain/memory/evolve.ts'
import { emptyState } from '../../src/domain/memory/state.ts'
import { stateFrom } from '../../src/domain/memory/state-image.ts'
import { SCOPE } from '../seeded-scope.ts'

const TENANT = 'default'
const GRANT = { shard: 0, epoch: 1 }

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
  readonly index: Lap
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
  const state = stored === null ? emptyState(TENANT, SCOPE) : stateFrom(stored.image)
  const stateLap = lap()
  const codec = createCodec()
  let turns = 0
  for await (const record of journal.read(GRANT, key, state.seq + 1)) {
    evolve(state, codec.decodeTurn(record.payload))
    turns += 1
  }
  const replay = lap()
  await RecallView.over(state, languages)
  const index = lap()
  await journal.close()
  return {
    process: modules,
    journalScan,
    snapshotRead,
    digest,
    state: stateLap,
    replay,
    index,
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
      wallMs: Math.round(now.wallMs - before.wallMs),
      cpuMs: Math.round(now.cpuMs - before.cpuMs),
    }
    before = now
    return lap
  }
}

process.send?.(await measure(process.argv[2] ?? ''))
