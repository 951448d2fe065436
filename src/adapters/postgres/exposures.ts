import { GUIDE_TRACE_PREFIX, guideTimeOf } from '../../core/base/ids.ts'
import type { ExposureRecord } from '../../core/model/events.ts'
import type { ExposureLedger, Grant } from '../../ports/store.ts'
import { createPacker, isDictionary } from '../binary/msgpack.ts'
import { packed, pagedRows, type Row, rowsOf } from './database.ts'
import { fencedStatement, type PostgresTables } from './tables.ts'

const APPEND = fencedStatement(`done as (
      insert into memgov.exposure (shard, actor, trace, at_ms, body)
      select $1, $3, r.trace, r.at_ms, substring($6::bytea from r.at for r.bytes)
        from owned, unnest($4::uuid[], $5::bigint[], $7::int[], $8::int[]) as r (trace, at_ms, at, bytes)
      on conflict (shard, actor, trace) do update set body = excluded.body returning 1)`)
const DROP = fencedStatement(`done as (
      delete from memgov.exposure e using owned
       where e.shard = $1 and e.actor = $3 and e.trace = any ($4::uuid[]) returning 1)`)
const FIND = 'select trace, body from memgov.exposure where shard = $1 and actor = $2 and trace = $3'
const NEWEST = `select trace, at_ms, body from memgov.exposure
    where shard = $1 and actor = $2 and (at_ms, trace) < ($3, $4) and at_ms >= $5
    order by at_ms desc, trace desc limit 200`

const PIECE_SETS = 500

/** Exposure sets that are no longer in memory. What is older than retention is not answered, and goes with it. */
export function exposuresIn({ database, writer, clock, shardOf, exposureRetentionMs }: PostgresTables) {
  const packer = createPacker({ isTabular: false })
  const keptFromMs = (): number => clock.nowMs() - exposureRetentionMs

  const append: ExposureLedger['append'] = async (grant, actorKey, _fromSeq, _toSeq, records) => {
    for (let from = 0; from < records.length; from += PIECE_SETS) {
      const piece = records.slice(from, from + PIECE_SETS)
      const { bytes, places, sizes } = packed(piece.map((record) => packer.pack(record)))
      await writer.write(APPEND, grant, [
        actorKey,
        piece.map(({ guideTraceId }) => uuidIn(guideTraceId)),
        piece.map(({ guideTraceId }) => guideTimeOf(guideTraceId)),
        bytes,
        places,
        sizes,
      ])
    }
  }

  async function* newestFirst(
    actorKey: string,
    notAfterMs = Number.MAX_SAFE_INTEGER - 1,
    fromMs = keptFromMs(),
  ): AsyncGenerator<ExposureRecord> {
    const shard = shardOf(actorKey)
    const behind = (last: Row = { at_ms: notAfterMs + 1, trace: '00000000-0000-0000-0000-000000000000' }) => {
      return [shard, actorKey, last['at_ms'], last['trace'], Math.max(0, fromMs)]
    }
    for await (const row of pagedRows(database, NEWEST, behind)) {
      const record = recordIn(row)
      if (record !== null) yield record
    }
  }

  /** Null: it is damaged. */
  function recordIn({ trace, body }: Row): ExposureRecord | null {
    if (!Buffer.isBuffer(body)) return null
    const record = packer.unpack(body)
    const isRight = isDictionary(record) && record['guideTraceId'] === `${GUIDE_TRACE_PREFIX}${String(trace)}`
    // The writer takes exposure records only.
    return isRight ? (record as unknown as ExposureRecord) : null
  }

  return {
    append,
    async find(actorKey: string, guideTraceId: string) {
      if (!(guideTimeOf(guideTraceId) >= keptFromMs())) return null
      const [row] = await rowsOf(database, FIND, [shardOf(actorKey), actorKey, uuidIn(guideTraceId)])
      return row === undefined ? null : recordIn(row)
    },
    newestFirst,
    keptFromMs,
    isBeyondRetention: (_actorKey: string, guideTraceId: string) => guideTimeOf(guideTraceId) < keptFromMs(),
    /** Keeps of each set, however old, what `leftOf` gives: the set itself, less of it, or null for nothing. */
    async rewrite(grant: Grant, actorKey: string, leftOf: (shown: ExposureRecord) => ExposureRecord | null) {
      const gone: string[] = []
      const changed: ExposureRecord[] = []
      for await (const shown of newestFirst(actorKey, undefined, 0)) {
        const left = leftOf(shown)
        if (left === null) gone.push(uuidIn(shown.guideTraceId))
        else if (left !== shown) changed.push(left)
      }
      if (gone.length > 0) await writer.write(DROP, grant, [actorKey, gone])
      await append(grant, actorKey, 0, 0, changed)
    },
  }
}

function uuidIn(guideTraceId: string): string {
  return guideTraceId.slice(GUIDE_TRACE_PREFIX.length)
}
