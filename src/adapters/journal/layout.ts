import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { isDictionary } from '../binary/msgpack.ts'
import { listActorFolders } from '../files/actor-folders.ts'
import { MANIFEST_FILE } from '../files/manifest.ts'
import { packageVersion } from '../files/package-file.ts'
import {
  hasCode,
  jsonIn,
  NewerFileError,
  namesIn,
  quarantineIn,
  readWhole,
  replaceWhole,
} from '../files/whole-file.ts'
import { JournalCorruptError, segmentSeqOf } from './format.ts'

/** Says which format a data folder has, and which store it is. */
export const FORMAT_FILE = 'FORMAT.json'
const CREATED_BY = 'memgov'
/** Of the folder as a whole; a segment of the journal has a version of its own. */
const STORE_VERSION = 3
/**
 * A folder of an earlier version becomes one of this at a start: its files are read as they are, and written anew in time. Version
 * 1 had other layouts of files, version 2 no packs.
 */
const READ_VERSIONS = [1, 2, STORE_VERSION]
const STORE_ID = /^[0-9a-f]{32}$/

/**
 * Creates what is missing of a store and makes it durable, also what an earlier start left half done. Resolves with the name of
 * the store, 16 random bytes in hex, which is in the header of every segment.
 * Rejects with NewerFileError when FORMAT.json names another format, with JournalCorruptError when it is
 * unreadable, or missing beside data.
 */
export async function openLayout(files: Files, dir: string): Promise<string> {
  for (const folder of [dir, join(dir, 'wal'), quarantineIn(dir)]) await files.mkdir(folder)
  const known = await readStoreId(files, dir)
  await syncParents(files, dir, known === null)
  if (known !== null) {
    await raiseFormat(files, dir)
    await files.fsyncDir(dir)
    return known
  }
  const path = join(dir, FORMAT_FILE)
  if (await hasData(files, dir)) throw new JournalCorruptError(path, 0, 'the file is missing beside data')
  const storeId = randomBytes(16).toString('hex')
  await replaceWhole(files, path, formatText(storeId))
  return storeId
}

/** What FORMAT.json says, null where there is none. Rejects as `openLayout`; changes nothing. */
export async function readFormat(files: Files, dir: string): Promise<ReturnType<typeof formatOf> | null> {
  const path = join(dir, FORMAT_FILE)
  const bytes = await readWhole(files, path)
  return bytes === null ? null : formatOf(path, bytes)
}

export async function readStoreId(files: Files, dir: string): Promise<string | null> {
  return (await readFormat(files, dir))?.storeId ?? null
}

/**
 * Before the first file of this version is written into a folder of an earlier one: from now on an earlier program refuses
 * it. Does nothing where there is no FORMAT.json. Rejects as `openLayout`.
 */
export async function raiseFormat(files: Files, dir: string): Promise<void> {
  const known = await readFormat(files, dir)
  if (known !== null && known.formatVersion !== STORE_VERSION)
    await replaceWhole(files, join(dir, FORMAT_FILE), formatText(known.storeId))
}

export function formatText(storeId: string): Uint8Array {
  const format = { formatVersion: STORE_VERSION, createdBy: CREATED_BY, storeId, writtenBy: packageVersion() }
  return Buffer.from(`${JSON.stringify(format, null, 2)}\n`)
}

export async function hasData(files: Files, dir: string): Promise<boolean> {
  if ((await files.stat(join(dir, MANIFEST_FILE))) !== null) return true
  const names = await namesIn(files, join(dir, 'wal'))
  if (names.some((name) => segmentSeqOf(name) !== null)) return true
  for (const part of ['snap', 'ledger']) {
    if ((await listActorFolders(files, join(dir, part), (name) => name)).found.length > 0) return true
  }
  return false
}

/** How a folder that we cannot have made refuses to be flushed. */
const NOT_OURS = ['EACCES', 'EPERM', 'EROFS', 'EINVAL']

/**
 * The name of the data folder itself. For a new store also the names of all its parents: this start, or one that was
 * killed, may have made any of them, and FORMAT.json comes later.
 */
async function syncParents(files: Files, dir: string, isNew: boolean): Promise<void> {
  for (let folder = dir; dirname(folder) !== folder; folder = dirname(folder)) {
    try {
      await files.fsyncDir(dirname(folder))
    } catch (error) {
      if (!hasCode(error, ...NOT_OURS)) throw error
    }
    if (!isNew) return
  }
}

function formatOf(path: string, bytes: Uint8Array) {
  const format = jsonIn(bytes)
  if (!isDictionary(format) || !('formatVersion' in format && 'storeId' in format))
    throw new JournalCorruptError(path, 0, 'the file is no format description')
  const { storeId, writtenBy } = format
  const formatVersion = READ_VERSIONS.find((version) => version === format['formatVersion'])
  if (formatVersion === undefined) {
    const version = JSON.stringify(format['formatVersion'])
    const reader = typeof writtenBy === 'string' ? `memgov ${writtenBy} or later reads it; ` : ''
    throw new NewerFileError(
      `${path}: the store has format ${version}; ${reader}this version reads 1 to ${STORE_VERSION}`,
    )
  }
  if (typeof storeId !== 'string' || !STORE_ID.test(storeId)) {
    throw new JournalCorruptError(path, 0, 'the file names no store')
  }
  return { formatVersion, storeId }
}
