import {
  type Grant,
  type Journal,
  type JournalHealth,
  type JournalRecord,
  PAYLOAD_BYTES_MAX,
} from '../../ports/store.ts'
import { StoreFailure } from '../files/store-parts.ts'
import { fenced, isDiskFull, packed, type Row, refusesAll, rowsOf, writeFailure } from './database.ts'
import { count, cover, type Head, OWNED, type PostgresTables } from './tables.ts'

/** Turns of one shard that are stored together, or not at all. */
export interface Batch {
  readonly grant: Grant
  readonly turns: readonly [JournalRecord, ...JournalRecord[]]
}

interface Waiting extends JournalRecord {
  readonly grant: Grant
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const BATCH_TURNS_MAX = 1_000
const BATCH_BYTES_MAX = 8 * 1024 * 1024

/**
 * What one shard has to write: one batch in flight, and what came since then waits for it.
 * @param onLeft is told of each turn that was stored or refused, before whoever waits for it
 */
function shardQueue(write: (batch: Batch) => Promise<void>, onLeft: (turn: JournalRecord) => void) {
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    for (let turns = next(); turns !== null; turns = next()) {
      try {
        await write({ grant: turns[0].grant, turns })
        for (const turn of turns) {
          onLeft(turn)
          turn.resolve()
        }
      } catch (error) {
        refuse(turns, error)
        refuseFollowers(turns, error)
      }
    }
    running = null
  }

  function next(): [Waiting, ...Waiting[]] | null {
    const first = waiting[0]
    if (first === undefined) return null
    let bytes = 0
    const end = waiting.findIndex(({ grant, payload }, at) => {
      bytes += payload.length
      return grant.epoch !== first.grant.epoch || at >= BATCH_TURNS_MAX || (at > 0 && bytes > BATCH_BYTES_MAX)
    })
    const [, ...more] = waiting.splice(0, end < 0 ? waiting.length : end)
    return [first, ...more]
  }

  /** A turn that was decided on top of one that was not stored may not be stored either. */
  function refuseFollowers(failed: readonly Waiting[], error: unknown): void {
    const actors = new Set(failed.map(({ actorKey }) => actorKey))
    const followers = waiting.filter(({ actorKey }) => actors.has(actorKey))
    waiting = waiting.filter(({ actorKey }) => !actors.has(actorKey))
    refuse(followers, error)
  }

  function refuse(turns: readonly Waiting[], error: unknown): void {
    for (const turn of turns) {
      onLeft(turn)
      turn.reject(error)
    }
  }

  return {
    /** Resolves when the turn is stored; rejects as the write of its batch. */
    add(grant: Grant, turn: JournalRecord): Promise<void> {
      const stored = new Promise<void>((resolve, reject) => {
        waiting.push({ grant, ...turn, resolve, reject })
      })
      running ??= run()
      return stored
    },
    async idle(): Promise<void> {
      await running
    },
  }
}

// One statement, so that no lock is held by a node that may stop in the middle. The row of the shard is locked until the
// turns are stored: who takes the shard waits for them, and whoever comes after that finds another epoch.
const FENCED = `with ${OWNED}`
/** One turn, as most batches are: lists would be taken apart and planned for nothing. */
export const APPEND = `${FENCED}
    insert into memgov.turn (shard, actor, seq, epoch, at_ms, payload)
    select $1, $3::text, $4::bigint, $2, $5::bigint, $6::bytea from owned`
const INSERT_MANY = `
    insert into memgov.turn (shard, actor, seq, epoch, at_ms, payload)
    select $1, r.actor, r.seq, $2, r.at_ms, substring($7::bytea from r.at for r.bytes)
      from owned, unnest($3::text[], $4::bigint[], $5::int[], $6::bigint[], $8::int[]) as r (actor, seq, at, at_ms, bytes)`
export const APPEND_MANY = `${FENCED}${INSERT_MANY}`
/** The same for a batch in which actors write for the first time: they get into the directory in the same step. */
export const APPEND_FIRST = `${FENCED},
    begun as (
      insert into memgov.actor (shard, actor, is_written)
      select $1, r.actor, true from owned, unnest($3::text[], $4::bigint[]) as r (actor, seq) where r.seq = 1
      on conflict (shard, actor) do update set is_written = true)${INSERT_MANY}`
