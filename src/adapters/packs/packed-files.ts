import { dirname, join } from 'node:path'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { FileStat, Files, OpenMode } from '../../ports/files.ts'
import type { Log } from '../../ports/system.ts'
import { silentLog } from '../files/null-ports.ts'
import { over } from '../files/store-parts.ts'
import { type DataFolder, isMissing, replaceWhole, TEMPORARY_SUFFIX } from '../files/whole-file.ts'
import { type FoundPack, listed, packNames } from './format.ts'
import {
  noteLoose,
  type PackBounds,
  type Packed,
  Packer,
  PackIndex,
  type PackState,
  packOf,
  pathOf,
} from './packer.ts'

/** Folders with files of one actor each: the small ones go into packs. */
export const PACKED_PARTS = ['snap', 'ledger', 'idx', 'vec'] as const

export interface PackedFilesOptions extends DataFolder, Partial<PackBounds> {
  /** With more small files than this by themselves the oldest of them are packed, down to half. Default 2000. */
  readonly looseMax?: number
}

/**
 * The files of a data folder, with the small ones of actors gathered in packs: whoever uses them sees folders and names as
 * they would lie by themselves.
 *
 * A file is packed when many others were written after it. Its pack is durable before it goes by itself, so that a crash
 * leaves it twice and never nowhere; of two the one by itself counts, of two packs the later one. What is removed stays in
 * its pack until more than half of that is dead, or until `scrub` asks: a start in between finds it again, as it finds a file
 * whose removal was not durable.
 */
export type PackedFiles = Files & View

const LOOSE_MAX = 2000
const BOUNDS: PackBounds = { packBytes: 1024 * 1024, fileBytesMax: 64 * 1024 }
/** When a pack could not be written, so many files are written before the next one is tried. */
const NOTES_AFTER_FAILURE = 500
/** Descriptors from here on are of packed files. */
const FIRST_SLICE = 2 ** 40

/** Opens the packs of a folder, reading their headers. Rejects with NewerFileError and errors of the file system. */
export async function openPackedFiles(options: PackedFilesOptions): Promise<PackedFiles> {
  const { dir, files, log } = options
  const names = await packNames(files, dir)
  for (const draft of names.drafts) await files.unlink(draft)
  for (const file of names.others) log.warn({ file }, 'not a pack: left alone')
  const found = await listed(files, names, (error) => {
    throw error
  })
  for (const { path, damage, files: places } of found) {
    if (damage !== null) log.error({ file: path, damage, files: places.length }, 'damaged pack')
  }
  return viewOf(options, found)
}

/** The same for a reader, which changes nothing by itself. A pack that cannot be read is left out. */
export async function readPackedFiles(dir: string, files: Files): Promise<PackedFiles> {
  const found = await listed(files, await packNames(files, dir), () => undefined)
  return viewOf({ dir, files, log: silentLog }, found)
}

function viewOf(options: PackedFilesOptions, found: readonly FoundPack[]): PackedFiles {
  const { dir, files } = options
  const index = new PackIndex()
  // A path for each of some hundred thousand files would be most of the memory that the index takes.
  const folders = new Map<string, string>()
  for (const { number, path, bytes, files: places, damage } of found) {
    const pack = packOf({ number, path, bytes, files: places.length, isDamaged: damage !== null })
    index.packs.set(number, pack)
    for (const place of places) {
      const cut = place.name.lastIndexOf('/')
      const folder = place.name.slice(0, cut)
      const path = folders.get(folder) ?? pathOf(dir, folder)
      folders.set(folder, path)
      index.set(path, place.name.slice(cut + 1), pack, place)
    }
  }
  const view = new View(
    { dir, files, index, loose: new Map(), written: new Set(), leaving: new Map() },
    options,
  )
  return Object.assign({ ...files }, over(view, {}))
}

class View {
  readonly #state: PackState
  readonly #packer: Packer
  readonly #log: Log
  readonly #looseMax: number
  readonly #roots: ReadonlySet<string>
  readonly #slices = new Map<number, { readonly fd: number; readonly at: number; readonly bytes: number }>()
  #nextSlice = FIRST_SLICE
  readonly #writers = new Map<number, string>()
  #tidying: Promise<void> | null = null
  #isStarted = false
  #notesToWait = 0

