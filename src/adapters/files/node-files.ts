import fs from 'node:fs'
import { mkdir, readdir, rename, stat, statfs, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Files, OpenMode } from '../../ports/files.ts'
import { isMissing } from './whole-file.ts'

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
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  },
  readdir: async (path) => (await readdir(path)).toSorted(),
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

/** The same for files that nobody else may read. */
export const privateFiles: Files = { ...nodeFiles, open: (path, mode) => open(path, FLAGS[mode], 0o600) }
