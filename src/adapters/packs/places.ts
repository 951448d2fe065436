import { basename, dirname, join } from 'node:path'
import type { PackedPlace } from './format.ts'

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
