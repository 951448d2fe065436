import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { listErasureMarks, openErasureMarks } from '../../adapters/erasure/marks.ts'
import { holdFolder } from '../../adapters/files/lock.ts'
import { nodeFiles } from '../../adapters/files/node-files.ts'
import { readStoreId } from '../../adapters/journal/layout.ts'
import type { Log } from '../../ports/log.ts'
import type { Problem } from '../store/problem.ts'
import { type Verification, verifyStore } from '../store/verify-store.ts'
import { copyStore } from './copy-store.ts'
import { nullWhenMissing } from './held-journal.ts'

export interface BackupOptions {
  readonly to: string
  readonly exposureRetentionMs: number
  readonly nowMs: () => number
  readonly packageVersion: string
  readonly log: Log
  readonly onFile: (path: string) => void
}

export interface BackupReport {
  readonly storeId: string
  /** Every write that was acknowledged before this moment is in the copy. */
  readonly startedMs: number
  /** How often the store was copied: more than once when it changed faster than it was read. */
  readonly attempts: number
  readonly verification: Verification
  /** Actors of which the next start on the copy finishes an erasure. */
  readonly marked: readonly string[]
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
export async function runBackup(dir: string, options: BackupOptions): Promise<BackupReport> {
  const storeId = await readStoreId(nodeFiles, dir)
  if (storeId === null) throw new BackupRefused(`${dir} holds no store: name a data folder by --data`)
  await refuseTarget(dir, options.to)
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
  const names = await readdir(to).catch(nullWhenMissing)
  if (names !== null && names.length > 0) throw new BackupRefused(`${to} is not empty: name another folder`)
}

/** Makes the folder, or takes over what a backup that was killed has left. */
async function begin(part: string): Promise<void> {
  if (existsSync(part)) {
    const names = await readdir(part)
    if (names.length > 0 && !names.includes(BACKUP_FILE)) {
      throw new BackupRefused(`${part} is there and is no backup that was cut off: move it away`)
    }
  }
  await mkdir(part, { recursive: true })
}

async function copiedUntilClean(
  dir: string,
  part: string,
  storeId: string,
  options: BackupOptions,
): Promise<BackupReport> {
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
    const verification = await verifyStore(part, {
      isDeep: true,
      exposureRetentionMs: options.exposureRetentionMs,
      nowMs: options.nowMs(),
      onFile: options.onFile,
      onState: (actorKey, { erasures }) => {
        const isRecent = [...erasures.values()].some(({ atMs }) => atMs >= startedMs - CLOCK_STEP_MS)
        if (isRecent) erasing.add(actorKey)
      },
    })
    problems = verification.problems
    if (problems.length > 0) continue
    const marked = [...erasing].filter((key) => verification.store.actors.has(key))
    await mark(part, marked, options.log)
    return { storeId, startedMs, attempts, verification, marked }
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
  for (const key of keys) await marks.put(key)
}
