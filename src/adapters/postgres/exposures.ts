import { GUIDE_TRACE_PREFIX } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/exposure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Grant } from '../../ports/ownership.ts'
import type { ExposureLedger } from '../../ports/snapshots.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'
import type { Database, Row, Statement } from './database.ts'
import { refuseRead } from './failure.ts'
import { type FencedWriter, fencedStatement } from './fenced-writer.ts'

const APPEND = fencedStatement(
  'exposures_append',
  `done as (
      insert into memgov.exposure (shard, actor, trace, at_ms, body)
      select $1, $3, r.trace, r.at_ms, substring($6::bytea from r.at for r.bytes)
        from owned, unnest($4::uuid[], $5::bigint[], $7::int[], $8::int[]) as r (trace, at_ms, at, bytes)
      on conflict (shard, actor, trace) do update set body = excluded.body returning 1)`,
)
const DROP = fencedStatement(
  'exposures_drop',
  `done as (
      delete from memgov.exposure e using owned
       where e.shard = $1 and e.actor = $3 and e.trace = any ($4::uuid[]) returning 1)`,
)
const FIND: Statement = {
  name: 'exposure_find',
  text: 'select trace, body from memgov.exposure where shard = $1 and actor = $2 and trace = $3',
}
const NEWEST: Statement = {
  name: 'exposures_newest',
  text: `select trace, at_ms, body from memgov.exposure
    where shard = $1 and actor = $2 and (at_ms, trace) < ($3, $4) and at_ms >= $5
    order by at_ms desc, trace desc limit 200`,
}

const TRACE = /^guide_trace:([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Sets that are written with one statement. */
const PIECE_SETS = 500

export interface PostgresExposuresOptions {
  readonly database: Database
  readonly writer: FencedWriter
  readonly clock: Clock
  readonly retentionMs: number
  readonly shardOf: (actorKey: string) => number
}

/** Exposure sets that are no longer in memory. What is older than retention is not answered, and goes with it. */
export class PostgresExposures implements ExposureLedger {
  readonly #options: PostgresExposuresOptions
  readonly #packer = createPacker({ isTabular: false })

  constructor(options: PostgresExposuresOptions) {
    this.#options = options
  }

  async append(
    grant: Grant,
    actorKey: string,
    _fromSeq: number,
    _toSeq: number,
    records: readonly ExposureRecord[],
  ): Promise<void> {
    for (let from = 0; from < records.length; from += PIECE_SETS) {
      const piece = records.slice(from, from + PIECE_SETS)
      const bodies = piece.map((record) => this.#packer.pack(record))
      const places: number[] = []
      let at = 1
      for (const { length } of bodies) {
        places.push(at)
        at += length
      }
      await this.#options.writer.write(APPEND, grant, [
        actorKey,
        piece.map(({ guideTraceId }) => guideTraceId.slice(GUIDE_TRACE_PREFIX.length)),
        piece.map(({ guideTraceId }) => timeOf(guideTraceId)),
        Buffer.concat(bodies),
        places,
        bodies.map(({ length }) => length),
      ])
    }
  }

  async find(actorKey: string, guideTraceId: string): Promise<ExposureRecord | null> {
    if (!(timeOf(guideTraceId) >= this.#keptFromMs())) return null
    const { database, shardOf } = this.#options
    const trace = guideTraceId.slice(GUIDE_TRACE_PREFIX.length)
    const { rows } = await database.query(FIND, [shardOf(actorKey), actorKey, trace]).catch(refuseRead)
    return rows[0] === undefined ? null : this.#recordIn(rows[0])
  }

  async *newestFirst(
    actorKey: string,
    notAfterMs = Number.MAX_SAFE_INTEGER - 1,
  ): AsyncGenerator<ExposureRecord> {
    const { database, shardOf } = this.#options
    const shard = shardOf(actorKey)
    let last: readonly unknown[] = [notAfterMs + 1, '00000000-0000-0000-0000-000000000000']
    for (;;) {
      const values = [shard, actorKey, ...last, Math.max(0, this.#keptFromMs())]
      const { rows } = await database.query(NEWEST, values).catch(refuseRead)
      for (const row of rows) {
        const record = this.#recordIn(row)
        if (record !== null) yield record
      }
      const end = rows.at(-1)
      if (end === undefined) return
      last = [end['at_ms'], end['trace']]
    }
  }

  isBeyondRetention(_actorKey: string, guideTraceId: string): boolean {
    return timeOf(guideTraceId) < this.#keptFromMs()
  }

  /** Keeps of each set what `leftOf` gives: the set itself, less of it, or null for nothing. */
  async rewrite(
    grant: Grant,
    actorKey: string,
    leftOf: (shown: ExposureRecord) => ExposureRecord | null,
  ): Promise<void> {
    const gone: string[] = []
    const changed: ExposureRecord[] = []
    for await (const shown of this.newestFirst(actorKey)) {
      const left = leftOf(shown)
      if (left === null) gone.push(shown.guideTraceId.slice(GUIDE_TRACE_PREFIX.length))
      else if (left !== shown) changed.push(left)
    }
    if (gone.length > 0) await this.#options.writer.write(DROP, grant, [actorKey, gone])
    await this.append(grant, actorKey, 0, 0, changed)
  }

  #keptFromMs(): number {
    return this.#options.clock.nowMs() - this.#options.retentionMs
  }

  /** Null: it is damaged. */
  #recordIn({ trace, body }: Row): ExposureRecord | null {
    if (!Buffer.isBuffer(body)) return null
    const record = this.#packer.unpack(body)
    const isRight = isDictionary(record) && record['guideTraceId'] === `${GUIDE_TRACE_PREFIX}${String(trace)}`
    // The writer takes exposure records only.
    return isRight ? (record as unknown as ExposureRecord) : null
  }
}

/** Ids of version 7 begin with their time; not a number for what is no id of ours. */
function timeOf(guideTraceId: string): number {
  const [, high, low] = TRACE.exec(guideTraceId) ?? []
  return Number.parseInt(`${high}${low}`, 16)
}
