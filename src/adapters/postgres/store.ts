import type { Client } from 'pg'
import { messageOf } from '../../core/base/errors.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Directory, ErasureMarks, Grant, RecallImages, Store } from '../../ports/store.ts'
import { repeatedly } from '../files/concurrency.ts'
import { NO_IMAGES } from '../files/null-ports.ts'
import { requireArrived } from './arrival.ts'
import { connected, Database, isDiskFull, pagedRows, type Row, readFailure, rowsOf } from './database.ts'
import { exposuresIn } from './exposures.ts'
import { historyIn } from './history.ts'
import { PostgresJournal } from './journal.ts'
import { Lease } from './lease.ts'
import { knownSteps, newestOf, refuseDenied, requireMigrated, type Step } from './migrate.ts'
import { moverOf } from './mover.ts'
import { neighboursOf } from './moves.ts'
import { removalIn } from './removal.ts'
import { requireSettings } from './settings.ts'
import { Shards } from './shards.ts'
import { snapshotsIn } from './snapshots.ts'
import {
  createHeads,
  type FencedWriter,
  fencedStatement,
  fencedWriter,
  type PostgresStoreOptions,
  type PostgresTables,
  storedTurns,
} from './tables.ts'
import { hasVectors, vectorsIn } from './vectors.ts'

const PUT = fencedStatement(`done as (
      insert into memgov.actor as a (shard, actor, erasing_since)
      select $1, $3, clock_timestamp() from owned
      on conflict (shard, actor) do update set erasing_since = coalesce(a.erasing_since, clock_timestamp())
      returning 1)`)
const REMOVE = fencedStatement(`done as (
      update memgov.actor a set erasing_since = null from owned
       where a.shard = $1 and a.actor = $3 and a.erasing_since is not null returning 1)`)
const HAS = 'select from memgov.actor where shard = $1 and actor = $2 and erasing_since is not null'
/** What another node holds is its own affair. */
const MARKED = `select a.shard, a.actor from memgov.actor a join memgov.shard s using (shard)
    where a.erasing_since is not null and (a.shard, a.actor) > ($1, $2)
      and not exists (select from memgov.node n
        where n.id = s.owner and n.expires > clock_timestamp() and n.id <> $3)
    order by a.shard, a.actor limit 500`
const ACTORS = `select shard, actor from memgov.actor where is_written and (shard, actor) > ($1, $2)
    order by shard, actor limit 5000`

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

export function directoryOf({ database, shardOf }: Pick<PostgresTables, 'database' | 'shardOf'>): Directory {
  return {
    actors: () => walk(database, ACTORS, () => []),
    turnsOf: (actorKeys) => storedTurns(database, actorKeys.map(shardOf), actorKeys),
  }
}

async function* walk(
  database: Database,
  statement: string,
  more: () => readonly unknown[],
): AsyncGenerator<string> {
  const behind = ({ shard, actor }: Row = { shard: -1, actor: '' }) => [shard, actor, ...more()]
  for await (const { actor } of pagedRows(database, statement, behind)) yield String(actor)
}

// Whoever has an actor may go on meanwhile: what is too old, and covered twice, nobody reads to make a state of. One node
// at a time in the whole database; some rows with one statement.
const TURNS = `with mine as materialized (select pg_try_advisory_xact_lock(1835887479, 3) as is_mine)
    delete from memgov.turn where (shard, actor, seq) in (
      select t.shard, t.actor, t.seq from mine, memgov.turn t join memgov.actor a using (shard, actor)
       where mine.is_mine and t.at_ms < $1 and t.seq <= a.covered_before limit 5000)`
const NOTES = `delete from memgov.note where (shard, actor, id) in (
      select shard, actor, id from memgov.note where at_ms < $1 limit 5000)`
const EXPOSURES = `delete from memgov.exposure where (shard, actor, trace) in (
      select shard, actor, trace from memgov.exposure where at_ms < $1 limit 5000)`

const EVERY_MS = 600_000

type Retained = Pick<
  PostgresStoreOptions,
  'clock' | 'log' | 'schedule' | 'historyRetentionMs' | 'exposureRetentionMs'
>

export function keepRetention(options: Retained, database: Database): () => void {
  return repeatedly(options.schedule, EVERY_MS, () =>
    retain(options, database).catch((error: unknown) =>
      options.log.warn({ cause: messageOf(error) }, 'what is too old could not be removed'),
    ),
  )
}

async function retain(
  { clock, historyRetentionMs, exposureRetentionMs }: Retained,
  database: Database,
): Promise<void> {
  const nowMs = clock.nowMs()
  const until = async (statement: string, beforeMs: number): Promise<void> => {
    let gone: number
    do gone = (await database.longQuery(statement, [beforeMs])).rowCount ?? 0
    while (gone > 0)
  }
  await until(TURNS, nowMs - historyRetentionMs)
  await until(NOTES, nowMs - historyRetentionMs)
  await until(EXPOSURES, nowMs - exposureRetentionMs)
}

export interface PostgresStore extends Store {
  readonly database: Database
  readonly lease: Lease
}

const LOOK = fencedStatement('done as (select from owned)')

