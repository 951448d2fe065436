import { messageOf } from '../../core/base/errors.ts'
import type { AuditNote, History } from '../../ports/history.ts'
import type { JournalRecord } from '../../ports/journal.ts'
import type { Log } from '../../ports/log.ts'
import type { Grant } from '../../ports/ownership.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'
import type { Database, Row, Statement } from './database.ts'
import { refuseRead } from './failure.ts'
import { type FencedWriter, fencedStatement } from './fenced-writer.ts'
import type { PostgresJournal } from './journal.ts'

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
  text: 'select id, body from memgov.note where shard = $1 and actor = $2 and id > $3 order by id limit $4',
}
const REWRITE_NOTE = fencedStatement(
  'rewrite_note',
  `done as (
      update memgov.note n set body = $5 from owned
       where n.shard = $1 and n.actor = $3 and n.id = $4 returning 1)`,
)
/** Notes that are read together to be written anew. */
const PAGE_NOTES = 500
/** Notes that may wait; more are lost. */
const WAITING_MAX = 10_000

export interface PostgresHistoryOptions {
  readonly database: Database
  readonly writer: FencedWriter
  readonly journal: PostgresJournal
  readonly log: Log
  readonly shardOf: (actorKey: string) => number
}

/** The turns themselves, for as long as retention keeps them, and notes beside them. */
export class PostgresHistory implements History {
  readonly #options: PostgresHistoryOptions
  readonly #packer = createPacker({ isTabular: false })
  /** Notes are written one after the other, so that they keep their order. */
  #last: Promise<void> = Promise.resolve()
  #waiting = 0

  constructor(options: PostgresHistoryOptions) {
    this.#options = options
  }

  async recordAt(actorKey: string, seq: number): Promise<JournalRecord | null> {
    for await (const record of this.read(actorKey, seq, seq)) return record
    return null
  }

  async *read(actorKey: string, fromSeq: number, toSeq: number): AsyncGenerator<JournalRecord> {
    const { journal } = this.#options
    await journal.settled(actorKey)
    yield* journal.pages(actorKey, fromSeq, toSeq)
  }

  note(grant: Grant, actorKey: string, note: AuditNote): void {
    if (this.#waiting >= WAITING_MAX) return
    const body = this.#packer.pack(note)
    this.#waiting += 1
    this.#last = this.#last.then(() => this.#write(grant, actorKey, note.atMs, body))
  }

  async notes(actorKey: string, max: number): Promise<readonly AuditNote[]> {
    await this.#last
    const { database, shardOf } = this.#options
    const { rows } = await database.query(NOTES, [shardOf(actorKey), actorKey, max]).catch(refuseRead)
    return rows.flatMap((row) => this.#noteIn(row) ?? [])
  }

  /** Writes every note of an actor anew whose body `bodyOf` changes. */
  async rewriteNotes(
    grant: Grant,
    actorKey: string,
    bodyOf: (note: AuditNote) => AuditNote['body'],
  ): Promise<void> {
    await this.#last
    const { database, writer, shardOf } = this.#options
    for (let from: unknown = 0; ; ) {
      const values = [shardOf(actorKey), actorKey, from, PAGE_NOTES]
      const { rows } = await database.query(NOTES_FROM, values).catch(refuseRead)
      for (const row of rows) {
        from = row['id']
        const note = this.#noteIn(row)
        if (note === null) continue
        const body = bodyOf(note)
        if (body === note.body) continue
        const packed = Buffer.from(this.#packer.pack({ ...note, body }))
        await writer.write(REWRITE_NOTE, grant, [actorKey, from, packed])
      }
      if (rows.length < PAGE_NOTES) return
    }
  }

  /** Resolves when no note waits. */
  async settled(): Promise<void> {
    await this.#last
  }

  async #write(grant: Grant, actorKey: string, atMs: number, body: Uint8Array): Promise<void> {
    const { writer, log } = this.#options
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
