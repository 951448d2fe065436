import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ORIGINS } from '../../core/base/closed-sets.ts'
import { jsonOf } from '../../core/base/collections.ts'
import { messageOf } from '../../core/base/errors.ts'
import type { Principal } from '../../core/model/principal.ts'
import { forEachConcurrently } from '../files/concurrency.ts'
import { nodeFiles, privateFiles } from '../files/node-files.ts'
import { createDurably, hasCode, isMissing, namesIn, withFile } from '../files/whole-file.ts'
import { KEY_ID, newKeyId, newToken, type SecretHash } from './token.ts'

export interface StoredKey extends Principal {
  /** For people. */
  readonly name: string
  readonly secretHash: SecretHash
  readonly createdAtMs: number
  /** When its secret was last changed; null: never. */
  readonly rotatedAtMs: number | null
  /** Null: it does not expire. */
  readonly expiresAtMs: number | null
}

const VERSION = 1
const FILLED = z.string().min(1)
const TIME = FILLED.transform((text) => Date.parse(text)).pipe(z.number())
const FILE = z.object({
  version: z.literal(VERSION),
  id: z.string().regex(KEY_ID),
  name: z.string(),
  secret_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  tenant_id: FILLED,
  scopes: z.array(z.object({ name: FILLED, is_prefix: z.boolean() })),
  agent_id: FILLED.nullable(),
  team_id: FILLED.nullable(),
  origins: z.array(z.enum(ORIGINS)),
  read_only: z.boolean(),
  operator: z.boolean(),
  metrics: z.boolean(),
  created_at: TIME,
  rotated_at: TIME.nullable(),
  expires_at: TIME.nullable(),
})

/** What may be told of a key. Never the hash of its secret: who has that has nothing, and needs it as little. */
export function factsOf(key: StoredKey) {
  const { keyId, name, tenantId, scopes, agentId, teamId, origins } = key
  return {
    id: keyId,
    name,
    tenant_id: tenantId,
    scopes: scopes.map(({ name: scope, isPrefix }) => ({ name: scope, is_prefix: isPrefix })),
    agent_id: agentId,
    team_id: teamId,
    origins,
    read_only: key.isReadOnly,
    operator: key.isOperator,
    metrics: key.readsMetrics,
    created_at: isoOf(key.createdAtMs),
    rotated_at: key.rotatedAtMs === null ? null : isoOf(key.rotatedAtMs),
    expires_at: key.expiresAtMs === null ? null : isoOf(key.expiresAtMs),
  }
}

export function keyText(key: StoredKey): string {
  const { id, name, ...facts } = factsOf(key)
  const file = { version: VERSION, id, name, secret_sha256: key.secretHash, ...facts }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Throws where it says something else than this version writes. */
export function keyIn(text: string): StoredKey {
  const stored = jsonOf(text)
  if (stored === undefined) throw new Error('it is not JSON')
  const { data: file, error } = FILE.safeParse(stored, { reportInput: true })
  if (file === undefined) throw wrong(error?.issues[0])
  return {
    keyId: file.id,
    name: file.name,
    secretHash: file.secret_sha256,
    tenantId: file.tenant_id,
    scopes: file.scopes.map(({ name, is_prefix: isPrefix }) => ({ name, isPrefix })),
    agentId: file.agent_id,
    teamId: file.team_id,
    origins: file.origins,
    isReadOnly: file.read_only,
    isOperator: file.operator,
    readsMetrics: file.metrics,
    createdAtMs: file.created_at,
    rotatedAtMs: file.rotated_at,
    expiresAtMs: file.expires_at,
  }
}

function wrong(issue: z.core.$ZodIssue | undefined): Error {
  const { path = [], input } = issue ?? {}
  if (path.length === 0) return new Error('the file is not an object')
  if (path[0] === 'version') {
    return new Error(`version ${String(input)}: this program reads version ${VERSION}`)
  }
  if (path[0] === 'scopes' && path.length === 2) return new Error('a scope is not an object')
  const field = path.findLast((part) => typeof part === 'string')
  return new Error(`${String(field)} is missing or of another kind`)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

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
  keys.sort((one, other) => one.createdAtMs - other.createdAtMs || (one.keyId < other.keyId ? -1 : 1))
  return { keys, damaged }
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

/** The state of a data folder without a folder for keys: the first key makes it. */
export const NO_FOLDER = 'none'

/** A word that changes with whatever is written in the folder, but for two changes in one step of the file system's clock. */
async function keyFolderState(dataDir: string): Promise<string> {
  try {
    const { ino, mtimeMs, ctimeMs } = await stat(keyFolderOf(dataDir))
    return `${ino} ${mtimeMs} ${ctimeMs}`
  } catch (error) {
    if (isMissing(error)) return NO_FOLDER
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

export type KeyGrant = Omit<StoredKey, 'keyId' | 'secretHash' | 'createdAtMs' | 'rotatedAtMs'>

export class KeyNotFoundError extends Error {
  override readonly name = 'KeyNotFoundError'
}

/** Resolves with the token, which nobody can read again, when the key is durable. */
export function createKey(home: KeyHome, grant: KeyGrant, nowMs: number) {
  return withSecret(home, { ...grant, keyId: newKeyId(), createdAtMs: nowMs, rotatedAtMs: null })
}

/** Gives a key another secret: the one before is worth nothing from now on. @throws KeyNotFoundError */
export async function rotateKey(home: KeyHome, keyId: string, nowMs: number) {
  return withSecret(home, { ...knownKey(await keyPlaceOf(home).read(), keyId), rotatedAtMs: nowMs })
}

async function withSecret(home: KeyHome, known: Omit<StoredKey, 'secretHash'>) {
  const { token, secretHash } = newToken(known.keyId)
  const key: StoredKey = { ...known, secretHash }
  await keyPlaceOf(home).write(key)
  return { key, token }
}

/** Takes the right of a key away for good. @throws KeyNotFoundError when there is no such key, or it is revoked */
export async function withdrawKey(home: KeyHome, keyId: string): Promise<void> {
  const found = await keyPlaceOf(home).read()
  // Who cannot read the file of a key may still revoke it.
  if (!found.damaged.some(({ file }) => file.endsWith(`${keyId}.json`))) knownKey(found, keyId)
  await keyPlaceOf(home).revoke(keyId)
}

function knownKey({ keys }: FoundKeys, keyId: string): StoredKey {
  const found = keys.find((key) => key.keyId === keyId)
  if (found === undefined) throw new KeyNotFoundError(`there is no key ${keyId}`)
  if (found.isRevoked) throw new KeyNotFoundError(`the key ${keyId} is revoked`)
  return found
}
