import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, type EngineKind, HITS } from './engine.ts'
import { peerPackage } from './peer-packages.ts'

interface MiniSearch {
  add(doc: { readonly id: number; readonly text: string }): void
  discard(id: number): void
  search(query: string): readonly unknown[]
}

interface MiniSearchClass {
  new (options: object): MiniSearch
  loadJSON(json: string, options: object): MiniSearch
}

const FILE = 'minisearch.json'
const OPTIONS = {
  fields: ['text'],
  tokenize: (terms: string) => terms.split(' '),
  processTerm: (term: string) => term,
}

export const minisearch: EngineKind = {
  setup: 'defaults (BM25+, any term), discard to delete',
  reads: 'terms',
  open: () => engineOn(new (packageClass())(OPTIONS)),
  load: (folder) => engineOn(packageClass().loadJSON(readFileSync(join(folder, FILE), 'utf8'), OPTIONS)),
}

function packageClass(): MiniSearchClass {
  return peerPackage<MiniSearchClass>('minisearch')
}

function engineOn(index: MiniSearch): Engine {
  return {
    add: (doc, terms) => index.add({ id: doc, text: terms }),
    remove: (doc) => index.discard(doc),
    search: (terms) => index.search(terms).slice(0, HITS).length,
    settle() {},
    indexBytes: () => null,
    save: (folder) => writeFileSync(join(folder, FILE), JSON.stringify(index)),
  }
}
