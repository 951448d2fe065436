import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { StartError } from '../../core/base/errors.ts'
import { madeFolder } from './folders.ts'
import { hasCode } from './whole-file.ts'

/**
 * Device and inode of an open file or folder. While it is open no other file can get them, whatever happens to its
 * name.
 */
export function identityOf(fd: number): string {
  return textOf(fs.fstatSync(fd, { bigint: true }))
}

/** The same of what lies under a name. Without one: the code of the error. Never rejects. */
export function identityAt(
  path: string,
): Promise<{ readonly identity: string | null; readonly code: string; readonly bytes: number }> {
  return new Promise((resolve) => {
    fs.stat(path, { bigint: true }, (error, found) => {
      if (error === null) resolve({ identity: textOf(found), code: '', bytes: Number(found.size) })
      else resolve({ identity: null, code: error.code ?? error.message, bytes: 0 })
    })
  })
}

function textOf({ dev, ino }: fs.BigIntStats): string {
  return `${dev}:${ino}`
}

/** The right to be the one process that uses a data folder. */
export interface Lock {
  /**
   * Looks whether the folder and its LOCK file are still under the names that were locked: why they are not, in words,
   * or null. A failed look is a reason as well. Never rejects.
   */
  whyLost(): Promise<string | null>
  /** Gives the right back. Idempotent. The end of the process, however it comes, does too. */
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly startedAt: string
}

const FLOCK = 'flock'
const IS_LINUX = process.platform === 'linux'

type FlockOutcome = 'taken' | 'held' | 'missing' | 'failed'

/**
 * Takes the lock of a data folder (created when missing) or throws an Error that names who holds it.
 *
 * On Linux three locks are taken, always and in this order, so that two processes never hold one each:
 *
 *   1. flock on the folder itself. It follows the folder through a rename and a bind mount, and no file can be
 *      removed to get around it. A file system that locks no folders is let pass.
 *   2. an abstract socket named for the device and inode of the folder. Two paths to one folder give one name. It
 *      also holds where the file system locks nothing, but only within one network namespace.
 *   3. flock on LOCK, which says who holds the folder.
 *
 * The command `flock` of util-linux or busybox locks the open file that it inherits; the lock stays with our descriptor
 * when the command exits, and the kernel drops it when we end, however that happens. Without the command nothing starts.
 * Other systems: a file with the process id, always (a stale one is taken over), and flock where there is such a command.
 */
export async function acquireLock(dir: string): Promise<Lock> {
  madeFolder(dir)
  return taken(dir, 'a+', true)
}

/**
 * Keeps a service away from a data folder while a command works on it, and leaves every byte as it is: who holds it is
 * not written down. A folder without a LOCK file gets one when the command writes; else the other locks hold it.
 * Throws as `acquireLock`.
 */
export async function holdFolder(dir: string, isWriting: boolean): Promise<Lock> {
  const path = join(dir, 'LOCK')
  assertFile(path)
  if (isWriting) fs.closeSync(fs.openSync(path, 'a', 0o640))
  return taken(dir, fs.existsSync(path) ? 'r' : null, false)
}

/** `lockFlags`: how LOCK is opened; null: it is not there and not made. */
async function taken(dir: string, lockFlags: string | null, isSigned: boolean): Promise<Lock> {
  const path = join(dir, 'LOCK')
  // Plain descriptors: a handle object would be closed, and its lock lost, when its owner forgets it.
  const undo: (() => void | Promise<void>)[] = []
  let isReleased = false
  const release = async (): Promise<void> => {
    if (isReleased) return
    isReleased = true
    for (const each of undo.toReversed()) await each()
  }
  assertFile(path)
  const opened = (target: string, flags: string): number => {
    const fd = fs.openSync(target, flags, 0o640)
    undo.push(() => fs.closeSync(fd))
    return fd
  }
  try {
    const folderFd = opened(dir, 'r')
    const folder = identityOf(folderFd)
    if (IS_LINUX) {
      refuse(await flock(folderFd), dir, path, ['failed'])
      undo.push(await lockBySocket(folder, dir, path))
    } else {
      undo.push(lockByPid(dir, path))
    }
    const lockFd = lockFlags === null ? null : opened(path, lockFlags)
    if (lockFd !== null) refuse(await flock(lockFd), dir, path, IS_LINUX ? [] : ['missing'])
    const lock = lockFd === null ? null : identityOf(lockFd)
    const whyLost = async (): Promise<string | null> =>
      (await whyMoved(dir, folder)) ?? (lock === null ? null : whyMoved(path, lock))
    const why = await whyLost()
    if (why !== null) throw new Error(`${why} while it was locked: start again`)
    if (lockFd !== null && isSigned) {
      signLock(lockFd)
      undo.push(() => fs.ftruncateSync(lockFd, 0))
    }
    return { whyLost, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Who holds the lock is written into LOCK: a link would lead that into a file of somebody else. */
function assertFile(path: string): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${path} is not a file: take it away, and start again`)
}

/** Why a path does not lead to what it led to; null when it does. */
async function whyMoved(path: string, identity: string): Promise<string | null> {
  const found = await identityAt(path)
  if (found.identity === identity) return null
  return found.identity === null
    ? `${path} cannot be found any more (${found.code})`
    : `${path} is not the one any more that was opened`
}

function signLock(fd: number): void {
  const holder: Holder = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString() }
  fs.ftruncateSync(fd, 0)
  fs.writeSync(fd, JSON.stringify(holder))
}

/** Throws unless the lock was taken, or ended in a way that is let pass. */
function refuse(outcome: FlockOutcome, dir: string, path: string, passed: readonly FlockOutcome[]): void {
  if (outcome === 'taken' || passed.includes(outcome)) return
  if (outcome === 'held') throw heldError(dir, path)
  throw new Error(
    outcome === 'missing'
      ? `the command flock is not in PATH, and without it two processes could use ${dir} at once: install util-linux (or busybox), or put flock into PATH`
      : `flock could not lock ${path}: use a file system that locks files`,
  )
}

function flock(fd: number): Promise<FlockOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(FLOCK, ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES') resolve('missing')
      else reject(error)
    })
    child.on('close', (code) => resolve(code === 0 ? 'taken' : code === 1 ? 'held' : 'failed'))
  })
}

/** Only one process can listen on a name; the kernel frees it with the process. */
async function lockBySocket(identity: string, dir: string, path: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(identity).digest('hex')
  const server = net.createServer((socket) => socket.destroy())
  const isMine = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(`\0memgov-${name.slice(0, 32)}`, () => resolve(true))
  })
  if (!isMine) throw heldError(dir, path)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Two starts at the same moment after a crash could both take a stale file over: the weakest of all. */
function lockByPid(dir: string, path: string): () => void {
  const pidPath = `${path}.pid`
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      fs.writeFileSync(pidPath, String(process.pid), { flag: 'wx' })
      return () => fs.rmSync(pidPath, { force: true })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      if (isAlive(Number.parseInt(fs.readFileSync(pidPath, 'utf8'), 10))) break
      fs.rmSync(pidPath, { force: true })
    }
  }
  throw heldError(dir, path)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function heldError(dir: string, path: string): StartError {
  const holder = holderOf(path)
  return new StartError(
    'store_in_use',
    `the data folder ${dir} is in use by ${holder}; only one process may use it`,
    { data_dir: dir, holder },
  )
}

function holderOf(path: string): string {
  try {
    const holder: Partial<Holder> = JSON.parse(fs.readFileSync(path, 'utf8'))
    return `process ${holder.pid} on ${holder.host} since ${holder.startedAt}`
  } catch {
    return 'another process'
  }
}
