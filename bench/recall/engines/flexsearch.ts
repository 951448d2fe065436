import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, type EngineKind, HITS } from './engine.ts'
import { peerPackage } from './peer-packages.ts'

interface FlexIndex {
  add(id: number, text: string): unknown
  remove(id: number): unknown
  search(query: string, options: { readonly limit: number; readonly suggest: boolean }): readonly unknown[]
  export(handler: (key: string, data: string | undefined) => void): unknown
  import(key: string, data: string): void
}

interface FlexPackage {
  readonly Index: new (options: object) => FlexIndex
}

const PREFIX = 'flexsearch.'
const OPTIONS = { tokenize: 'strict', encode: (terms: string) => terms.split(' ') }

export const flexsearch: EngineKind = {
  setup: 'Index, tokenize strict, suggest (any term), limit 200; its own scores, not BM25',
  reads: 'terms',
  open: () => engineOn(emptyIndex()),
  load(folder) {
    const index = emptyIndex()
    for (const name of readdirSync(folder).filter((each) => each.startsWith(PREFIX))) {
      index.import(name.slice(PREFIX.length), readFileSync(join(folder, name), 'utf8'))
    }
    return engineOn(index)
  },
}

function emptyIndex(): FlexIndex {
  const { Index } = peerPackage<FlexPackage>('flexsearch')
  return new Index(OPTIONS)
}

function engineOn(index: FlexIndex): Engine {
  return {
    add: (doc, terms) => index.add(doc, terms),
    remove: (doc) => index.remove(doc),
    search: (terms) => index.search(terms, { limit: HITS, suggest: true }).length,
    settle() {},
    indexBytes: () => null,
    async save(folder) {
      await index.export((key, data) => {
        if (data !== undefined) writeFileSync(join(folder, `${PREFIX}${key}`), data)
      })
    },
  }
}
