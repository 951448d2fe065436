import { messageOf } from '../../core/base/errors.ts'
import type { AuditNote, History } from '../../ports/history.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import type { Grant } from '../../ports/ownership.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'
import { pagedRows, type Row, rowsOf, type Statement } from './database.ts'
import { fencedStatement } from './fenced-writer.ts'
import type { PostgresJournal } from './journal.ts'
import type { PostgresTables } from './options.ts'

const NOTE = fencedStatement(
  'note',
  `done as (
      insert into memgov.note (shard, actor, at_ms, body)
      select $1, $3, $4, $5 from owned returning 1)`,
)
const NOTES: Statement = {
  name: 'notes',
  text: 'select body from memgov.note where shard = $1 and actor = $2 order by id desc limit $3',
}
const NOTES_FROM: Statement = {
  name: 'notes_from',
  text: 'select id, body from memgov.note where shard = $1 and actor = $2 and id > $3 order by id limit 500',
}
const REWRITE_NOTE = fencedStatement(
  'rewrite_note',
  `done as (
      update memgov.note n set body = $5 from owned
       where n.shard = $1 and n.actor = $3 and n.id = $4 returning 1)`,
)
/** Notes that may wait; more are lost. */
const WAITING_MAX = 10_000

/** The turns themselves, for as long as retention keeps them, and notes beside them. */
export class PostgresHistory implements History {
  readonly #tables: PostgresTables
  readonly #journal: PostgresJournal
  readonly #packer = createPacker({ isTabular: false })
  /** Notes are written one after the other, so that they keep their order. */
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(tables: PostgresTables, journal: PostgresJournal) {
    this.#tables = tables
    this.#journal = journal
  }

  async recordAt(actorKey: string, seq: number): Promise<JournalRecord | null> {
    for await (const record of this.read(actorKey, seq, seq)) return record
    return null
  }

  async *read(actorKey: string, fromSeq: number, toSeq: number): AsyncGenerator<JournalRecord> {
    await this.#journal.settled(actorKey)
    yield* this.#journal.pages(actorKey, fromSeq, toSeq)
  }

  note(grant: Grant, actorKey: string, note: AuditNote): void {
    if (this.#waiting >= WAITING_MAX) return
    const body = this.#packer.pack(note)
    this.#waiting += 1
    this.#last = this.#last.then(() => this.#write(grant, actorKey, note.atMs, body))
  }

  async notes(actorKey: string, max: number): Promise<readonly AuditNote[]> {
    await this.#last
    const { database, shardOf } = this.#tables
    const rows = await rowsOf(database, NOTES, [shardOf(actorKey), actorKey, max])
    return rows.flatMap((row) => this.#noteIn(row) ?? [])
  }

  /** Writes every note of an actor anew of which `leftOf` gives another one. */
  async rewriteNotes(grant: Grant, actorKey: string, leftOf: (note: AuditNote) => AuditNote): Promise<void> {
    await this.#last
    const { database, writer, shardOf } = this.#tables
    const behind = (last?: Row) => [shardOf(actorKey), actorKey, last?.['id'] ?? 0]
    for await (const row of pagedRows(database, NOTES_FROM, behind)) {
      const note = this.#noteIn(row)
      if (note === null) continue
      const left = leftOf(note)
      if (left === note) continue
      const packed = Buffer.from(this.#packer.pack(left))
      await writer.write(REWRITE_NOTE, grant, [actorKey, row['id'], packed])
    }
  }

  async settled(): Promise<void> {
    await this.#last
  }

  async #write(grant: Grant, actorKey: string, atMs: number, body: Uint8Array): Promise<void> {
    const { writer, log } = this.#tables
    try {
      await writer.write(NOTE, grant, [actorKey, atMs, Buffer.from(body)])
    } catch (error) {
      log.warn({ actor: actorKey, cause: messageOf(error) }, 'an audit note is lost')
    } finally {
      this.#waiting -= 1
    }
  }

  #noteIn({ body }: Row): AuditNote | null {
    const note = Buffer.isBuffer(body) ? this.#packer.unpack(body) : null
    // The writer takes notes only.
    return isDictionary(note) ? (note as unknown as AuditNote) : null
  }
}
