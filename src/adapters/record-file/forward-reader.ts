import type { Files } from '../../ports/files.ts'
import { crcOf } from '../binary/crc.ts'
import { DamagedFileError } from '../files/damage.ts'
import { readAll } from '../files/whole-file.ts'

/** Gives the bytes of a file front to back. What is taken is good until the next call. */
export interface Forward {
  readonly position: number
  /** Throws DamagedFileError when the file ends too early. */
  take(bytes: number): Promise<Buffer> | Buffer
}

/** The bytes of a file that lies in memory as a whole; they stay good. */
export class MemoryForward implements Forward {
  readonly #content: Buffer
  position: number

  constructor(content: Buffer, position: number) {
    this.#content = content
    this.position = position
  }

  take(bytes: number): Buffer {
    const piece = this.#content.subarray(this.position, this.position + bytes)
    if (piece.length < bytes) throw new DamagedFileError('the file ends too early')
    this.position += bytes
    return piece
  }
}

const READ_AHEAD_BYTES = 1024 * 1024

/** Takes a file with few calls and one buffer. */
export class FileForward implements Forward {
  readonly #files: Files
  readonly #fd: number
  readonly #fileBytes: number
  #buffer: Buffer = Buffer.alloc(0)
  /** The part of the buffer that is read. */
  #window: Buffer = Buffer.alloc(0)
  #taken = 0
  position: number

  constructor(files: Files, fd: number, fileBytes: number, position: number) {
    this.#files = files
    this.#fd = fd
    this.#fileBytes = fileBytes
    this.position = position
  }

  take(bytes: number): Promise<Buffer> | Buffer {
    // Before memory is taken for it: a damaged length may be anything.
    if (bytes > this.#fileBytes - this.position) throw new DamagedFileError('the file ends too early')
    if (bytes > this.#window.length - this.#taken) return this.#fill(bytes).then(() => this.#next(bytes))
    return this.#next(bytes)
  }

  #next(bytes: number): Buffer {
    const piece = this.#window.subarray(this.#taken, this.#taken + bytes)
    this.#taken += bytes
    this.position += bytes
    return piece
  }

  async #fill(bytes: number): Promise<void> {
    const kept = this.#window.subarray(this.#taken)
    const wanted = Math.min(Math.max(bytes, READ_AHEAD_BYTES), this.#fileBytes - this.position)
    // The old one is used again: a buffer for each part of a large file is much for the collector.
    const buffer = wanted > this.#buffer.length ? Buffer.alloc(wanted) : this.#buffer
    buffer.set(kept)
    const start = this.position + kept.length
    const read = await readAll(this.#files, this.#fd, buffer.subarray(kept.length, wanted), start)
    if (kept.length + read < bytes) throw new DamagedFileError('the file ends too early')
    this.#buffer = buffer
    this.#window = buffer.subarray(0, kept.length + read)
    this.#taken = 0
  }
}

/** Also the checksum of all that was taken. */
export class Summing implements Forward {
  readonly #inner: Forward
  crc = 0

  constructor(inner: Forward) {
    this.#inner = inner
  }

  get position(): number {
    return this.#inner.position
  }

  async take(bytes: number): Promise<Buffer> {
    const piece = await this.#inner.take(bytes)
    this.crc = crcOf(piece, this.crc)
    return piece
  }
}
