import { basename, dirname, join } from 'node:path'
import type { PackedPlace } from './format.ts'

/** One content under a name: another one under the same name is another one. */
export interface LooseFile {
  /** Null: it has to be read. */
  readonly content: Uint8Array | null
}

/** Contents that wait for their pack take so much memory at most; others are read again. */
const HELD_BYTES_MAX = 16 * 1024 * 1024

/** Small files by themselves, as far as they were met; those that were written last at the end. */
export class LooseFiles {
  readonly #files = new Map<string, LooseFile>()
  #heldBytes = 0

  get size(): number {
    return this.#files.size
  }

  has(path: string): boolean {
    return this.#files.has(path)
  }

  /** Whether the name still has this content. */
  isCurrent(path: string, file: LooseFile): boolean {
    return this.#files.get(path) === file
  }

  /** Whatever the name had before, it has this now. */
  add(path: string, content: Uint8Array | null = null): void {
    this.remove(path)
    const isHeld = content !== null && this.#heldBytes + content.length <= HELD_BYTES_MAX
    this.#files.set(path, { content: isHeld ? content : null })
    if (isHeld) this.#heldBytes += content.length
  }

  remove(path: string): boolean {
    this.#heldBytes -= this.#files.get(path)?.content?.length ?? 0
    return this.#files.delete(path)
  }

  entries(): Iterable<readonly [string, LooseFile]> {
    return this.#files
  }
}

/** What new files hold before they have the name that stays. */
export class Drafts {
  readonly #bytesMax: number
  readonly #paths = new Map<number, string>()
  /** Null: more than one piece was written, or a large one. */
  readonly #contents = new Map<string, Uint8Array | null>()

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  opened(fd: number, path: string): void {
    this.#paths.set(fd, path)
    this.#contents.delete(path)
  }

  /** A small file is written with one call, and after one that fails there is no file. */
  wrote(fd: number, bytes: Uint8Array, position: number): void {
    const path = this.#paths.get(fd)
    if (path === undefined) return
    const isWhole = position === 0 && bytes.length <= this.#bytesMax && !this.#contents.has(path)
    this.#contents.set(path, isWhole ? new Uint8Array(bytes) : null)
  }

  closed(fd: number): void {
    this.#paths.delete(fd)
  }

  /** What was written at the path, as far as it is known, told once. */
  take(path: string): Uint8Array | null {
    const content = this.#contents.get(path) ?? null
    this.#contents.delete(path)
    return content
  }
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

  add(pack: Pack): void {
    this.packs.set(pack.number, pack)
  }

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
