import { basename, dirname, join, sep } from 'node:path'
import type { Files } from '../../ports/files.ts'
import { oneByOne } from '../files/concurrency.ts'
import {
  createNamed,
  DamagedFileError,
  isMissing,
  makeFolder,
  readAll,
  readWhole,
  removeFromQuarantine,
  replaceWhole,
  withFile,
} from '../files/whole-file.ts'
import {
  listPack,
  PACK_FOLDER,
  PACK_SUFFIX,
  type PackedPlace,
  packNameOf,
  packNames,
  writePack,
} from './format.ts'

/**
 * Small files by themselves, as far as they were met; those that were written last at the end. Another content under the
 * same name has another symbol.
 */
export type LooseFiles = Map<string, symbol>

/** Whatever the name had before, it has another content now. */
export function noteLoose(loose: LooseFiles, path: string): void {
  loose.delete(path)
  loose.set(path, Symbol())
}

export interface Pack {
  readonly number: number
  readonly path: string
  readonly bytes: number
  readonly files: number
  /** It was found so: it stays as it is, for whoever looks at it. */
  readonly isDamaged: boolean
  /** What it holds under these paths is no file any more. */
  readonly dead: Set<string>
  deadBytes: number
}

export function packOf(facts: Omit<Pack, 'dead' | 'deadBytes'>): Pack {
  return { ...facts, dead: new Set(), deadBytes: 0 }
}

export interface Packed {
  readonly pack: Pack
  readonly at: number
  readonly bytes: number
}

/** Which files lie in packs. Plain bookkeeping: nothing here touches a file. */
export class PackIndex {
  readonly packs = new Map<number, Pack>()
  /** Packs of which more than half is dead. */
  readonly worn = new Set<Pack>()
  readonly #folders = new Map<string, Map<string, Packed>>()

  forget(pack: Pack): void {
    this.packs.delete(pack.number)
    this.worn.delete(pack)
  }

  get(path: string): Packed | null {
    return this.#folders.get(dirname(path))?.get(basename(path)) ?? null
  }

  set(folder: string, name: string, pack: Pack, { at, bytes }: Pick<PackedPlace, 'at' | 'bytes'>): void {
    this.#remove(folder, name)
    const names = this.#folders.get(folder) ?? new Map<string, Packed>()
    this.#folders.set(folder, names)
    names.set(name, { pack, at, bytes })
  }

  /** No pack has the file any more. */
  remove(path: string): void {
    this.#remove(dirname(path), basename(path))
  }

