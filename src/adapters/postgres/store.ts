import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { Codec } from '../../ports/codec.ts'
import type { Durability } from '../../ports/journal.ts'
import type { Log } from '../../ports/log.ts'
import type { Grant } from '../../ports/ownership.ts'
import type { RecallImages } from '../../ports/recall-images.ts'
import type { Store } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import type { Schedule } from '../files/schedule.ts'
import type { DatabaseAddress } from './address.ts'
import { requireArrived } from './arrival.ts'
import { connected, Database, type Statement } from './database.ts'
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
import { PostgresRemoval } from './removal.ts'
import { keepRetention } from './retention.ts'
import { requireSettings, type SharedSettings } from './settings.ts'
import { Shards } from './shards.ts'
import { PostgresSnapshots, type SnapshotFormat } from './snapshots.ts'
import { knownSteps, newestOf, type Step } from './steps.ts'
import type { StoreSync } from './store-sync.ts'
import { hasVectors, PostgresVectors } from './vectors.ts'

export interface PostgresStoreOptions {
  readonly address: DatabaseAddress
  readonly clock: Clock
  readonly log: Log
  readonly codec: Codec
  readonly format: SnapshotFormat
  readonly telemetry: Pick<Telemetry, 'journalWrote'>
  readonly schedule: Schedule
  readonly monotonicMs: () => number
  /** Whose vectors are wanted; null: nobody's. */
  readonly model: string | null
  readonly durability: Durability
  readonly sync: StoreSync
  /** Settings that change answers: nodes of one store have the same. */
  readonly shared: SharedSettings
  readonly leaseMs: number
  readonly nodeUrl: string
  readonly version: string
  /** Those of this build, unless a test stands for another one. */
  readonly steps?: readonly Step[]
  readonly exposureRetentionMs: number
  readonly historyRetentionMs: number
  readonly copiesKeptMs: number
  /** How long a shard of which nothing is in memory stays with the node, and how long an answer about others counts. */
  readonly lingerMs?: number
  readonly elsewhereMs?: number
  /** Whether nodes share out what nobody has: they can send requests on to each other. */
  readonly isSharedOut?: boolean
  /** Whether a store that is on its way here is opened by what brings it; false unless given. */
  readonly isArriving?: boolean
  /** What stands between the store and its database: a test looks at statements there, or spoils them. */
  readonly around?: (database: Database) => Database
}

/** The bundle over a database, as one node of those that share it. */
export interface PostgresStore extends Store {
  readonly database: Database
  readonly lease: Lease
}

export const PRIME: Statement = {
  name: 'prime',
  text: `select a.covered, a.snapshot_bytes,
      (select max(seq) from memgov.turn where shard = $1 and actor = $2) as head
    from (select) as one left join memgov.actor a on a.shard = $1 and a.actor = $2`,
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
    return bundle(options, parts, isEmbedded, keepRetention(options, database))
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
    prime: async (grant, actorKey) => {
      const { rows } = await database.query(PRIME, [grant.shard, actorKey])
      const { covered, snapshot_bytes: bytes, head } = rows[0] ?? {}
      const coveredSeq = Number(covered ?? 0)
      heads.set(actorKey, grant, Math.max(Number(head ?? 0), coveredSeq), coveredSeq, Number(bytes ?? 0))
    },
    forget: (actorKey) => heads.forget(actorKey),
  })
  const shardOf = (actorKey: string): number => shards.shardOf(actorKey)
  const onLost = (grant: Grant): void => shards.lost(grant)
  const writer = new FencedWriter(database, onLost)
  const shared = { ...options, database, heads, writer, shardOf, onLost }
  const journal = new PostgresJournal(shared)
  const snapshots = new PostgresSnapshots(shared)
  const exposures = new PostgresExposures({ ...shared, retentionMs: options.exposureRetentionMs })
  const history = new PostgresHistory({ ...shared, journal })
  const removal = new PostgresRemoval({ ...shared, journal, snapshots, exposures, history })
  const mover = new Mover({ ...options, lease, neighbours, shards })
  return {
    database,
    lease,
    neighbours,
    shards,
    mover,
    shared,
    journal,
    snapshots,
    exposures,
    history,
    removal,
  }
}

/** The parts as one store. `stopRetention`: called when it is closed. */
export function bundle(
  options: PostgresStoreOptions,
  parts: ReturnType<typeof partsOver>,
  isEmbedded: boolean,
  stopRetention: () => void,
): PostgresStore {
  const { database, lease, shards, mover, shared, journal, snapshots, exposures, history, removal } = parts
  const { writer, shardOf } = shared
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
    erasureMarks: marksOf(database, writer, lease, shardOf),
    removal,
    vectorStore: isEmbedded ? new PostgresVectors({ ...shared, model: options.model ?? '' }) : null,
    compaction: null,
    segments: null,
    cluster: clusterOf(options.nodeUrl, parts),
    isDiskFull,
    database,
    lease,
    close() {
      closing ??= close()
      return closing
    },
  }
}

function clusterOf(
  url: string,
  { database, lease, neighbours, shards, mover }: ReturnType<typeof partsOver>,
): Cluster {
  return {
    get nodeId() {
      return lease.nodeId
    },
    url,
    isLeaseValid: () => lease.isValid,
    nodesAlive: () => lease.peers.size,
    shardsHeld: () => shards.count,
    shardsLeaving: () => mover.leaving,
    hotShards: () => mover.hottest(),
    shardChanges: () => shards.changes,
    isStoreReachable: () => database.isReachable,
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
  return {
    keep: () => undefined,
    get: async () => null,
    async dropBefore(grant) {
      await writer.write(LOOK, grant, [])
    },
    settled: async () => undefined,
  }
}
