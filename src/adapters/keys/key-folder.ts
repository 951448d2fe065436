import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../core/base/errors.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import { nodeFiles, privateFiles } from '../files/node-files.ts'
import { createDurably, hasCode, isMissing, namesIn, withFile } from '../files/whole-file.ts'
import { keyIn, keyText, type StoredKey } from './key-file.ts'
import { KEY_ID } from './token.ts'

// keys/                 0700
//   <id>.json           0600   one key, replaced as a whole
//   <id>.revoked        0600   empty: the key is revoked, whatever its file says
//
// A mark of its own, which nothing takes away: a change of the secret that was begun before cannot undo a revocation.

const FOLDER = 'keys'
const KEY_FILE = /^([0-9a-v]{12})\.json$/
const MARK_FILE = /^([0-9a-v]{12})\.revoked$/

export interface ListedKey extends StoredKey {
  readonly isRevoked: boolean
}

export interface FoundKeys {
  readonly keys: readonly ListedKey[]
  /** Files that cannot be read: their keys do not exist. */
  readonly damaged: readonly { readonly file: string; readonly cause: string }[]
}

/** Where keys are kept: a folder, or the store that nodes share. */
export interface KeyPlace {
  /** A word that changes with whatever is written. */
  state(): Promise<string>
  read(): Promise<FoundKeys>
  /** Writes a key, or writes it anew. Resolves when that is durable. */
  write(key: StoredKey): Promise<void>
  /** Takes the right of a key away for good. Resolves when that is durable. */
  revoke(keyId: string): Promise<void>
}

/** A data folder, or a place of another kind. */
export type KeyHome = string | KeyPlace

export function keyPlaceOf(home: KeyHome): KeyPlace {
  if (typeof home !== 'string') return home
  const read: ReadKeys = new Map()
  return {
    state: () => keyFolderState(home),
    read: () => readKeys(home, read),
    write: (key) => writeKey(home, key),
    revoke: (keyId) => revokeKey(home, keyId),
  }
}

export function keyFolderOf(dataDir: string): string {
  return join(dataDir, FOLDER)
}

/** By id: keys as they were read, each with what the file system said of its file then. */
type ReadKeys = Map<string, { readonly stamp: string; readonly key: StoredKey }>

const AT_ONCE = 32

/**
 * Everything in the folder; nothing when there is none. Rejects when it cannot be listed. `read`: what was read before; of a
 * file that is the same one, or whose key is revoked, nothing is read again.
 */
async function readKeys(dataDir: string, read: ReadKeys): Promise<FoundKeys> {
  const folder = keyFolderOf(dataDir)
  const names = await namesIn(nodeFiles, folder)
  const revoked = new Set(names.flatMap((name) => MARK_FILE.exec(name)?.[1] ?? []))
  const ids = names.flatMap((name) => KEY_FILE.exec(name)?.[1] ?? [])
  const keys: ListedKey[] = []
  const damaged: { file: string; cause: string }[] = []
  await forEachConcurrently(ids, AT_ONCE, async (keyId) => {
    const file = join(folder, `${keyId}.json`)
    const isRevoked = revoked.has(keyId)
    try {
      keys.push({ ...(await keyOf(file, keyId, isRevoked, read)), isRevoked })
    } catch (error) {
      read.delete(keyId)
      damaged.push({ file, cause: messageOf(error) })
    }
  })
  return { keys: keys.sort(byAge), damaged }
}

function byAge(one: ListedKey, other: ListedKey): number {
  return one.createdAtMs - other.createdAtMs || (one.keyId < other.keyId ? -1 : 1)
}

async function keyOf(file: string, keyId: string, isRevoked: boolean, read: ReadKeys): Promise<StoredKey> {
  const before = read.get(keyId)
  if (isRevoked && before !== undefined) return before.key
  // A key is replaced by another file.
  const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
  const stamp = `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  if (before?.stamp === stamp) return before.key
  const key = keyIn(await readFile(file, 'utf8'))
  if (key.keyId !== keyId) throw new Error(`it is the key ${key.keyId}`)
  read.set(keyId, { stamp, key })
  return key
}

async function writeKey(dataDir: string, key: StoredKey): Promise<void> {
  const name = `${key.keyId}.json`
  // Each process has a draft of its own.
  const draftName = `${name}.${process.pid}`
  const target = { folder: await madeFolder(dataDir), draftName, nameOf: () => name }
  await createDurably(privateFiles, target, (file) => file.append(Buffer.from(keyText(key))))
}

async function revokeKey(dataDir: string, keyId: string): Promise<void> {
  if (!KEY_ID.test(keyId)) throw new Error(`${keyId} is no id of a key`)
  const folder = await madeFolder(dataDir)
  await withFile(privateFiles, join(folder, `${keyId}.revoked`), 'replace', (mark) =>
    privateFiles.fsync(mark),
  )
  await privateFiles.fsyncDir(folder)
}

/** A word that changes with whatever is written in the folder, but for two changes in one step of the file system's clock. */
async function keyFolderState(dataDir: string): Promise<string> {
  try {
    const { ino, mtimeMs, ctimeMs } = await stat(keyFolderOf(dataDir))
    return `${ino} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    if (isMissing(error)) return 'none'
    throw error
  }
}

async function madeFolder(dataDir: string): Promise<string> {
  const folder = keyFolderOf(dataDir)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  // Also of one that is there: whoever made it may have failed here.
  await nodeFiles.fsyncDir(dataDir)
  return folder
}
