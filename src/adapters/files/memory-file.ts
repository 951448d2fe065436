import type { Files } from '../../ports/files.ts'

/** One file that is in memory only, under whatever name. What makes or moves files is refused. */
export class MemoryFile {
  #bytes: Buffer
  #length: number

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#length = bytes.length
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  readonly files: Files = {
    open: async () => 0,
    close: async () => undefined,
    stat: async () => ({ bytes: this.#length, isDirectory: false }),
    pread: async (_fd, into, position) => {
      const piece = this.bytes.subarray(position, position + into.length)
      into.set(piece)
      return piece.length
    },
    pwrite: async (_fd, bytes, position) => {
      this.#reserve(position + bytes.length)
      this.#bytes.set(bytes, position)
      this.#length = Math.max(this.#length, position + bytes.length)
      return bytes.length
    },
    fdatasync: refused,
    fsync: refused,
    rename: refused,
    unlink: refused,
    fsyncDir: refused,
    scrub: refused,
    mkdir: refused,
    readdir: refused,
    truncate: refused,
    statfs: refused,
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = Buffer.alloc(Math.max(length, this.#bytes.length * 2))
    larger.set(this.bytes)
    this.#bytes = larger
  }
}

async function refused(): Promise<never> {
  throw new Error('a file in memory is not made, moved or flushed')
}
