import type { FileStat, Files, OpenMode } from '../../src/ports/files.ts'
import { CALLS_THAT_FAIL, type CallName, type FaultKind, failing, systemError } from './disk-faults.ts'

// A disk in memory that forgets as a real one may. What was not flushed lies beside what is durable: for every
// 512-byte sector, for the size of every file and for every name in a folder. Power loss keeps any subset of it.

const SECTOR = 512

/** A source of choices in [0, 1). */
export type Random = () => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

class FileNode {
  bytes: Uint8Array = new Uint8Array(0)
  size = 0
  durableBytes: Uint8Array = new Uint8Array(0)
  durableSize = 0
  /** Sectors that the next flush writes. */
  readonly dirty = new Set<number>()
  /** Sectors of a flush that failed: the system believes them clean, no later flush writes them. */
  readonly abandoned = new Set<number>()

  write(source: Uint8Array, position: number): void {
    const end = position + source.length
    this.bytes = grown(this.bytes, end)
    this.bytes.set(source, position)
    this.size = Math.max(this.size, end)
    this.touch(position, end)
  }

  truncate(size: number): void {
    this.bytes = grown(this.bytes, size)
    this.bytes.fill(0, Math.min(size, this.size))
    this.touch(Math.min(size, this.size), Math.max(size, this.size))
    this.size = size
  }

  touch(from: number, to: number): void {
    for (let sector = Math.floor(from / SECTOR); sector * SECTOR < to; sector += 1) {
      this.dirty.add(sector)
      this.abandoned.delete(sector)
    }
  }

  flush(): void {
    this.durableBytes = grown(this.durableBytes, this.bytes.length)
    for (const sector of this.dirty) this.keep(sector)
    this.dirty.clear()
    this.durableSize = this.size
  }

  failFlush(): null {
    for (const sector of this.dirty) this.abandoned.add(sector)
    this.dirty.clear()
    return null
  }

  keep(sector: number): void {
    const from = sector * SECTOR
    this.durableBytes.set(this.bytes.subarray(from, Math.min(from + SECTOR, this.bytes.length)), from)
  }

  /** Only what is durable and the sectors that chance keeps are left. */
  losePower(survives: () => boolean): void {
    this.durableBytes = grown(this.durableBytes, this.bytes.length)
    for (const sector of [...this.dirty, ...this.abandoned]) if (survives()) this.keep(sector)
    if (this.size !== this.durableSize && survives()) this.durableSize = this.size
    this.durableBytes.fill(0, this.durableSize)
    this.bytes = this.durableBytes.slice()
    this.size = this.durableSize
    this.dirty.clear()
    this.abandoned.clear()
  }
}

class FolderNode {
  entries = new Map<string, FileNode | FolderNode>()
  durable = new Map<string, FileNode | FolderNode>()

  losePower(survives: () => boolean): void {
    const kept = new Map<string, FileNode | FolderNode>()
    for (const name of new Set([...this.durable.keys(), ...this.entries.keys()])) {
      const node = survives() ? this.entries.get(name) : this.durable.get(name)
      if (node !== undefined) kept.set(name, node)
    }
    for (const node of kept.values()) node.losePower(survives)
    this.entries = kept
    this.durable = new Map(kept)
  }
}

function grown(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length >= size) return bytes
  const larger = new Uint8Array(Math.ceil(Math.max(size, bytes.length * 2) / SECTOR) * SECTOR)
  larger.set(bytes)
  return larger
}

export interface Call {
  readonly name: CallName
  readonly fd: number | null
  /** Of an open file the one by which it was opened. */
  readonly path: string
}

/** One life of a process on the disk: from the moment it dies, its calls never return. */
export interface Process {
  readonly files: Files
  /** Every call so far. */
  readonly calls: readonly Call[]
  /** Paths of the files that are open now, as they were opened. */
  openPaths(): readonly string[]
  /** The cause of failures is gone. */
  mend(): void
  /** Resolves when the process has died at `dieAt`. */
  readonly died: Promise<void>
  /** The process ends here; what it wrote stays where it is. */
  kill(): void
}

export interface ProcessOptions {
  /** Dies in the middle of this call, counted from 1. */
  readonly dieAt?: number
  /** This call fails, counted from 1. `isLasting`: so do later ones that the system would answer so, until it is mended. */
  readonly failAt?: { readonly call: number; readonly kind: FaultKind; readonly isLasting?: boolean }
}

