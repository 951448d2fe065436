import process from 'node:process'
import { nodeFiles } from '../../../src/adapters/files/node-files.ts'
import { languages } from '../../../src/adapters/language/languages.ts'
import { openRecallImages } from '../../../src/adapters/recall/store.ts'
import { pinoLog } from '../../../src/adapters/system/log.ts'
import { indexMaker } from '../../../src/app/stores/file-store.ts'
import type { IndexedField } from '../../../src/core/search/document-reader.ts'
import { type IndexImage, SearchIndex } from '../../../src/core/search/search-index.ts'
import { WINDOW_DOCS } from '../../../src/core/search/window.ts'
import { SearchWorkspace } from '../../../src/core/search/workspace.ts'
import type { RecallImages } from '../../../src/ports/store.ts'
import { mulberry32, sentence, zipfWords } from '../../synthetic-text.ts'
import { type Engine, type EngineKind, HITS } from './engine.ts'

const WARM_SEED = 13
const WARM_WORDS = 12
/** More than one window of documents: a single one is ranked in another way. */
const WARM_DOCS = 2 * WINDOW_DOCS
const WARM_ROUNDS = 600
const KEY = 'bench'
const GRANT = { shard: 0, epoch: 1 }
const STATE = { seq: 1, stateHash: 'of the benchmark' }

/** One for all indexes of a process, as the service has one for each thread. */
const workspace = new SearchWorkspace(languages)

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
    const random = mulberry32(WARM_SEED)
    const word = zipfWords(random)
    const index = new SearchIndex(workspace)
    for (let doc = 0; doc < WARM_DOCS; doc += 1)
      index.add({ fields: fieldsOf(sentence(random, word, WARM_WORDS)), visibilityClass: 0 })
    for (let round = 0; round < WARM_ROUNDS; round += 1)
      await engineOn(index.image()).search(sentence(random, word, WARM_WORDS))
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
  let opened: SearchIndex | null = null
  const index = (): SearchIndex => {
    opened ??= new SearchIndex(workspace, image)
    return opened
  }
  return {
    add: (_, text) => index().add({ fields: fieldsOf(text), visibilityClass: 0 }),
    remove(doc, text) {
      index().remove(doc, fieldsOf(text))
      if (index().isCompactionDue) index().compact()
    },
    search(text) {
      const asked = index()
      return asked.rank(asked.job(asked.query(text), { allowed: null, limit: HITS })).docs.length
    },
    settle() {},
    indexBytes: () => index().bytes,
    async save(folder) {
      const images = await imagesIn(folder)
      const docSlots = Int32Array.from({ length: index().numbered }, (_, doc) => doc + 1)
      images.keep(GRANT, KEY, { ...STATE, image: { index: index().image(), docSlots } })
      await images.settled()
    },
  }
}

function fieldsOf(text: string): readonly IndexedField[] {
  return [{ text, weight: 1 }]
}
