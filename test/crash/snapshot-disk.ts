import { dirname } from 'node:path'
import type { Files } from '../../src/ports/files.ts'

/** Picks what survives: true with even odds. */
export type Coin = () => boolean

/** What a call of the port is about to do; throwing makes it fail, before it has any effect. */
export type Intercept = (call: keyof Files, path: string) => void

export class DiskError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export class PowerLoss extends Error {}

interface Inode {
  /** What every process sees. */
  content: Buffer
  /** What is on the medium for certain. */
  synced: Buffer
}

interface Folder {
  readonly names: Map<string, Inode>
  readonly syncedNames: Map<string, Inode>
}

/** One change of names; both sides of a rename stand or fall together. */
interface NameChange {
  readonly folder: string
  readonly name: string
  readonly inode: Inode | null
}

const SECTOR = 512

/**
 * Files in memory with the two states of a disk: what processes see, and what survives a power cut. After a cut
 * any part of what was not flushed may be there: single sectors, sizes, names, in any combination.
 */
export class MemoryDisk {
  intercept: Intercept = () => undefined
  calls = 0
  readonly #folders = new Map<string, Folder>()
  /** Each is one step, in order. */
  #unsynced: (readonly NameChange[])[] = []
  readonly #open = new Map<number, Inode>()
  #nextFd = 3

  constructor(root: string) {
    this.#folders.set(root, newFolder())
  }

