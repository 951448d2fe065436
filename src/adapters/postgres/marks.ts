import type { Directory } from '../../ports/directory.ts'
import type { ErasureMarks } from '../../ports/erasures.ts'
import { type Database, pagedRows, type Row, rowsOf, type Statement } from './database.ts'
import { fencedStatement } from './fenced-writer.ts'
import type { PostgresTables } from './options.ts'

const PUT = fencedStatement(
  'mark_put',
  `done as (
      insert into memgov.actor as a (shard, actor, erasing_since)
      select $1, $3, clock_timestamp() from owned
      on conflict (shard, actor) do update set erasing_since = coalesce(a.erasing_since, clock_timestamp())
      returning 1)`,
)
const REMOVE = fencedStatement(
  'mark_remove',
  `done as (
      update memgov.actor a set erasing_since = null from owned
       where a.shard = $1 and a.actor = $3 and a.erasing_since is not null returning 1)`,
)
const HAS: Statement = {
  name: 'mark_has',
  text: 'select from memgov.actor where shard = $1 and actor = $2 and erasing_since is not null',
}
/** What another node holds is its own affair. */
const MARKED: Statement = {
  name: 'marked',
  text: `select a.shard, a.actor from memgov.actor a join memgov.shard s using (shard)
    where a.erasing_since is not null and (a.shard, a.actor) > ($1, $2)
      and not exists (select from memgov.node n
        where n.id = s.owner and n.expires > clock_timestamp() and n.id <> $3)
    order by a.shard, a.actor limit 500`,
}
const ACTORS: Statement = {
  name: 'actors',
  text: `select shard, actor from memgov.actor where is_written and (shard, actor) > ($1, $2)
    order by shard, actor limit 5000`,
}
const KNOWN: Statement = {
  name: 'actors_known',
  text: 'select count(*)::int as actors from memgov.actor where is_written',
}

export function marksOf(
  { database, writer, shardOf }: PostgresTables,
  lease: { readonly nodeId: string },
): ErasureMarks {
  return {
    marked: () => walk(database, MARKED, () => [lease.nodeId]),
    async has(actorKey) {
      return (await rowsOf(database, HAS, [shardOf(actorKey), actorKey])).length === 1
    },
    async put(grant, actorKey) {
      await writer.write(PUT, grant, [actorKey])
    },
    async remove(grant, actorKey) {
      await writer.write(REMOVE, grant, [actorKey])
    },
  }
}

export function directoryOf(database: Database): Directory {
  return {
    async known() {
      const [row] = await rowsOf(database, KNOWN, [])
      return Number(row?.['actors'] ?? 0)
    },
    actors: () => walk(database, ACTORS, () => []),
  }
}

/** Actors page by page, in the order of their shards. */
async function* walk(
  database: Database,
  statement: Statement,
  more: () => readonly unknown[],
): AsyncGenerator<string> {
  const behind = ({ shard, actor }: Row = { shard: -1, actor: '' }) => [shard, actor, ...more()]
  for await (const { actor } of pagedRows(database, statement, behind)) yield String(actor)
}
