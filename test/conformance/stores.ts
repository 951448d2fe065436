import { UNWATCHED } from '../../src/adapters/files/folder-watch.ts'
import { nodeFiles } from '../../src/adapters/files/node-files.ts'
import { MemoryData } from '../../src/adapters/memory/data.ts'
import { silentTelemetry } from '../../src/adapters/telemetry/silent.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openFileStore } from '../../src/app/stores/file-store.ts'
import { openMemoryStore } from '../../src/app/stores/memory-store.ts'
import { type ArchiveJob, archiveSegment } from '../../workers/archive.ts'
import { type RedactJob, redactFile } from '../../workers/redact.ts'
import { dataFolder } from '../harness/data-folder.ts'
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
      expire: (node) => data.expire(node),
    }
  },
}
