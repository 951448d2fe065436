import fs from 'node:fs'
import type { FileStat, Files, OpenMode, VolumeStat } from '../../ports/files.ts'

// Never the append flag: with it Linux ignores the position of a write.
const FLAGS: Record<OpenMode, string> = { read: 'r', write: 'r+', create: 'wx+', replace: 'w+' }

type Done<T> = (error: Error | null, value: T) => void

function promised<T>(start: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error)
      else resolve(value)
    })
  })
}

async function statOf(path: string): Promise<FileStat | null> {
  const stat = await promised<fs.Stats | null>((done) => {
    fs.stat(path, (error, found) => {
      if (error?.code === 'ENOENT') done(null, null)
      else done(error, found)
    })
  })
  return stat === null ? null : { bytes: stat.size, isDirectory: stat.isDirectory() }
}

async function statfsOf(path: string): Promise<VolumeStat> {
  const found = await promised<fs.StatsFs>((done) => fs.statfs(path, done))
  return {
    freeBytes: found.bavail * found.bsize,
    totalBytes: found.blocks * found.bsize,
    freeFiles: found.files === 0 ? null : found.ffree,
  }
}

async function syncFolder(path: string): Promise<void> {
  const fd = await promised<number>((done) => fs.open(path, 'r', done))
  try {
    await promised<void>((done) => fs.fsync(fd, (error) => done(error, undefined)))
  } finally {
    await promised<void>((done) => fs.close(fd, (error) => done(error ?? null, undefined)))
  }
}

/** The file system of this machine. Calls run in the thread pool of libuv. */
export const nodeFiles: Files = {
  open: (path, mode) => promised((done) => fs.open(path, FLAGS[mode], 0o640, done)),
  pwrite: (fd, bytes, position) => promised((done) => fs.write(fd, bytes, 0, bytes.length, position, done)),
  pread: (fd, into, position) => promised((done) => fs.read(fd, into, 0, into.length, position, done)),
  fdatasync: (fd) => promised((done) => fs.fdatasync(fd, (error) => done(error, undefined))),
  fsync: (fd) => promised((done) => fs.fsync(fd, (error) => done(error, undefined))),
  rename: (from, to) => promised((done) => fs.rename(from, to, (error) => done(error, undefined))),
  unlink: (path) => promised((done) => fs.unlink(path, (error) => done(error, undefined))),
  fsyncDir: syncFolder,
  // Each file has its own bytes here.
  scrub: async () => undefined,
  mkdir: (path) =>
    promised((done) => fs.mkdir(path, (error) => done(error?.code === 'EEXIST' ? null : error, undefined))),
  readdir: async (path) => {
    const names = await promised<string[]>((done) => fs.readdir(path, done))
    return names.toSorted()
  },
  truncate: (fd, bytes) => promised((done) => fs.ftruncate(fd, bytes, (error) => done(error, undefined))),
  stat: statOf,
  statfs: statfsOf,
  close: (fd) => promised((done) => fs.close(fd, (error) => done(error ?? null, undefined))),
}
