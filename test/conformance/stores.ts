import { UNWATCHED } from '../../src/adapters/files/folder-watch.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { silentTelemetry } from '../../src/adapters/files/null-ports.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { openPostgresStore } from '../../src/adapters/postgres/store.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openFileStore } from '../../src/app/stores/file-store.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import { type ArchiveJob, archiveSegment } from '../../workers/archive.ts'
import { type RedactJob, redactFile } from '../../workers/redact.ts'
import { dataFolder } from '../harness/data-folder.ts'
import { type Base, LEASE_MS, postgresBase, postgresOptions } from '../harness/postgres-store.ts'
import { manualClock, memoryLog } from '../harness/system.ts'
import type { StoreUnderTest } from './written.ts'

const { config } = readConfig({ embeddingsUrl: 'http://127.0.0.1:9', segmentBytes: 1 << 20 }, {})
const system = { clock: manualClock(), log: memoryLog().log }

/** What workers do, done here. */
function runLong<Answer>(task: string, job: unknown): Promise<Answer> {
  const done =
    task === 'archive'
      ? archiveSegment(nodeFiles, job as ArchiveJob)
      : redactFile(nodeFiles, job as RedactJob)
  return done as Promise<Answer>
}

let base: Promise<Base> | null = null

/** To make a database takes longer than a law: one is emptied for each. */
async function emptyBase(): Promise<Base> {
  base ??= postgresBase()
  await (await base).empty()
  return base
}

/** Made when it is first asked for. */
function madeBase(): () => Promise<Base> {
  let made: Promise<Base> | null = null
  return () => {
    made ??= emptyBase()
    return made
  }
}

/** Each of them begins empty. */
export const STORES: Readonly<Record<string, () => StoreUnderTest>> = {
  'the local files': () => {
    const dir = dataFolder()
    const parts = {
      ...system,
      dir,
      files: nodeFiles,
      watch: UNWATCHED,
      compute: { runLong },
      telemetry: silentTelemetry,
      pruned: new Set<string>(),
    }
    return { open: () => openFileStore(config, { ...parts, boundsNow: () => [] }), expire: null }
  },
  'the store in memory': () => {
    const data = new MemoryData()
    return {
      open: async (node = 'one') => openMemoryStore(config, system.clock, data, node),
      expire: async (node) => data.expire(node),
    }
  },
  PostgreSQL: () => {
    const base = madeBase()
    const late = new Map<string, number>()
    return {
      open: async (node = 'one') =>
        openPostgresStore({
          ...postgresOptions((await base()).url),
          nodeUrl: node,
          monotonicMs: () => performance.now() + (late.get(node) ?? 0),
        }),
      async expire(node) {
        // As one that stood still: its own clock has gone on too.
        late.set(node, (late.get(node) ?? 0) + LEASE_MS)
        await (await base()).sql("update memgov.node set expires = '-infinity' where url = $1", [node])
      },
    }
  },
}
