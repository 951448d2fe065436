import { type Database, openDatabase } from '../recall/engines/sqlite.ts'

/** The core loop as one would build it over SQLite: texts in FTS5, a row for everything that a guide showed. */
export interface SqliteStore {
  observe(text: string, runId: string): void
  /** Ids of what is shown. */
  guide(query: string, runId: string): { readonly guideId: number; readonly shown: readonly number[] }
  /** Throws when the guide has not shown the memory. */
  feedback(guideId: number, memoryId: number, isPositive: boolean): void
  /** All of it or nothing, durable when it returns. */
  batch(work: () => void): void
}

// Durable like the service (FULL flushes the log at every commit), with the log and the cache that SQLite advises.
export const SETUP = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 268435456;
  PRAGMA temp_store = MEMORY;
  CREATE TABLE memories(
    id INTEGER PRIMARY KEY, scope TEXT NOT NULL, run_id TEXT NOT NULL, text TEXT NOT NULL,
    positive INTEGER NOT NULL DEFAULT 0, negative INTEGER NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL
  );
  CREATE VIRTUAL TABLE texts USING fts5(text, content='memories', content_rowid='id', tokenize='porter unicode61');
  CREATE TABLE guides(id INTEGER PRIMARY KEY, run_id TEXT NOT NULL, query TEXT NOT NULL, created_ms INTEGER NOT NULL);
  CREATE TABLE exposures(
    guide_id INTEGER NOT NULL, memory_id INTEGER NOT NULL, PRIMARY KEY (guide_id, memory_id)
  ) WITHOUT ROWID;
  CREATE TABLE feedback(
    id INTEGER PRIMARY KEY, guide_id INTEGER NOT NULL, memory_id INTEGER NOT NULL,
    positive INTEGER NOT NULL, created_ms INTEGER NOT NULL
  );
`

export const STATEMENTS = {
  memory: 'INSERT INTO memories(scope, run_id, text, created_ms) VALUES (?, ?, ?, ?) RETURNING id',
  text: 'INSERT INTO texts(rowid, text) VALUES (?, ?)',
  search: `SELECT m.id AS id, m.text AS text FROM texts JOIN memories m ON m.id = texts.rowid
    WHERE texts MATCH ? AND m.scope = ? ORDER BY rank LIMIT 30`,
  guide: 'INSERT INTO guides(run_id, query, created_ms) VALUES (?, ?, ?) RETURNING id',
  exposure: 'INSERT INTO exposures(guide_id, memory_id) VALUES (?, ?)',
  wasShown: 'SELECT 1 AS id FROM exposures WHERE guide_id = ? AND memory_id = ?',
  outcome: 'INSERT INTO feedback(guide_id, memory_id, positive, created_ms) VALUES (?, ?, ?, ?)',
  count: 'UPDATE memories SET positive = positive + ?, negative = negative + ? WHERE id = ?',
} as const

/** A new file at `path`. Throws EngineMissing where there is no SQLite. */
export function openSqliteStore(path: string, scope: string): SqliteStore {
  const db: Database = openDatabase(path)
  db.exec(SETUP)
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]),
  ) as Record<keyof typeof STATEMENTS, ReturnType<Database['prepare']>>
  return {
    observe(text, runId) {
      const id = idOf(prepared.memory.get(scope, runId, text, Date.now()))
      prepared.text.run(id, text)
    },
    guide(query, runId) {
      const shown = prepared.search.all(matchOf(query), scope).map(idOf)
      const guideId = idOf(prepared.guide.get(runId, query, Date.now()))
      for (const id of shown) prepared.exposure.run(guideId, id)
      return { guideId, shown }
    },
    feedback(guideId, memoryId, isPositive) {
      if (prepared.wasShown.get(guideId, memoryId) === undefined)
        throw new Error('the guide has not shown it')
      prepared.outcome.run(guideId, memoryId, isPositive ? 1 : 0, Date.now())
      prepared.count.run(isPositive ? 1 : 0, isPositive ? 0 : 1, memoryId)
    },
    batch(work) {
      db.exec('BEGIN IMMEDIATE')
      try {
        work()
        db.exec('COMMIT')
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

function idOf(row: unknown): number {
  return Number(Reflect.get(Object(row), 'id'))
}

/** Any of the words, each in quotes, so that none of them is an operator. */
function matchOf(query: string): string {
  return query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => `"${word}"`)
    .join(' OR ')
}