const READ = `select seq, payload from memgov.turn
    where shard = $1 and actor = $2 and seq >= $3 and seq <= $4 order by seq limit $5`

/** Turns in one answer of the database, at first; pages of large turns become smaller. */
const PAGE_TURNS = 64
const PAGE_TURNS_MAX = 1024
const PAGE_BYTES = 2 * 1024 * 1024
/** Waiting payloads of all shards: above it no turn is taken. */
const QUEUED_BYTES_MAX = 64 * 1024 * 1024
/** A database that refused a write is asked again after so long: whoever is told so may send no more. */
const ASK_AGAIN_MS = 5_000
/** It needs every right of a turn, and writes none: no shard ever has this epoch. */
const ASKED = [0, -1, '', 1, 0, Buffer.alloc(0)]

/** The turns of the actors that this node holds: a batch at a time for each shard, what comes meanwhile is the next one. */
export class PostgresJournal implements Journal {
  readonly #tables: PostgresTables
  readonly #queues = new Map<number, ReturnType<typeof shardQueue>>()
  #queuedBytes = 0
  #writingSinceMs: number | null = null
  #writing = 0
  #isClosed = false
  /** Why the last write was refused, when any other would be too. */
  #refused: StoreFailure | null = null
  #cancelAsk = (): void => undefined

  constructor(tables: PostgresTables) {
    this.#tables = tables
  }

  isSaturated(): boolean {
    return this.#queuedBytes >= QUEUED_BYTES_MAX
  }

  append(grant: Grant, turn: JournalRecord): Promise<void> {
    const { actorKey, actorSeq: seq, payload } = turn
    const head = this.#tables.heads.under(grant, actorKey)
    const refusal = this.#refusal(grant, head, seq, payload.length)
    if (head === null || refusal !== null) return Promise.reject(refusal ?? fenced(grant.shard))
    head.seq = seq
    count(head, seq, payload.length)
    const stored = this.#queued(grant, turn)
    head.stored = stored
    return stored
  }

  async *read(grant: Grant, actorKey: string, fromSeq: number): AsyncIterable<JournalRecord> {
    const head = this.#tables.heads.under(grant, actorKey)
    if (head === null) throw fenced(grant.shard)
    await head.stored?.catch(() => undefined)
    let next = fromSeq
    for await (const record of this.pages(actorKey, fromSeq, head.seq)) {
      if (record.actorSeq !== next)
        throw new Error(`turn ${next} of ${actorKey} is kept no longer, or was never there`)
      count(head, record.actorSeq, record.payload.length)
      next += 1
      yield record
    }
  }

  async *pages(actorKey: string, fromSeq: number, toSeq: number): AsyncGenerator<JournalRecord> {
    const { database, shardOf } = this.#tables
    const shard = shardOf(actorKey)
    let turns = PAGE_TURNS
    for (let from = fromSeq; from <= toSeq; ) {
      const rows = await rowsOf(database, READ, [shard, actorKey, from, toSeq, turns])
      let bytes = 0
      for (const row of rows) {
        const record = recordIn(actorKey, row)
        bytes += record.payload.length
        from = record.actorSeq + 1
        yield record
      }
      if (rows.length < turns) return
      turns = bytes > PAGE_BYTES ? Math.max(1, turns >> 2) : Math.min(turns * 2, PAGE_TURNS_MAX)
    }
  }

  async settled(actorKey: string): Promise<void> {
    await this.#tables.heads.get(actorKey)?.stored?.catch(() => undefined)
  }

  headOf(actorKey: string): number {
    return this.#tables.heads.get(actorKey)?.seq ?? 0
  }

  uncoveredBytesOf(actorKey: string): number {
    return this.#tables.heads.get(actorKey)?.uncoveredBytes ?? 0
  }

  covered(grant: Grant, actorKey: string, seq: number): void {
    const head = this.#tables.heads.under(grant, actorKey)
    if (head !== null) cover(head, seq)
  }

