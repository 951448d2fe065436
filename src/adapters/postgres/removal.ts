import { setTimeout as wait } from 'node:timers/promises'
import { noteWithoutErased } from '../../core/external/govern-record.ts'
import { payloadLeft, type Redaction, redactor } from '../../core/model/erasure.ts'
import type { Grant, Removal, SnapshotStore } from '../../ports/store.ts'
import { type Database, packed, refuseRead, rowsOf } from './database.ts'
import type { exposuresIn } from './exposures.ts'
import type { historyIn } from './history.ts'
import type { PostgresJournal } from './journal.ts'
import { fencedStatement, type PostgresTables } from './tables.ts'

const DROP_SNAPSHOTS = fencedStatement(`gone as (
      delete from memgov.snapshot s using owned, memgov.actor a
       where s.shard = $1 and s.actor = $3 and a.shard = $1 and a.actor = $3 and s.seq <> a.covered
      returning s.seq),
    forgotten as (
      update memgov.actor a set covered_before = 0 from owned where a.shard = $1 and a.actor = $3),
    done as (select distinct seq from gone)`)
const REWRITE = fencedStatement(`done as (
      update memgov.turn t set payload = substring($5::bytea from r.at for r.bytes)
        from owned, unnest($4::bigint[], $6::int[], $7::int[]) as r (seq, at, bytes)
       where t.shard = $1 and t.actor = $3 and t.seq = r.seq returning 1)`)
const SWEPT = fencedStatement(`done as (
      update memgov.actor a set swept = greatest(a.swept, $4) from owned
       where a.shard = $1 and a.actor = $3 returning 1)`)
const SWEPT_UNTIL = 'select swept from memgov.actor where shard = $1 and actor = $2'
const NEXT_TRANSACTION = 'select pg_snapshot_xmax(pg_current_snapshot())::text as id'
// Rows that were deleted stay on their pages for as long as anybody may still look at them.
const LOOKING_BACK = `select coalesce(string_agg(who, ', '), '') as who from (
      select 'session ' || pid as who, backend_xmin as since from pg_stat_activity
       where backend_xmin is not null and pid <> pg_backend_pid()
         and (datid is null or datid = (select oid from pg_database where datname = current_database()))
      union all select 'prepared transaction ' || gid, transaction from pg_prepared_xacts
      union all select 'replication slot ' || slot_name, xmin from pg_replication_slots where xmin is not null
    ) as each where age(since) > age($1::text::xid8::xid)`
const REWRITE_PAGES = 'select memgov.rewrite_partition($1, $2)'

const PARTS = ['vector', 'exposure', 'snapshot', 'turn', 'note'] as const
/** Turns that are written anew with one statement, by their bytes. */
const PIECE_BYTES = 4 * 1024 * 1024
/** How long is waited for sessions that look back; then the erasure is tried again later. */
const LOOKS = 50
const LOOK_MS = 100

interface PostgresRemovalParts {
  readonly journal: PostgresJournal
  readonly snapshots: Pick<SnapshotStore, 'coveredSeqOf'>
  readonly exposures: ReturnType<typeof exposuresIn>
  readonly history: ReturnType<typeof historyIn>
}

/**
 * Removal from tables: older snapshots, exposure sets, then what turns say; last the pages on which all of that was are written
 * anew. What the log of the database and its copies still have goes with their own retention.
 */
export function removalIn(tables: PostgresTables, parts: PostgresRemovalParts): Removal {
  const { writer, codec, clock, copiesKeptMs } = tables
  const { journal, snapshots, exposures, history } = parts

  async function redact(grant: Grant, actorKey: string, redaction: Redaction): Promise<number> {
    const left = redactor(redaction)
    await journal.settled(actorKey)
    let changed = 0
    let waiting = new Map<number, Uint8Array>()
    let bytes = 0
    for await (const { actorSeq, payload } of journal.pages(actorKey, 1, redaction.untilSeq)) {
      const shorter = payloadLeft(payload, left, codec)
      if (shorter === null) continue
      waiting.set(actorSeq, Uint8Array.from(shorter))
      bytes += shorter.length
      if (bytes < PIECE_BYTES) continue
      changed += await rewrite(grant, actorKey, waiting)
      waiting = new Map()
      bytes = 0
    }
    return changed + (await rewrite(grant, actorKey, waiting))
  }

  async function rewrite(
    grant: Grant,
    actorKey: string,
    turns: ReadonlyMap<number, Uint8Array>,
  ): Promise<number> {
    if (turns.size === 0) return 0
    const { bytes, places, sizes } = packed([...turns.values()])
    return writer.write(REWRITE, grant, [actorKey, [...turns.keys()], bytes, places, sizes])
  }

  return {
    async erase(grant, actorKey, redaction, help) {
      const { untilSeq } = redaction
      help.began('snapshots')
      if (snapshots.coveredSeqOf(actorKey) < untilSeq) await help.snapshot(actorKey)
      const dropped = await writer.write(DROP_SNAPSHOTS, grant, [actorKey])
      help.began('ledger')
      const left = redactor(redaction)
      if (redaction.guides.length + redaction.external.length > 0)
        await exposures.rewrite(grant, actorKey, (shown) => left.exposure(shown))
      help.began('history')
      const rewritten = await redact(grant, actorKey, redaction)
      if (redaction.external.length > 0) {
        await history.rewriteNotes(grant, actorKey, (note) => noteWithoutErased(note, redaction, codec))
      }
      help.began('pages')
      await sweep(tables, grant, actorKey, untilSeq)
      const copiesUntilMs = clock.nowMs() + copiesKeptMs
      return { snapshots: dropped, journalSegments: 0, historyFiles: rewritten, copiesUntilMs }
    },
  }
}

async function sweep(
  { database, writer, shardOf }: PostgresTables,
  grant: Grant,
  actorKey: string,
  untilSeq: number,
): Promise<void> {
  const shard = shardOf(actorKey)
  const [row] = await rowsOf(database, SWEPT_UNTIL, [shard, actorKey])
  if (Number(row?.['swept'] ?? 0) >= untilSeq) return
  await nobodyLooksBack(database)
  for (const part of PARTS) await database.longQuery(REWRITE_PAGES, [part, shard]).catch(refuseRead)
  await writer.write(SWEPT, grant, [actorKey, untilSeq])
}

async function nobodyLooksBack(database: Database): Promise<void> {
  const [next] = await rowsOf(database, NEXT_TRANSACTION, [])
  let who = ''
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const [row] = await rowsOf(database, LOOKING_BACK, [next?.['id']])
    who = typeof row?.['who'] === 'string' ? row['who'] : ''
    if (who === '') return
    await wait(LOOK_MS)
  }
  throw new Error(`rows that are gone cannot leave their pages while these look back: ${who}`)
}