  constructor(state: PackState, options: PackedFilesOptions) {
    const { packBytes = BOUNDS.packBytes, fileBytesMax = BOUNDS.fileBytesMax } = options
    this.#state = state
    this.#packer = new Packer(state, { packBytes, fileBytesMax })
    this.#log = options.log
    this.#looseMax = options.looseMax ?? LOOSE_MAX
    this.#roots = new Set(PACKED_PARTS.map((part) => join(state.dir, part)))
  }

  async open(path: string, mode: OpenMode): Promise<number> {
    const { files, index } = this.#state
    if (!this.#isOfActor(path)) return files.open(path, mode)
    if (mode === 'write') return this.#openForWriting(path)
    if (mode !== 'read') return this.#openDraft(path, mode)
    for (;;) {
      const packed = index.get(path)
      try {
        return packed === null ? await files.open(path, mode) : await this.#openSlice(packed)
      } catch (error) {
        // It went into a pack, or into another one, meanwhile.
        if (!isMissing(error) || index.get(path) === packed) throw error
      }
    }
  }

  pread(fd: number, into: Uint8Array, position: number): Promise<number> {
    const slice = this.#slices.get(fd)
    if (slice === undefined) return this.#state.files.pread(fd, into, position)
    const bytes = Math.max(0, Math.min(into.length, slice.bytes - position))
    if (bytes === 0) return Promise.resolve(0)
    return this.#state.files.pread(slice.fd, into.subarray(0, bytes), slice.at + position)
  }

  close(fd: number): Promise<void> {
    const slice = this.#slices.get(fd)
    this.#slices.delete(fd)
    const path = this.#writers.get(fd)
    if (path !== undefined) this.#state.written.delete(path)
    this.#writers.delete(fd)
    return this.#state.files.close(slice?.fd ?? fd)
  }

  async stat(path: string): Promise<FileStat | null> {
    const { files, index } = this.#state
    const packed = this.#isOfActor(path) ? index.get(path) : null
    if (packed !== null) return { bytes: packed.bytes, isDirectory: false }
    const stat = await files.stat(path)
    // It may have gone into a pack meanwhile.
    const bytes = stat === null && this.#isOfActor(path) ? index.get(path)?.bytes : undefined
    if (bytes !== undefined) return { bytes, isDirectory: false }
    return stat === null && this.#isPacked(path) ? { bytes: 0, isDirectory: true } : stat
  }

  async unlink(path: string): Promise<void> {
    const { files, index, loose } = this.#state
    if (!this.#isOfActor(path)) return files.unlink(path)
    await this.#gone(path)
    if (index.get(path) !== null) {
      index.remove(path)
      this.#nudge()
      return
    }
    loose.delete(path)
    await files.unlink(path)
  }

  async rename(from: string, to: string): Promise<void> {
    const { files, index, loose } = this.#state
    if (this.#isOfActor(from)) {
      await this.#gone(from)
      const packed = index.get(from)
      if (packed !== null) return this.#moveOut(from, packed, to)
      loose.delete(from)
    }
    if (!this.#isOfActor(to)) return files.rename(from, to)
    await this.#gone(to)
    // Before the name is changed: what a pack is getting under it is the old file.
    loose.delete(to)
    await files.rename(from, to)
    index.remove(to)
    if (!to.endsWith(TEMPORARY_SUFFIX)) noteLoose(loose, to)
    this.#notesToWait -= 1
    this.#nudge()
    // Whoever writes files waits for the packs that they make needed.
    if (this.#tidying !== null && loose.size > 2 * this.#looseMax)
      await this.#packer.run(async () => undefined)
  }

  /** While no pack is written: of a file that is here twice the one by itself counts. */
  async readdir(path: string): Promise<readonly string[]> {
    const { files, index, loose } = this.#state
    if (this.#roots.has(path)) return merged(await this.#namesIn(path), index.foldersIn(path))
    if (!this.#roots.has(dirname(path))) return files.readdir(path)
    return this.#packer.run(async () => {
      const names = await this.#namesIn(path)
      for (const name of names) {
        const file = join(path, name)
        if (name.endsWith(TEMPORARY_SUFFIX)) continue
        index.remove(file)
        if (!loose.has(file)) noteLoose(loose, file)
      }
      return merged(names, index.namesIn(path))
    })
  }

  /** A folder of files that are all packed may be missing, as in a copy of the store: then it is made. */
  async fsyncDir(path: string): Promise<void> {
    const { files } = this.#state
    await files.fsyncDir(path).catch((error: unknown) => {
      if (!isMissing(error) || !this.#isPacked(path)) throw error
      return this.#packer.ensureFolder(path)
    })
  }

  async scrub(pathStart: string): Promise<void> {
    await this.#packer.run(() => this.#packer.scrub(pathStart))
  }

  /** The pack that a file lies in; null: it lies by itself, or nowhere. */
  packOf(path: string): string | null {
    return this.#state.index.get(path)?.pack.path ?? null
  }

  /** Has every file of a pack that can be read go by itself again: the pack may be taken away. */
  async unpack(pack: string): Promise<void> {
    await this.#packer.run(() => this.#packer.unpack(pack))
  }

  /** From now on files are packed, in the background. Call it when the folder is known to be of this version. */
  start(): void {
    this.#isStarted = true
    this.#nudge()
  }

  async idle(): Promise<void> {
    while (this.#tidying !== null) await this.#tidying
  }

  /** Begins no further pack; resolves when none is under way. */
  async stop(): Promise<void> {
    this.#isStarted = false
    await this.idle()
  }

  #isOfActor(path: string): boolean {
    return this.#roots.has(dirname(dirname(path)))
  }

  /** Resolves when the file does not go by itself any more if a pack has it. */
  async #gone(path: string): Promise<void> {
    while (this.#state.leaving.has(path)) await this.#state.leaving.get(path)
  }

  async #namesIn(path: string): Promise<readonly string[]> {
    const { files } = this.#state
    try {
      return await files.readdir(path)
    } catch (error) {
      if (isMissing(error) && this.#isPacked(path)) return []
      throw error
    }
  }

  /** Whether it is a folder of files that are all packed. */
  #isPacked(path: string): boolean {
    const { index } = this.#state
    return this.#roots.has(path) ? index.foldersIn(path).length > 0 : index.hasNamesIn(path)
  }

  async #openDraft(path: string, mode: OpenMode): Promise<number> {
    const { files } = this.#state
    const folder = dirname(path)
    return files.open(path, mode).catch(async (error: unknown) => {
      if (!isMissing(error) || !this.#isPacked(folder)) throw error
      await this.#packer.ensureFolder(folder)
      return files.open(path, mode)
    })
  }

  async #openSlice({ pack, at, bytes }: Packed): Promise<number> {
    const fd = await this.#state.files.open(pack.path, 'read')
    const slice = this.#nextSlice
    this.#nextSlice += 1
    this.#slices.set(slice, { fd, at, bytes })
    return slice
  }

  async #openForWriting(path: string): Promise<number> {
    const { files, index, loose, written } = this.#state
    written.add(path)
    // What a pack is getting of it is what it was before.
    if (loose.delete(path)) noteLoose(loose, path)
    try {
      await this.#gone(path)
      await this.#packer.run(async () => {
        const packed = index.get(path)
        if (packed !== null) await this.#packer.restore(path, packed)
      })
      const fd = await files.open(path, 'write')
      this.#writers.set(fd, path)
      return fd
    } catch (error) {
      written.delete(path)
      throw error
    }
  }