  health(): JournalHealth {
    return {
      state: this.#isClosed ? 'closed' : 'open',
      cause: null,
      isFull: isDiskFull(this.#refused),
      isRefused: this.#refused !== null,
      queuedBytes: this.#queuedBytes,
      writingMs: this.#writingSinceMs === null ? 0 : performance.now() - this.#writingSinceMs,
      chainHead: null,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()))
  }

  #refusal({ shard }: Grant, head: Head | null, seq: number, bytes: number): Error | null {
    if (this.#isClosed) return new StoreFailure('closed', 'the journal is closed')
    if (bytes > PAYLOAD_BYTES_MAX) return new StoreFailure('too_large', `a record of ${bytes} bytes`)
    if (this.isSaturated()) return new StoreFailure('overloaded', 'too much waits for the database')
    if (head === null) return fenced(shard)
    if (head.failed !== null || seq === head.seq + 1) return head.failed
    return new StoreFailure('conflict', `turn ${seq} where ${head.seq + 1} belongs`)
  }

  #queued(grant: Grant, turn: JournalRecord): Promise<void> {
    let queue = this.#queues.get(grant.shard)
    if (queue === undefined) {
      queue = shardQueue(
        (batch) => this.#write(batch),
        ({ payload }) => {
          this.#queuedBytes -= payload.length
        },
      )
      this.#queues.set(grant.shard, queue)
    }
    this.#queuedBytes += turn.payload.length
    return queue.add(grant, turn)
  }

  /** One batch of one shard. Only a clear success is acknowledged. */
  async #write(batch: Batch): Promise<void> {
    const { database, clock, heads, telemetry, onLost } = this.#tables
    const { grant, turns } = batch
    const startedMs = performance.now()
    this.#writing += 1
    this.#writingSinceMs ??= startedMs
    try {
      const { rowCount } = await database.write(...statementOf(batch, clock.nowMs()))
      if (rowCount !== turns.length) throw fenced(grant.shard)
      this.#refused = null
      telemetry.journalWrote(turns.length, performance.now() - startedMs)
    } catch (error) {
      const failure = writeFailure(error)
      if (refusesAll(failure)) {
        this.#refused = failure
        this.#askLater()
      }
      for (const { actorKey } of turns) {
        const head = heads.under(grant, actorKey)
        if (head !== null) head.failed = failure
      }
      // After a doubt a new epoch is taken before anything is read: what is still on its way then finds it.
      if (failure.journalFailure === 'fenced' || failure.journalFailure === 'unknown') onLost(grant)
      throw failure
    } finally {
      this.#writing -= 1
      this.#writingSinceMs = this.#writing === 0 ? null : performance.now()
    }
  }

  #askLater(): void {
    const { database, schedule } = this.#tables
    this.#cancelAsk()
    this.#cancelAsk = schedule(() => {
      if (this.#isClosed || this.#refused === null) return
      const ended = (): void => {
        this.#refused = null
      }
      database.write(APPEND, ASKED).then(ended, () => this.#askLater())
    }, ASK_AGAIN_MS)
  }
}

function statementOf(batch: Batch, nowMs: number): [string, readonly unknown[]] {
  const { grant, turns } = batch
  if (turns.some(({ actorSeq }) => actorSeq === 1)) return [APPEND_FIRST, listsOf(batch, nowMs)]
  const [{ actorKey, actorSeq: seq, atMs, payload }, ...more] = turns
  if (more.length > 0) return [APPEND_MANY, listsOf(batch, nowMs)]
  return [APPEND, [grant.shard, grant.epoch, actorKey, seq, atMs ?? nowMs, payload]]
}

function listsOf({ grant, turns }: Batch, nowMs: number): readonly unknown[] {
  const { bytes, places, sizes } = packed(turns.map(({ payload }) => payload))
  return [
    grant.shard,
    grant.epoch,
    turns.map(({ actorKey }) => actorKey),
    turns.map(({ actorSeq }) => actorSeq),
    places,
    turns.map(({ atMs }) => atMs ?? nowMs),
    bytes,
    sizes,
  ]
}

function recordIn(actorKey: string, { seq, payload }: Row): JournalRecord {
  if (!Buffer.isBuffer(payload)) throw new Error(`a turn of ${actorKey} has no payload`)
  return { actorKey, actorSeq: Number(seq), payload }
}
