import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import {
  readArrival,
  removeArrival,
  requireArrived as requireFolderArrived,
  writeArrival,
} from '../../adapters/files/arrival.ts'
import { UNWATCHED, watchFolder } from '../../adapters/files/folder-watch.ts'
import { acquireLock, holdFolder } from '../../adapters/files/lock.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { silentTelemetry } from '../../adapters/files/null-ports.ts'
import { packageVersion } from '../../adapters/files/package-file.ts'
import { replaceWhole } from '../../adapters/files/whole-file.ts'
import { FORMAT_FILE } from '../../adapters/journal/layout.ts'
import { keyPlaceOf } from '../../adapters/keys/key-folder.ts'
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
import { keptForever, vectorModelOf } from '../config/options.ts'
import { openFolderReader } from '../store/folder-reader.ts'
import { openFileStore } from '../stores/file-store.ts'
import { openSharedReader, openSharedStore, storeKeys } from '../stores/postgres-store.ts'
import { hasCome, type MoveParts, type MoveSource, type MoveTarget, withModel } from './move-store.ts'

const NOT_HELD: HeldStore = { isLost: () => false, release: async () => undefined }

/** Nobody waits for an answer meanwhile: a database that is slow to let in does not end a move. */
const CONNECT_MS = 30_000

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
  const held = isDryRun
    ? NOT_HELD
    : await holdStore(address, { log, leaseMs, connectMs: CONNECT_MS, version: packageVersion() })
  try {
    const reader = await openSharedReader(config, url, parts, { connectMs: CONNECT_MS })
    return {
      reader,
      keys: storeKeys(reader.database),
      whyLost: () =>
        held.isLost() ? `the lease on ${reader.place} has lapsed, and nodes may have served meanwhile` : null,
      async release() {
        await reader.close()
        await held.release()
      },
    }
  } catch (error) {
    await held.release()
    throw error
  }
}

/** A shared store to move to: its tables, empty, or with what an earlier run brought from the same store. */
export async function databaseTarget(url: string, parts: MoveParts): Promise<MoveTarget> {
  const { config, log } = parts
  const address = parseAddress(url, config.insecureStore)
  const place = placeOf(address)
  await requireNobodyElse(address, CONNECT_MS)
  const { leaseMs } = config
  const database = await Database.over({ address, leaseMs, connectMs: CONNECT_MS, durability: 'sync', log })
  return {
    place,
    keys: storeKeys(database),
    check: (source) => asked(url, parts, (client) => partThere(client, source.storeId, place)),
    begin: (source) =>
      asked(url, parts, async (client) => {
        if (await partThere(client, source.storeId, place)) return true
        await noteArrival(client, { sourceId: source.storeId, source: source.place })
        // Whoever started before the note was there would not have seen it.
        await requireNobodyElse(address, CONNECT_MS)
        return false
      }),
    async trial(bytes) {
      await database.write(TRIAL, [Buffer.alloc(bytes)])
    },
    hasStore: () => true,
    reader: () => openSharedReader(config, url, parts, { isArriving: true, connectMs: CONNECT_MS }),
    open: (hasVectors) =>
      openSharedStore(
        { ...withModel(config, hasVectors), durability: 'sync', nodeUrl: null, clusterSecret: null },
        url,
        { ...parts, telemetry: silentTelemetry },
        { isArriving: true, keepsAll: true, connectMs: CONNECT_MS },
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
  const client = await connected(parseAddress(url, config.insecureStore), CONNECT_MS)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What lies in a folder that was locked and never used. */
const LOCK_FILES: ReadonlySet<string> = new Set(['LOCK', 'LOCK.pid'])

/** A data folder to move from: its lock is held, and every byte stays as it is. */
export async function folderSource(
  dir: string,
  { config }: MoveParts,
  onFile?: (path: string) => void,
): Promise<MoveSource> {
  const path = resolve(dir)
  if (!existsSync(join(path, FORMAT_FILE)))
    throw new Error(`${path} is no data folder: there is no ${FORMAT_FILE}`)
  const lock = await holdFolder(path, false)
  try {
    await requireFolderArrived(nodeFiles, path)
    const reader = await openFolderReader(path, vectorModelOf(config), onFile)
    return { reader, keys: keyPlaceOf(path), whyLost: () => null, release: () => lock.release() }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** A data folder to move to: new, empty, or with what an earlier run brought from the same store. */
export async function folderTarget(
  dir: string,
  { config, clock, log }: MoveParts,
  isDryRun: boolean,
): Promise<MoveTarget> {
  const path = resolve(dir)
  const lock = isDryRun ? null : await acquireLock(path)
  const watch = lock === null ? UNWATCHED : watchFolder(lock)
  const place = `the folder ${path}`
  let trials = 0
  const check = async ({ storeId }: { readonly storeId: string }): Promise<boolean> => {
    if (!existsSync(path)) return false
    if (hasCome(await readArrival(nodeFiles, path), storeId, place, 'an empty folder')) return true
    const names = (await nodeFiles.readdir(path)).filter((name) => !LOCK_FILES.has(name))
    if (names.length > 0) throw new Error(`${place} is not empty: name a new folder`)
    return false
  }
  return {
    place,
    keys: keyPlaceOf(path),
    check,
    async begin(source) {
      if (await check(source)) return true
      await writeArrival(nodeFiles, path, { sourceId: source.storeId, source: source.place })
      return false
    },
    async trial(bytes) {
      trials += 1
      const file = `${path}.trial-${process.pid}-${trials}`
      try {
        await replaceWhole(nodeFiles, file, new Uint8Array(bytes))
      } finally {
        // Where it could not be written, that is the error to tell.
        await nodeFiles.unlink(file).catch(() => undefined)
      }
    },
    hasStore: () => existsSync(join(path, FORMAT_FILE)),
    reader: () => openFolderReader(path, vectorModelOf(config)),
    open: (hasVectors) =>
      openFileStore(
        { ...keptForever(withModel(config, hasVectors)), durability: 'sync' },
        {
          dir: path,
          files: nodeFiles,
          watch,
          clock,
          log,
          compute: NO_WORKERS,
          telemetry: silentTelemetry,
          pruned: new Set(),
          boundsNow: () => [],
          isArriving: true,
        },
      ),
    finish: () => removeArrival(nodeFiles, path),
    release: async () => lock?.release(),
  }
}

/** Nothing leaves the journal before a service has begun. */
const NO_WORKERS = {
  runLong: () => Promise.reject(new Error('history is written by the service')),
}
