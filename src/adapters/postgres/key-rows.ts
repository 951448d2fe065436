import { hash } from 'node:crypto'
import type { Database } from './database.ts'

const READ = 'select id, body, is_revoked from memgov.api_key order by id'
const STATE = `select id || ' ' || is_revoked || ' ' || changes as state from memgov.api_key order by id`
const WRITE = `insert into memgov.api_key as k (id, body) values ($1, $2)
    on conflict (id) do update set body = excluded.body, changes = k.changes + 1`
// A mark of its own, which no later change of the secret takes back.
const REVOKE = `insert into memgov.api_key (id, body, is_revoked) values ($1, '', true)
    on conflict (id) do update set is_revoked = true`

/** The keys that all nodes of a store share, as they are kept: their bodies are for whoever knows keys. */
export function keyRows(database: Database) {
  return {
    async read() {
      const { rows } = await database.query(READ, [])
      return rows.map(({ id, body, is_revoked: isRevoked }) => {
        return { id: String(id), body: String(body), isRevoked: isRevoked === true }
      })
    },
    /** A word that changes with whatever is written. */
    async state() {
      const { rows } = await database.query(STATE, [])
      return hash('sha256', rows.map(({ state }) => String(state)).join('\n'), 'hex')
    },
    async write(id: string, body: string): Promise<void> {
      await database.query(WRITE, [id, body])
    },
    async revoke(id: string): Promise<void> {
      await database.query(REVOKE, [id])
    },
  }
}
