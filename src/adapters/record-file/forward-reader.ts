import type { Files } from '../../ports/files.ts'
import { DamagedFileError } from '../files/damage.ts'
import { readAll } from '../files/whole-file.ts'

const READ_AHEAD_BYTES = 1024 * 1024

/** Takes a file front to back with few calls and one buffer. */
export class ForwardReader {
  readonly #files: Files
  readonly #fd: number
  readonly #fileBytes: number
  #buffer: Buffer = Buffer.alloc(0)
  /** The part of the buffer that is read. */
  #window: Buffer = Buffer.alloc(0)
  #taken = 0
  #position: number

  constructor(files: Files, fd: number, fileBytes: number, position: number) {
    this.#files = files
    this.#fd = fd
    this.#fileBytes = fileBytes
    this.#position = position
  }

  /** Bytes of the file before the next one that is taken. */
  get position(): number {
    return this.#position
  }

  /** Reads the rest of the file into `memory` now; then whatever is taken stays good. */
  async readInto(memory: Buffer): Promise<void> {
    this.#buffer = memory
    await this.#fill(memory.length)
  }

  /** What is taken is good until the next call. Throws DamagedFileError when the file ends too early. */
  async take(bytes: number): Promise<Buffer> {
    // Before memory is taken for it: a damaged length may be anything.
    if (bytes > this.#fileBytes - this.#position) throw new DamagedFileError('the file ends too early')
    if (bytes > this.#window.length - this.#taken) await this.#fill(bytes)
    const piece = this.#window.subarray(this.#taken, this.#taken + bytes)
    this.#taken += bytes
    this.#position += bytes
    return piece
  }

  async #fill(bytes: number): Promise<void> {
    const kept = this.#window.subarray(this.#taken)
    const wanted = Math.min(Math.max(bytes, READ_AHEAD_BYTES), this.#fileBytes - this.#position)
    // The old one is used again: a buffer for each part of a large file is much for the collector.
    const buffer = wanted > this.#buffer.length ? Buffer.alloc(wanted) : this.#buffer
    buffer.set(kept)
    const start = this.#position + kept.length
    const read = await readAll(this.#files, this.#fd, buffer.subarray(kept.length, wanted), start)
    if (kept.length + read < bytes) throw new DamagedFileError('the file ends too early')
    this.#buffer = buffer
    this.#window = buffer.subarray(0, kept.length + read)
    this.#taken = 0
  }
}
