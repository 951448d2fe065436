import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { listErasureMarks, openErasureMarks, readPruned } from '../../adapters/erasure/marks.ts'
import { holdFolder } from '../../adapters/files/lock.ts'
import { MANIFEST_FILE } from '../../adapters/files/manifest.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { LOCAL_GRANT } from '../../adapters/files/store-parts.ts'
import {
  nullWhenMissing,
  ShortWriteError,
  TEMPORARY_SUFFIX,
  withFile,
} from '../../adapters/files/whole-file.ts'
import { segmentSeqOf } from '../../adapters/journal/format.ts'
import { FORMAT_FILE, readStoreId } from '../../adapters/journal/layout.ts'
import { keyFolderOf } from '../../adapters/keys/key-folder.ts'
import { erasuresIn } from '../../core/model/state.ts'
import type { Log } from '../../ports/system.ts'
import type { Problem } from '../store/read-store.ts'
import { type VerifyOptions, verifyStore } from '../store/verify-store.ts'

export interface BackupOptions extends Pick<VerifyOptions, 'exposureRetentionMs'> {
  readonly to: string
  /** False: whoever asks the copy needs no key, or new ones. */
  readonly withKeys: boolean
  readonly nowMs: () => number
  readonly packageVersion: string
  readonly log: Log
  readonly onFile: (path: string) => void
}

/** There is no backup, and nothing was left behind. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
  /** What is wrong with the copy, when there was one. */
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

const ATTEMPTS_MAX = 5
/** The name of what tells a folder that a backup has begun from one that somebody else uses. */
const BACKUP_FILE = 'BACKUP.json'
/** A wall clock may have been set back by so much since an erasure. */
const CLOCK_STEP_MS = 60_000

/**
 * Copies the data folder of a running service into `to`, which is a data folder afterwards or is not there. The service is
 * not asked and not stopped. Rejects with BackupRefused, or the error of the file system.
 */
export async function runBackup(dir: string, options: BackupOptions) {
  const storeId = await readStoreId(nodeFiles, dir)
  if (storeId === null) throw new BackupRefused(`${dir} holds no store: name a data folder by --data-dir`)
  await refuseTarget(dir, options.to)
  if ((await readPruned(nodeFiles, dir)).size > 0) {
    throw new BackupRefused('scopes of the store are being pruned: repeat it when that is finished')
  }
  const part = `${options.to}.part`
  await begin(part)
  const lock = await holdFolder(part, true)
  try {
    const report = await copiedUntilClean(dir, part, storeId, options)
    await rename(part, options.to)
    await nodeFiles.fsyncDir(dirname(options.to))
    return report
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  } finally {
    await lock.release()
  }
}

async function refuseTarget(dir: string, to: string): Promise<void> {
  const parent = await realpath(dirname(to)).catch(nullWhenMissing)
  if (parent === null) throw new BackupRefused(`there is no folder ${dirname(to)}: make it, or name another`)
  const source = await realpath(dir)
  if (`${parent}${sep}`.startsWith(`${source}${sep}`)) {
    throw new BackupRefused(`${to} is inside the data folder: name a folder beside it`)
  }
  // The copy takes its place by a rename, at the end.
  const found = await lstat(to).catch(nullWhenMissing)
  if (found?.isDirectory() === false)
    throw new BackupRefused(`${to} is a file or a link: name another folder`)
  if (found !== null && found.dev !== (await stat(parent)).dev)
    throw new BackupRefused(`${to} is a volume of its own: name a folder in it`)
  const names = await readdir(to).catch(nullWhenMissing)
  if (names !== null && names.length > 0) throw new BackupRefused(`${to} is not empty: name another folder`)
}

/** Makes the folder, or takes over what a backup that was killed has left. */
async function begin(part: string): Promise<void> {
  const names = (await readdir(part).catch(nullWhenMissing)) ?? []
  if (names.length > 0 && !names.includes(BACKUP_FILE)) {
    throw new BackupRefused(`${part} is there and is no backup that was cut off: move it away`)
  }
  await mkdir(part, { recursive: true })
}

