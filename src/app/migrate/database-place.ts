import { packageVersion } from '../../adapters/files/package-file.ts'
import { parseAddress, placeOf } from '../../adapters/postgres/address.ts'
import {
  arrivalIn,
  endArrival,
  isEmptyStore,
  noteArrival,
  requireArrived,
} from '../../adapters/postgres/arrival.ts'
import { connected, Database } from '../../adapters/postgres/database.ts'
import { type HeldStore, holdStore, requireNobodyElse } from '../../adapters/postgres/hold.ts'
import { requireMigrated } from '../../adapters/postgres/migrate.ts'
import { silentTelemetry } from '../../adapters/telemetry/silent.ts'
import { storeKeys } from '../stores/postgres-keys.ts'
import { openSharedReader, openSharedStore } from '../stores/postgres-store.ts'
import { hasCome, type MoveParts, type MoveSource, type MoveTarget, withModel } from './move-store.ts'

const NOT_HELD: HeldStore = { isLost: () => false, release: async () => undefined }

type Client = Awaited<ReturnType<typeof connected>>

/** Into the log of the database, and into no table. */
const TRIAL = "select pg_logical_emit_message(true, 'memgov trial', $1::bytea)"

/** A shared store to move from: every shard is held, so that no node serves meanwhile; not for a dry run. */
export async function databaseSource(url: string, parts: MoveParts, isDryRun: boolean): Promise<MoveSource> {
  const { config, log } = parts
  const address = parseAddress(url, config.insecureStore)
  const { leaseMs } = config
  await asked(url, parts, async (client) => {
    await requireMigrated(client)
    await requireArrived(client)
  })
  const held = isDryRun ? NOT_HELD : await holdStore(address, { log, leaseMs, version: packageVersion() })
  const database = await Database.over({ address, leaseMs, durability: 'sync', log })
  try {
    const reader = await openSharedReader(config, url, parts)
    return {
      reader,
      keys: storeKeys(database),
      whyLost: () =>
        held.isLost() ? `the lease on ${reader.place} has lapsed, and nodes may have served meanwhile` : null,
      async release() {
        await reader.close()
        await database.close()
        await held.release()
      },
    }
  } catch (error) {
    await database.close()
    await held.release()
    throw error
  }
}

/** A shared store to move to: its tables, empty, or with what an earlier run brought from the same store. */
export async function databaseTarget(url: string, parts: MoveParts): Promise<MoveTarget> {
  const { config, log } = parts
  const address = parseAddress(url, config.insecureStore)
  const place = placeOf(address)
  await requireNobodyElse(address)
  const database = await Database.over({ address, leaseMs: config.leaseMs, durability: 'sync', log })
  return {
    place,
    keys: storeKeys(database),
    check: (source) => asked(url, parts, (client) => partThere(client, source.storeId, place)),
    begin: (source) =>
      asked(url, parts, async (client) => {
        if (await partThere(client, source.storeId, place)) return true
        await noteArrival(client, { sourceId: source.storeId, source: source.place })
        // Whoever started before the note was there would not have seen it.
        await requireNobodyElse(address)
        return false
      }),
    async trial(bytes) {
      await database.write(TRIAL, [Buffer.alloc(bytes)])
    },
    hasStore: () => true,
    reader: () => openSharedReader(config, url, parts, { isArriving: true }),
    open: (hasVectors) =>
      openSharedStore(
        { ...withModel(config, hasVectors), durability: 'sync', nodeUrl: null, clusterSecret: null },
        url,
        { ...parts, telemetry: silentTelemetry },
        { isArriving: true },
      ),
    finish: () => asked(url, parts, endArrival),
    release: () => database.close(),
  }
}

async function partThere(client: Client, storeId: string, place: string): Promise<boolean> {
  await requireMigrated(client)
  if (hasCome(await arrivalIn(client), storeId, place, 'another database')) return true
  if (!(await isEmptyStore(client))) throw new Error(`${place} is not empty: name another database`)
  return false
}

async function asked<T>(
  url: string,
  { config }: MoveParts,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connected(parseAddress(url, config.insecureStore))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
