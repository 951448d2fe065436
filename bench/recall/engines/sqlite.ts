import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Engine, type EngineKind, EngineMissing, HITS } from './engine.ts'
import { firstLineOf, peerPackage } from './peer-packages.ts'

interface Statement {
  run(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): readonly unknown[]
  get(...values: readonly unknown[]): unknown
}

type DatabaseClass = new (path: string) => Database

export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
}

const FILE = 'fts5.sqlite'

export const sqlite: EngineKind = {
  setup:
    'FTS5 in memory, contentless, MATCH terms with OR, ORDER BY rank (bm25) LIMIT 200, optimised after the build',
  reads: 'terms',
  open() {
    const db = openDatabase(':memory:')
    db.exec(
      "CREATE VIRTUAL TABLE memories USING fts5(text, content='', contentless_delete=1, tokenize='unicode61')",
    )
    return engineOn(db)
  },
  load: (folder) => engineOn(openDatabase(join(folder, FILE))),
}

/** better-sqlite3, or the SQLite of a newer Node where that could not be built. Throws EngineMissing without either. */
export function openDatabase(path: string): Database {
  try {
    return new (peerPackage<DatabaseClass>('better-sqlite3'))(path)
  } catch (error) {
    const { DatabaseSync } = builtIn() ?? {}
    if (DatabaseSync === undefined)
      throw new EngineMissing(`${firstLineOf(error)} (better-sqlite3); this Node has no node:sqlite`)
    return new DatabaseSync(path)
  }
}

function builtIn(): { readonly DatabaseSync: DatabaseClass } | null {
  try {
    return createRequire(import.meta.url)('node:sqlite') as { readonly DatabaseSync: DatabaseClass }
  } catch {
    return null
  }
}

function engineOn(db: Database): Engine {
  const insert = db.prepare('INSERT INTO memories(rowid, text) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM memories WHERE rowid = ?')
  const search = db.prepare(
    `SELECT rowid, rank FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT ${HITS}`,
  )
  return {
    add: (doc, terms) => insert.run(doc, terms),
    remove: (doc) => remove.run(doc),
    search: (terms) => search.all(matchOf(terms)).length,
    settle: () => void db.exec("INSERT INTO memories(memories) VALUES ('optimize')"),
    indexBytes: () => pages(db, 'page_count') * pages(db, 'page_size'),
    save: (folder) => void db.exec(`VACUUM INTO '${join(folder, FILE)}'`),
  }
}

function matchOf(terms: string): string {
  return terms
    .split(' ')
    .map((term) => `"${term}"`)
    .join(' OR ')
}

function pages(db: Database, pragma: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
}
