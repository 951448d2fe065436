import type { Cluster } from '../../ports/cluster.ts'
import type { Grant } from '../../ports/ownership.ts'
import type { RecallImages } from '../../ports/recall-images.ts'
import type { Store } from '../../ports/store.ts'
import { NO_IMAGES } from '../files/no-images.ts'
import { requireArrived } from './arrival.ts'
import { connected, Database } from './database.ts'
import { PostgresExposures } from './exposures.ts'
import { isDiskFull, readFailure } from './failure.ts'
import { FencedWriter, fencedStatement } from './fenced-writer.ts'
import { Heads } from './heads.ts'
import { PostgresHistory } from './history.ts'
import { PostgresJournal } from './journal.ts'
import { Lease } from './lease.ts'
import { directoryOf, marksOf } from './marks.ts'
import { requireMigrated } from './migrate.ts'
import { Mover } from './mover.ts'
import { Neighbours } from './neighbours.ts'
import type { PostgresStoreOptions, PostgresTables } from './options.ts'
import { PostgresRemoval } from './removal.ts'
import { keepRetention } from './retention.ts'
import { requireSettings } from './settings.ts'
import { Shards } from './shards.ts'
import { PostgresSnapshots } from './snapshots.ts'
import { knownSteps, newestOf, type Step } from './steps.ts'
import { hasVectors, PostgresVectors } from './vectors.ts'

/** The bundle over a database, as one node of those that share it. */
export interface PostgresStore extends Store {
  readonly database: Database
  readonly lease: Lease
}

const LOOK = fencedStatement('look', 'done as (select from owned)')

/** Resolves when the node has a lease. Rejects with a StartError when the database is not as it has to be. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const steps = options.steps ?? (await knownSteps())
  const shards = await requireFit(options, steps)
  const made = await Database.over(options)
  const database = options.around?.(made) ?? made
  const held: { lease: Lease | null } = { lease: null }
  try {
    const parts = partsOver(options, database, shards, newestOf(steps))
    held.lease = parts.lease
    await parts.lease.renew()
    const isEmbedded = options.model !== null || (await hasVectors(database))
    parts.lease.keep()
    parts.mover.keep()
    return bundle(parts, isEmbedded, keepRetention(options, database))
  } catch (error) {
    await held.lease?.close()
    await database.close()
    throw readFailure(error)
  }
}

/** The number of shards of a database that fits. */
async function requireFit(options: PostgresStoreOptions, steps: readonly Step[]): Promise<number> {
  const { address, sync, shared, log, isArriving = false } = options
  const client = await connected(address)
  try {
    await requireMigrated(client, steps)
    if (!isArriving) await requireArrived(client)
    return await requireSettings(client, sync, shared, log)
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
  const heads = new Heads()
  const lease = new Lease({
    ...options,
    database,
    url: options.nodeUrl,
    reads,
    onLapsed: () => shards.loseAll(),
  })
  const neighbours = new Neighbours({ ...options, lease })
  const shards: Shards = new Shards({
    ...options,
    database,
    lease,
    neighbours,
    shards: shardCount,
    prime: async (grant, actorKey) => void (await heads.prime(database, grant, actorKey)),
    forget: (actorKey) => heads.forget(actorKey),
  })
  const shardOf = (actorKey: string): number => shards.shardOf(actorKey)
  const onLost = (grant: Grant): void => shards.lost(grant)
  const writer = new FencedWriter(database, onLost)
  const tables: PostgresTables = { ...options, database, heads, writer, shardOf, onLost }
  const journal = new PostgresJournal(tables)
  const snapshots = new PostgresSnapshots(tables)
  const exposures = new PostgresExposures(tables)
  const history = new PostgresHistory(tables, journal)
  const removal = new PostgresRemoval(tables, { journal, snapshots, exposures, history })
  const mover = new Mover({ ...options, lease, neighbours, shards })
  return { lease, neighbours, shards, mover, tables, journal, snapshots, exposures, history, removal }
}

/** The parts as one store. `stopRetention`: called when it is closed. */
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
    directory: directoryOf(database),
    journal,
    snapshots,
    recallImages: noImages(writer),
    ledger: exposures,
    history,
    erasureMarks: marksOf(tables, lease),
    removal,
    vectorStore: isEmbedded ? new PostgresVectors(tables) : null,
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
