import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { readArrival, removeArrival, requireArrived, writeArrival } from '../../adapters/files/arrival.ts'
import { replaceWhole } from '../../adapters/files/durable-file.ts'
import { UNWATCHED, watchFolder } from '../../adapters/files/folder-watch.ts'
import { acquireLock, holdFolder } from '../../adapters/files/lock.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { FORMAT_FILE } from '../../adapters/journal/layout.ts'
import { keyPlaceOf } from '../../adapters/keys/key-folder.ts'
import { silentTelemetry } from '../../adapters/telemetry/silent.ts'
import { type Config, vectorModelOf } from '../config/options.ts'
import { openFolderReader } from '../store/folder-reader.ts'
import { openFileStore } from '../stores/file-store.ts'
import { hasCome, type MoveParts, type MoveSource, type MoveTarget, withModel } from './move-store.ts'

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
    await requireArrived(nodeFiles, path)
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
      openFileStore(lasting(withModel(config, hasVectors)), {
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
      }),
    finish: () => removeArrival(nodeFiles, path),
    release: async () => lock?.release(),
  }
}

/** Nothing leaves the journal before a service has begun. */
const NO_WORKERS = {
  runLong: () => Promise.reject(new Error('history is written by the service')),
}

/** Retention is for the service. */
function lasting(config: Config): Config {
  const forever = Number.POSITIVE_INFINITY
  return {
    ...config,
    durability: 'sync',
    exposureRetentionDays: forever,
    exposureBudgetBytes: forever,
    historyRetentionDays: forever,
    historyBudgetBytes: forever,
  }
}
