import type { Client } from 'pg'
import { StartError } from '../../core/base/errors.ts'
import type { Arrival } from '../files/arrival.ts'
import { CONTENT_TABLES } from './migrate.ts'

/** Null: nothing is on its way here. */
export async function arrivalIn(client: Client): Promise<Arrival | null> {
  const { rows } = await client.query<{ source_id: string; source: string }>(
    'select source_id, source from memgov.arrival',
  )
  const [row] = rows
  return row === undefined ? null : { sourceId: row.source_id, source: row.source }
}

export async function noteArrival(client: Client, { sourceId, source }: Arrival): Promise<void> {
  await client.query('insert into memgov.arrival (source_id, source) values ($1, $2)', [sourceId, source])
}

export async function endArrival(client: Client): Promise<void> {
  await client.query('delete from memgov.arrival')
}

/** @throws StartError while a store is being moved into this one */
export async function requireArrived(client: Client): Promise<void> {
  const arrival = await arrivalIn(client)
  if (arrival === null) return
  throw new StartError(
    'store_refused',
    `The database holds a part of a store only: a move from ${arrival.source} was cut off. Go on with memgov migrate, which finishes it.`,
  )
}

export async function isEmptyStore(client: Client): Promise<boolean> {
  const any = ['actor', ...CONTENT_TABLES].map((table) => `exists (select from memgov.${table})`).join(' or ')
  const { rows } = await client.query<{ used: boolean }>(`select ${any} as used`)
  return rows[0]?.used === false
}

/** The nodes that live, in words: where they are reached and which version they are. */
export async function liveNodes(client: Client, but: string | null = null): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string; url: string; version: string }>(
    'select id, url, version from memgov.node where expires > clock_timestamp() and id is distinct from $1 order by url, id',
    [but],
  )
  return rows.map(({ id, url, version }) => `${url === '' ? `node ${id}` : url} (${version})`)
}

/**
 * Raises every epoch above all that was ever given, and takes off every node. Epochs go up by one with each owner: those that
 * were given after the copy was made are below the time in milliseconds, and so are those of an earlier call.
 */
export async function fenceEverybody(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `update memgov.shard set owner = null,
      epoch = greatest(epoch + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)`,
  )
  await client.query('delete from memgov.node')
  return rowCount ?? 0
}
