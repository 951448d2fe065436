import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, type EngineKind, HITS } from './engine.ts'
import { peerPackage } from './peer-packages.ts'

type Found = { readonly hits: readonly unknown[] }

interface Orama {
  create(options: object): unknown
  insert(db: unknown, doc: { readonly id: string; readonly text: string }): unknown
  remove(db: unknown, id: string): unknown
  search(db: unknown, query: object): Found | Promise<Found>
  save(db: unknown): unknown
  load(db: unknown, raw: unknown): void
}

const FILE = 'orama.json'
// Orama finds every word that begins with a term; the others find the term.
const END = '$'

export const orama: EngineKind = {
  setup: 'defaults (BM25, any term), each term closed by a mark so that it is no prefix; keeps the texts',
  reads: 'terms',
  open() {
    const api = peerPackage<Orama>('@orama/orama')
    return engineOn(api, emptyDb(api))
  },
  load(folder) {
    const api = peerPackage<Orama>('@orama/orama')
    const db = emptyDb(api)
    api.load(db, JSON.parse(readFileSync(join(folder, FILE), 'utf8')))
    return engineOn(api, db)
  },
}

function emptyDb(api: Orama): unknown {
  const tokenizer = {
    language: 'english',
    normalizationCache: new Map(),
    tokenize: (terms: string) => terms.split(' ').map((term) => `${term}${END}`),
  }
  return api.create({ schema: { text: 'string' }, components: { tokenizer } })
}

function engineOn(api: Orama, db: unknown): Engine {
  return {
    add: (doc, terms) => api.insert(db, { id: String(doc), text: terms }),
    remove: (doc) => api.remove(db, String(doc)),
    search(terms) {
      const found = api.search(db, { term: terms, limit: HITS })
      return found instanceof Promise ? found.then(({ hits }) => hits.length) : found.hits.length
    },
    settle() {},
    indexBytes: () => null,
    save: (folder) => writeFileSync(join(folder, FILE), JSON.stringify(api.save(db))),
  }
}
