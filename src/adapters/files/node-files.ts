import fs from 'node:fs'
import { mkdir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Files, OpenMode } from '../../ports/files.ts'
import { isMissing, WrongKindError } from './whole-file.ts'

/**
 * Files of one life of a store. A snapshot that a shutdown did not wait for must not appear in the folder after the
 * lock was given back: the next owner may have erased by then what it holds. Reads go on.
 * `confirmed`: asked before a name is changed, whether the folder still has its own; null: it has.
 */
export function fencedFiles(files: Files, confirmed: () => Promise<void> | null = () => null) {
  const underWay = new Set<Promise<unknown>>()
  let isFenced = false
  const change = <T>(start: () => Promise<T>): Promise<T> => {
    if (isFenced) return Promise.reject(new Error('the data folder was given back: nothing is changed in it'))
    const done = start()
    const ended: Promise<unknown> = done.catch(() => undefined).then(() => underWay.delete(ended))
    underWay.add(ended)
    return done
  }
  const named = <T>(start: () => Promise<T>): Promise<T> =>
    change(async () => {
      const confirming = confirmed()
      if (confirming !== null) await confirming
      return start()
    })
  const fenced: Files = {
    ...files,
    open: (path, mode) => (mode === 'read' ? files.open(path, mode) : named(() => files.open(path, mode))),
    pwrite: (fd, bytes, position) => change(() => files.pwrite(fd, bytes, position)),
    rename: (from, to) => named(() => files.rename(from, to)),
    unlink: (path) => named(() => files.unlink(path)),
    mkdir: (path) => named(() => files.mkdir(path)),
    truncate: (fd, bytes) => change(() => files.truncate(fd, bytes)),
  }
  return {
    files: fenced,
    /** From now on every change is refused; resolves when those that were under way have ended. */
    fence: async () => {
      isFenced = true
      await Promise.all(underWay)
    },
  }
}

// Never the append flag: with it Linux ignores the position of a write.
const FLAGS: Record<OpenMode, string> = { read: 'r', write: 'r+', create: 'wx+', replace: 'w+' }

const open = promisify(fs.open)
const close = promisify(fs.close)
const fsync = promisify(fs.fsync)
const write = promisify(fs.write)
const read = promisify(fs.read)

/** The file system of this machine. Calls run in the thread pool of libuv. */
export const nodeFiles: Files = {
  open: (path, mode) => open(path, FLAGS[mode], 0o640),
  pwrite: async (fd, bytes, position) => (await write(fd, bytes, 0, bytes.length, position)).bytesWritten,
  pread: async (fd, into, position) => (await read(fd, into, 0, into.length, position)).bytesRead,
  fdatasync: promisify(fs.fdatasync),
  fsync,
  rename,
  unlink,
  async fsyncDir(path) {
    const fd = await open(path, 'r')
    try {
      await fsync(fd)
    } finally {
      await close(fd)
    }
  },
  // Each file has its own bytes here.
  scrub: async () => undefined,
  async mkdir(path) {
    await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      if (!(await stat(path)).isDirectory()) throw noFolder(path)
    })
  },
  async readdir(path) {
    const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOTDIR' ? noFolder(path) : error
    })
    return names.toSorted()
  },
  truncate: promisify(fs.ftruncate),
  async stat(path) {
    try {
      const found = await stat(path)
      return { bytes: found.size, isDirectory: found.isDirectory() }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  async statfs(path) {
    const { bavail, blocks, bsize, files, ffree } = await statfs(path)
    return {
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      freeFiles: files === 0 ? null : ffree,
    }
  },
  close,
}

function noFolder(path: string): WrongKindError {
  return new WrongKindError(
    `${path} is no folder, and has to be one: move it away, and put the folder of this store back`,
  )
}

/** The same for files that nobody else may read. */
export const privateFiles: Files = { ...nodeFiles, open: (path, mode) => open(path, FLAGS[mode], 0o600) }