/** Resolves when the node has a lease. Rejects with a StartError when the database is not as it has to be. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const steps = options.steps ?? (await knownSteps())
  const { sync, shared, log } = options
  const shards = await askedOfFit(options, steps, (client) => requireSettings(client, sync, shared, log))
  const made = await Database.over(options)
  const database = options.around?.(made) ?? made
  const held: { lease: Lease | null } = { lease: null }
  try {
    const parts = partsOver(options, database, shards, newestOf(steps))
    held.lease = parts.lease
    await parts.lease.renew()
    // What is moved or imported says which memory wants no vector, whoever embeds.
    const isEmbedded = options.model !== null || options.keepsAll === true || (await hasVectors(database))
    parts.lease.keep()
    parts.mover.keep()
    // What goes, goes for every node: one whose own clock is ahead removes nothing too early.
    const clock = { nowMs: () => Math.floor(parts.lease.storeNowMs()) }
    const stop = options.keepsAll === true ? () => undefined : keepRetention({ ...options, clock }, database)
    return bundle(parts, isEmbedded, stop)
  } catch (error) {
    await held.lease?.close()
    await database.close()
    throw readFailure(error)
  }
}

/** Asks a database whose tables are those of this version, and in which a whole store is unless one is arriving. */
export async function askedOfFit<Answer>(
  {
    address,
    connectMs,
    isArriving = false,
  }: Pick<PostgresStoreOptions, 'address' | 'connectMs' | 'isArriving'>,
  steps: readonly Step[],
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const client = await connected(address, connectMs)
  try {
    await requireMigrated(client, steps)
    if (!isArriving) await requireArrived(client)
    return await ask(client)
  } catch (error) {
    return refuseDenied(error)
  } finally {
    await client.end()
  }
}

/**
 * Everything over the tables. Nothing is asked of the database before somebody uses it.
 * @param reads the newest step that this build knows, which its node says of itself
 */
export function partsOver(
  options: PostgresStoreOptions,
  database: Database,
  shardCount: number,
  reads: number,
) {
  const heads = createHeads(database)
  const lease = new Lease({
    ...options,
    database,
    url: options.nodeUrl,
    reads,
    onLapsed: () => shards.loseAll(),
  })
  const neighbours = neighboursOf({ ...options, lease })
  const shards: Shards = new Shards({
    ...options,
    database,
    lease,
    neighbours,
    shards: shardCount,
    prime: async (grant, actorKey) => void (await heads.prime(grant, actorKey)),
    forget: (actorKey) => heads.forget(actorKey),
  })
  const shardOf = (actorKey: string): number => shards.shardOf(actorKey)
  const onLost = (grant: Grant): void => shards.lost(grant)
  const writer = fencedWriter(database, onLost)
  const tables: PostgresTables = { ...options, database, heads, writer, shardOf, onLost }
  const journal = new PostgresJournal(tables)
  const snapshots = snapshotsIn(tables)
  const exposures = exposuresIn(tables)
  const history = historyIn(tables, journal)
  const removal = removalIn(tables, { journal, snapshots, exposures, history })
  const mover = moverOf({ ...options, lease, neighbours, shards })
  return { lease, neighbours, shards, mover, tables, journal, snapshots, exposures, history, removal }
}

export function bundle(
  parts: ReturnType<typeof partsOver>,
  isEmbedded: boolean,
  stopRetention: () => void,
): PostgresStore {
  const { lease, shards, mover, tables, journal, snapshots, exposures, history, removal } = parts
  const { database, writer } = tables
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    stopRetention()
    mover.close()
    await journal.close()
    await history.settled()
    await shards.close()
    await lease.close()
    await database.close()
  }
  return {
    backend: 'postgres',
    ownership: shards,
    directory: directoryOf(tables),
    journal,
    snapshots,
    recallImages: noImages(writer),
    ledger: exposures,
    history,
    erasureMarks: marksOf(tables, lease),
    removal,
    vectorStore: isEmbedded ? vectorsIn(tables) : null,
    compaction: null,
    segments: null,
    cluster: clusterOf(parts),
    isDiskFull,
    database,
    lease,
    close() {
      closing ??= close()
      return closing
    },
  }
}

function clusterOf({ lease, neighbours, shards, mover, tables }: ReturnType<typeof partsOver>): Cluster {
  return {
    get nodeId() {
      return lease.nodeId
    },
    url: tables.nodeUrl,
    isLeaseValid: () => lease.isValid,
    nodesAlive: () => lease.peers.size,
    shardsHeld: () => shards.count,
    shardsLeaving: () => mover.leaving,
    hotShards: () => mover.hottest(),
    shardChanges: () => shards.changes,
    isStoreReachable: () => tables.database.isReachable,
    doubt: (other) => shards.doubt(other),
    trust: (id) => neighbours.trust(id),
    lookAgain: (shard) => shards.lookAgain(shard),
    nodeAt(other) {
      for (const [id, at] of lease.peers) if (at === other) return id
      return null
    },
    storeNowMs: () => lease.storeNowMs(),
    readByAll: () => lease.readByAll,
  }
}

/** An index is built again by each load: nothing of it leaves the memory of its node. */
function noImages(writer: FencedWriter): RecallImages {
  return { ...NO_IMAGES, dropBefore: async (grant) => void (await writer.write(LOOK, grant, [])) }
}
