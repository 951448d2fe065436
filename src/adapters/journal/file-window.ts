import type { Files } from '../../ports/files.ts'
import { type Bytes, bytesOver } from '../binary/little-endian.ts'
import { readAll } from '../files/whole-file.ts'

const WINDOW_BYTES = 4 * 1024 * 1024

/** Reads a file from front to back in large pieces. */
export class FileWindow {
  readonly path: string
  readonly size: number
  readonly #files: Files
  readonly #fd: number
  #start = 0
  #loaded: Bytes = bytesOver(new Uint8Array(0))

  private constructor(files: Files, path: string, fd: number, size: number) {
    this.#files = files
    this.path = path
    this.#fd = fd
    this.size = size
  }

  static async open(files: Files, path: string): Promise<FileWindow> {
    const stat = await files.stat(path)
    return new FileWindow(files, path, await files.open(path, 'read'), stat?.bytes ?? 0)
  }

  /** Where the window starts in the file. */
  get start(): number {
    return this.#start
  }

  /** The window's content; valid until the next `load`. */
  get loaded(): Bytes {
    return this.#loaded
  }

  /** Index of `offset` in the window once `length` bytes from there are loaded; null when the file is shorter. */
  async load(offset: number, length: number): Promise<number | null> {
    if (offset + length > this.size) return null
    const at = offset - this.#start
    if (at >= 0 && at + length <= this.#loaded.bytes.length) return at
    const bytes = new Uint8Array(Math.min(Math.max(length, WINDOW_BYTES), this.size - offset))
    const filled = await this.#read(bytes, offset)
    this.#start = offset
    this.#loaded = bytesOver(bytes.subarray(0, filled))
    return filled < length ? null : 0
  }

  close(): Promise<void> {
    return this.#files.close(this.#fd)
  }

  /** A read error ends recovery: what cannot be read must not be judged torn. */
  async #read(bytes: Uint8Array, offset: number): Promise<number> {
    try {
      return await readAll(this.#files, this.#fd, bytes, offset)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`reading ${this.path} at byte ${offset} failed: ${reason}`, { cause: error })
    }
  }
}