  #remove(folder: string, name: string): void {
    const names = this.#folders.get(folder)
    const packed = names?.get(name)
    if (packed === undefined) return
    names?.delete(name)
    this.bury(packed.pack, join(folder, name), packed.bytes)
  }

  /** What the pack holds under this path is no file. */
  bury(pack: Pack, path: string, bytes: number): void {
    if (pack.dead.has(path)) return
    pack.dead.add(path)
    pack.deadBytes += bytes
    if (!pack.isDamaged && pack.deadBytes * 2 > pack.bytes) this.worn.add(pack)
  }

  hasNamesIn(folder: string): boolean {
    return (this.#folders.get(folder)?.size ?? 0) > 0
  }

  namesIn(folder: string): readonly string[] {
    return [...(this.#folders.get(folder)?.keys() ?? [])]
  }

  foldersIn(root: string): readonly string[] {
    const names: string[] = []
    for (const [folder, files] of this.#folders) {
      if (files.size > 0 && dirname(folder) === root) names.push(basename(folder))
    }
    return names
  }
}

export interface PackState {
  readonly dir: string
  readonly files: Files
  readonly index: PackIndex
  readonly loose: LooseFiles
  /** Files that are open for writing: by their owner, which is one for each and does so once at a time. */
  readonly written: Set<string>
  /** Files that a pack has now and that still go by themselves. */
  readonly leaving: Map<string, Promise<void>>
}

export interface PackBounds {
  /** A pack is full with so many bytes. */
  readonly packBytes: number
  readonly fileBytesMax: number
}

interface Source {
  readonly path: string
  readonly content: Uint8Array
  /** Whether it is still the file that was read. */
  isCurrent(): boolean
  /** Called in the moment in which the pack has the file. */
  moved(): void
}

export class Packer {
  readonly #state: PackState
  readonly #bounds: PackBounds
  readonly #folder: string
  /** Runs a task while no pack is written. */
  readonly run = oneByOne()
  #next: number
  /** Files are read into it: their sizes are not known. */
  #room: Uint8Array | null = null

  constructor(state: PackState, bounds: PackBounds) {
    this.#state = state
    this.#bounds = bounds
    this.#folder = join(state.dir, PACK_FOLDER)
    this.#next = Math.max(0, ...state.index.packs.keys()) + 1
  }

  /** Writes one pack of the oldest files. False: none of them can be packed. Call it inside `run`. */
  async packOldest(): Promise<boolean> {
    const { loose, files, leaving, index, written } = this.#state
    const sources: Source[] = []
    const whenGone = { resolve: () => {} }
    const gone = new Promise<void>((resolve) => {
      whenGone.resolve = resolve
    })
    let bytes = 0
    for (const [path, found] of loose) {
      if (bytes >= this.#bounds.packBytes) break
      if (written.has(path)) continue
      const content = await this.#small(path)
      const isCurrent = () => loose.get(path) === found && !written.has(path)
      if (content !== null) {
        const moved = () => {
          loose.delete(path)
          leaving.set(path, gone)
        }
        sources.push({ path, content, isCurrent, moved })
        bytes += content.length
      } else if (isCurrent()) loose.delete(path)
    }
    if (sources.length === 0) return false
    await this.#write(sources)
    for (const { path } of sources) {
      if (!leaving.has(path)) continue
      // One that stays counts, and what the pack has of it does not.
      await files.unlink(path).catch(() => {
        index.remove(path)
        noteLoose(loose, path)
      })
      leaving.delete(path)
    }
    whenGone.resolve()
    return true
  }

  /** Writes one pack in the place of worn ones, and of small ones beside them. Call it inside `run`. */
  async mergeWorn(): Promise<void> {
    const { packs, worn } = this.#state.index
    const isSmall = ({ bytes, deadBytes }: Pack) => (bytes - deadBytes) * 2 < this.#bounds.packBytes
    const others = [...packs.values()].filter((pack) => !worn.has(pack) && !pack.isDamaged && isSmall(pack))
    await this.#rewrite([...worn, ...others])
  }

  /** Takes off the disk what is dead under these paths. Call it inside `run`. */
  async scrub(pathStart: string): Promise<void> {
    const { index, files, dir } = this.#state
    const { found: packs, drafts } = await packNames(files, dir)
    // The folder, not the list: a pack whose name could not be flushed is only there.
    const unknown = packs.filter(({ named }) => !index.packs.has(named)).map(({ path }) => path)
    for (const path of [...unknown, ...drafts]) await files.unlink(path)
    for (const pack of index.packs.values()) {
      // Nobody knows what a damaged one may hold besides.
      if (pack.isDamaged || [...pack.dead].some((path) => path.startsWith(pathStart)))
        await this.#rewrite([pack])
    }
    if (packs.length + drafts.length > 0) await files.fsyncDir(this.#folder)
    await removeFromQuarantine(this.#state, (name) => name.endsWith(PACK_SUFFIX))
  }

  /** Has a packed file go by itself again, as its owner is about to change it. Call it inside `run`. */
  async restore(path: string, packed: Packed): Promise<void> {
    const { files, index, loose } = this.#state
    const content = await this.contentOf(packed)
    await this.ensureFolder(dirname(path))
    await replaceWhole(files, path, content)
    index.remove(path)
    noteLoose(loose, path)
  }

  /** Has every file of a pack that can be read go by itself again, and forgets the pack. Call it inside `run`. */
  async unpack(path: string): Promise<void> {
    const { index, files, dir } = this.#state
    const pack = [...index.packs.values()].find((each) => each.path === path)
    if (pack === undefined) return
    for (const { name } of (await listPack(files, path)).files) {
      const file = pathOf(dir, name)
      const packed = index.get(file)
      if (packed?.pack === pack) await this.restore(file, packed)
    }
    index.forget(pack)
  }

  /** The folder of an actor is there and durable: where all its files are packed it may be in no copy of the store. */
  async ensureFolder(folder: string): Promise<void> {
    const { files, dir } = this.#state
    const root = dirname(folder)
    if (root !== dir) {
      if ((await files.stat(folder)) !== null) return
      await this.ensureFolder(root)
    }
    await makeFolder(files, folder)
  }

  contentOf({ pack, at, bytes }: Packed): Promise<Uint8Array> {
    const { files } = this.#state
    return withFile(files, pack.path, 'read', async (fd) => {
      const content = new Uint8Array(bytes)
      return content.subarray(0, await readAll(files, fd, content, at))
    })
  }

  /** One pack with what lives in these, as many of them as fit; then they go. */
  async #rewrite(packs: readonly Pack[]): Promise<void> {
    const { files, index } = this.#state
    const sources: Source[] = []
    const rewritten: Pack[] = []
    let bytes = 0
    for (const pack of packs) {
      if (rewritten.length > 0 && bytes + pack.bytes - pack.deadBytes > this.#bounds.packBytes) break
      const live = await this.#livingIn(pack)
      bytes += live.reduce((sum, { content }) => sum + content.length, 0)
      sources.push(...live)
      rewritten.push(pack)
    }
    if (sources.length > 0) await this.#write(sources)
    for (const pack of rewritten) {
      await files.unlink(pack.path)
      index.forget(pack)
    }
    await files.fsyncDir(this.#folder)
  }

  async #livingIn(pack: Pack): Promise<readonly Source[]> {
    const { files, index, dir } = this.#state
    const { files: listed } = await listPack(files, pack.path)
    const content = (await readWhole(files, pack.path)) ?? new Uint8Array()
    const sources: Source[] = []
    for (const { name } of listed) {
      const path = pathOf(dir, name)
      const packed = index.get(path)
      if (packed?.pack !== pack) continue
      const { at, bytes } = packed
      const isCurrent = () => index.get(path) === packed
      sources.push({ path, content: content.subarray(at, at + bytes), isCurrent, moved: () => undefined })
    }
    // What cannot be read any more must not go with the pack.
    if (sources.length < pack.files - pack.dead.size)
      throw new DamagedFileError(`the pack ${pack.path} is damaged`)
    return sources
  }

  /** Resolves when the pack is durable and counts. */
  async #write(sources: readonly Source[]): Promise<void> {
    const { files, index, dir } = this.#state
    const number = this.#next
    const path = join(this.#folder, packNameOf(number))
    this.#next += 1
    if ((await files.stat(this.#folder)) === null) await makeFolder(files, this.#folder)
    let places: readonly PackedPlace[] = []
    const given = sources.map((source) => ({ name: nameOf(dir, source.path), content: source.content }))
    const { bytes } = await createNamed(files, path, async (file) => {
      places = await writePack(file, given)
    })
    const pack = packOf({ number, path, bytes, files: places.length, isDamaged: false })
    index.packs.set(number, pack)
    const byPath = new Map(sources.map((source) => [source.path, source]))
    for (const place of places) {
      const packed = pathOf(dir, place.name)
      const source = byPath.get(packed)
      if (source?.isCurrent() === true) {
        index.set(dirname(packed), basename(packed), pack, place)
        source.moved()
      } else index.bury(pack, packed, place.bytes)
    }
  }

  async #small(path: string): Promise<Uint8Array | null> {
    const { files } = this.#state
    const room = (this.#room ??= new Uint8Array(this.#bounds.fileBytesMax + 1))
    try {
      const bytes = await withFile(files, path, 'read', (fd) => readAll(files, fd, room, 0))
      return bytes > this.#bounds.fileBytesMax ? null : room.slice(0, bytes)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }
}

export function pathOf(dir: string, name: string): string {
  return join(dir, ...name.split('/'))
}

function nameOf(dir: string, path: string): string {
  return path
    .slice(dir.length + 1)
    .split(sep)
    .join('/')
}
