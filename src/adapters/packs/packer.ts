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
import { type LooseFiles, noteLoose, type Pack, type Packed, type PackIndex, packOf } from './places.ts'

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

interface PackBounds {
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
    const { loose, files, leaving, index } = this.#state
    const sources: Source[] = []
    const whenGone = { resolve: () => {} }
    const gone = new Promise<void>((resolve) => {
      whenGone.resolve = resolve
    })
    let bytes = 0
    for (const [path, found] of loose) {
      if (bytes >= this.#bounds.packBytes) break
      if (this.#isWritten(path)) continue
      const content = await this.#small(path)
      const isCurrent = () => loose.get(path) === found && !this.#isWritten(path)
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
    await createNamed(files, path, (file) => file.append(content))
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
    index.add(pack)
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

  #isWritten(path: string): boolean {
    return this.#state.written.has(path)
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
