import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { nodeFiles } from '../../../src/adapters/files/node-files.ts'
import { languages } from '../../../src/adapters/language/languages.ts'
import { openRecallImages } from '../../../src/adapters/recall/store.ts'
import { pinoLog } from '../../../src/adapters/system/log.ts'
import { indexMaker } from '../../../src/app/index-maker.ts'
import { recallSteps } from '../../../src/app/warm-recall.ts'
import {
  createIndex,
  type IndexedField,
  type IndexImage,
  type RecallIndex,
} from '../../../src/core/search/index.ts'
import { parseQuery } from '../../../src/core/search/query.ts'
import { rank } from '../../../src/core/search/rank.ts'
import { rankJob } from '../../../src/core/search/rank-job.ts'
import type { RecallImages } from '../../../src/ports/recall-images.ts'
import { type Engine, type EngineKind, HITS } from './engine.ts'

/** As behind the start of the service: meanwhile the engine compiles. */
const PAUSE_MS = 20
const KEY = 'bench'
const GRANT = { shard: 0, epoch: 1 }
const STATE = { seq: 1, stateHash: 'of the benchmark' }

/** The recall index of one actor, from query text to ranked numbers. */
export const memgov: EngineKind = {
  setup:
    'recall index, text to ranked hits, stored and read as the service does; a removal takes its words out of the counts later, 256 removals at a time or before the next query',
  reads: 'text',
  open: () => engineOn(null),
  // Bytes are read and checked here; the index goes on in them when the first question comes.
  async load(folder) {
    const stored = await (await imagesIn(folder)).get(KEY)
    if (stored === null) throw new Error('no recall index was stored')
    return engineOn(stored.image.index)
  },
  async warm() {
    for (const step of recallSteps()) {
      step()
      await setTimeout(PAUSE_MS)
    }
  },
}

function imagesIn(dir: string): Promise<RecallImages> {
  return openRecallImages({
    dir,
    files: nodeFiles,
    log: pinoLog('warn', process.stderr),
    maker: indexMaker(),
  })
}

function engineOn(image: IndexImage | null): Engine {
  let opened: RecallIndex | null = null
  const index = (): RecallIndex => {
    opened ??= createIndex(languages, image)
    return opened
  }
  return {
    add: (_, text) => index().add({ fields: fieldsOf(text), visibilityClass: 0 }),
    remove(doc, text) {
      index().remove(doc, fieldsOf(text))
      if (index().isCompactionDue) index().compact()
    },
    search: (text) =>
      rank(rankJob(index(), parseQuery(text, languages), { allowed: null, limit: HITS })).docs.length,
    settle() {},
    indexBytes: () => index().bytes,
    async save(folder) {
      const images = await imagesIn(folder)
      const docSlots = Int32Array.from({ length: index().numbered }, (_, doc) => doc + 1)
      images.keep(GRANT, KEY, { ...STATE, image: { index: index().image(), docSlots, recordBytes: 0 } })
      await images.settled()
    },
  }
}

function fieldsOf(text: string): readonly IndexedField[] {
  return [{ text, weight: 1 }]
}