export class SimulatedDisk {
  readonly #root = new FolderNode()
  #lastFd = 100

  /** Only a subset of what was not flushed is left. `keepShare`: the chance of each piece to survive. */
  losePower(random: Random, keepShare: number): void {
    this.#root.losePower(() => random() < keepShare)
  }

  /** Every file, by its path. */
  paths(): readonly string[] {
    const within = (folder: FolderNode, at: string): readonly string[] =>
      [...folder.entries].flatMap(([name, node]) =>
        node instanceof FolderNode ? within(node, `${at}/${name}`) : [`${at}/${name}`],
      )
    return within(this.#root, '')
  }

  /** Content of a file; for looking and for damaging it. The array is the file's own memory. */
  contentOf(path: string): Uint8Array {
    const node = this.#find(path)
    if (!(node instanceof FileNode)) throw systemError('ENOENT', path)
    return node.bytes.subarray(0, node.size)
  }

  namesIn(path: string): readonly string[] {
    return [...this.#folder(path).entries.keys()].toSorted()
  }

  /** As if it had always been so: durable at once. */
  put(path: string, bytes: Uint8Array): void {
    const file = new FileNode()
    file.write(bytes, 0)
    file.flush()
    const { folder, name } = this.#locate(path)
    folder.entries.set(name, file)
    folder.durable.set(name, file)
  }

  remove(path: string): void {
    const { folder, name } = this.#locate(path)
    folder.entries.delete(name)
    folder.durable.delete(name)
  }

  /** A disk with the same content, all of it durable. */
  copy(): SimulatedDisk {
    const twin = new SimulatedDisk()
    const walk = (folder: FolderNode, path: string): void => {
      if (path !== '') twin.#makeFolder(path)
      for (const [name, node] of folder.entries) {
        if (node instanceof FolderNode) walk(node, `${path}/${name}`)
        else twin.put(`${path}/${name}`, node.bytes.slice(0, node.size))
      }
    }
    walk(this.#root, '')
    twin.losePower(() => 0, 1)
    return twin
  }

  start(options: ProcessOptions = {}): Process {
    const open = new Map<number, FileNode>()
    const paths = new Map<number, string>()
    const calls: Call[] = []
    let isDead = false
    let isMended = false
    let announceDeath = (): void => undefined
    const died = new Promise<void>((resolve) => {
      announceDeath = resolve
    })
    const never = new Promise<never>(() => undefined)
    /** `effect` is what the call does and answers; `damage` what it does when it fails. */
    const call = async <T>(
      name: CallName,
      place: number | string,
      effect: () => T,
      damage: () => T | null = () => null,
    ): Promise<T> => {
      if (isDead) return never
      const fd = typeof place === 'number' ? place : null
      const number = calls.push({ name, fd, path: fd === null ? String(place) : (paths.get(fd) ?? '') })
      if (number === options.dieAt) {
        isDead = true
        // A flush that did not return promises nothing; anything else may be seen.
        if (!name.includes('sync')) attempt(effect)
        announceDeath()
        return never
      }
      await Promise.resolve()
      if (isDead) return never
      const result = fails(number, name) ? failing(options.failAt?.kind ?? 'EIO', name, damage) : effect()
      await Promise.resolve()
      return isDead ? never : result
    }

    const fails = (number: number, name: CallName): boolean => {
      const { call: first = Infinity, kind = 'EIO', isLasting = false } = options.failAt ?? {}
      if (number === first) return true
      return isLasting && !isMended && number > first && CALLS_THAT_FAIL[kind]?.has(name) !== false
    }

    const fileOf = (fd: number): FileNode => {
      const file = open.get(fd)
      if (file === undefined) throw systemError('EBADF', String(fd))
      return file
    }
    const files: Files = {
      open: (path, mode) =>
        call(mode === 'read' || mode === 'write' ? 'open' : 'create', path, () => {
          const fd = this.#open(open, path, mode)
          paths.set(fd, path)
          return fd
        }),
      pwrite: (fd, bytes, position) => {
        const copy = bytes.slice()
        const half = copy.subarray(0, Math.floor(copy.length / 2))
        const write = (source: Uint8Array): number => {
          fileOf(fd).write(source, position)
          return source.length
        }
        return call(
          'pwrite',
          fd,
          () => write(copy),
          () => write(half),
        )
      },
      pread: (fd, into, position) =>
        call('pread', fd, () => {
          const { bytes, size } = fileOf(fd)
          const found = bytes.subarray(Math.min(position, size), Math.min(position + into.length, size))
          into.set(found)
          return found.length
        }),
      fdatasync: (fd) =>
        call(
          'fdatasync',
          fd,
          () => fileOf(fd).flush(),
          () => fileOf(fd).failFlush(),
        ),
      fsync: (fd) =>
        call(
          'fsync',
          fd,
          () => fileOf(fd).flush(),
          () => fileOf(fd).failFlush(),
        ),
      rename: (from, to) => call('rename', from, () => this.#rename(from, to)),
      unlink: (path) => call('unlink', path, () => this.#unlink(path)),
      scrub: async () => undefined,
      fsyncDir: (path) =>
        call('fsyncDir', path, () => {
          const folder = this.#folder(path)
          folder.durable = new Map(folder.entries)
        }),
      mkdir: (path) => call('mkdir', path, () => this.#makeFolder(path)),
      readdir: (path) => call('readdir', path, () => this.namesIn(path)),
      truncate: (fd, size) => call('truncate', fd, () => fileOf(fd).truncate(size)),
      stat: (path) => call('stat', path, () => this.#stat(path)),
      statfs: (path) =>
        call('statfs', path, () => ({ freeBytes: 2 ** 30, totalBytes: 2 ** 30, freeFiles: null })),
      close: (fd) => {
        const close = (): void => {
          fileOf(fd)
          open.delete(fd)
        }
        // The system lets go of the descriptor whatever it answers.
        return call('close', fd, close, () => {
          close()
          return null
        })
      },
    }
    const kill = (): void => {
      isDead = true
    }
    const mend = (): void => {
      isMended = true
    }
    const openPaths = () => [...open.keys()].map((fd) => paths.get(fd) ?? '')
    return { files, calls, died, kill, mend, openPaths }
  }

  #open(open: Map<number, FileNode>, path: string, mode: OpenMode): number {
    const { folder, name } = this.#locate(path)
    let node = folder.entries.get(name)
    if (mode === 'create' && node !== undefined) throw systemError('EEXIST', path)
    if ((mode === 'read' || mode === 'write') && node === undefined) throw systemError('ENOENT', path)
    if (node instanceof FolderNode) throw systemError('EISDIR', path)
    if (node === undefined) {
      node = new FileNode()
      folder.entries.set(name, node)
    } else if (mode === 'replace') node.truncate(0)
    this.#lastFd += 1
    open.set(this.#lastFd, node)
    return this.#lastFd
  }

  #rename(from: string, to: string): void {
    const source = this.#locate(from)
    const target = this.#locate(to)
    const node = source.folder.entries.get(source.name)
    if (node === undefined) throw systemError('ENOENT', from)
    source.folder.entries.delete(source.name)
    target.folder.entries.set(target.name, node)
  }

  #unlink(path: string): void {
    const { folder, name } = this.#locate(path)
    if (!folder.entries.delete(name)) throw systemError('ENOENT', path)
  }

  #stat(path: string): FileStat | null {
    const node = this.#find(path)
    if (node === null) return null
    return node instanceof FileNode
      ? { bytes: node.size, isDirectory: false }
      : { bytes: 0, isDirectory: true }
  }

  #makeFolder(path: string): void {
    let folder = this.#root
    for (const name of path.split('/').filter((part) => part !== '')) {
      const next = folder.entries.get(name) ?? new FolderNode()
      if (next instanceof FileNode) throw systemError('ENOTDIR', path)
      folder.entries.set(name, next)
      folder = next
    }
  }

  #find(path: string): FileNode | FolderNode | null {
    let node: FileNode | FolderNode = this.#root
    for (const name of path.split('/').filter((part) => part !== '')) {
      const next: FileNode | FolderNode | undefined =
        node instanceof FolderNode ? node.entries.get(name) : undefined
      if (next === undefined) return null
      node = next
    }
    return node
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path)
    if (node instanceof FolderNode) return node
    throw systemError('ENOENT', path)
  }

  #locate(path: string): { folder: FolderNode; name: string } {
    const slash = path.lastIndexOf('/')
    return { folder: this.#folder(path.slice(0, slash)), name: path.slice(slash + 1) }
  }
}

function attempt(effect: () => unknown): void {
  try {
    effect()
  } catch {
    // The process is dead: nobody hears of the error.
  }
}
