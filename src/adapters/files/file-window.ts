import { messageOf } from '../../core/base/errors.ts'
import type { Files } from '../../ports/files.ts'
import { type Bytes, bytesOver } from '../binary/bytes.ts'
import { readAll } from './whole-file.ts'

const WINDOW_BYTES = 1024 * 1024

/** Reads a file, mostly front to back, with few calls and one buffer. */
export class FileWindow {
  readonly path: string
  readonly size: number
  readonly #files: Files
  readonly #fd: number
  #buffer: Buffer
  #start = 0
  #loaded: Bytes = bytesOver(new Uint8Array(0))

  /** `buffer`: where the bytes lie as long as it has room for them. */
  constructor(files: Files, path: string, fd: number, size: number, buffer: Buffer = Buffer.alloc(0)) {
    this.#files = files
    this.path = path
    this.#fd = fd
    this.size = size
    this.#buffer = buffer
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
    // Before memory is taken for it: a damaged length may be anything.
    if (offset + length > this.size) return null
    const at = offset - this.#start
    if (at >= 0 && at + length <= this.#loaded.bytes.length) return at
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.size - offset)
    // The old one is used again: a buffer for each part of a large file is much for the collector.
    if (wanted > this.#buffer.length) this.#buffer = Buffer.alloc(wanted)
    const filled = await this.#read(this.#buffer.subarray(0, wanted), offset)
    this.#start = offset
    this.#loaded = bytesOver(this.#buffer.subarray(0, filled))
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
      const reason = messageOf(error)
      throw new Error(`reading ${this.path} at byte ${offset} failed: ${reason}`, { cause: error })
    }
  }
}
