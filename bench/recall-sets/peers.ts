import { EngineMissing, HITS } from '../recall/engines/engine.ts'
import { peerPackage } from '../recall/engines/peer-packages.ts'
import { openDatabase } from '../recall/engines/sqlite.ts'
import { Bm25 } from './bm25.ts'
import { readerOf } from './reader.ts'

/** What finds texts: places of those that match, best first, at most HITS. */
export type Ask = (query: string) => readonly number[]

export interface Peer {
  readonly name: string
  /** False: written for this benchmark, to compare with. */
  readonly isLibrary: boolean
  readonly setup: string
  /** Throws EngineMissing when it is not installed. */
  readonly open: (texts: readonly string[], language: string) => Ask
}

interface MiniSearch {
  add(doc: { readonly id: number; readonly text: string }): void
  search(query: string): readonly { readonly id: number }[]
}
type MiniSearchClass = new (options: object) => MiniSearch

interface FlexIndex {
  add(id: number, text: string): unknown
  search(query: string, options: object): readonly number[]
}
interface FlexPackage {
  readonly Index: new (options: object) => FlexIndex
}

/** Each as one would set it up for texts in this language. */
export const PEERS: readonly Peer[] = [
  {
    name: 'MiniSearch',
    isLibrary: true,
    setup: 'defaults (BM25+, any term), stems and stop words of the language',
    open(texts, language) {
      const words = readerOf(language)
      const MiniSearch = peerPackage<MiniSearchClass>('minisearch')
      const index = new MiniSearch({ fields: ['text'], tokenize: words, processTerm: (term: string) => term })
      for (const [id, text] of texts.entries()) index.add({ id, text })
      return (query) =>
        index
          .search(query)
          .slice(0, HITS)
          .map(({ id }) => id)
    },
  },
  {
    name: 'FlexSearch',
    isLibrary: true,
    setup: 'Index, tokenize strict, suggest (any term), stems and stop words of the language',
    open(texts, language) {
      const { Index } = peerPackage<FlexPackage>('flexsearch')
      const index = new Index({ tokenize: 'strict', encode: readerOf(language) })
      for (const [id, text] of texts.entries()) index.add(id, text)
      return (query) => index.search(query, { limit: HITS, suggest: true })
    },
  },
  {
    name: 'FTS5',
    isLibrary: true,
    setup: 'bm25 of any word of the query, unicode61 over the stems that the others get',
    open(texts, language) {
      const words = readerOf(language)
      const db = openDatabase(':memory:')
      db.exec("CREATE VIRTUAL TABLE memories USING fts5(text, tokenize='unicode61')")
      const insert = db.prepare('INSERT INTO memories(rowid, text) VALUES (?, ?)')
      for (const [id, text] of texts.entries()) insert.run(id + 1, words(text).join(' '))
      const search = db.prepare(
        `SELECT rowid FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT ${HITS}`,
      )
      return (query) => {
        const asked = words(query).map((word) => `"${word}"`)
        if (asked.length === 0) return []
        return search.all(asked.join(' OR ')).map((row) => Number(Object.values(row as object)[0]) - 1)
      }
    },
  },
  {
    name: 'BM25',
    isLibrary: false,
    setup: 'the formula of the textbooks, k1 1.2, b 0.75, stems and stop words of the language',
    open(texts, language) {
      const words = readerOf(language)
      const index = new Bm25(texts.map(words))
      return (query) => index.search(words(query), HITS)
    },
  },
]

/** Null when the peer is not installed. */
export function openedPeer(peer: Peer, texts: readonly string[], language: string): Ask | null {
  try {
    return peer.open(texts, language)
  } catch (error) {
    if (error instanceof EngineMissing) return null
    throw error
  }
}