async function copiedUntilClean(dir: string, part: string, storeId: string, options: BackupOptions) {
  let problems: readonly Problem[] = []
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
    await empty(part)
    const startedMs = options.nowMs()
    const facts = {
      storeId,
      startedAt: new Date(startedMs).toISOString(),
      packageVersion: options.packageVersion,
    }
    await writeFile(join(part, BACKUP_FILE), `${JSON.stringify(facts, null, 2)}\n`)
    const erasing = new Set((await listErasureMarks(nodeFiles, dir)).keys)
    await copyStore(dir, part, options.onFile)
    if (options.withKeys) await copyKeys(dir, part)
    const verification = await verifyStore(part, {
      isDeep: true,
      exposureRetentionMs: options.exposureRetentionMs,
      nowMs: options.nowMs(),
      onFile: options.onFile,
      onState: (actorKey, state) => {
        const isRecent = erasuresIn(state).some(({ atMs }) => atMs >= startedMs - CLOCK_STEP_MS)
        if (isRecent) erasing.add(actorKey)
      },
    })
    problems = verification.problems
    if (problems.length > 0) continue
    const marked = [...erasing].filter((key) => verification.store.actors.has(key))
    await mark(part, marked, options.log)
    return {
      storeId,
      /** Every write that was acknowledged before this moment is in the copy. */
      startedMs,
      /** More than one when the store changed faster than it was read. */
      attempts,
      verification,
      /** Actors of which the next start on the copy finishes an erasure. */
      marked,
    }
  }
  const first = problems[0]
  throw new BackupRefused(
    `${ATTEMPTS_MAX} copies were not whole, the last one because of ${first?.file}: ${first?.what}; repeat it when less is written, or stop the service and run memgov verify`,
    problems,
  )
}

/** Without the file that says what the folder is, until the next one takes its place. */
async function empty(part: string): Promise<void> {
  for (const name of await readdir(part)) {
    if (name !== BACKUP_FILE && name !== 'LOCK') await rm(join(part, name), { recursive: true })
  }
}

/**
 * An erasure that ran beside the copy may have left text in files that were copied before it. A start on the copy finds
 * the mark and takes it off the disk, as it does after a crash.
 */
async function mark(part: string, keys: readonly string[], log: Log): Promise<void> {
  if (keys.length === 0) return
  const marks = await openErasureMarks({ dir: part, files: nodeFiles, log })
  for (const key of keys) await marks.put(LOCAL_GRANT, key)
}

/**
 * Each part relies on what an earlier state of the later ones says: snapshots on the ledger, all of them on the journal. What
 * leaves the first two meanwhile is in a pack by then.
 */
const IMMUTABLE = ['snap', 'ledger', 'packs', 'hist'] as const

/**
 * Copies the files of a store in use, each durable, into an empty folder, so that they are what a crash of some moment
 * after the call would leave:
 *
 *   1. the journal is held open: from now on no turn can get lost that a snapshot does not cover yet;
 *   2. the manifest, which claims no more than what comes now;
 *   3. snapshots, then the ledger, which had their exposure sets before, then packs of both, then history. These files never change and appear
 *      by rename; one that goes while a folder is read was replaced by another, and the folder is read again;
 *   4. the journal itself, which has had every turn of the files of before, and goes on to now.
 *
 * Vectors rely on nothing, and say which memory must not be embedded. They are copied before the packs, which they may go
 * into, and again at the end, for memory that was written meanwhile.
 *
 * A segment that came and went between two looks leaves a hole: verify the copy.
 */
async function copyStore(from: string, to: string, onFile: (path: string) => void): Promise<void> {
  const journal = new HeldJournal(from)
  const copyVectors = (): Promise<void> =>
    copySettled(join(from, 'vec'), join(to, 'vec'), async () => journal.look())
  try {
    await journal.look()
    for (const name of [MANIFEST_FILE, FORMAT_FILE]) await copyDurably(join(from, name), join(to, name))
    await copyVectors()
    for (const part of IMMUTABLE) {
      await copySettled(join(from, part), join(to, part), async (path) => {
        onFile(path)
        await journal.look()
      })
    }
    const wal = join(to, 'wal')
    await mkdir(wal)
    await journal.copyInto(wal)
    await copyVectors()
  } finally {
    await journal.close()
  }
  await syncFolders(to)
}

