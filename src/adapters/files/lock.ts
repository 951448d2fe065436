import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** The right to be the one process that uses a data folder. */
export interface Lock {
  /** Gives the right back. Idempotent. The end of the process, however it comes, does too. */
  release(): Promise<void>
}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly startedAt: string
}

const FLOCK = 'flock'

type FlockOutcome = 'taken' | 'held' | 'missing'

/**
 * Takes the lock of a data folder (created when missing) or throws an Error that names who holds it.
 *
 * `flock` of util-linux or busybox locks the open file that it inherits; the lock stays with our descriptor when it
 * exits, and the kernel drops it when we end, however that happens. Where the command is missing: an abstract
 * socket on Linux (one network namespace), elsewhere a file with the process id (a stale one is taken over).
 */
export async function acquireLock(dir: string): Promise<Lock> {
  fs.mkdirSync(dir, { recursive: true })
  const path = join(dir, 'LOCK')
  // A plain descriptor: a handle object would be closed, and the lock lost, when its owner forgets it.
  const fd = fs.openSync(path, 'a+', 0o640)
  try {
    const outcome = await flock(fd)
    if (outcome === 'held') throw heldError(dir, path)
    const releaseFallback = outcome === 'missing' ? await lockWithoutFlock(dir, path) : null
    signLock(fd)
    return lockOver(fd, releaseFallback)
  } catch (error) {
    fs.closeSync(fd)
    throw error
  }
}

/**
 * Keeps a service away from a data folder while a command works on it, and leaves every byte as it is: who holds it is
 * not written down. A folder without a LOCK file was never used by a service: it gets one when the command writes, and
 * is not held when it only reads. Throws as `acquireLock`.
 */
export async function holdFolder(dir: string, isWriting: boolean): Promise<Lock> {
  const path = join(dir, 'LOCK')
  if (isWriting) fs.closeSync(fs.openSync(path, 'a', 0o640))
  else if (!fs.existsSync(path)) return { release: async () => undefined }
  const fd = fs.openSync(path, 'r')
  try {
    const outcome = await flock(fd)
    if (outcome === 'held') throw heldError(dir, path)
    const releaseFallback = outcome === 'missing' ? await lockWithoutFlock(dir, path) : null
    let isReleased = false
    return {
      async release() {
        if (isReleased) return
        isReleased = true
        await releaseFallback?.()
        fs.closeSync(fd)
      },
    }
  } catch (error) {
    fs.closeSync(fd)
    throw error
  }
}

function lockOver(fd: number, releaseFallback: (() => Promise<void>) | null): Lock {
  let isReleased = false
  return {
    async release() {
      if (isReleased) return
      isReleased = true
      fs.ftruncateSync(fd, 0)
      await releaseFallback?.()
      fs.closeSync(fd)
    },
  }
}

function signLock(fd: number): void {
  const holder: Holder = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString() }
  fs.ftruncateSync(fd, 0)
  fs.writeSync(fd, JSON.stringify(holder))
}

function flock(fd: number): Promise<FlockOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(FLOCK, ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve('missing')
      else reject(error)
    })
    child.on('close', (code) => {
      if (code === 0) resolve('taken')
      else if (code === 1) resolve('held')
      else reject(new Error(`flock ended with code ${code}`))
    })
  })
}

async function lockWithoutFlock(dir: string, path: string): Promise<() => Promise<void>> {
  return process.platform === 'linux' ? lockBySocket(dir, path) : lockByPid(dir, path)
}

/** Only one process can listen on a name; the kernel frees it with the process. */
async function lockBySocket(dir: string, path: string): Promise<() => Promise<void>> {
  const name = createHash('sha256').update(fs.realpathSync(dir)).digest('hex')
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

/** Two starts at the same moment after a crash could both take a stale file over: the weakest of the three. */
function lockByPid(dir: string, path: string): () => Promise<void> {
  const pidPath = `${path}.pid`
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      fs.writeFileSync(pidPath, String(process.pid), { flag: 'wx' })
      return async () => fs.rmSync(pidPath, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function heldError(dir: string, path: string): Error {
  return new Error(`the data folder ${dir} is in use by ${holderOf(path)}; only one process may use it`)
}

function holderOf(path: string): string {
  try {
    const holder: Partial<Holder> = JSON.parse(fs.readFileSync(path, 'utf8'))
    return `process ${holder.pid} on ${holder.host} since ${holder.startedAt}`
  } catch {
    return 'another process'
  }
}
