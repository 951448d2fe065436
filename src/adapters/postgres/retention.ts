import { messageOf } from '../../core/base/errors.ts'
import type { Database, Statement } from './database.ts'
import type { PostgresStoreOptions } from './options.ts'

// Whoever has an actor may go on meanwhile: what is too old, and covered twice, nobody reads to make a state of. One node
// at a time in the whole database; some rows with one statement.
const TURNS: Statement = {
  name: 'retain_turns',
  text: `with mine as materialized (select pg_try_advisory_xact_lock(1835887479, 3) as is_mine)
    delete from memgov.turn where (shard, actor, seq) in (
      select t.shard, t.actor, t.seq from mine, memgov.turn t join memgov.actor a using (shard, actor)
       where mine.is_mine and t.at_ms < $1 and t.seq <= a.covered_before limit 5000)`,
}
const NOTES: Statement = {
  name: 'retain_notes',
  text: `delete from memgov.note where (shard, actor, id) in (
      select shard, actor, id from memgov.note where at_ms < $1 limit 5000)`,
}
const EXPOSURES: Statement = {
  name: 'retain_exposures',
  text: `delete from memgov.exposure where (shard, actor, trace) in (
      select shard, actor, trace from memgov.exposure where at_ms < $1 limit 5000)`,
}

const EVERY_MS = 600_000

type Retained = Pick<
  PostgresStoreOptions,
  'clock' | 'log' | 'schedule' | 'historyRetentionMs' | 'exposureRetentionMs'
>

/** Removes what is older than retention, again and again, until it is stopped. */
export function keepRetention(options: Retained, database: Database): () => void {
  const { schedule, log } = options
  let isStopped = false
  let cancel = (): void => undefined
  const look = (): void => {
    if (isStopped) return
    cancel = schedule(() => {
      retain(options, database)
        .catch((error: unknown) =>
          log.warn({ cause: messageOf(error) }, 'what is too old could not be removed'),
        )
        .then(look, look)
    }, EVERY_MS)
  }
  look()
  return () => {
    isStopped = true
    cancel()
  }
}

async function retain(
  { clock, historyRetentionMs, exposureRetentionMs }: Retained,
  database: Database,
): Promise<void> {
  const nowMs = clock.nowMs()
  const until = async (statement: Statement, beforeMs: number): Promise<void> => {
    let gone: number
    do gone = (await database.longQuery(statement, [beforeMs])).rowCount ?? 0
    while (gone > 0)
  }
  await until(TURNS, nowMs - historyRetentionMs)
  await until(NOTES, nowMs - historyRetentionMs)
  await until(EXPOSURES, nowMs - exposureRetentionMs)
}
