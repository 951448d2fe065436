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

  /** Whether it was there. */
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
  /** By descriptor. */
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