/** Keys are copied as they lie: whoever could read them there can read them here, and nobody else. */
async function copyKeys(from: string, to: string): Promise<void> {
  const folder = keyFolderOf(to)
  await copySettled(keyFolderOf(from), folder, async () => undefined)
  if (existsSync(folder)) await chmod(folder, 0o700)
  await syncFolders(to)
}

/** Copies a folder with all that is below it, until nothing was missed. A file that was copied stays, also when it goes. */
async function copySettled(from: string, to: string, onFile: (path: string) => Promise<void>): Promise<void> {
  const copied = new Set<string>()
  for (let isMissed = true; isMissed; ) {
    isMissed = false
    for (const path of await filesBelow(from)) {
      if (copied.has(path)) continue
      await onFile(path)
      const target = join(to, path.slice(from.length))
      await mkdir(dirname(target), { recursive: true })
      if (await copyDurably(path, target)) copied.add(path)
      else isMissed = true
    }
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)
  return (entries ?? [])
    .filter((entry) => entry.isFile() && !entry.name.endsWith(TEMPORARY_SUFFIX))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** False when the file is gone. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  if ((await copyFile(from, to).then(() => true, nullWhenMissing)) === null) return false
  await withFile(nodeFiles, to, 'read', (fd) => nodeFiles.fsync(fd))
  return true
}

async function syncFolders(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isDirectory()) await nodeFiles.fsyncDir(join(entry.parentPath, entry.name))
  await nodeFiles.fsyncDir(dir)
}

const PIECE_BYTES = 64 * 1024

/**
 * The journal segments of a store in use, held open: one that is unlinked meanwhile can still be read. Call `look` often
 * enough to see each segment before it goes, and `close` at the end.
 */
class HeldJournal {
  readonly #folder: string
  readonly #held = new Map<number, { readonly name: string; readonly file: FileHandle }>()

  /** @param dir the data folder */
  constructor(dir: string) {
    this.#folder = join(dir, 'wal')
  }

  async look(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const seq = segmentSeqOf(name)
      if (seq === null || this.#held.has(seq)) continue
      const file = await open(join(this.#folder, name), 'r').catch(nullWhenMissing)
      if (file !== null) this.#held.set(seq, { name, file })
    }
  }

  /**
   * Copies every segment, the newest first, each from its end to its beginning, durable. What is appended meanwhile lies
   * before what was copied already, so that the copy ends as a torn journal does and has no hole.
   */
  async copyInto(folder: string): Promise<void> {
    await this.look()
    const newestFirst = [...this.#held].sort(([a], [b]) => b - a)
    for (const [, { name, file }] of newestFirst) await copyBackwards(file, join(folder, name))
  }

  async close(): Promise<void> {
    for (const { file } of this.#held.values()) await file.close()
    this.#held.clear()
  }
}

async function copyBackwards(source: FileHandle, path: string): Promise<void> {
  const target = await open(path, 'wx', 0o640)
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    const { size } = await source.stat()
    await target.truncate(size)
    for (let end = size; end > 0; ) {
      const start = Math.floor((end - 1) / PIECE_BYTES) * PIECE_BYTES
      const { bytesRead } = await source.read(piece, 0, end - start, start)
      const content = piece.subarray(0, bytesRead)
      // The zeros of a prepared segment are there already.
      if (content.some((byte) => byte !== 0)) {
        const { bytesWritten } = await target.write(content, 0, bytesRead, start)
        if (bytesWritten !== bytesRead) throw new ShortWriteError(`short write to ${path}: is the disk full?`)
      }
      end = start
    }
    await target.sync()
  } finally {
    await target.close()
  }
}