  readonly files: Files = {
    open: (path, mode) =>
      this.#call('open', path, () => {
        const there = this.#folder(dirname(path)).names.get(path)
        if (mode === 'create' && there !== undefined) throw new DiskError('EEXIST')
        if ((mode === 'read' || mode === 'write') && there === undefined) throw new DiskError('ENOENT')
        const inode = there ?? { content: Buffer.alloc(0), synced: Buffer.alloc(0) }
        if (mode === 'replace') inode.content = Buffer.alloc(0)
        if (there === undefined) this.#change([{ folder: dirname(path), name: path, inode }])
        this.#open.set(this.#nextFd, inode)
        return this.#nextFd++
      }),
    pwrite: (fd, bytes, position) =>
      this.#call('pwrite', '', () => {
        const inode = this.#inode(fd)
        const size = Math.max(inode.content.length, position + bytes.length)
        const content = Buffer.alloc(size)
        content.set(inode.content)
        content.set(bytes, position)
        inode.content = content
        return bytes.length
      }),
    pread: (fd, into, position) =>
      this.#call('pread', '', () => {
        const piece = this.#inode(fd).content.subarray(position, position + into.length)
        into.set(piece)
        return piece.length
      }),
    fdatasync: (fd) => this.#call('fdatasync', '', () => this.#sync(fd)),
    fsync: (fd) => this.#call('fsync', '', () => this.#sync(fd)),
    rename: (from, to) =>
      this.#call('rename', from, () => {
        const inode = this.#folder(dirname(from)).names.get(from)
        if (inode === undefined) throw new DiskError('ENOENT')
        this.#folder(dirname(to))
        this.#change([
          { folder: dirname(to), name: to, inode },
          { folder: dirname(from), name: from, inode: null },
        ])
      }),
    unlink: (path) =>
      this.#call('unlink', path, () => {
        if (!this.#folder(dirname(path)).names.has(path)) throw new DiskError('ENOENT')
        this.#change([{ folder: dirname(path), name: path, inode: null }])
      }),
    scrub: async () => undefined,
    fsyncDir: (path) =>
      this.#call('fsyncDir', path, () => {
        this.#folder(path)
        const touches = (step: readonly NameChange[]): boolean =>
          step.some((change) => change.folder === path)
        for (const step of this.#unsynced) if (touches(step)) this.#makeDurable(step)
        this.#unsynced = this.#unsynced.filter((step) => !touches(step))
      }),
    mkdir: (path) =>
      this.#call('mkdir', path, () => {
        if (this.#folders.has(path)) return
        this.#folder(dirname(path))
        this.#folders.set(path, newFolder())
        const inode = { content: Buffer.alloc(0), synced: Buffer.alloc(0) }
        this.#change([{ folder: dirname(path), name: path, inode }])
      }),
    readdir: (path) =>
      this.#call('readdir', path, () =>
        [...this.#folder(path).names.keys()].map((name) => name.slice(path.length + 1)).sort(),
      ),
    truncate: (fd, bytes) =>
      this.#call('truncate', '', () => {
        const inode = this.#inode(fd)
        inode.content = Buffer.concat([inode.content.subarray(0, bytes)])
      }),
    stat: (path) =>
      this.#call('stat', path, () => {
        const inode = this.#folders.get(dirname(path))?.names.get(path)
        return inode === undefined
          ? null
          : { bytes: inode.content.length, isDirectory: this.#folders.has(path) }
      }),
    statfs: (path) =>
      this.#call('statfs', path, () => ({ freeBytes: 1e9, totalBytes: 1e9, freeFiles: null })),
    close: (fd) =>
      this.#call('close', '', () => {
        this.#inode(fd)
        this.#open.delete(fd)
      }),
  }

  get openFiles(): number {
    return this.#open.size
  }

  /** Every file, by its path. */
  paths(): readonly string[] {
    return [...this.#folders.values()]
      .flatMap((folder) => [...folder.names.keys()])
      .filter((path) => !this.#folders.has(path))
      .sort()
  }

  bytesAt(path: string): Buffer {
    const inode = this.#folder(dirname(path)).names.get(path)
    if (inode === undefined) throw new DiskError('ENOENT')
    return inode.content
  }

  /** Changes a file behind everyone's back. */
  damage(path: string, content: Uint8Array): void {
    const inode = this.#folder(dirname(path)).names.get(path)
    if (inode === undefined) throw new DiskError('ENOENT')
    inode.content = Buffer.from(content)
    inode.synced = Buffer.from(content)
  }

  /** The process ends, the machine stays up: nothing that was written is lost. */
  restart(): void {
    this.#open.clear()
    this.intercept = () => undefined
  }

  cutPower(coin: Coin): void {
    this.restart()
    for (const step of this.#unsynced) if (coin()) this.#makeDurable(step)
    this.#unsynced = []
    const inodes = new Set<Inode>()
    for (const [path, folder] of this.#folders) {
      if (path !== '/data' && !this.#folders.get(dirname(path))?.syncedNames.has(path)) {
        this.#folders.delete(path)
        continue
      }
      folder.names.clear()
      for (const [name, inode] of folder.syncedNames) {
        folder.names.set(name, inode)
        inodes.add(inode)
      }
    }
    for (const inode of inodes) inode.content = survivors(inode, coin)
    for (const inode of inodes) inode.synced = Buffer.from(inode.content)
  }

  #call<T>(call: keyof Files, path: string, effect: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      try {
        this.calls++
        this.intercept(call, path)
        resolve(effect())
      } catch (error) {
        reject(error)
      }
    })
  }

  #change(step: readonly NameChange[]): void {
    for (const { folder, name, inode } of step) {
      const { names } = this.#folder(folder)
      if (inode === null) names.delete(name)
      else names.set(name, inode)
    }
    this.#unsynced.push(step)
  }

  #makeDurable(step: readonly NameChange[]): void {
    for (const { folder, name, inode } of step) {
      const syncedNames = this.#folders.get(folder)?.syncedNames
      if (inode === null) syncedNames?.delete(name)
      else syncedNames?.set(name, inode)
    }
  }

  #sync(fd: number): void {
    const inode = this.#inode(fd)
    inode.synced = Buffer.from(inode.content)
  }

  #inode(fd: number): Inode {
    const inode = this.#open.get(fd)
    if (inode === undefined) throw new DiskError('EBADF')
    return inode
  }

  #folder(path: string): Folder {
    const folder = this.#folders.get(path)
    if (folder === undefined) throw new DiskError('ENOENT')
    return folder
  }
}

function newFolder(): Folder {
  return { names: new Map(), syncedNames: new Map() }
}

function survivors(inode: Inode, coin: Coin): Buffer {
  const size = coin() ? inode.content.length : inode.synced.length
  const survived = Buffer.alloc(size)
  inode.synced.copy(survived)
  for (let at = 0; at < size; at += SECTOR) {
    if (coin()) inode.content.copy(survived, at, at, at + SECTOR)
  }
  return survived
}

/** The same coin for the same seed. */
export function seededCoin(seed: number): Coin {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state & 0x400) !== 0
  }
}