  /** A damaged file goes by itself, to be looked at, and out of its pack at once. */
  async #moveOut(from: string, packed: Packed, to: string): Promise<void> {
    const { files, index } = this.#state
    await replaceWhole(files, to, await this.#packer.contentOf(packed))
    index.remove(from)
    await this.scrub(from)
  }

  #nudge(): void {
    const { loose, index } = this.#state
    const isDue = loose.size > this.#looseMax || index.worn.size > 0
    if (!this.#isStarted || !isDue || this.#tidying !== null || this.#notesToWait > 0) return
    this.#tidying = this.#tidy()
      .catch((error: unknown) => {
        this.#notesToWait = NOTES_AFTER_FAILURE
        if (this.#isStarted)
          this.#log.warn({ error }, 'small files could not be packed: they stay by themselves for now')
      })
      .finally(() => {
        this.#tidying = null
      })
  }

  async #tidy(): Promise<void> {
    const { loose, index } = this.#state
    while (this.#isStarted) {
      if (index.worn.size > 0) await this.#packer.run(() => this.#packer.mergeWorn())
      else if (loose.size <= this.#looseMax / 2) return
      else if (!(await this.#packer.run(() => this.#packer.packOldest()))) return
      await nextTurnOfLoop()
    }
  }
}

function merged(names: readonly string[], packed: readonly string[]): readonly string[] {
  return packed.length === 0 ? names : [...new Set([...names, ...packed])].toSorted()
}
