import { messageOf } from '../../core/base/errors.ts'
import type { AuditNote, Grant, JournalRecord } from '../../ports/store.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'
import { pagedRows, type Row, rowsOf } from './database.ts'
import type { PostgresJournal } from './journal.ts'
import { fencedStatement, type PostgresTables } from './tables.ts'

const NOTE = fencedStatement(`done as (
      insert into memgov.note (shard, actor, at_ms, body)
      select $1, $3, $4, $5 from owned returning 1)`)
const NOTES = 'select body from memgov.note where shard = $1 and actor = $2 order by id desc limit $3'
const NOTES_FROM =
  'select id, body from memgov.note where shard = $1 and actor = $2 and id > $3 order by id limit 500'
const REWRITE_NOTE = fencedStatement(`done as (
      update memgov.note n set body = $5 from owned
       where n.shard = $1 and n.actor = $3 and n.id = $4 returning 1)`)
/** Notes that may wait; more are lost. */
const WAITING_MAX = 10_000

/** The turns themselves, for as long as retention keeps them, and notes beside them. */
export function historyIn({ database, writer, log, shardOf }: PostgresTables, journal: PostgresJournal) {
  const packer = createPacker({ isTabular: false })
  /** Notes are written one after the other, so that they keep their order. */
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  async function* read(actorKey: string, fromSeq: number, toSeq: number): AsyncGenerator<JournalRecord> {
    await journal.settled(actorKey)
    yield* journal.pages(actorKey, fromSeq, toSeq)
  }

  async function write(grant: Grant, actorKey: string, atMs: number, body: Uint8Array): Promise<void> {
    try {
      await writer.write(NOTE, grant, [actorKey, atMs, Buffer.from(body)])
    } catch (error) {
      log.warn({ actor: actorKey, cause: messageOf(error) }, 'an audit note is lost')
    } finally {
      waiting -= 1
    }
  }

  function noteIn({ body }: Row): AuditNote | null {
    const note = Buffer.isBuffer(body) ? packer.unpack(body) : null
    // The writer takes notes only.
    return isDictionary(note) ? (note as unknown as AuditNote) : null
  }

  return {
    async recordAt(actorKey: string, seq: number) {
      for await (const record of read(actorKey, seq, seq)) return record
      return null
    },
    read,
    note(grant: Grant, actorKey: string, note: AuditNote): void {
      if (waiting >= WAITING_MAX) return
      const body = packer.pack(note)
      waiting += 1
      last = last.then(() => write(grant, actorKey, note.atMs, body))
    },
    async notes(actorKey: string, max: number) {
      await last
      const rows = await rowsOf(database, NOTES, [shardOf(actorKey), actorKey, max])
      return rows.flatMap((row) => noteIn(row) ?? [])
    },
    /** Writes every note of an actor anew of which `leftOf` gives another one. */
    async rewriteNotes(grant: Grant, actorKey: string, leftOf: (note: AuditNote) => AuditNote) {
      await last
      const behind = (row?: Row) => [shardOf(actorKey), actorKey, row?.['id'] ?? 0]
      for await (const row of pagedRows(database, NOTES_FROM, behind)) {
        const note = noteIn(row)
        if (note === null) continue
        const left = leftOf(note)
        if (left === note) continue
        await writer.write(REWRITE_NOTE, grant, [actorKey, row['id'], Buffer.from(packer.pack(left))])
      }
    },
    settled: () => last,
  }
}
