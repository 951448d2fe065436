import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../../src/adapters/language/languages.ts'
import { createIndex, type IndexedField, type RecallIndex } from '../../../src/domain/recall/index.ts'
import { parseQuery } from '../../../src/domain/recall/query.ts'
import { rank } from '../../../src/domain/recall/rank.ts'
import { rankJob } from '../../../src/domain/recall/rank-job.ts'
import { type Engine, type EngineKind, HITS } from './engine.ts'

const TEXTS_FILE = 'texts.json'

/** The recall index of one actor, from query text to ranked numbers. */
export const memgov: EngineKind = {
  setup: 'recall index, text to ranked hits',
  reads: 'text',
  open: () => engineOn([]),
  // Nothing of the index is stored: a load indexes the texts again. Persisted pages would be read here.
  load: (folder) => engineOn(JSON.parse(readFileSync(join(folder, TEXTS_FILE), 'utf8')) as string[]),
}

function engineOn(texts: readonly string[]): Engine {
  const index: RecallIndex = createIndex(languages)
  const kept: string[] = []
  const add = (text: string): void => {
    index.add({ fields: fieldsOf(text), visibilityClass: 0 })
    kept.push(text)
  }
  for (const text of texts) add(text)
  return {
    add: (_, text) => add(text),
    remove(doc, text) {
      index.remove(doc, fieldsOf(text))
      if (index.isCompactionDue) index.compact()
    },
    search: (text) =>
      rank(rankJob(index, parseQuery(text, languages), { allowed: null, limit: HITS })).docs.length,
    settle() {},
    indexBytes: () => index.bytes,
    save: (folder) => writeFileSync(join(folder, TEXTS_FILE), JSON.stringify(kept)),
  }
}

function fieldsOf(text: string): readonly IndexedField[] {
  return [{ text, weight: 1 }]
}
