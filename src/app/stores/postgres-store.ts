import { createCodec } from '../../adapters/codec/codec.ts'
import { systemSchedule } from '../../adapters/files/concurrency.ts'
import { MemoryFile } from '../../adapters/files/memory-file.ts'
import { silentLog, silentTelemetry } from '../../adapters/files/null-ports.ts'
import { packageVersion } from '../../adapters/files/package-file.ts'
import { GrowingFile } from '../../adapters/files/whole-file.ts'
import {
  type FoundKeys,
  type KeyPlace,
  keyIn,
  keyText,
  type ListedKey,
} from '../../adapters/keys/key-folder.ts'
import { parseAddress } from '../../adapters/postgres/address.ts'
import { connected, Database } from '../../adapters/postgres/database.ts'
import { keyRows } from '../../adapters/postgres/key-rows.ts'
import { refuseDenied, requireTables } from '../../adapters/postgres/migrate.ts'
import {
  openPostgresReader,
  type PostgresReader,
  type PostgresReaderOptions,
} from '../../adapters/postgres/reader.ts'
import { openPostgresStore, type PostgresStore } from '../../adapters/postgres/store.ts'
import type { PostgresStoreOptions, SnapshotFormat } from '../../adapters/postgres/tables.ts'
import { readSnapshot, writeSnapshot } from '../../adapters/snapshot/format.ts'
import { messageOf } from '../../core/base/errors.ts'
import { type Config, retentionOf, storeUrlOf, vectorModelOf } from '../config/options.ts'

/** A snapshot in a table has the bytes of one in a file. */
export const SNAPSHOT_FORMAT: SnapshotFormat = {
  async encode(actorKey, image) {
    const memory = new MemoryFile()
    const file = new GrowingFile(memory.files, 0)
    await writeSnapshot(file, { actorKey, storeId: null, turnCrc: null }, image)
    await file.flush()
    return memory.bytes
  },
  async decode(actorKey, bytes) {
    const found = await readSnapshot(new MemoryFile(bytes).files, 'snapshot')
    if (found.actorKey !== actorKey) throw new Error(`it is the snapshot of ${found.actorKey}`)
    return found.image
  },
}

const DAY_MS = 24 * 3_600_000

type PostgresParts = Pick<PostgresStoreOptions, 'clock' | 'log' | 'telemetry'>

/** By what brings a store here, which nobody else may open before all of it is there, or by another command. */
type OpenedBy = Pick<PostgresStoreOptions, 'isArriving' | 'keepsAll' | 'connectMs'>

/** The bundle over the database at a URL, as one node of those that share it. */
export function openSharedStore(
  config: Config,
  url: string,
  parts: PostgresParts,
  by: OpenedBy = {},
): Promise<PostgresStore> {
  return openPostgresStore({ ...optionsOf(config, url, parts), ...retentionOf(config), ...by })
}

/** All that is in the database at a URL, also what a service would not show any more. Nobody who serves from it notices. */
export function openSharedReader(
  config: Config,
  url: string,
  parts: Omit<PostgresParts, 'telemetry'>,
  by: OpenedBy = {},
): Promise<PostgresReader> {
  return openPostgresReader({ ...optionsOf(config, url, { ...parts, telemetry: silentTelemetry }), ...by })
}

/** The same as a service would show it. */
export function openSharedView(config: Config, url: string, parts: PostgresParts): Promise<PostgresReader> {
  return openPostgresReader(optionsOf(config, url, parts), retentionOf(config))
}

function optionsOf(config: Config, url: string, parts: PostgresParts): PostgresReaderOptions {
  const model = vectorModelOf(config)
  return {
    ...parts,
    address: parseAddress(url, config.insecureStore),
    codec: createCodec(),
    format: SNAPSHOT_FORMAT,
    schedule: systemSchedule,
    monotonicMs: () => performance.now(),
    model,
    durability: config.durability,
    sync: config.storeSync,
    shared: {
      holdoutPercent: config.holdoutPercent,
      holdoutScopes: config.holdoutScopes.toSorted(),
      embeddingsModel: model,
      embeddingsDimensions: config.embeddingsDimensions,
      exposureRetentionDays: config.exposureRetentionDays,
      historyRetentionDays: config.historyRetentionDays,
    },
    leaseMs: config.leaseMs,
    nodeUrl: config.nodeUrl ?? '',
    isSharedOut: config.clusterSecret !== null && config.nodeUrl !== null,
    version: packageVersion(),
    copiesKeptMs: config.storeCopiesDays * DAY_MS,
  }
}

/** The keys of a shared store, as every node of it sees them. */
export function storeKeys(database: Database): KeyPlace {
  const rows = keyRows(database)
  return {
    ...rows,
    read: async () => found(await rows.read()),
    write: (key) => rows.write(key.keyId, keyText(key)),
  }
}

export async function withStoreKeys<T>(config: Config, work: (place: KeyPlace) => Promise<T>): Promise<T> {
  const address = parseAddress(storeUrlOf(config) ?? '', config.insecureStore)
  const { leaseMs } = config
  // A key can be ended whatever version the tables are of.
  const client = await connected(address)
  try {
    await requireTables(client)
  } finally {
    await client.end()
  }
  const database = await Database.over({ address, leaseMs, durability: 'sync', log: silentLog })
  try {
    return await work(storeKeys(database)).catch(refuseDenied)
  } finally {
    await database.close()
  }
}

function found(rows: Awaited<ReturnType<ReturnType<typeof keyRows>['read']>>): FoundKeys {
  const keys: ListedKey[] = []
  const damaged: { file: string; cause: string }[] = []
  for (const { id, body, isRevoked } of rows) {
    try {
      const key = keyIn(body)
      if (key.keyId !== id) throw new Error(`it is the key ${key.keyId}`)
      keys.push({ ...key, isRevoked })
    } catch (error) {
      damaged.push({ file: `key ${id}.json`, cause: messageOf(error) })
    }
  }
  return { keys: keys.toSorted((a, b) => a.createdAtMs - b.createdAtMs), damaged }
}
